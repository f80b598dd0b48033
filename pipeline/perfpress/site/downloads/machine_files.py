"""Publishes the files for scripts: `/api/…` with JSON Schemas, and the feeds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from perfpress.input.report.report import Report
from perfpress.site.addresses import Identity, report_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.change_records import (
    ChangeFile,
    ChangeRecord,
    change_file,
    change_records,
)
from perfpress.site.downloads.feeds import (
    FEED,
    FeedEntry,
    feed_entries,
    report_feed,
    site_feed,
)
from perfpress.site.downloads.report_records import (
    ReportRecord,
    ReportsFile,
    report_record,
    reports_file,
)
from perfpress.site.downloads.verdict_records import (
    VERDICTS,
    VerdictFile,
    VerdictRecord,
    VerdictsOfRelease,
    record_of,
    verdict_file,
    verdicts_on,
)
from perfpress.site.nearby_releases import MOST
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Link
from perfpress.site.words.common_functions import CommonFunctions

SCHEMAS: dict[str, type[msgspec.Struct]] = {
    "reports": ReportsFile,
    "verdicts": VerdictFile,
    "changes": ChangeFile,
}
"""By the name of the file below `/api/`."""


class ReportRecords(msgspec.Struct, frozen=True, kw_only=True):
    """What the files for scripts say of a report."""

    report: ReportRecord
    changes: tuple[ChangeRecord, ...]
    feed: tuple[FeedEntry, ...]
    verdicts: tuple[VerdictRecord, ...]
    """On the newest releases; those on all would grow without end."""
    releases: tuple[VerdictsOfRelease, ...]
    """All that have verdicts."""


def report_records(
    figures: Figures, releases: Sequence[VerdictsOfRelease], common_functions: CommonFunctions
) -> ReportRecords:
    """Return the records of a report.

    Args:
        figures: of the report.
        releases: all that have verdicts, in order.
        common_functions: of its level changes.
    """
    return ReportRecords(
        report=report_record(figures.study),
        changes=change_records(figures, common_functions),
        feed=tuple(feed_entries(figures, common_functions)),
        verdicts=tuple(
            record_of(figures, *each)
            for newest in releases[-MOST:]
            for each in verdicts_on(figures, newest.release)
        ),
        releases=tuple(releases),
    )


def publish_machine_files(
    published: Sequence[tuple[Report, ReportRecords]],
    identity: Identity,
    directory: SiteDirectory,
) -> tuple[Link, ...]:
    """Write all files; return links to those about the whole site that hold anything."""
    for name, struct in SCHEMAS.items():
        directory.write_download(f"/api/{name}.schema.json", json_schema(name, struct), "Schema")
    for report, own in published:
        feed = report_feed(identity, report, own.feed)
        directory.write_download(f"{report_address(report)}{FEED}", feed, "Atom feed")
    records = [own for _, own in published]
    entries = [entry for own in records for entry in own.feed]
    changes = [change for own in records for change in own.changes]
    verdicts = [verdict for own in records for verdict in own.verdicts]
    releases = [release for own in records for release in own.releases]
    site = directory.write_download(f"/{FEED}", site_feed(identity, entries), "Feed of changes")
    levels = directory.write_download(
        "/api/changes.json", change_file(changes), "Level changes, JSON"
    )
    reports = reports_file(own.report for own in records)
    return (
        # To subscribe to, not to keep.
        msgspec.structs.replace(site, download="", note="Atom"),
        directory.write_download(
            f"/api/{VERDICTS}", verdict_file(verdicts, releases), "Verdicts, JSON"
        ),
        *((levels,) if changes else ()),
        directory.write_download("/api/reports.json", reports, "Reports, JSON"),
    )


def json_schema(name: str, struct: type[msgspec.Struct]) -> bytes:
    """Return the JSON Schema of a file below `/api/`, as published with it."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    schema: dict[str, Any] = {
        "$schema": draft,
        "title": f"{name}.json",
        **msgspec.json.schema(struct),
    }
    return msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n"

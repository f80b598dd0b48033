"""Publishes the files for scripts: `/api/…` with JSON Schemas, and the feeds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from perfpress.site.addresses import Identity, release_address, report_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.change_records import ChangeFile, change_file, change_records
from perfpress.site.downloads.feeds import FEED, feed_entries, report_feed, site_feed
from perfpress.site.downloads.report_records import ReportsFile, report_record, reports_file
from perfpress.site.downloads.verdict_records import (
    VERDICTS,
    VerdictFile,
    VerdictRecord,
    VerdictsOfRelease,
    record_of,
    verdict_file,
    verdicts_by_release,
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


@dataclass(frozen=True)
class PublishedReport:
    """A report, with what its pages leave for the files of the whole site."""

    figures: Figures
    common_functions: CommonFunctions
    verdicts: Mapping[str, str]
    """By release that has any, in order: the digest of its verdicts."""


def publish_machine_files(
    published: Sequence[PublishedReport],
    identity: Identity,
    directory: SiteDirectory,
) -> tuple[Link, ...]:
    """Write all files; return links to those about the whole site that hold anything."""
    for name, struct in SCHEMAS.items():
        directory.write_download(f"/api/{name}.schema.json", json_schema(name, struct), "Schema")
    verdicts = [record for each in published for record in _newest_verdicts(each)]
    releases = [listed for each in published for listed in _releases_with_verdicts(each)]
    changes = [
        record
        for each in published
        for record in change_records(each.figures, each.common_functions)
    ]
    reports = (report_record(each.figures.study) for each in published)
    entries = []
    for each in published:
        study = each.figures.study
        own = feed_entries(each.figures, each.common_functions)
        address = f"{report_address(study.report)}{FEED}"
        directory.write_download(address, report_feed(identity, study, own), "Atom feed")
        entries += own
    feed = directory.write_download(f"/{FEED}", site_feed(identity, entries), "Feed of changes")
    levels = directory.write_download(
        "/api/changes.json", change_file(changes), "Level changes, JSON"
    )
    return (
        # To subscribe to, not to keep.
        msgspec.structs.replace(feed, download="", note="Atom"),
        directory.write_download(
            f"/api/{VERDICTS}", verdict_file(verdicts, releases), "Verdicts, JSON"
        ),
        *((levels,) if changes else ()),
        directory.write_download("/api/reports.json", reports_file(reports), "Reports, JSON"),
    )


def _newest_verdicts(published: PublishedReport) -> Iterator[VerdictRecord]:
    """Yield the verdicts on the newest releases; those on all releases would grow without end."""
    verdicts = verdicts_by_release(published.figures)
    for release in [*verdicts][-MOST:]:
        for each in verdicts[release]:
            yield record_of(published.figures, *each)


def _releases_with_verdicts(published: PublishedReport) -> Iterator[VerdictsOfRelease]:
    report = published.figures.study.report
    for release, digest in published.verdicts.items():
        yield VerdictsOfRelease(
            report=report.id,
            release=release,
            url=f"{release_address(report, release)}{VERDICTS}".lstrip("/"),
            digest=digest,
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

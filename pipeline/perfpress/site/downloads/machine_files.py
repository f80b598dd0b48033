"""Publishes the files for scripts: `/api/…` with JSON Schemas, and the feeds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from perfpress.site.addresses import Identity, report_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.change_records import ChangeFile, change_file, change_records
from perfpress.site.downloads.feeds import FEED, feed_entries, report_feed, site_feed
from perfpress.site.downloads.report_records import ReportsFile, report_record, reports_file
from perfpress.site.downloads.verdict_records import VerdictFile, verdict_file, verdict_records
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Link
from perfpress.site.words.common_functions import CommonFunctions

SCHEMAS: dict[str, type[msgspec.Struct]] = {
    "reports": ReportsFile,
    "verdicts": VerdictFile,
    "changes": ChangeFile,
}
"""By the name of the file below `/api/`."""


def publish_machine_files(
    published: Sequence[tuple[Figures, CommonFunctions]],
    identity: Identity,
    directory: SiteDirectory,
) -> tuple[Link, ...]:
    """Write all files; return links to those about the whole site that hold anything."""
    for name, struct in SCHEMAS.items():
        directory.write_download(f"/api/{name}.schema.json", json_schema(name, struct), "Schema")
    verdicts = (record for figures, _ in published for record in verdict_records(figures))
    changes = [record for each in published for record in change_records(*each)]
    reports = (report_record(figures.study) for figures, _ in published)
    entries = []
    for figures, common_functions in published:
        own = feed_entries(figures, common_functions)
        address = f"{report_address(figures.study.report)}{FEED}"
        directory.write_download(address, report_feed(identity, figures.study, own), "Atom feed")
        entries += own
    feed = directory.write_download(f"/{FEED}", site_feed(identity, entries), "Feed of changes")
    levels = directory.write_download(
        "/api/changes.json", change_file(changes), "Level changes, JSON"
    )
    return (
        # To subscribe to, not to keep.
        msgspec.structs.replace(feed, download="", note="Atom"),
        directory.write_long_download(
            "/api/verdicts.json", verdict_file(verdicts), "Verdicts, JSON"
        ),
        *((levels,) if changes else ()),
        directory.write_download("/api/reports.json", reports_file(reports), "Reports, JSON"),
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

"""Publishes what machines read: `/api/…` with its schemas, and the feeds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pipeline.site_data.addresses import report_address
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.feeds import FEED, Identity, feed_entries, report_feed, site_feed
from pipeline.site_data.figures import Figures
from pipeline.site_data.report_records import ReportsFile, report_record, reports_file
from pipeline.site_data.shapes import Link
from pipeline.site_data.verdict_records import VerdictFile, verdict_file, verdict_records

SCHEMAS: dict[str, type[msgspec.Struct]] = {"reports": ReportsFile, "verdicts": VerdictFile}
"""By the name of the file below `/api/`."""


def publish_machine_files(
    all_figures: Sequence[Figures], identity: Identity, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write all of them; return links to those that tell of the whole site."""
    for name, struct in SCHEMAS.items():
        directory.write_download(f"/api/{name}.schema.json", json_schema(name, struct), "Schema")
    verdicts = (record for figures in all_figures for record in verdict_records(figures))
    reports = (report_record(figures.study) for figures in all_figures)
    entries = []
    for figures in all_figures:
        own = feed_entries(figures)
        address = f"{report_address(figures.study.report)}{FEED}"
        directory.write_download(address, report_feed(identity, figures.study, own), "Atom feed")
        entries += own
    feed = directory.write_download(f"/{FEED}", site_feed(identity, entries), "Feed of changes")
    return (
        # To subscribe to, not to keep.
        msgspec.structs.replace(feed, download="", note="Atom"),
        directory.write_download("/api/verdicts.json", verdict_file(verdicts), "Verdicts, JSON"),
        directory.write_download("/api/reports.json", reports_file(reports), "Reports, JSON"),
    )


def json_schema(name: str, struct: type[msgspec.Struct]) -> bytes:
    """Return the JSON Schema of a file below `/api/`, as it is published beside it."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    schema: dict[str, Any] = {
        "$schema": draft,
        "title": f"{name}.json",
        **msgspec.json.schema(struct),
    }
    return msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n"

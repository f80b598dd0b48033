"""`metrics.csv` and `metrics.json`: all numbers of a page, every digit of them, for download."""

import gzip

import msgspec
import pandas as pd

from perfpress.site.directory import SiteDirectory
from perfpress.site.formats.spreadsheet import csv_text
from perfpress.site.shapes.blocks import Link


def publish_metrics(
    frame: pd.DataFrame, address: str, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write both files at a page's address; return the links to them.

    Args:
        frame: the rows of `perfpress.analysis.metrics.metrics` that the page is made from.
        address: of the page.
        directory: where the site's files go.
    """
    return (
        directory.write_download(f"{address}metrics.csv", metrics_csv(frame), "All metrics, CSV"),
        directory.write_download(
            f"{address}metrics.json", metrics_json(frame), "All metrics, JSON"
        ),
    )


def publish_compressed_metrics(
    frame: pd.DataFrame, address: str, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write `metrics.csv.gz`, as `publish_metrics` does both files."""
    content = gzip.compress(metrics_csv(frame), mtime=0)
    link = directory.write_download(f"{address}metrics.csv.gz", content, "All metrics, CSV")
    return (link,)


def metrics_csv(frame: pd.DataFrame) -> bytes:
    """Return the frame as CSV, safe against formula injection in spreadsheets."""
    columns = [frame[name].tolist() for name in frame.columns]
    return csv_text([frame.columns, *zip(*columns, strict=True)]).encode()


def metrics_json(frame: pd.DataFrame) -> bytes:
    """Return the frame as an array of objects, a line a number."""
    lines = map(msgspec.json.encode, frame.to_dict(orient="records"))
    return b"[\n" + b",\n".join(lines) + b"\n]\n"

"""`metrics.csv` and `metrics.json`: all numbers of a page, every digit of them, for download."""

import gzip
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import msgspec
import pandas as pd

from perfpress.analysis.metrics.metrics import COLUMNS
from perfpress.site.directory import SiteDirectory
from perfpress.site.formats.spreadsheet import csv_text, no_formula, safe_csv_text
from perfpress.site.shapes.blocks import Link


def publish_metrics(
    frame: pd.DataFrame, address: str, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write both files at a page's address; return the links to them, none of empty files.

    Args:
        frame: the rows of `perfpress.analysis.metrics.metrics` that the page is made from.
        address: of the page.
        directory: where the site's files go.
    """
    links = (
        directory.write_download(f"{address}metrics.csv", metrics_csv(frame), "All metrics, CSV"),
        directory.write_download(
            f"{address}metrics.json", metrics_json(frame), "All metrics, JSON"
        ),
    )
    return () if frame.empty else links


def publish_compressed_metrics(
    rows: Iterable[bytes], address: str, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write `metrics.csv.gz`: the columns, and what `compressed_rows` returned, in order.

    Each is a member of the file, as RFC 1952 has it; readers of gzip join them.
    """
    pieces = chain([gzip.compress(_columns(), mtime=0)], rows)
    return (directory.write_long_download(f"{address}metrics.csv.gz", pieces, "All metrics, CSV"),)


def compressed_rows(frame: pd.DataFrame) -> bytes:
    """Return the lines of `metrics_csv` below the columns."""
    return gzip.compress(_rows(frame), mtime=0)


def metrics_csv(frame: pd.DataFrame) -> bytes:
    """Return the frame as CSV, safe against formula injection in spreadsheets."""
    return _columns() + _rows(frame)


def _columns() -> bytes:
    return csv_text([COLUMNS]).encode()


def _rows(frame: pd.DataFrame) -> bytes:
    columns = [_safe(frame[name]) for name in COLUMNS]
    return safe_csv_text(zip(*columns, strict=True)).encode()


def _safe(column: "pd.Series[Any]") -> Sequence[Any]:
    """Return the cells of a column; each distinct text of categories is looked at once."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return [no_formula(cell) for cell in column.tolist()]
    texts = [no_formula(text) for text in column.cat.categories]
    return [texts[code] for code in column.cat.codes.tolist()]


def metrics_json(frame: pd.DataFrame) -> bytes:
    """Return the frame as an array of objects, a line a number."""
    lines = map(msgspec.json.encode, frame.to_dict(orient="records"))
    return b"[\n" + b",\n".join(lines) + b"\n]\n"

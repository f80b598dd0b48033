"""`metrics.csv` and `metrics.json`: all numbers of a page, every digit of them, for download."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pandas as pd

from perfpress.site.directory import SiteDirectory
from perfpress.site.formats.spreadsheet import csv_text, no_formula, safe_csv_text
from perfpress.site.shapes.blocks import Link

ROWS_AT_ONCE = 10_000
"""As text they take ten times the memory of the frame."""
GZIP = 31
"""What zlib calls the format of gzip."""


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
    frame: pd.DataFrame, address: str, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write `metrics.csv.gz`, as `publish_metrics` does both files."""
    made = zlib.compressobj(9, wbits=GZIP)

    def pieces() -> Iterator[bytes]:
        yield from map(made.compress, _csv(frame))
        yield made.flush()

    return (
        directory.write_long_download(f"{address}metrics.csv.gz", pieces(), "All metrics, CSV"),
    )


def metrics_csv(frame: pd.DataFrame) -> bytes:
    """Return the frame as CSV, safe against formula injection in spreadsheets."""
    return b"".join(_csv(frame))


def _csv(frame: pd.DataFrame) -> Iterator[bytes]:
    yield csv_text([frame.columns]).encode()
    for start in range(0, len(frame), ROWS_AT_ONCE):
        some = frame.iloc[start : start + ROWS_AT_ONCE]
        columns = [_safe(some[name]) for name in some.columns]
        yield safe_csv_text(zip(*columns, strict=True)).encode()


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

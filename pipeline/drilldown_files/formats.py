"""All formats of a drilldown, by the name that the command line has for them."""

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.drilldown_files.csv_rows import csv_of
from pipeline.drilldown_files.json_tables import json_of
from pipeline.drilldown_files.markdown import markdown_of
from pipeline.drilldown_files.sheet import Sheet
from pipeline.drilldown_files.text import text_of


@dataclass(frozen=True)
class Format:
    """How a drilldown is written to a file."""

    label: str
    suffix: str
    written: Callable[[Sequence[Sheet]], str]


FORMATS = {
    "text": Format("Text", "txt", text_of),
    "markdown": Format("Markdown", "md", markdown_of),
    "csv": Format("CSV", "csv", csv_of),
    "json": Format("JSON", "json", json_of),
}


def letters(count: int) -> tuple[str, ...]:
    """Return short heads: a to z, then a2 to z2."""
    alphabet = string.ascii_lowercase
    return tuple(
        alphabet[at % len(alphabet)] + (str(at // len(alphabet) + 1) if at >= len(alphabet) else "")
        for at in range(count)
    )

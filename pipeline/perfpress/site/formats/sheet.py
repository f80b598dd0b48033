"""The content of a drilldown file, independent of its format."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from perfpress.analysis.drilldowns.columns import PathColumn
from perfpress.analysis.drilldowns.drilldowns import PathWeight
from perfpress.analysis.paths.parse import Path, Self, ShareOfPath
from perfpress.analysis.profiles.cost import CostUnit

ShownNumbers = Literal["share", "cost", "both"]


@dataclass(frozen=True)
class SheetRow:
    """One release or file."""

    label: str
    event: str
    unit: str
    total: int | None
    """Exact weight of the whole profile; None where there is none."""
    cells: tuple[PathWeight, ...]
    """One a column."""


@dataclass(frozen=True)
class Sheet:
    """A drilldown in one view."""

    columns: tuple[PathColumn, ...]
    letters: tuple[str, ...]
    """Short heads, one a column."""
    row_head: str
    rows: tuple[SheetRow, ...]
    view: str = ""
    """Which view it is, and of which step, in words; empty where there is only one."""
    numbers: ShownNumbers = "share"
    costs: CostUnit = field(default_factory=lambda: CostUnit("", ""))
    """What they are counted in."""


def cell_notes(sheet: Sheet) -> Iterator[str]:
    """Yield what must be known of single cells: why one is absent, or what else it matches."""
    for row in sheet.rows:
        for letter, cell in zip(sheet.letters, row.cells, strict=True):
            if cell.absent:
                yield f"{row.label}, {letter}: {cell.absent}"
            for warning in cell.warnings:
                yield f"{row.label}, {letter}: {warning}"


def legend_text(letter: str, column: PathColumn) -> str:
    """Return the path of a column, and its author's words for it where they say more."""
    text = f"{column.text} without the other columns" if column.rest else column.text
    says_more = column.head != letter and not text.endswith(column.head)
    return f"{text}, {column.head}" if says_more else text


def is_alone(path: Path) -> bool:
    """Return whether a path's numbers leave out what its frames called."""
    return isinstance(path.part if isinstance(path, ShareOfPath) else path, Self)

"""Drilldowns as plain text, in the layout in which people publish such tables by hand.

a - my-oneconnection
b - rocksdb:high, RocksDB memtable flush

l.i1 - along the call path
Numbers are the percentage of cycles in each function including its children.
a       b       version
49.89   2.46    2022-03-07, RocksDB 6.28.2
"""

from collections.abc import Callable, Sequence

from perfpress.analysis.drilldowns.drilldowns import PathWeight
from perfpress.analysis.paths.parse import ShareOfPath
from perfpress.base.console import printable
from perfpress.base.display import decimals_for, fixed
from perfpress.base.units import noun
from perfpress.site.formats.sheet import Sheet, cell_notes, is_alone, legend_text

ABSENT = "x"
STOP = 8
"""Columns begin at multiples of this, as tabs make them."""


def text_of(sheets: Sequence[Sheet]) -> str:
    """Return a drilldown's views, one below the other."""
    return "\n".join(_view(sheet) for sheet in sheets)


def _view(sheet: Sheet) -> str:
    legend = [
        f"{letter} - {legend_text(letter, column)}"
        for letter, column in zip(sheet.letters, sheet.columns, strict=True)
    ]
    blocks = [legend]
    if sheet.numbers != "cost":
        blocks.append(_block(sheet, _shares_are(sheet), percent))
    if sheet.numbers != "share":
        blocks.append(_block(sheet, *_costs(sheet)))
    blocks.append(list(cell_notes(sheet)))
    return "\n\n".join("\n".join(map(printable, block)) for block in blocks if block) + "\n"


def percent(cell: PathWeight) -> str:
    """Return a share as text; absent ones have a sign of their own."""
    return ABSENT if cell.share is None else fixed(100 * cell.share, 2)


def _shares_are(sheet: Sheet) -> str:
    nouns = " or ".join(sorted({noun(row.unit) for row in sheet.rows if row.unit}))
    alone = [
        letter
        for letter, column in zip(sheet.letters, sheet.columns, strict=True)
        if is_alone(column.path)
    ]
    parts = [
        letter
        for letter, column in zip(sheet.letters, sheet.columns, strict=True)
        if isinstance(column.path, ShareOfPath) and not column.rest
    ]
    included = "including its children"
    if alone:
        included = "without its children" + (
            ""
            if len(alone) == len(sheet.columns)
            else f" in {', '.join(alone)}, else including them"
        )
    of = f"; {', '.join(parts)}: of the path after 'of'" if parts else ""
    return f"Numbers are the percentage of {nouns} in each function {included}{of}."


def _costs(sheet: Sheet) -> tuple[str, Callable[[PathWeight], str]]:
    """Return what the costs are, and how one is written."""
    costs = [cell.cost for row in sheet.rows for cell in row.cells if cell.cost is not None]
    factor, unit = sheet.costs.shown(costs)
    decimals = decimals_for(cost * factor for cost in costs)

    def written(cell: PathWeight) -> str:
        return ABSENT if cell.cost is None else fixed(cell.cost * factor, decimals)

    return f"Numbers are {unit} in each function.", written


def _block(sheet: Sheet, numbers_are: str, written: Callable[[PathWeight], str]) -> list[str]:
    table = [
        [*sheet.letters, sheet.row_head],
        *([*map(written, row.cells), row.label] for row in sheet.rows),
    ]
    table = [[printable(text) for text in cells] for cells in table]
    widths = [max(len(cells[at]) for cells in table) for at in range(len(sheet.columns))]
    stops = [STOP * (width // STOP + 1) for width in widths]
    lines = [
        "".join([*(text.ljust(stop) for text, stop in zip(cells, stops, strict=False)), cells[-1]])
        for cells in table
    ]
    return [*([sheet.view] if sheet.view else []), numbers_are, *lines]

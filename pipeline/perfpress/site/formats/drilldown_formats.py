"""All formats of a drilldown, by the name that the command line has for them."""

import json
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from perfpress.analysis.drilldowns.columns import PathColumn
from perfpress.analysis.drilldowns.drilldowns import PathWeight
from perfpress.site.formats.markdown import markdown_of
from perfpress.site.formats.sheet import Sheet, SheetRow
from perfpress.site.formats.spreadsheet import csv_text
from perfpress.site.formats.text import text_of

CSV_FIELDS = ("event", "unit", "head", "path", "percent", "weight", "cost", "cost_unit", "absent")


@dataclass(frozen=True)
class DrilldownFormat:
    """How a drilldown is written to a file."""

    label: str
    suffix: str
    written: Callable[[Sequence[Sheet]], str]


def letters(count: int) -> tuple[str, ...]:
    """Return short heads: a to z, then a2 to z2."""
    alphabet = string.ascii_lowercase
    return tuple(
        alphabet[at % len(alphabet)] + (str(at // len(alphabet) + 1) if at >= len(alphabet) else "")
        for at in range(count)
    )


def csv_of(sheets: Sequence[Sheet]) -> str:
    """Return all views as one table; its first column is the row, its last one the view."""
    rows: list[list[str | int]] = [[sheets[0].row_head, *CSV_FIELDS, "view"]]
    for sheet in sheets:
        for row in sheet.rows:
            for column, cell in zip(sheet.columns, row.cells, strict=True):
                path = f"rest of {column.text}" if column.rest else column.text
                facts = (row.label, row.event, row.unit, column.head, path)
                percent = "" if cell.share is None else repr(100 * cell.share)
                cost = "" if cell.cost is None else repr(cell.cost)
                unit = sheet.costs.text if cost else ""
                rows.append([*facts, percent, cell.weight, cost, unit, cell.absent, sheet.view])
    return csv_text(rows)


def json_of(sheets: Sequence[Sheet]) -> str:
    """Return the rows of all views; weights are text, as they can exceed what JSON readers hold."""
    rows = [_row(sheet, row) for sheet in sheets for row in sheet.rows]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _row(sheet: Sheet, row: SheetRow) -> dict[str, Any]:
    return {
        sheet.row_head: row.label,
        **({"view": sheet.view} if sheet.view else {}),
        "event": row.event,
        "unit": row.unit,
        "cost_unit": sheet.costs.text if _has_cost(row) else None,
        "total": None if row.total is None else str(row.total),
        "paths": [
            _path(column, cell) for column, cell in zip(sheet.columns, row.cells, strict=True)
        ],
    }


def _has_cost(row: SheetRow) -> bool:
    return any(cell.cost is not None for cell in row.cells)


def _path(column: PathColumn, cell: PathWeight) -> dict[str, Any]:
    return {
        "head": column.head,
        "path": column.text,
        "rest": column.rest,
        "share": cell.share,
        "cost": cell.cost,
        "weight": str(cell.weight),
        "samples": cell.samples,
        "names": [
            {"name": name.name, "class": name.frame_class, "weight": str(name.weight)}
            for name in cell.names
        ],
        "warnings": cell.warnings,
        "frame": cell.frame,
        "absent": cell.absent,
    }


FORMATS = {
    "text": DrilldownFormat("Text", "txt", text_of),
    "markdown": DrilldownFormat("Markdown", "md", markdown_of),
    "csv": DrilldownFormat("CSV", "csv", csv_of),
    "json": DrilldownFormat("JSON", "json", json_of),
}

"""Drilldowns as JSON: a list of rows with all that is known of their cells."""

import json
from collections.abc import Sequence
from typing import Any

from pipeline.analysis.drilldown import PathWeight
from pipeline.analysis.drilldown_columns import PathColumn
from pipeline.drilldown_files.sheet import Sheet, SheetRow


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
        "total": None if row.total is None else str(row.total),
        "paths": [
            _path(column, cell) for column, cell in zip(sheet.columns, row.cells, strict=True)
        ],
    }


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

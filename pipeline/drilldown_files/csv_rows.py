"""Drilldowns as CSV: one row a cell, nothing rounded."""

from collections.abc import Sequence

from pipeline.drilldown_files.sheet import Sheet
from pipeline.spreadsheet import csv_text

FIELDS = ("event", "unit", "head", "path", "percent", "weight", "cost", "absent")


def csv_of(sheets: Sequence[Sheet]) -> str:
    """Return all views as one table; its first column tells the row, its last one the view."""
    rows: list[list[str | int]] = [[sheets[0].row_head, *FIELDS, "view"]]
    for sheet in sheets:
        for row in sheet.rows:
            for column, cell in zip(sheet.columns, row.cells, strict=True):
                path = f"rest of {column.text}" if column.rest else column.text
                facts = (row.label, row.event, row.unit, column.head, path)
                percent = "" if cell.share is None else repr(100 * cell.share)
                cost = "" if cell.cost is None else repr(cell.cost)
                rows.append([*facts, percent, cell.weight, cost, cell.absent, sheet.view])
    return csv_text(rows)

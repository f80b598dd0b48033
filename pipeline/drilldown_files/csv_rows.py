"""Drilldowns as CSV: one row a cell, nothing rounded."""

import csv
import io
from collections.abc import Sequence

from pipeline.drilldown_files.sheet import Sheet

FIELDS = ("event", "unit", "head", "path", "percent", "weight", "cost", "absent")


def csv_of(sheets: Sequence[Sheet]) -> str:
    """Return all views as one table; its first column tells the row, its last one the view."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([sheets[0].row_head, *FIELDS, "view"])
    for sheet in sheets:
        for row in sheet.rows:
            for column, cell in zip(sheet.columns, row.cells, strict=True):
                path = f"rest of {column.text}" if column.rest else column.text
                facts = (row.label, row.event, row.unit, column.head, path)
                percent = "" if cell.share is None else repr(100 * cell.share)
                cost = "" if cell.cost is None else repr(cell.cost)
                numbers = (percent, cell.weight, cost)
                texts = map(no_formula, (cell.absent, sheet.view))
                writer.writerow([*map(no_formula, facts), *numbers, *texts])
    return out.getvalue()


def no_formula(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text

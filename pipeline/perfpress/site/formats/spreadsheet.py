"""Writes CSV that is safe against formula injection in spreadsheets."""

import csv
from collections.abc import Iterable
from typing import Any

FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""How a formula may begin: https://owasp.org/www-community/attacks/CSV_Injection. Spreadsheets of
some languages take the wide forms for the others."""


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    r"""Return rows as CSV whose lines end in \n.

    Texts that a spreadsheet may take for a formula begin with an apostrophe; numbers stay numbers,
    negative ones too.
    """
    return safe_csv_text([no_formula(cell) for cell in row] for row in rows)


def safe_csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as `csv_text` does; their texts are what `no_formula` returned."""
    lines = _Lines()
    # Before Python 3.13 a cell is put in quotes only for those line ends that are in the
    # writer's own. A name that holds \r=1+1 would otherwise begin a row with a formula.
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerows(rows)
    return "".join(lines)


def no_formula(cell: Any) -> Any:
    """Return a cell with an apostrophe before what begins like a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


class _Lines(list[str]):
    """What a writer writes, a row at a time."""

    def write(self, row: str) -> None:
        self.append(row.removesuffix("\r\n") + "\n")

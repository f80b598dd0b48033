"""Columns of tables, each its head and its cells in one definition; and the keys of rows."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec.structs import replace

from perfpress.base.display import common_namespace
from perfpress.base.slugs import shortened, slug
from perfpress.site.shapes.blocks import Cell, ColumnHead, Row, Table

LONGEST_KEY = 40
"""Characters; a page has the key of a row once for every cell."""

Subject = TypeVar("Subject")
"""What a row of the table is about: a release's cell, a run, a function."""


@dataclass(frozen=True)
class Column(Generic[Subject]):
    """One column."""

    key: str
    """Unique in its table; part of the anchors of its cells."""
    label: str
    cell: Callable[[Subject], Cell]
    unit: str = ""
    meaning: str = ""
    """One sentence for the table's legend."""
    numeric: bool = True
    stays: bool = False
    """Whether it is shown where all rows say the same."""

    @property
    def head(self) -> ColumnHead:
        """What templates show above the cells."""
        return ColumnHead(
            key=self.key,
            label=self.label,
            unit=self.unit,
            meaning=self.meaning,
            numeric=self.numeric,
            stays=self.stays,
        )


def filled(
    table: Table,
    columns: Sequence[Column[Subject]],
    rows: Iterable[tuple[Row, Subject]],
) -> Table:
    """Return a table with its columns and rows.

    Args:
        table: without either.
        columns: of the table.
        rows: each without its cells, and what it is about.
    """
    return replace(
        table,
        columns=tuple(column.head for column in columns),
        rows=tuple(
            replace(row, cells=tuple(column.cell(subject) for column in columns))
            for row, subject in rows
        ),
    )


def filled_with_functions(
    table: Table,
    columns: Sequence[Column[Subject]],
    functions: Sequence[Subject],
    name: Callable[[Subject], str],
    row: Callable[[Subject, str], Row],
) -> Table:
    """Return a table with a row for each function, keyed by its name.

    Args:
        table: without columns and rows.
        columns: of the table.
        functions: in order.
        name: returns what a function is called.
        row: returns the head of a function's row, from the function and its key.
    """
    keyed = zip(functions, row_keys(map(name, functions)), strict=True)
    table = replace(table, row_head=table.row_head or "Function")
    rows = ((row(function, key), function) for function, key in keyed)
    return with_namespace(filled(table, columns, rows))


def with_namespace(table: Table) -> Table:
    """Return a table, whose rows are functions, with the namespace that their names share."""
    return replace(table, namespace=common_namespace(row.label for row in table.rows))


def row_keys(names: Iterable[str]) -> tuple[str, ...]:
    """Return a key for each name; where several make one, those after the first are numbered."""
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for name in names:
        key = shortened(slug(name), LONGEST_KEY)
        seen[key] += 1
        # No slug holds `~`: a number is never taken for the name of another function.
        keys.append(key if seen[key] == 1 else f"{key}~{seen[key]}")
    return tuple(keys)

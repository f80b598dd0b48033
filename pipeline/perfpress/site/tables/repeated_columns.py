"""Replaces a column that is the same in every row by a sentence above the table."""

from collections.abc import Iterable, Mapping, Sequence
from operator import is_not
from typing import TypeVar, cast

import msgspec

from perfpress.base.display import NO_VALUE
from perfpress.site.shapes.blocks import Cell, ColumnHead, Row, Table

ABSENT = ("", NO_VALUE, "unknown")
"""What cells without a value say."""

Shape = TypeVar("Shape", bound=msgspec.Struct)


def without_repeats(page: Shape) -> Shape:
    """Return a page, or a table, without columns that say the same in every row."""
    return cast(Shape, _changed(page))


def _changed(value: object) -> object:
    """Return a value without repeats: itself, where there are none."""
    match value:
        case Table():
            return _table(value)
        case msgspec.Struct():
            return _struct(value)
        case tuple() if not value or not isinstance(value[0], str):
            changed = tuple(map(_changed, value))
            return changed if any(map(is_not, changed, value)) else value
        case Mapping():
            return {key: _changed(each) for key, each in value.items()}
    return value


def _struct(value: msgspec.Struct) -> msgspec.Struct:
    old = ((name, getattr(value, name)) for name in value.__struct_fields__)
    new = {name: new for name, each in old if (new := _changed(each)) is not each}
    return msgspec.structs.replace(value, **new) if new else value


def _table(table: Table) -> Table:
    if not table.rows or table.by_release:
        return table
    everything = (*table.rows, *table.foot)
    said: dict[str, list[str]] = {}
    kept: list[int] = []
    for at, head in enumerate(table.columns):
        words = _said_once(head, everything, at)
        if words is None:
            kept.append(at)
        elif words:
            said.setdefault(words, []).append(head.label)
    if len(kept) == len(table.columns):
        return table
    return msgspec.structs.replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=_kept_cells(table.rows, kept),
        foot=_kept_cells(table.foot, kept),
        once=(
            *table.once,
            *(
                f"{', '.join(dict.fromkeys(labels))}: {words.rstrip('.')}."
                for words, labels in said.items()
            ),
        ),
    )


def _said_once(head: ColumnHead, rows: Sequence[Row], at: int) -> str | None:
    """Return what all cells of a column say; None where the column has to stay.

    Empty where it has neither values nor a reason, as a date that no release has: its absence
    says nothing.
    """
    cells = [row.cells[at] for row in rows]
    first = cells[0]
    plain = Cell(text=first.text, note=first.note, spoken=first.spoken)
    if head.stays or first != plain:
        return None
    if any(each != first for each in cells):
        return _all_absent(rows, cells)
    if first.text in ABSENT:
        return first.note or first.text.replace(NO_VALUE, "")
    # A number is compared with other pages', and a single row has nothing that could repeat.
    return None if head.numeric or len(cells) == 1 else first.text


def _all_absent(rows: Sequence[Row], cells: Sequence[Cell]) -> str | None:
    """Return why a column has no value where rows differ in the reason: that of the last row."""
    if any(
        each != Cell(text=each.text, note=each.note) or each.text not in ABSENT for each in cells
    ):
        return None
    pairs = reversed(list(zip(rows, cells, strict=True)))
    reasons = (
        f"none (for {row.label}: {each.note.rstrip('.')})" for row, each in pairs if each.note
    )
    return next(reasons, "")


def _kept_cells(rows: Iterable[Row], kept: list[int]) -> tuple[Row, ...]:
    return tuple(
        msgspec.structs.replace(row, cells=tuple(row.cells[at] for at in kept)) for row in rows
    )

"""Columns hold head and cell together; a table refuses rows that do not fit its columns."""

import pytest
from perfpress.site.shapes.blocks import Cell, ColumnHead, Row, Table
from perfpress.site.tables.columns import Column, filled

COLUMNS: tuple[Column[int], ...] = (
    Column("value", "Value", lambda number: Cell(text=str(number), sort=number), unit="ms"),
    Column("sign", "Sign", lambda number: Cell(text="-" if number < 0 else "+"), numeric=False),
)


def cells_of(number: int) -> tuple[Cell, ...]:
    return tuple(column.cell(number) for column in COLUMNS)


def table(*rows: tuple[Cell, ...], foot: tuple[Cell, ...] | None = None) -> Table:
    return Table(
        id="numbers",
        caption="Numbers",
        row_head="Number",
        columns=tuple(column.head for column in COLUMNS),
        rows=tuple(Row(key=f"r{at}", label="", cells=cells) for at, cells in enumerate(rows)),
        foot=() if foot is None else (Row(key="@sum", label="", cells=foot),),
    )


def test_heads_and_cells_are_in_one_order() -> None:
    empty = Table(id="numbers", caption="Numbers", row_head="Number")
    made = filled(empty, COLUMNS, [(Row(key="r", label="r"), -3)])
    assert made.columns == (
        ColumnHead(key="value", label="Value", unit="ms"),
        ColumnHead(key="sign", label="Sign", numeric=False),
    )
    assert made.rows[0].cells == (Cell(text="-3", sort=-3), Cell(text="-"))


def test_a_table_takes_rows_that_fit() -> None:
    assert len(table(cells_of(1), cells_of(2)).rows) == 2


@pytest.mark.parametrize("cells", [cells_of(1)[:1], (*cells_of(1), Cell(text=""))])
def test_a_table_refuses_rows_and_feet_of_another_width(cells: tuple[Cell, ...]) -> None:
    found = f"{len(cells)} cells under 2 columns"
    with pytest.raises(ValueError, match=f"table numbers, row r1: {found}"):
        table(cells_of(1), cells)
    with pytest.raises(ValueError, match=f"table numbers, row @sum: {found}"):
        table(cells_of(1), foot=cells)

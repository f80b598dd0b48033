"""Tables filled with rows: each with its cells, functions keyed by their names."""

import json

import msgspec
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled, filled_with_functions

EMPTY = Table(id="t", caption="Squares", row_head="Number")
COLUMNS = [Column[int]("square", "Square", lambda number: Cell(text=str(number**2)))]


def test_a_row_has_a_head_and_a_cell_for_each_column() -> None:
    table = filled(
        EMPTY, COLUMNS, ((Row(key=f"n{each}", label=str(each)), each) for each in (2, 3))
    )
    assert [head.label for head in table.columns] == ["Square"]
    rows = [(row.key, row.label, [cell.text for cell in row.cells]) for row in table.rows]
    assert rows == [("n2", "2", ["4"]), ("n3", "3", ["9"])]


def test_a_table_without_rows_says_so_to_templates() -> None:
    table = filled(EMPTY, COLUMNS, [])
    assert json.loads(msgspec.json.encode(table))["rows"] == []


def test_functions_of_one_name_have_keys_of_their_own() -> None:
    names = ["a::f", "b::g", "a::f"]
    columns = [Column[str]("length", "Length", lambda name: Cell(text=str(len(name))))]
    table = filled_with_functions(
        Table(id="t", caption="Functions"),
        columns,
        names,
        lambda name: name,
        lambda name, key: Row(key=key, label=name),
    )
    assert [row.key for row in table.rows] == ["a-f", "b-g", "a-f~2"]
    assert table.row_head == "Function"

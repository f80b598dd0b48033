"""What a spreadsheet takes for a formula begins with an apostrophe, and no cell begins a row."""

import csv
import io

import pytest
from perfpress.site.formats.spreadsheet import csv_text, no_formula

BEGINNINGS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_text_that_begins_like_a_formula_is_none(beginning: str) -> None:
    text = f"{beginning}1+1"
    assert no_formula(text) == f"'{text}"
    [[cell]] = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize("cell", [-1, -1.5, 0, "", "a=1", "1-1", "\N{MINUS SIGN}1", None])
def test_numbers_and_other_texts_stay_as_they_are(cell: object) -> None:
    assert no_formula(cell) == cell


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_a_line_end_in_a_cell_begins_no_row(end: str) -> None:
    text = csv_text([["name", "value"], [f"a{end}=1+1", 1]])
    assert text == f'name,value\n"a{end}=1+1",1\n'

"""Suspects and shifts on a diff's page: numbers that add up, and what nobody can tell said so."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suspect_samples import NOTHING_GREW, function, shift, suspect

from pipeline.site_data.shapes import Table
from pipeline.site_data.shifts_table import alias_line, shifts_table
from pipeline.site_data.suspects_sentences import suspects_sentences
from pipeline.site_data.suspects_table import suspects_table


def told(*suspects: dict[str, Any], **facts: Any) -> dict[str, Any]:
    explained = sum(each["part"] or 0.0 for each in suspects)
    growth = {"whole": 10_000.0, "even": 0.0, "unexplained": 10_000.0 - explained}
    return {**NOTHING_GREW, "suspects": list(suspects), "growth": growth, **facts}


def table_of(facts: dict[str, Any]) -> Table:
    table = suspects_table(facts, "diff")
    assert table is not None
    return table


def cells(table: Table, row: int) -> dict[str, str]:
    return {
        column.key: cell.text
        for column, cell in zip(table.columns, table.rows[row].cells, strict=True)
    }


def test_a_suspect_has_both_sides_the_change_and_its_part() -> None:
    table = table_of(told(suspect("sort", 5000.0, 9000.0)))
    row = cells(table, 0)
    assert (row["base"], row["after"], row["change"], row["net"]) == (
        *("5.00", "9.00", "+4.00", "+4.00"),
    )
    assert (row["part"], row["p"]) == ("40.0", "0.0040")
    assert (row["base-captures"], row["after-captures"]) == ("4.00 to 6.00", "8.00 to 10.00")
    assert table.columns[0].unit == "CPU µs per operation"


def test_a_row_leads_to_the_frame_in_the_graph_on_the_page() -> None:
    (row, *_) = table_of(told(suspect('a > "b"', 0.0, 9000.0))).rows
    assert row.url == "#diff.frame=main%20%3E%20a%20%3E%20%22b%22"


def test_all_parts_add_up_to_the_whole_growth() -> None:
    many = [suspect(f"f{at}", 0.0, 300.0) for at in range(25)]
    table = table_of(told(*many))
    *rows, whole = [row.cells[4].sort for row in table.rows]
    assert [row.label for row in table.rows[20:]] == ["5 more", "unexplained", "the whole growth"]
    assert sum(part or 0.0 for part in rows) == pytest.approx(whole) == pytest.approx(100)
    assert table.notes == ("The first 20 of 25; suspects.json has all.",)


def test_what_all_code_grew_by_has_a_row() -> None:
    growth = {"whole": 10_000.0, "even": 9_000.0, "unexplained": -3_000.0}
    table = table_of(told(suspect("sort", 0.0, 4000.0), even=1.09, growth=growth))
    assert [row.label for row in table.rows] == [
        *("sort", "all code, evenly", "unexplained", "the whole growth"),
    ]
    assert cells(table, 2)["part"] == "−30.0"


def test_parts_are_unknown_where_no_log_tells_operations() -> None:
    facts = told(suspect("sort", 5000.0, 9000.0, part=None), basis="share", growth=None)
    table = table_of(facts)
    assert len(table.rows) == 1
    assert cells(table, 0)["part"] == "unknown"
    assert "a larger share is not a higher cost" in " ".join(suspects_sentences(facts))


@pytest.mark.parametrize(
    ("captures", "ways", "why"),
    [
        ((1, 5), 6, "one capture of 16"),
        ((1, 0), 1, "one capture of 16 and no single captures of 18"),
        (
            (2, 3),
            10,
            "2 captures of 16 and 3 captures of 18 can be parted in 10 ways, and it takes 20",
        ),
    ],
)
def test_too_few_captures_cannot_tell_chance_and_that_is_said(
    captures: tuple[int, int], ways: int, why: str
) -> None:
    sides = {
        side: {**NOTHING_GREW[side], "captures": count}
        for side, count in zip(("base", "after"), captures, strict=True)
    }
    chance = {"ways": ways, "tried": 0, "level": None}
    facts = told(suspect("sort", 0.0, 9000.0, p=None, base_range=None), chance=chance, **sides)
    (cell,) = [cell for cell in table_of(facts).rows[0].cells if cell.note == why]
    assert cell.text == "cannot tell"
    assert cells(table_of(facts), 0)["base-captures"] == "cannot tell"
    assert f"Whether it is chance nobody can tell: {why}." in suspects_sentences(facts)


def test_sentences_say_the_level_the_ways_and_what_was_no_more_than_chance() -> None:
    chance = {"ways": 12_870, "tried": 2000, "level": 0.01}
    said = " ".join(suspects_sentences(told(chance=chance, within_chance=1)))
    assert "a p of at most 0.01, from 2,000 of 12,870 ways" in said
    assert "1 function grew by no more than captures of one release differ." in said
    assert said.startswith("No suspects")


def test_nobody_counts_more_than_a_million_ways() -> None:
    chance = {"ways": 1_000_000, "tried": 2000, "level": 0.01}
    assert "from 2,000 of more than 1,000,000 ways" in " ".join(
        suspects_sentences(told(chance=chance))
    )


def test_what_was_not_looked_at_is_counted() -> None:
    said = suspects_sentences(told(not_ranked=3))
    assert "Not looked at, as so many grew by more: 3 functions." in said


def test_even_growth_is_one_sentence_and_no_suspects() -> None:
    facts = told(even=1.09, spread_evenly=True)
    assert suspects_sentences(facts)[0] == (
        "Growth is spread evenly over all code: +9.0\N{NO-BREAK SPACE}%."
    )
    assert not any("chance" in sentence for sentence in suspects_sentences(facts))
    assert suspects_table(facts, "diff") is None


def test_shares_that_grew_as_others_shrank_are_told_as_such() -> None:
    said = suspects_sentences(told(even=1.05, basis="share", growth=None))[1]
    assert said.startswith(
        "The shares of most functions grew by +5.0\N{NO-BREAK SPACE}%, as others"
    )


def test_what_is_folded_under_a_suspect_is_named_with_what_it_grew_by() -> None:
    callers = [function(name, 0.0, 4000.0) for name in ("run", "main")]
    callees = [function("compare", 0.0, 2000.0)]
    row = table_of(told(suspect("sort", 0.0, 4000.0, callers=callers, callees=callees))).rows[0]
    folded = next(cell for cell in row.cells if cell.text == "compare, run and 1 more")
    assert folded.note == "it calls: compare +2.00; they call it: run +4.00, main +4.00"


def test_the_total_of_a_release_without_the_function_says_what_it_is() -> None:
    row = table_of(told(suspect("wrap", 4000.0, 9000.0, only="after"))).rows[0]
    assert row.cells[0].note == "16 has no such function: this is what it calls there"
    assert row.cells[1].note == ""


@pytest.mark.parametrize(
    ("came_from", "facts", "text"),
    [
        ("calls", {}, "other calls of it"),
        (
            "calls",
            {"sources": [{"name": "run", "own": False, "change": -2000.0}]},
            "fewer or lighter calls by run −2.00",
        ),
        (
            "caller",
            {"sources": [{"name": "run", "own": True, "change": -2000.0}]},
            "its caller: run, its own code −2.00",
        ),
        ("class", {"class": "Table"}, "other functions of Table"),
        (
            "frame",
            {"sources": [{"name": "run", "own": False, "change": 0.0}]},
            "the same frame, which did not grow by as much: run 0.00",
        ),
    ],
)
def test_a_shift_says_where_it_came_from(came_from: str, facts: dict[str, Any], text: str) -> None:
    table = shifts_table(told(shifts=[shift("f", came_from, **facts)]), "diff")
    assert table is not None
    assert [cell.text for cell in table.rows[0].cells] == ["5.00", "5.00", "+3.00", "0.00", text]


def test_a_likely_rename_can_be_accepted_by_copying_a_line() -> None:
    renamed = shift("f", "caller", proposal={"name": "Table::get", "other": "table_get"})
    table = shifts_table(told(shifts=[renamed, shift("g", "calls")]), "diff")
    assert table is not None
    assert [row.cells[-1].text for row in table.rows] == ['"Table::get" = ["table_get"]', "–"]


@given(name=st.text(min_size=1), other=st.text())
def test_an_alias_is_toml_whatever_the_names(name: str, other: str) -> None:
    assert tomllib.loads(alias_line(name, other)) == {name: [other]}

"""Suspects and shifts on the page of a diff: numbers that add up, and unknown ones marked."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from perfpress.base.node.messages.findings import (
    Change,
    ChangeParts,
    Findings,
    Noise,
    Proposal,
    ShiftSource,
)
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.shifts import alias_line, shifts_table
from perfpress.site.tables.suspects import changes_tables
from perfpress.site.words.suspects import changes_sentences, why_no_p
from suspect_samples import NOTHING_CHANGED, change, function, shift


def findings(*changes: Change, **facts: Any) -> Findings:
    additions = tuple(each for each in changes if each.net > 0)
    savings = tuple(each for each in changes if each.net < 0)
    added, saved = (sum(each.part for each in some) for some in (additions, savings))
    usual = {
        "additions": additions,
        "savings": savings,
        "change": ChangeParts(10_000.0, 0.0, added, saved, 10_000.0 - added - saved),
    }
    return replace(NOTHING_CHANGED, **usual | facts)


def table_of(facts: Findings) -> Table:
    table, *_ = changes_tables(facts, "diff")
    return table


def cells(table: Table, row: int) -> dict[str, str]:
    return {
        column.key: cell.text
        for column, cell in zip(table.columns, table.rows[row].cells, strict=True)
    }


def test_a_change_has_both_sides_its_net_its_noise_and_its_part() -> None:
    table = table_of(findings(change("sort", 5000.0, 9000.0)))
    row = cells(table, 0)
    assert (row["base"], row["after"], row["change"], row["net"]) == (
        *("5.00", "9.00", "+4.00", "+4.00"),
    )
    assert (row["part"], row["p"]) == ("40.0", "0.0040")
    assert row["noise"] == "±0.50"
    assert table.columns[0].unit == "CPU µs per operation"


def test_a_row_leads_to_the_frame_in_the_graph_on_the_page() -> None:
    (row, *_) = table_of(findings(change('a > "b"', 0.0, 9000.0))).rows
    assert row.url == "#diff.frame=main%20%3E%20a%20%3E%20%22b%22"


def test_all_parts_add_up_to_the_whole_change() -> None:
    many = [change(f"f{at}", 0.0, 300.0) for at in range(25)]
    table = table_of(findings(*many, change("gone", 900.0, 0.0)))
    assert [row.label for row in table.rows[20:]] == [
        *("all listed additions", "all listed savings", "the rest", "whole change"),
    ]
    *parts, whole = [cells(table, row)["net"] for row in range(20, 24)]
    assert (parts, whole) == (["+7.50", "−0.90", "+3.40"], "+10.00")
    assert table.notes == ("The first 20 of 25; suspects.json has all.",)


def test_of_a_step_that_got_faster_savings_come_first() -> None:
    parts = ChangeParts(-10_000.0, 0.0, 1000.0, -9000.0, -2000.0)
    facts = findings(change("sort", 0.0, 1000.0), change("signal", 9000.0, 0.0), change=parts)
    savings, additions = changes_tables(facts, "diff")
    assert (savings.id, additions.id) == ("savings", "suspects")
    assert savings.caption == "Largest savings, 16 → 18"
    row = cells(savings, 0)
    assert (row["base"], row["after"], row["net"], row["part"]) == ("9.00", "–", "−9.00", "90.0")
    assert cells(additions, 0)["part"] == "−10.0"
    assert changes_sentences(facts)[0] == (
        "The whole changed by −10.0\N{NO-BREAK SPACE}%: listed additions +1.0, "
        "listed savings −9.0, the rest −2.0."
    )


def test_what_all_code_changed_by_has_a_row() -> None:
    parts = ChangeParts(10_000.0, 9_000.0, 4_000.0, 0.0, -3_000.0)
    table = table_of(findings(change("sort", 0.0, 4000.0), even=1.09, change=parts))
    assert [row.label for row in table.rows] == [
        *("sort", "all listed additions", "all code, evenly", "the rest", "whole change"),
    ]
    assert cells(table, 3)["part"] == "−30.0"


def test_of_shares_there_are_no_parts_as_they_always_add_up_to_nothing() -> None:
    facts = findings(change("sort", 5000.0, 9000.0), basis="share")
    table = table_of(facts)
    assert len(table.rows) == 1
    assert "part" not in cells(table, 0)
    assert "Changes in share, not in cost" in " ".join(changes_sentences(facts))


def test_with_one_capture_a_side_the_noise_is_that_of_samples() -> None:
    sides = {
        side: replace(getattr(NOTHING_CHANGED, side), captures=1) for side in ("base", "after")
    }
    facts = findings(
        change("sort", 0.0, 9000.0, p=None), noise=Noise(1.3, "archives", 2, 0, None), **sides
    )
    assert "p" not in cells(table_of(facts), 0)
    text = " ".join(changes_sentences(facts))
    assert (
        "from the number of samples, 9,000 of 16 and 9,900 of 18, with 1.3 times the variance of "
        "counts, from how captures of other archives differ." in text
    )
    assert why_no_p(facts) == "one capture of 16 and one capture of 18"


def test_counts_of_samples_and_noise_that_are_assumed_are_not_called_measured() -> None:
    sides = {
        side: replace(getattr(NOTHING_CHANGED, side), captures=1, samples=12_958_671)
        for side in ("base", "after")
    }
    sides["base"] = replace(sides["base"], samples_stated=False)
    facts = findings(noise=Noise(10.0, "limit", 2, 0, None), **sides)
    assert (
        "Noise: from the number of samples, about 13,000,000 of 16 and 12,958,671 of 18 if the "
        "smallest weights are a sample each, with 10.0 times the variance of counts, the most that "
        "is assumed, as most functions of the two differ by more."
    ) in changes_sentences(facts)


def test_too_few_splits_are_why_there_is_no_p() -> None:
    sides = {
        side: replace(getattr(NOTHING_CHANGED, side), captures=count)
        for side, count in (("base", 2), ("after", 3))
    }
    facts = findings(noise=Noise(1.3, "captures", 10, 0, None), **sides)
    text = "2 captures of 16 and 3 captures of 18"
    assert why_no_p(facts) == f"{text} have 10 splits; the test needs 40"
    noise = f"Noise: from how {text} differ, 1.3 times the variance of counts."
    assert noise in " ".join(changes_sentences(facts))


def test_sentences_say_the_level_the_ways_and_what_was_no_more_than_noise() -> None:
    noise = Noise(1.1, "captures", 12_870, 2000, 0.01)
    text = " ".join(changes_sentences(findings(noise=noise, within_noise=1)))
    assert "a p of at most 0.01 in a permutation test over 2,000 of 12,870 splits" in text
    assert "1 function changed, but within noise." in text
    assert text.startswith("No function changed by more than noise")


def test_nobody_counts_more_than_a_million_ways() -> None:
    noise = Noise(1.1, "captures", 1_000_000, 2000, 0.01)
    assert "over 2,000 of more than 1,000,000 splits" in " ".join(
        changes_sentences(findings(noise=noise))
    )


def test_what_was_not_looked_at_is_counted() -> None:
    text = changes_sentences(findings(not_ranked=3))
    assert "3 functions that changed less: not examined." in text


@pytest.mark.parametrize(("even", "text"), [(1.09, "+9.0"), (0.8, "−20.0")])
def test_an_even_change_is_one_sentence_and_no_table(even: float, text: str) -> None:
    facts = findings(even=even, spread_evenly=True)
    assert changes_sentences(facts)[0] == (
        f"The change is spread evenly over all code: {text}\N{NO-BREAK SPACE}%."
    )
    assert changes_tables(facts, "diff") == ()


@pytest.mark.parametrize(("even", "what"), [(1.09, "growth"), (0.8, "saving")])
def test_an_even_change_beside_one_the_other_way_is_no_whole_change(even: float, what: str) -> None:
    """All code may cost more and one function as much less: then the whole did not change."""
    one = change("one", 5000.0, 4000.0 if even > 1 else 6000.0)
    found = findings(one, even=even, spread_evenly=True)
    assert f"The {what} is spread evenly over all code: " in " ".join(changes_sentences(found))


def test_shares_that_grew_as_others_shrank_are_reported_as_such() -> None:
    text = changes_sentences(findings(even=1.05, basis="share"))[1]
    assert text.startswith(
        "The shares of most functions changed by +5.0\N{NO-BREAK SPACE}%, as those of others"
    )


def test_what_is_folded_under_a_suspect_is_named_with_what_it_grew_by() -> None:
    callers = [function(name, 0.0, 4000.0) for name in ("run", "main")]
    callees = [function("compare", 0.0, 2000.0)]
    row = table_of(findings(change("sort", 0.0, 4000.0, callers=callers, callees=callees))).rows[0]
    folded = next(cell for cell in row.cells if cell.text == "compare, run and 1 more")
    assert folded.note == "it calls: compare +2.00; they call it: run +4.00, main +4.00"


def test_the_total_of_a_release_without_the_function_says_what_it_is() -> None:
    row = table_of(findings(change("wrap", 4000.0, 9000.0, only="after"))).rows[0]
    assert row.cells[0].note == "16 has no such function: this is what it calls there"
    assert row.cells[1].note == ""


@pytest.mark.parametrize(
    ("came_from", "facts", "text"),
    [
        ("calls", {}, "other calls of it"),
        (
            "calls",
            {"sources": [ShiftSource("run", False, -2000.0)]},
            "fewer or lighter calls by run −2.00",
        ),
        (
            "caller",
            {"sources": [ShiftSource("run", True, -2000.0)]},
            "its caller: run, its own code −2.00",
        ),
        ("class", {"family": "Table"}, "other functions of Table"),
        (
            "frame",
            {"sources": [ShiftSource("run", False, 0.0)]},
            "the same frame, which did not grow by as much: run 0.00",
        ),
    ],
)
def test_a_shift_says_where_it_came_from(came_from: str, facts: dict[str, Any], text: str) -> None:
    table = shifts_table(findings(shifts=[shift("f", came_from, **facts)]), "diff")
    assert table is not None
    assert [cell.text for cell in table.rows[0].cells] == ["5.00", "5.00", "+3.00", "0.00", text]


def test_a_likely_rename_can_be_accepted_by_copying_a_line() -> None:
    renamed = shift("f", "caller", proposal=Proposal("Table::get", "table_get"))
    table = shifts_table(findings(shifts=[renamed, shift("g", "calls")]), "diff")
    assert table is not None
    assert [row.cells[-1].text for row in table.rows] == ['"Table::get" = ["table_get"]', "–"]


@given(name=st.text(min_size=1), other=st.text())
def test_an_alias_is_toml_whatever_the_names(name: str, other: str) -> None:
    assert tomllib.loads(alias_line(name, other)) == {name: [other]}

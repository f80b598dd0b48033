"""The biggest suspects of a release, over its steps."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.node.messages.findings import Change, ChangeParts, Findings, SideSummary
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.pages import Suspects
from perfpress.site.tables.diff_findings import FindingsOfDiffs
from perfpress.site.tables.release_suspects import MOST, release_suspects
from study_samples import cell_of, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change

RATES = [1000.0, 1001.0]


def findings(*additions: Change, whole: float = 100_000.0, **facts: Any) -> Findings:
    base = SideSummary("16", 5, 9000, samples_stated=True, whole=whole)
    more = ChangeParts(whole=1000.0, even=0.0, additions=1000.0, savings=0.0, rest=0.0)
    return replace(
        NOTHING_CHANGED, **{"base": base, "additions": additions, "change": more} | facts
    )


def suspects_of(tmp_path: Path, release: str, diffs: FindingsOfDiffs) -> tuple[Suspects, ...]:
    runs = [each for name in ("a", "b", "c") for each in repeats(tmp_path, name, RATES)]
    return release_suspects(Figures(study_of(runs)), release, diffs)


def of_step(release: str, step: str, base: str) -> DiffKey:
    return DiffKey(CellKey(release, "socket2", step), base)


def test_what_grew_by_the_largest_part_of_its_steps_cost_leads(tmp_path: Path) -> None:
    diffs = {
        of_step("b", "scan", "a"): findings(change("wide", 0.0, 2000.0), whole=200_000.0),
        of_step("b", "select", "a"): findings(change("narrow", 0.0, 500.0), whole=10_000.0),
    }
    (made,) = suspects_of(tmp_path, "b", diffs)
    (table,) = made.tables
    assert [(row.label, row.cells[0].text, row.cells[1].text) for row in table.rows] == [
        ("narrow", "select", "+5.0"),
        ("wide", "scan", "+1.0"),
    ]
    assert table.rows[0].cells[2].text == "+0.50 CPU µs per operation"


def test_a_row_leads_to_its_row_on_the_page_of_the_diff(tmp_path: Path) -> None:
    first, second = change("first", 0.0, 900.0), change("second", 0.0, 800.0)
    (made,) = suspects_of(tmp_path, "b", {DiffKey(cell_of("b"), "a"): findings(first, second)})
    (table,) = made.tables
    assert table.rows[1].url == "/reports/servers/b/select/vs/a/#suspects.second"


def test_base_and_previous_are_distinguished_and_the_base_once(tmp_path: Path) -> None:
    diffs = {
        DiffKey(cell_of("c"), "a"): findings(change("since_a", 0.0, 900.0)),
        DiffKey(cell_of("c"), "b"): findings(change("since_b", 0.0, 900.0)),
        DiffKey(cell_of("b"), "a"): findings(change("other", 0.0, 900.0)),
    }
    tables = [table for made in suspects_of(tmp_path, "c", diffs) for table in made.tables]
    assert [(table.id, table.rows[0].label) for table in tables] == [
        ("suspects-a", "since_a"),
        ("suspects-b", "since_b"),
    ]
    assert len(suspects_of(tmp_path, "b", diffs)) == 1
    assert suspects_of(tmp_path, "a", diffs) == ()


def test_steps_without_suspects_are_named_and_even_growth_is_reported(tmp_path: Path) -> None:
    diffs = {
        of_step("b", "select", "a"): findings(),
        of_step("b", "scan", "a"): findings(even=1.09, spread_evenly=True),
    }
    (made,) = suspects_of(tmp_path, "b", diffs)
    assert made.tables == ()
    assert made.summary == (
        "Growth spread evenly over all code, a → b: scan +9.0\N{NO-BREAK SPACE}%.",
        "No suspects, a → b: select.",
    )


def test_what_is_not_shown_is_counted(tmp_path: Path) -> None:
    many = [change(f"f{at}", 0.0, 900.0 + at) for at in range(MOST + 3)]
    diffs = {
        DiffKey(cell_of("b"), "a"): findings(*many),
        of_step("b", "scan", "a"): findings(change("most", 0.0, 5000.0)),
    }
    (made,) = suspects_of(tmp_path, "b", diffs)
    (table,) = made.tables
    assert len(table.rows) == MOST
    assert table.notes[0].startswith("4 more in 1 step:")


def test_a_step_that_costs_less_has_no_suspects(tmp_path: Path) -> None:
    less = ChangeParts(whole=-500.0, even=0.0, additions=900.0, savings=-1400.0, rest=0.0)
    key = DiffKey(cell_of("b"), "a")
    faster = findings(change("dearer", 0.0, 900.0), change=less)
    assert suspects_of(tmp_path / "1", "b", {key: faster}) == ()
    runs = [*repeats(tmp_path / "2", "a", RATES), *repeats(tmp_path / "2", "b", [500.0, 501.0])]
    (made,) = release_suspects(Figures(study_of(runs)), "b", {key: faster})
    assert made.tables[0].rows[0].label == "dearer"


def test_growth_of_shares_is_called_no_cost(tmp_path: Path) -> None:
    shares = findings(change("wide", 0.1, 0.4), whole=1.0, basis="share")
    (made,) = suspects_of(tmp_path, "b", {DiffKey(cell_of("b"), "a"): shares})
    (table,) = made.tables
    growth = next(column for column in table.columns if column.key == "grew")
    assert (growth.unit, table.rows[0].cells[1].text) == ("points of share of all", "+30.0")
    assert "cost" not in growth.meaning
    assert "amount" not in {column.key for column in table.columns}

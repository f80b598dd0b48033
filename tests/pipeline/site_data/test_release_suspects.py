"""The biggest suspects of a release, over its steps."""

from pathlib import Path
from typing import Any

from study_samples import cell_of, repeats, study_of
from suspect_samples import NOTHING_GREW, suspect

from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.page_shapes import Suspects
from pipeline.site_data.release_suspects import MOST, Told, release_suspects
from pipeline.study.profiles import CellKey

RATES = [1000.0, 1001.0]


def told(*suspects: dict[str, Any], whole: float = 100_000.0, **facts: Any) -> dict[str, Any]:
    base = {"label": "16", "captures": 5, "whole": whole}
    return {**NOTHING_GREW, "base": base, "suspects": list(suspects), **facts}


def suspects_of(tmp_path: Path, release: str, diffs: Told) -> tuple[Suspects, ...]:
    runs = [each for name in ("a", "b", "c") for each in repeats(tmp_path, name, RATES)]
    return release_suspects(Figures(study_of(runs)), release, diffs)


def of_step(release: str, step: str, base: str) -> DiffKey:
    return DiffKey(CellKey(release, "socket2", step), base)


def test_what_grew_by_the_largest_part_of_its_steps_cost_leads(tmp_path: Path) -> None:
    diffs = {
        of_step("b", "scan", "a"): told(suspect("wide", 0.0, 2000.0), whole=200_000.0),
        of_step("b", "select", "a"): told(suspect("narrow", 0.0, 500.0), whole=10_000.0),
    }
    (made,) = suspects_of(tmp_path, "b", diffs)
    assert made.table is not None
    assert [(row.label, row.cells[0].text, row.cells[1].text) for row in made.table.rows] == [
        ("narrow", "select", "+5.0"),
        ("wide", "scan", "+1.0"),
    ]
    assert made.table.rows[0].cells[2].text == "+0.50 CPU µs per operation"


def test_a_row_leads_to_its_row_on_the_page_of_the_diff(tmp_path: Path) -> None:
    first, second = suspect("first", 0.0, 900.0), suspect("second", 0.0, 800.0)
    (made,) = suspects_of(tmp_path, "b", {DiffKey(cell_of("b"), "a"): told(first, second)})
    assert made.table is not None
    assert made.table.rows[1].url == "/reports/servers/b/select/vs/a/#suspects.second"


def test_base_and_previous_are_told_apart_and_the_base_once(tmp_path: Path) -> None:
    diffs = {
        DiffKey(cell_of("c"), "a"): told(suspect("since_a", 0.0, 900.0)),
        DiffKey(cell_of("c"), "b"): told(suspect("since_b", 0.0, 900.0)),
        DiffKey(cell_of("b"), "a"): told(suspect("other", 0.0, 900.0)),
    }
    tables = [made.table for made in suspects_of(tmp_path, "c", diffs)]
    assert [(table.id, table.rows[0].label) for table in tables if table] == [
        ("suspects-a", "since_a"),
        ("suspects-b", "since_b"),
    ]
    assert len(suspects_of(tmp_path, "b", diffs)) == 1
    assert suspects_of(tmp_path, "a", diffs) == ()


def test_steps_without_suspects_are_named_and_even_growth_is_told(tmp_path: Path) -> None:
    diffs = {
        of_step("b", "select", "a"): told(),
        of_step("b", "scan", "a"): told(even=1.09, spread_evenly=True),
    }
    (made,) = suspects_of(tmp_path, "b", diffs)
    assert made.table is None
    assert made.summary == (
        "From a to b growth is spread evenly over all code: scan +9.0\N{NO-BREAK SPACE}%.",
        "From a to b there are no suspects in select.",
    )


def test_what_is_not_shown_is_counted(tmp_path: Path) -> None:
    many = [suspect(f"f{at}", 0.0, 900.0 + at) for at in range(MOST + 3)]
    diffs = {
        DiffKey(cell_of("b"), "a"): told(*many),
        of_step("b", "scan", "a"): told(suspect("most", 0.0, 5000.0)),
    }
    (made,) = suspects_of(tmp_path, "b", diffs)
    assert made.table is not None
    assert len(made.table.rows) == MOST
    assert made.table.notes[0].startswith("4 more in 1 step:")

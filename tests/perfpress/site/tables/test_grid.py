"""Grids of steps and releases: tints by size and certainty, lines of one scale, order of rows."""

from pathlib import Path

import pytest
from perfpress.analysis.metrics.throughput import CellComparison
from perfpress.analysis.study.study import StepRun
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.input.report.front_matter import StepGroup
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, ColumnHead, Row, Table
from perfpress.site.tables.grid import LINE_HEIGHT, as_grid, tint_of, tints_of_costs, tints_of_rates
from perfpress.site.tables.throughput import relative_tables
from step_run_samples import step_run
from study_samples import cell_of, study_of


def verdict(state: State, ratio: float) -> Verdict:
    compared = CellComparison("17", ratio, ratio, ratio, 5, 5)
    return Verdict(cell_of("18"), "17", state, "", comparison=compared)


@pytest.mark.parametrize(
    ("state", "ratio", "tint"),
    [
        (State.SLOWER, 0.99, "worse-1"),
        (State.SLOWER, 0.94, "worse-2"),
        (State.SLOWER, 0.61, "worse-4"),
        (State.SLOWER, 0.37, "worse-5"),
        (State.SLOWER_ONE_RUN, 0.37, "worse-5"),
        (State.FASTER, 1.01, "better-1"),
        (State.FASTER, 1 / 0.37, "better-5"),
        (State.FASTER_ONE_RUN, 1.3, "better-4"),
        (State.NO_CHANGE, 0.97, ""),
        (State.NOISY, 0.37, ""),
        (State.CANNOT_TELL, 0.37, ""),
    ],
)
def test_a_tint_is_the_size_of_a_change_that_was_seen(
    state: State, ratio: float, tint: str
) -> None:
    assert tint_of(verdict(state, ratio)) == tint


def test_what_was_not_compared_has_no_tint() -> None:
    assert tint_of(None) == ""
    assert tint_of(Verdict(cell_of("18"), "17", State.FAILED, "")) == ""


def test_the_legend_has_every_tint_once_from_worse_to_better() -> None:
    legend = [(tint.name, tint.text) for tint in tints_of_rates()]
    assert legend == [
        ("", "slower"),
        ("worse-5", "below 0.60"),
        ("worse-4", "0.60–0.80"),
        ("worse-3", "0.80–0.90"),
        ("worse-2", "0.90–0.95"),
        ("worse-1", "0.95–1.00"),
        ("better-1", "1.00–1.05"),
        ("better-2", "1.05–1.11"),
        ("better-3", "1.11–1.25"),
        ("better-4", "1.25–1.67"),
        ("better-5", "above 1.67"),
        ("", "faster"),
    ]


def test_of_costs_more_is_worse() -> None:
    legend = [(tint.name, tint.text) for tint in tints_of_costs()]
    assert legend[:3] == [("", "more"), ("worse-5", "above 1.67"), ("worse-4", "1.25–1.67")]
    assert legend[-3:] == [("better-4", "0.60–0.80"), ("better-5", "below 0.60"), ("", "less")]


def line_of(*rows: list[float | None]) -> list[str]:
    columns = tuple(ColumnHead(key=str(at), label="") for at in range(len(rows[0])))
    table = Table(
        id="t",
        caption="",
        row_head="",
        columns=columns,
        rows=tuple(
            Row(key=str(at), label="", cells=tuple(Cell(text="", sort=each) for each in row))
            for at, row in enumerate(rows)
        ),
    )
    grid = as_grid(table)
    assert grid.line_box == f"0 0 {max(len(columns) - 1, 1)} {LINE_HEIGHT}"
    return [row.line for row in grid.rows]


def test_lines_share_a_scale_with_the_base_in_the_middle() -> None:
    assert line_of([1.0, 0.5, 2.0], [1.0, 1.0, 0.5]) == ["0,20 1,40 2,0", "0,20 1,20 2,40"]


def test_a_line_passes_over_gaps_and_one_value_is_none() -> None:
    assert line_of([1.0, None, 1.0], [None, 1.0, None]) == ["0,20 2,20", ""]


def test_small_changes_look_small_and_huge_ones_stay_in_the_box() -> None:
    assert line_of([1.0, 1.01]) == ["0,20 1,19"]
    assert line_of([1.0, 100.0], [1.0, 2.0]) == ["0,20 1,0", "0,20 1,10"]


STEADY, EARLY, LATE = "steady", "early", "late"


def falling(directory: Path, groups: tuple[StepGroup, ...] = ()) -> Figures:
    """Return steps of twelve releases that never fall, from the fifth on and from the ninth on."""
    first = {STEADY: 12, LATE: 8, EARLY: 4}
    runs: list[StepRun] = [
        step_run(
            directory / f"{step}-{release}",
            (100.0 if release < at else 40.0) + 0.1 * (release % 3),
            step={"name": step},
            changes={"release": f"{release:02}"},
        )
        for step, at in first.items()
        for release in range(12)
    ]
    return Figures(study_of(runs, report={"steps": tuple(first), "step_groups": groups}))


def test_without_groups_rows_are_in_the_order_in_which_steps_changed(tmp_path: Path) -> None:
    table = relative_tables(falling(tmp_path), "socket2")[0]
    assert [row.label for row in table.rows] == [EARLY, LATE, STEADY]
    assert "Rows are in the order of the first release whose level changed." in table.notes
    assert [cell.tint for cell in table.rows[0].cells] == [*[""] * 4, *["worse-5"] * 8]
    assert {cell.tint for cell in table.rows[2].cells} == {""}


def test_the_author_s_groups_come_before_any_other_order(tmp_path: Path) -> None:
    groups = (StepGroup(title="All", steps=(STEADY, LATE, EARLY)),)
    table = relative_tables(falling(tmp_path, groups), "socket2")[0]
    assert [row.label for row in table.rows] == [STEADY, LATE, EARLY]
    assert not any("in the order" in note for note in table.notes)

"""Tables of rates: medians, ranges, intervals, comparisons, and why a cell is empty."""

from pathlib import Path

import pytest
from bundle_samples import pgbench_log
from step_run_samples import step_run
from study_samples import captured, cell_of, repeats, study_of

from pipeline.corrected import Exclusion
from pipeline.site_data.figures import Figures
from pipeline.site_data.rate_cells import (
    RATIO_NOTE,
    comparison_cells,
    missing_cell,
    ratio_notes,
    value_cells,
)
from pipeline.site_data.results_tables import (
    relative_tables,
    results_table,
    steps_table,
    throughput_table,
)
from pipeline.site_data.shapes import Cell
from pipeline.study import StepRun

FIVE = [98.0, 99.0, 100.0, 101.0, 102.0]


def faster(factor: float) -> list[float]:
    return [factor * rate for rate in FIVE]


def figures_of(*step_runs: list[StepRun]) -> Figures:
    return Figures(study_of([each for many in step_runs for each in many]))


def values_of(directory: Path, rates: list[float]) -> tuple[Cell, ...]:
    figures = figures_of(repeats(directory, "18", rates))
    return value_cells(figures, [cell_of("18")], cell_of("18"))


def test_values_are_median_range_interval_and_count(tmp_path: Path) -> None:
    median, span, interval, runs = values_of(tmp_path, [9.0, 5.0, 7.0, 6.0, 8.0, 4.0])
    assert (median.text, median.sort) == ("6.500", 6.5)
    assert (span.text, span.sort) == ("4.000–9.000", 5.0)
    assert (interval.text, interval.note) == ("4.000–9.000", "")
    assert runs.text == "6"


@pytest.mark.parametrize(("count", "text"), [(1, "–"), (5, "–"), (6, "1.000–6.000")])
def test_an_interval_of_a_median_needs_six_runs(count: int, text: str, tmp_path: Path) -> None:
    interval = values_of(tmp_path, [float(at + 1) for at in range(count)])[2]
    assert interval.text == text
    assert interval.note == ("" if count >= 6 else "fewer than six runs")


def test_a_faster_release_is_marked_better_and_a_slower_one_worse(tmp_path: Path) -> None:
    figures = figures_of(
        repeats(tmp_path, "16", FIVE),
        repeats(tmp_path, "17", faster(2.0)),
        repeats(tmp_path, "18", faster(0.5)),
        repeats(tmp_path, "19", faster(0.501)),
    )
    marks = {
        release: [(cell.mark, cell.tone) for cell in comparison_cells(figures, cell_of(release))]
        for release in ("16", "17", "18", "19")
    }
    better, worse, none = ("▲", "better"), ("▼", "worse"), ("", "")
    assert marks == {
        "16": [none, none, none, none],
        "17": [better, none, better, none],
        "18": [worse, none, worse, none],
        "19": [worse, none, ("≈", "same"), none],
    }


@pytest.mark.parametrize(("count", "mark"), [(4, "?"), (5, "▼")])
def test_a_mark_needs_five_runs_on_both_sides(count: int, mark: str, tmp_path: Path) -> None:
    figures = figures_of(
        repeats(tmp_path, "17", FIVE), repeats(tmp_path, "18", faster(0.5)[:count])
    )
    ratio, interval = comparison_cells(figures, cell_of("18"))[:2]
    assert ratio.mark == mark
    assert interval.text.startswith("(") == (count == 4), "a range stands in parentheses"


def test_ratios_are_this_over_base_with_all_pairs_around_them(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0, 110.0]))
    ratio, interval = comparison_cells(figures, cell_of("18"))[:2]
    assert (ratio.text, ratio.sort) == ("1.150", 1.15)
    assert ratio.note.startswith("+15.0\N{NO-BREAK SPACE}%; 2 and 1 repeats: fewer than 5")
    assert interval.text == "(1.100–1.200)"


def test_why_a_release_is_not_compared(tmp_path: Path) -> None:
    broken = step_run(
        tmp_path / "cut",
        changes={"release": "17"},
        files={"select.txt": "pgbench (15)\nlatency average = 3.0 ms\n"},
    )
    figures = figures_of(repeats(tmp_path, "16", [1.0]), [broken], repeats(tmp_path, "18", [2.0]))
    base, _, previous, _ = comparison_cells(figures, cell_of("18"))
    assert base.text == "2.000"
    assert previous.note.startswith("17: the log breaks off")
    base, _, previous, _ = comparison_cells(figures, cell_of("16"))
    assert base.text == "base"
    assert previous.note == "the first release of its branch"
    assert comparison_cells(figures, cell_of("17"))[0].note.startswith("the log breaks off")


def test_an_empty_cell_says_what_keeps_its_runs_from_counting(tmp_path: Path) -> None:
    invalid = Exclusion("invalid", "disk was full", None)
    excluded = step_run(tmp_path / "a", 1.0, changes={"release": "a"}, exclusion=invalid)
    idle = step_run(
        tmp_path / "b", changes={"release": "a"}, files={"select.txt": pgbench_log(0.0)}
    )
    study = study_of([excluded, idle, captured(tmp_path, "b")])
    notes = missing_cell(study, cell_of("a")).note.split("; ")
    assert sorted(notes) == ["invalid: disk was full", "no operation was finished"]
    assert missing_cell(study, cell_of("b")).note == "a profiling run, made for its profile"
    assert missing_cell(study, cell_of("c")).note == "no run"


def test_an_empty_cell_of_a_latency_speaks_of_the_latency(tmp_path: Path) -> None:
    study = study_of(repeats(tmp_path, "18", [1.0]))
    assert missing_cell(study, cell_of("18"), "latency_p95").note == "no log tells the latency p95"


def test_how_many_marks_chance_makes_is_said_with_the_count(tmp_path: Path) -> None:
    figures = figures_of(
        *(repeats(tmp_path, release, faster(at + 1.0)) for at, release in enumerate("abcd"))
    )
    # b, c, d against a; c and d against the release before them, too
    assert figures.judged_ratios == 5
    assert ratio_notes(figures) == (
        RATIO_NOTE,
        "5 ratios with an interval in this report: about 0.25 ▲ or ▼ are expected by chance "
        "alone, were nothing changed.",
    )
    tables = (
        results_table(figures, "socket2", "select", None),
        steps_table(figures, "b", "socket2"),
        *relative_tables(figures, "socket2"),
    )
    assert all(set(ratio_notes(figures)) <= set(table.notes) for table in tables)
    assert ratio_notes(figures_of(repeats(tmp_path, "e", [1.0]))) == (RATIO_NOTE,)


def test_tables_of_a_report_have_a_row_a_release_and_a_column_a_step(tmp_path: Path) -> None:
    excluded = step_run(
        tmp_path / "x",
        changes={"release": "19"},
        exclusion=Exclusion("invalid", "disk was full", None),
    )
    figures = figures_of(
        repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0, 110.0]), [excluded]
    )
    rates = throughput_table(figures, "socket2")
    assert [(row.label, row.cells[0].text) for row in rates.rows] == [
        *(("17", "100.0"), ("18", "115.0"), ("19", "–"))
    ]
    assert [row.cells[0].note for row in rates.rows] == [
        *("one run", "median of 2 runs, 110.0–120.0", "invalid: disk was full")
    ]
    against_base, against_previous = relative_tables(figures, "socket2")
    assert [row.cells[0].text for row in against_base.rows] == ["base", "1.150", "–"]
    assert [row.cells[0].text for row in against_previous.rows] == ["–", "1.150", "–"]


def test_the_row_of_the_page_s_own_release_is_marked(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0]))
    table = results_table(figures, "socket2", "select", current="18")
    assert [row.current for row in table.rows] == [False, True]
    assert all(len(row.cells) == len(table.columns) for row in table.rows)

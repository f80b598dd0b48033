"""Tables of rates: medians, ranges, intervals, comparisons, and why a cell is empty."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from bundle_samples import pgbench_log
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell
from perfpress.site.tables.columns import Column
from perfpress.site.tables.rate_cells import (
    RATIO_NOTE,
    comparison_columns,
    missing_cell,
    value_columns,
)
from perfpress.site.tables.results import results_table, steps_table
from step_run_samples import step_run
from study_samples import captured, cell_of, repeats, study_of

FIVE = [98.0, 99.0, 100.0, 101.0, 102.0]


def faster(factor: float) -> list[float]:
    return [factor * rate for rate in FIVE]


def figures_of(*step_runs: list[StepRun]) -> Figures:
    return Figures(study_of([each for many in step_runs for each in many]))


def cells_of(columns: Sequence[Column[CellKey]], cell: CellKey) -> tuple[Cell, ...]:
    return tuple(column.cell(cell) for column in columns)


def compared(figures: Figures, cell: CellKey) -> tuple[Cell, ...]:
    cells = cells_of_step(figures.study, "socket2", "select")
    return cells_of(comparison_columns(figures, cells), cell)


def values_of(directory: Path, rates: list[float]) -> tuple[Cell, ...]:
    figures = figures_of(repeats(directory, "18", rates))
    return cells_of(value_columns(figures, [cell_of("18")]), cell_of("18"))


def test_values_are_median_range_interval_and_count(tmp_path: Path) -> None:
    median, interval, span, runs = values_of(tmp_path, [9.0, 5.0, 7.0, 6.0, 8.0, 4.0])
    assert (median.text, median.sort) == ("6.500", 6.5)
    assert (span.text, span.sort) == ("4.000–9.000", 5.0)
    assert (interval.text, interval.note) == ("4.000–9.000", "")
    assert runs.text == "6"


def test_one_run_beside_repeats_has_no_range(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [9.0]), repeats(tmp_path, "18", [8.0, 9.0]))
    cells = [cell_of("17"), cell_of("18")]
    span = cells_of(value_columns(figures, cells), cell_of("17"))[2]
    assert (span.text, span.note, span.sort) == ("–", "one run", None)


def test_one_run_each_is_said_once(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0]))
    of_step = results_table(figures, [cell_of("17"), cell_of("18")], None)
    of_release = steps_table(figures, [cell_of("18")])
    for table in (of_step, of_release):
        assert table.once == ("One run each.",)
        (column,) = (each for each in table.columns if each.key in {"median", "range", "runs"})
        assert (column.label, column.unit) == ("Throughput", "transactions/s")
        assert not any("range" in note for note in table.notes)


def test_a_release_has_no_columns_against_what_it_is_not_compared_with(tmp_path: Path) -> None:
    figures = figures_of(*(repeats(tmp_path, release, FIVE) for release in "abc"))

    def heads(release: str) -> list[str]:
        table = steps_table(figures, [cell_of(release)])
        return [each.label for each in table.columns if each.key.endswith("verdict")]

    # The first one is the base; the second comes after it; of others the release before has a name.
    assert [heads(release) for release in "abc"] == [[], ["Against a"], ["Against a", "Against b"]]
    first = steps_table(figures, [cell_of("a")])
    assert first.once == ("a is the base that other releases are compared with.",)
    assert RATIO_NOTE not in first.notes
    alone = steps_table(figures_of(repeats(tmp_path / "alone", "a", FIVE)), [cell_of("a")])
    assert alone.once == ("Nothing to compare with: no other release ran on this variant.",)


@pytest.mark.parametrize(("count", "text"), [(2, "–"), (5, "–"), (6, "1.000–6.000")])
def test_an_interval_of_a_median_needs_six_runs(count: int, text: str, tmp_path: Path) -> None:
    interval = values_of(tmp_path, [float(at + 1) for at in range(count)])[1]
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
        release: [(cell.mark, cell.tone) for cell in compared(figures, cell_of(release))]
        for release in ("16", "17", "18", "19")
    }
    better, worse, same, none = ("▲", "better"), ("▼", "worse"), ("≈", "same"), ("", "")
    assert marks == {
        "16": [none, none, none, none, none, none],
        "17": [better, better, none, better, better, none],
        "18": [worse, worse, none, worse, worse, none],
        "19": [worse, worse, none, same, same, none],
    }


@pytest.mark.parametrize(
    ("base", "after", "words", "mark"),
    [
        (FIVE, [50.0], "slower, one run", "▽"),
        ([100.0], [200.0], "faster, one run", "△"),
        (FIVE, [100.5], "no change seen (within ±5.5\N{NO-BREAK SPACE}%)", "≈"),
        ([90.0, 100.0, 112.0], [104.0, 95.0], "noisy (within ±14\N{NO-BREAK SPACE}%)", "~"),
        ([7.0, 100.0, 1400.0], [110.0, 9.5], "cannot tell", "?"),
    ],
)
def test_the_verdict_is_beside_the_ratio(
    base: list[float], after: list[float], words: str, mark: str, tmp_path: Path
) -> None:
    figures = figures_of(repeats(tmp_path, "17", base), repeats(tmp_path, "18", after))
    verdict, ratio = compared(figures, cell_of("18"))[:2]
    assert (verdict.text, verdict.mark, ratio.mark) == (words, mark, mark)
    assert (verdict.spoken, ratio.spoken) == ("", words), "who hears the page hears it once a cell"


def test_the_evidence_of_a_verdict_is_noted_once_in_a_row(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0]))
    verdict, *others = compared(figures, cell_of("18"))[:3]
    assert verdict.note.startswith("One run on each side; noise floor ±8.2")
    assert [cell.note for cell in others] == ["", ""]


def test_one_run_of_each_has_the_interval_of_the_noise(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0]))
    interval = compared(figures, cell_of("18"))[2]
    assert interval.text == "1.109–1.298"


def test_what_says_nothing_has_no_interval(tmp_path: Path) -> None:
    wild = [7.0, 100.0, 1400.0]
    figures = figures_of(repeats(tmp_path, "17", wild), repeats(tmp_path, "18", wild))
    assert compared(figures, cell_of("18"))[2].text == "–"


def test_ratios_are_this_over_base_with_their_interval(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0, 110.0]))
    _, ratio, interval = compared(figures, cell_of("18"))[:3]
    assert (ratio.text, ratio.sort) == ("1.150", 1.15)
    assert interval.text == "1.036–1.274"


def test_why_a_release_is_not_compared(tmp_path: Path) -> None:
    broken = step_run(
        tmp_path / "cut",
        changes={"release": "17"},
        files={"select.txt": "pgbench (15)\nlatency average = 3.0 ms\n"},
    )
    figures = figures_of(repeats(tmp_path, "16", [1.0]), [broken], repeats(tmp_path, "18", [2.0]))
    _, base, _, _, previous, _ = compared(figures, cell_of("18"))
    assert base.text == "2.000"
    assert previous.note.startswith("17: the log breaks off")
    base, ratio, _, _, previous, _ = compared(figures, cell_of("16"))
    assert (base.text, ratio.text) == ("base", "–")
    assert previous.note == "the first release of its branch on this variant"
    assert compared(figures, cell_of("17"))[1].note.startswith("the log breaks off")


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
    assert missing_cell(study, cell_of("18"), "latency_p95").note == "no log has the latency p95"


def test_all_tables_with_marks_say_what_they_mean(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "a", FIVE), repeats(tmp_path, "b", faster(2.0)))
    tables = (
        results_table(figures, cells_of_step(figures.study, "socket2", "select"), None),
        steps_table(figures, [cell_of("b")]),
    )
    assert all(RATIO_NOTE in table.notes for table in tables)


def test_the_row_of_the_page_s_own_release_is_marked(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "17", [100.0]), repeats(tmp_path, "18", [120.0]))
    table = results_table(figures, [cell_of("17"), cell_of("18")], current="18")
    assert [row.current for row in table.rows] == [False, True]
    assert all(len(row.cells) == len(table.columns) for row in table.rows)


def test_what_is_asked_first_is_first(tmp_path: Path) -> None:
    figures = figures_of(repeats(tmp_path, "a", FIVE), repeats(tmp_path, "b", faster(2.0)))
    keys = [
        "base-verdict base base-interval previous-verdict previous previous-interval",
        "median interval range runs",
    ]
    of_step = results_table(figures, cells_of_step(figures.study, "socket2", "select"), None)
    assert [column.key for column in of_step.columns][:10] == " ".join(keys).split()
    of_release = steps_table(figures, [cell_of("b")])
    assert [column.key for column in of_release.columns][:3] == keys[0].split()[:3]

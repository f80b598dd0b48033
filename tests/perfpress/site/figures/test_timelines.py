"""The traces of a step: which are shown, as what pictures and tables."""

from pathlib import Path
from typing import Any, cast

from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.node.messages.charts import TimelineRequest
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.figures.timelines import (
    MOST_DRAWN,
    MOST_TRACES,
    caption,
    timeline_table,
    timelines,
    traces_left_out,
    traces_of,
)
from perfpress.site.report_figures import Figures
from step_run_samples import step_run
from study_samples import cell_of, study_of

TRACE = """\
EXPLAIN (TRACE) INSERT INTO t
1.5ms | 1 | node 1 | begin
98.5ms | 2 | node 1 | <b>seek</b>
"""
CELL = cell_of("18")


def traced(directory: Path, trace: str = TRACE, **arguments: Any) -> StepRun:
    return step_run(
        directory,
        step={"logs": ["select.txt", "trace.txt"]},
        changes={"release": "18"},
        files={"trace.txt": trace},
        **arguments,
    )


def study_with(*step_runs: StepRun) -> Study:
    return study_of(step_runs)


def test_a_trace_is_drawn_with_its_slow_spans_marked(tmp_path: Path) -> None:
    (planned,) = timelines(Figures(study_with(traced(tmp_path))), CELL)
    request = cast(TimelineRequest, planned.request())
    assert request.unit == "ms"
    begin, seek = request.spans
    assert (begin.start, begin.time, begin.slow) == (0, 1.5, False)
    assert (seek.label, seek.start, seek.slow) == ("<b>seek</b>", 1.5, True)
    assert "at least 10\N{NO-BREAK SPACE}% of the whole; here 1 span of 2" in request.description


def test_the_table_lists_every_span_with_its_line(tmp_path: Path) -> None:
    study = study_with(traced(tmp_path))
    table = timeline_table(1, traces_of(study, CELL)[0])
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["0.00", "1.50", "1.5", "", "node 1"],
        ["1.50", "98.50", "98.5", "slow", "node 1"],
    ]
    assert table.rows[1].note == "trace.txt:3"
    assert table.columns[0].unit == "ms"
    assert "own time" in table.notes[0]


def test_the_shortest_span_is_not_shown_as_nothing(tmp_path: Path) -> None:
    study = study_with(traced(tmp_path, TRACE + "417ns | 3 | node 1 | short\n"))
    table = timeline_table(1, traces_of(study, CELL)[0])
    assert table.rows[2].cells[1].text == "0.000417"


def test_parts_of_a_span_are_below_it_with_their_own_times(tmp_path: Path) -> None:
    node = '{"Node Type": "%s", "Actual Total Time": %d, "Actual Loops": 1%s}'
    plan = node % ("Sort", 8, ', "Plans": [' + node % ("Seq Scan", 6, "") + "]")
    study = study_with(traced(tmp_path, f'[{{"Plan": {plan}}}]'))
    table = timeline_table(1, traces_of(study, CELL)[0])
    assert [row.label for row in table.rows] == ["Sort", "\N{EN DASH} Seq Scan"]
    own = [column.key for column in table.columns].index("own")
    assert [row.cells[own].text for row in table.rows] == ["2.00", "6.00"]


def test_the_caption_says_which_statement_of_which_run(tmp_path: Path) -> None:
    made = traced(tmp_path)
    text = caption(traces_of(study_with(made), CELL)[0])
    assert text.startswith("EXPLAIN (TRACE) INSERT INTO t: one operation, from trace.txt of run ")
    assert f"{made.bundle.run_id}. Marked as slow: a span whose own time" in text


def test_runs_that_are_excluded_show_no_trace(tmp_path: Path) -> None:
    excluded = traced(tmp_path, exclusion=Exclusion("invalid", "wrong host", None))
    assert traces_of(study_with(excluded), CELL) == []


def test_of_very_many_traces_and_spans_the_page_shows_some_and_counts_the_others(
    tmp_path: Path,
) -> None:
    rows = "".join(f"{number + 1}µs | {number} | n | e\n" for number in range(MOST_DRAWN + 5))
    study = study_with(traced(tmp_path, (TRACE.splitlines()[0] + "\n" + rows) * (MOST_TRACES + 2)))
    assert len(traces_of(study, CELL)) == MOST_TRACES
    assert traces_left_out(study, CELL) == 2
    request = cast(TimelineRequest, timelines(Figures(study), CELL)[0].request())
    # The shortest five are not drawn.
    assert [span.time for span in request.spans][:1] == [0.006]
    assert "Not drawn: 5 spans" in request.description
    assert len(timeline_table(1, traces_of(study, CELL)[0]).rows) == MOST_DRAWN + 5

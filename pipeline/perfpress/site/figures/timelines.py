"""The traces of a step: their timelines, and the tables behind them."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from perfpress.analysis.metrics.traces import SLOW, depths, length, own_seconds, slow_spans
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import PERCENT, decimals_for, fixed, plural
from perfpress.base.node.messages.charts import TimelineRequest, TimelineSpan
from perfpress.input.logs.readings import Trace
from perfpress.site.figures.planned_chart import PlannedChart, chart_files, page_of
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled

MOST_TRACES = 6
"""On the page of a step."""
MOST_DRAWN = 60
"""Spans in a picture; the table has more."""
MOST_ROWS = 500

MOST_DECIMALS = 6
"""Of a time in a table."""

TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


class RunTrace(NamedTuple):
    """A trace, and its place in a file."""

    trace: Trace
    run: str
    file: str
    """Its name inside the bundle."""


def traces_of(study: Study, cell: CellKey) -> list[RunTrace]:
    """Return the traces that the page of a cell shows: the first ones of its runs that count."""
    return _of_cell(study, cell)[:MOST_TRACES]


def traces_left_out(study: Study, cell: CellKey) -> int:
    """Return how many traces of a cell the pages do not show."""
    return max(0, len(_of_cell(study, cell)) - MOST_TRACES)


def _of_cell(study: Study, cell: CellKey) -> list[RunTrace]:
    return [
        RunTrace(trace, step_run.bundle.run_id, file)
        for step_run in study.of_cell(cell)
        if step_run.exclusion is None and step_run.outline.has_traces
        for file, reading in zip(step_run.step.logs, step_run.readings, strict=True)
        for trace in reading.traces
        if trace.spans
    ]


def timelines(figures: Figures, cell: CellKey) -> list[PlannedChart]:
    """Return the timelines on the page of a cell."""
    page = page_of(figures, cell)
    return [
        PlannedChart(
            page=page,
            name=f"trace-{number}",
            caption=caption(each),
            request=partial(_request, each.trace, page),
            table=partial(timeline_table, number, each),
            cell=cell,
            anchor=f"trace-{number}",
        )
        for number, each in enumerate(traces_of(figures.study, cell), start=1)
    ]


def caption(each: RunTrace) -> str:
    """Return what a picture shows, and what is marked in it."""
    source = f"{each.trace.name}: one operation, from {each.file} of run {each.run}"
    return f"{source}. {slow_rule(each.trace)}"


def slow_rule(trace: Trace) -> str:
    """Return which spans are marked, in words."""
    slow = slow_spans(trace)
    marked = f"{plural(len(slow), 'span')} of {len(trace.spans)}" if slow else "none"
    return (
        f"Marked as slow: a span whose own time, without that of the spans inside it, is at least "
        f"{SLOW * 100:.0f}{PERCENT} of the whole; here {marked}."
    )


def timeline_table(number: int, each: RunTrace) -> Table:
    """Return the spans of a trace, a row each; columns without values are left out."""
    trace = each.trace
    depth = depths(trace.spans)
    notes = [slow_rule(trace), *([trace.note] if trace.note else [])]
    if len(trace.spans) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {len(trace.spans)} spans; the log has the others.")
    rows = (
        Row(
            key=f"span{index + 1}",
            label="\N{EN DASH} " * depth[index] + span.name,
            note=f"{each.file}:{span.line}" if span.line else each.file,
        )
        for index, span in enumerate(trace.spans[:MOST_ROWS])
    )
    return filled(
        Table(
            id=f"trace-{number}-table",
            caption=f"Spans of {trace.name}",
            row_head="Span",
            notes=tuple(notes),
        ),
        tuple(_columns(trace)),
        ((row, index) for index, row in enumerate(rows)),
    )


def _columns(trace: Trace) -> Iterator[Column[int]]:
    """Yield the columns; rows are about spans, by their index."""
    spans, own, slow = trace.spans, own_seconds(trace.spans), slow_spans(trace)
    scale, unit = time_unit(trace)
    shortest = min((span.seconds / scale for span in spans if span.seconds > 0), default=1.0)
    decimals = min(MOST_DECIMALS, decimals_for([shortest], 3))
    whole = length(trace) or 1.0

    def time(seconds: float) -> Cell:
        return Cell(text=fixed(seconds / scale, decimals), sort=seconds)

    yield Column(
        "start",
        "Start",
        lambda index: time(spans[index].start),
        unit=unit,
        meaning="since the start of the trace",
    )
    yield Column("time", "Time", lambda index: time(spans[index].seconds), unit=unit)
    if any(span.parent is not None for span in spans):
        yield Column(
            "own",
            "Own time",
            lambda index: time(own[index]),
            unit=unit,
            meaning="without the child spans, which are listed below it",
        )
    yield Column(
        "share",
        "Share",
        lambda index: Cell(text=fixed(own[index] / whole * 100, 1), sort=own[index]),
        unit="%",
        meaning="own time, of the whole trace",
    )
    yield Column(
        "slow",
        "Slow",
        lambda index: Cell(text="slow" if index in slow else ""),
        numeric=False,
    )
    if any(span.place for span in spans):
        yield Column("place", "Place", lambda index: Cell(text=spans[index].place), numeric=False)
    if any(span.message for span in spans):
        yield Column("more", "More", lambda index: Cell(text=spans[index].message), numeric=False)


def time_unit(trace: Trace) -> tuple[float, str]:
    """Return the unit in which the trace's length is at least one: its seconds and its name."""
    whole = length(trace)
    return next((each for each in TIME_UNITS if whole >= each[0]), TIME_UNITS[-1])


def _request(trace: Trace, page: str) -> TimelineRequest:
    scale, unit = time_unit(trace)
    own, depth, slow = own_seconds(trace.spans), depths(trace.spans), slow_spans(trace)
    longest = sorted(range(len(trace.spans)), key=lambda index: (-own[index], index))
    drawn = sorted(longest[:MOST_DRAWN])
    left_out = len(trace.spans) - len(drawn)
    return TimelineRequest(
        spans=[
            TimelineSpan(
                label=span.name,
                place=span.place,
                start=span.start / scale,
                time=span.seconds / scale,
                depth=depth[index],
                slow=index in slow,
            )
            for index in drawn
            for span in (trace.spans[index],)
        ],
        unit=unit,
        title=f"Timeline of {trace.name}",
        description=(
            f"One bar a span, from its start to its end. {slow_rule(trace)}"
            + (
                f" Not drawn: {plural(left_out, 'span')} with less time of their own."
                if left_out
                else ""
            )
        ),
        **chart_files(page),
    )

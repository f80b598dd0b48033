"""The table of the rates and other numbers that two files or directories differ by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from perfpress.analysis.comparison.rates import (
    RATE,
    RESPONSE_TIME,
    TIME,
    TIMES_OF_REPEATS,
    ComparedMetric,
    ComparedStep,
)
from perfpress.analysis.metrics.intervals import Interval
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import NO_VALUE, PERCENT, decimals_for, fixed, short_name
from perfpress.base.units import shown_time
from perfpress.input.logs.metric_names import EXACT
from perfpress.input.logs.readings import Better
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.words.exact_counts import state_words

MOST_METRICS = 8
"""Rows of the numbers of one step; JSON has all."""

NOT_JUDGED = "Numbers without a mark are not judged: how much equal runs differ in them is unknown."

SMALL = 1e-3
"""Ratios this near to 1 are those of equal numbers, as logs round them."""


@dataclass(frozen=True)
class _Numbers:
    """One row: a number on both sides."""

    label: str
    step: ComparedStep | None
    metric: ComparedMetric | None
    verdict: Verdict | None
    is_inverse: bool = False
    """Whether the verdict is on a rate, and the numbers are times."""
    is_count: bool = False
    """Whether it is counted and not timed."""

    @property
    def ratio(self) -> float | None:
        """The ratio of the numbers that are shown."""
        return self.metric.ratio if self.metric else None

    @property
    def interval(self) -> Interval | None:
        """Of the ratio."""
        own = self.verdict.interval if self.verdict else None
        if own is None or not self.is_inverse or own.low <= 0:
            return None if self.is_inverse else own
        return Interval(1 / own.high, 1 / own.low, own.level)


def rates_table(steps: Sequence[ComparedStep], base: str, after: str) -> Table | None:
    """Return the rates of all steps; of a single step, its other numbers too. None without any."""
    if len(steps) == 1:
        rows = _of_one_step(steps[0])
        head, caption = "Number", f"{base} and {after}"
    else:
        rows = [
            row
            for step in steps
            for label in [short_name(step.name)]
            for row in (_of_rate(step, label), *_counts(step, label))
        ]
        rows = sorted((row for row in rows if row.metric or row.verdict), key=_largest_first)
        head, caption = "Step", f"Steps of {base} and {after}"
    if not rows:
        return None
    has_p95 = len(steps) > 1 and any(step.metric(RESPONSE_TIME) for step in steps)
    columns = _columns(base, after, has_response_times=has_p95)
    is_judged = all(row.verdict for row in rows)
    notes = () if is_judged else (NOT_JUDGED,)
    table = Table(id="rates", caption=caption, row_head=head, notes=notes)
    return filled(table, columns, ((Row(key=each.label, label=each.label), each) for each in rows))


def _of_one_step(step: ComparedStep) -> list[_Numbers]:
    rows = [_of_rate(step, RATE.replace("_", " "))]
    for metric in step.metrics:
        if metric.name in (RATE, TIME, *TIMES_OF_REPEATS) or metric.better is None:
            continue
        if metric.base.median == metric.after.median == 0:
            continue
        rows.append(_of_metric(step, metric, metric.name.replace("_", " ")))
    found = [row for row in rows if row.metric or row.verdict]
    if not found:  # perf stat: numbers without a better direction
        found = [_of_metric(step, metric, metric.name.replace("_", " ")) for metric in step.metrics]
    return found[: MOST_METRICS + 1]


def _of_metric(step: ComparedStep, metric: ComparedMetric, label: str) -> _Numbers:
    return _Numbers(label, step, metric, metric.verdict, is_count=metric.name in EXACT)


def _counts(step: ComparedStep, label: str) -> Iterator[_Numbers]:
    """Yield what a step counts, beside its rate only what changed: a sentence has the others."""
    for metric, verdict in step.counts:
        if step.rate is None or verdict.state.is_change:
            yield _of_metric(step, metric, f"{label}, {metric.name.replace('_', ' ')}")


def _of_rate(step: ComparedStep, label: str) -> _Numbers:
    if step.is_time and (time := step.metric(TIME)):
        own = TIME.replace("_", " ") if label == RATE else label
        return _Numbers(own, step, time, step.rate, is_inverse=True)
    return _Numbers(label, step, step.metric(RATE), step.rate)


def _largest_first(row: _Numbers) -> tuple[int, float]:
    rank = row.verdict.state.row.rank if row.verdict else len(NO_VALUE) + 99
    return rank, -abs(log(row.ratio)) if row.ratio else 0.0


def _columns(base: str, after: str, *, has_response_times: bool) -> tuple[Column[_Numbers], ...]:
    columns: tuple[Column[_Numbers], ...] = (
        Column("base", base, lambda row: _value(row, 0)),
        Column("after", after, lambda row: _value(row, 1)),
        Column("unit", "", lambda row: Cell(text=_unit(row)), numeric=False),
        Column("ratio", "Ratio", _ratio),
        Column("interval", f"95{PERCENT} interval", _interval),
        Column("verdict", "Verdict", _verdict, numeric=False),
    )
    if has_response_times:
        p95: Column[_Numbers] = Column("p95", "p95", _response_time)
        return (*columns, p95)
    return columns


def _shown(row: _Numbers) -> tuple[tuple[float, float], str]:
    """Return both numbers in the unit that they are shown in."""
    if row.metric is None:
        return (0.0, 0.0), ""
    values = (row.metric.base.median, row.metric.after.median)
    unit = row.metric.unit
    if unit == "ns":
        factor, unit = shown_time(max(values))
        values = (values[0] * factor, values[1] * factor)
    if row.step and unit == "operations/s":
        unit = "/s"
    return values, unit


def _value(row: _Numbers, side: int) -> Cell:
    if row.metric is None:
        return Cell(text=NO_VALUE)
    values, _ = _shown(row)
    is_whole = row.is_count and all(value.is_integer() for value in values)
    text = fixed(values[side], 0 if is_whole else decimals_for(values))
    return Cell(text=text, sort=values[side])


def _unit(row: _Numbers) -> str:
    return _shown(row)[1]


def _ratio(row: _Numbers) -> Cell:
    if row.ratio is None:
        return Cell(text=NO_VALUE)
    return Cell(text=f"×{fixed(row.ratio, 3)}", sort=row.ratio)


def _interval(row: _Numbers) -> Cell:
    if row.interval is None:
        return Cell(text=NO_VALUE if row.verdict and not row.is_count else "")
    return Cell(text=f"{fixed(row.interval.low, 3)} to {fixed(row.interval.high, 3)}")


def _verdict(row: _Numbers) -> Cell:
    if row.verdict is None:
        return Cell(text=_direction(row.metric.better if row.metric else None, row.ratio))
    state = row.verdict.state.row
    words = state_words(row.verdict) if row.is_count else row.verdict.words
    return Cell(text=words, mark=state.mark, tone=state.tone, sort=state.rank)


def _direction(better: Better, ratio: float | None) -> str:
    """Return which way a number without a verdict went, where one way is better."""
    if better is None or ratio is None or abs(ratio - 1) < SMALL:
        return ""
    return "better" if (ratio > 1) == (better == "higher") else "worse"


def _response_time(row: _Numbers) -> Cell:
    metric = row.step.metric(RESPONSE_TIME) if row.step else None
    if metric is None or metric.ratio is None:
        return Cell(text="")
    state = row.step.response_time.state.row if row.step and row.step.response_time else None
    return Cell(
        text=f"×{fixed(metric.ratio, 3)}",
        tone=state.tone if state and state.direction else "",
        mark=state.mark if state and state.direction else "",
    )

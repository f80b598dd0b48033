"""What a log parser returns: plain numbers, each with the line that it came from.

Parsers know nothing of reports and releases; the analysis joins these readings with the runs that
the logs belong to.
"""

from typing import Literal

import msgspec

from perfpress.base.problems import Problem

BEGAN = "began"
"""The fact that says when the run began, as the log has it."""

Better = Literal["higher", "lower"] | None
"""Which direction of a metric is the good one; `None` where neither is."""


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """One number that a log states for a whole run."""

    name: str
    """One of `perfpress.input.logs.metric_names`, or a name that only this benchmark has."""
    value: float
    unit: str
    better: Better = None
    line: int = 0
    """Counts from 1; 0 where the number is computed from many lines."""
    note: str = ""
    """How it was made where the log does not state it itself: `median of 10 repeats`."""
    processes: tuple[float, ...] = ()
    """The value of each process that the harness began for it (JMH's forks, hyperfine's runs),
    where there are several: as independent as runs made one after the other on one day."""


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """One number per interval. Intervals inside one run are never repeats of it."""

    name: str
    unit: str
    better: Better = None
    seconds: tuple[float, ...]
    """The end of each interval, in seconds since the start of the log's own clock."""
    values: tuple[float, ...]
    """As many as `seconds`."""
    first_line: int = 0
    """The line of the first value."""


class Histogram(msgspec.Struct, frozen=True, kw_only=True):
    """How often something took how long."""

    name: str
    """What was measured: `latency`."""
    unit: str
    values: tuple[float, ...]
    """The middle or the upper end of each bucket, ascending; empty buckets may be left out."""
    values_are: Literal["middle", "upper"]
    counts: tuple[int, ...]
    """As many as `values`."""
    first_line: int = 0
    """The line of the first bucket."""


class RowEstimates(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows the optimizer expects, over all explanations of the query."""

    lowest: int
    median: int
    highest: int


class PlanStep(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a plan."""

    operator: str
    """What the server would do, without numbers that differ from one execution to the next."""
    rows: RowEstimates | None = None
    """None where the plan does not show it."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How the server would execute a query, by its EXPLAIN."""

    query: str
    """With `?` for the values, so that a query is the same whatever it asks for."""
    steps: tuple[PlanStep, ...]
    count: int
    """How often the query was explained with these steps."""
    first_line: int


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that a parser left out, and why: nothing is dropped silently."""

    reason: str
    count: int
    first_line: int


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """One of the named benchmarks that a log holds."""

    name: str
    """As in the log, without control characters; unique in a log."""
    metrics: tuple[Metric, ...] = ()
    series: tuple[Series, ...] = ()
    histograms: tuple[Histogram, ...] = ()
    plans: tuple[Plan, ...] = ()
    first_line: int = 0
    """0 where the parser knows no lines."""
    partial: bool = False
    """True where it failed or broke off, even if the others are whole."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of the time that one operation took."""

    name: str
    """What was done."""
    start: float
    """Seconds since the start of the trace."""
    seconds: float
    parent: int | None = None
    """The position, among the trace's spans, of the one that this is a part of: an earlier one."""
    place: str = ""
    """Where: a node, a table; empty where the log does not say."""
    message: str = ""
    line: int = 0


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """Where the time of one operation went."""

    name: str
    """The statement, or what the log calls it."""
    spans: tuple[Span, ...]
    note: str = ""
    """What the starts and durations are, where that needs to be known."""
    first_line: int = 0


class LogReading(msgspec.Struct, frozen=True, kw_only=True):
    """All that was read from one log."""

    format: str
    """The parser that read it (`pgbench`), or an empty text where none knew the log."""
    file: str
    """The name to show for it."""
    metrics: tuple[Metric, ...] = ()
    series: tuple[Series, ...] = ()
    benchmarks: tuple[Benchmark, ...] = ()
    """Where the log holds named benchmarks: all of them, in its order. `metrics` and `series` then
    hold what belongs to none of them, until a step has chosen its own."""
    histograms: tuple[Histogram, ...] = ()
    plans: tuple[Plan, ...] = ()
    """In the order in which the log has them. A query that was planned in two ways has two."""
    traces: tuple[Trace, ...] = ()
    """Single operations, in detail: never part of a median."""
    facts: tuple[tuple[str, str], ...] = ()
    """Facts about the run in the log's own words: `("number of clients", "8")`."""
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()
    partial: bool = False
    """True where the log breaks off: the numbers are those that were read before."""

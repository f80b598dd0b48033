"""The interface of log parsers, and the notes that they collect while reading."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from msgspec.structs import replace

from perfpress.base.limits import can_be_computed_with
from perfpress.base.problems import Problem, Severity
from perfpress.input.logs.metric_names import meaning_of, unit_of
from perfpress.input.logs.readings import (
    BEGAN,
    Benchmark,
    LogReading,
    Metric,
    Series,
    Skipped,
    Trace,
)

Recognition = Literal["yes", "no", "more"]
"""Whether the lines so far belong to a format; `more` while undecided."""

GIVE_UP_AFTER = 2000
"""Lines of other output (a wrapper's, EXPLAIN's) that may come before a log is recognised."""

CAUSE_LENGTH = 60

LONGEST_NAME = 500
"""Characters of a benchmark's name."""

OUT_OF_RANGE = "number that is out of range"


class Parser(NamedTuple):
    """One log format."""

    name: str
    recognise: Callable[[Sequence[str]], Recognition]
    """Takes the first lines of a log, as many as were read so far."""
    parse: Callable[[Iterable[str], str], LogReading]
    """Takes all lines, and the name to show for the log; never raises for what they hold."""
    has_start: bool = False
    """Whether some logs of it say when the run began."""


def recognise_by(signature: re.Pattern[str]) -> Callable[[Sequence[str]], Recognition]:
    """Return a recogniser of logs with a line that `signature` matches."""

    def recognise(lines: Sequence[str]) -> Recognition:
        if any(map(signature.match, lines)):
            return "yes"
        return "more" if len(lines) < GIVE_UP_AFTER else "no"

    return recognise


def why_skipped(reasons: Sequence[tuple[str, re.Pattern[str]]], line: str) -> str:
    """Return the first of some reasons to skip a line whose pattern fits; empty if none does."""
    return next((reason for reason, pattern in reasons if pattern.match(line)), "")


@dataclass
class OpenSeries:
    """A series while it is read."""

    first: Metric
    """The first value, with the unit and direction of all."""
    seconds: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


@dataclass
class Measures:
    """The metrics and series of a log, or of one benchmark in it.

    A metric that is stated twice keeps its first value, and the second counts as skipped.
    """

    metrics: dict[str, Metric] = field(default_factory=dict, kw_only=True)
    partial: bool = field(default=False, kw_only=True)
    _series: dict[str, OpenSeries] = field(default_factory=dict, kw_only=True)

    def skip(self, reason: str, line: int) -> None:
        """Note a line that is left out."""
        raise NotImplementedError

    def measure(
        self,
        name: str,
        value: float,
        line: int,
        note: str = "",
        processes: Iterable[float] = (),
    ) -> None:
        """Note a metric of the table, and of what processes it is the median."""
        unit, better, *_ = meaning_of(name)
        usable = tuple(filter(can_be_computed_with, processes))
        metric = Metric(name=name, value=value, unit=unit, better=better, line=line, note=note)
        self._keep(replace(metric, processes=usable) if len(usable) > 1 else metric)

    def measure_own(self, metric: Metric) -> None:
        """Note a metric with its own unit and direction, one that need not be in the table.

        One that has a name of the table is left out where its unit is not the table's.
        """
        unit = unit_of(metric.name)
        if unit is not None and unit != metric.unit:
            self.skip(f"{metric.name} in another unit than {unit}", metric.line)
            return
        self._keep(metric)

    def sample(self, name: str, seconds: float, value: float, line: int) -> None:
        """Note one value of a series."""
        unit, better, *_ = meaning_of(name)
        self.sample_own(
            Metric(name=name, value=value, unit=unit, better=better, line=line), seconds
        )

    def sample_own(self, metric: Metric, seconds: float) -> None:
        """Note one value of a series with its own unit and direction."""
        if not (can_be_computed_with(seconds) and can_be_computed_with(metric.value)):
            self.skip(OUT_OF_RANGE, metric.line)
            return
        series = self._series.setdefault(metric.name, OpenSeries(metric))
        series.seconds.append(seconds)
        series.values.append(metric.value)

    @property
    def series(self) -> tuple[Series, ...]:
        """The series so far."""
        return tuple(map(_series, self._series.values()))

    def _keep(self, metric: Metric) -> None:
        if not can_be_computed_with(metric.value):
            self.skip(OUT_OF_RANGE, metric.line)
        elif metric.name in self.metrics:
            self.skip(f"a second value of {metric.name}", metric.line)
        else:
            self.metrics[metric.name] = metric


@dataclass
class Notes(Measures):
    """What a parser has found so far; `reading` makes the result of it."""

    format: str
    file: str
    facts: dict[str, str] = field(default_factory=dict)
    benchmarks: dict[str, "BenchmarkNotes"] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)
    _skipped: dict[str, tuple[int, int]] = field(default_factory=dict)
    _problems: dict[str, tuple[int, Problem]] = field(default_factory=dict)

    def benchmark(self, name: str, line: int) -> "BenchmarkNotes":
        """Return the notes of one of several named benchmarks; begun here, or on an earlier line.

        Args:
            name: as the log states it.
            line: its number.
        """
        shown = excerpt(name, LONGEST_NAME)
        return self.benchmarks.setdefault(shown, BenchmarkNotes(self, line))

    def skip(self, reason: str, line: int) -> None:
        """Note a line that is left out."""
        count, first = self._skipped.get(reason, (0, line))
        self._skipped[reason] = (count + 1, first)

    def begin(self, when: object) -> None:
        """Note when the run began: a date, or the time since 1970. What was noted first counts."""
        self.facts.setdefault(BEGAN, excerpt(str(when)))

    def begin_again(self, line: int) -> None:
        """Leave out what comes before a line, except what is wrong with it and the facts."""
        self.metrics.clear()
        self._series.clear()
        self._skipped = {"line of a run that broke off": (line - 1, 1)}

    def complain(
        self, *, found: str, expected: str, do: str, line: int = 0, severity: Severity = "error"
    ) -> None:
        """Note a problem; later ones of the same cause are only counted.

        Two lines that differ in their numbers alone, or only far to the right, have one cause.
        """
        problem = Problem(
            path=self.file, line=line, found=found, expected=expected, do=do, severity=severity
        )
        cause = re.sub(r"\d+", "0", problem.found)[:CAUSE_LENGTH]
        count, first = self._problems.get(cause, (0, problem))
        self._problems[cause] = (count + 1, first)

    def break_off(self, *, found: str, expected: str, do: str, line: int = 0) -> None:
        """Note a problem by which the log is partial: its numbers are not those of a whole run."""
        self.partial = True
        self.complain(found=found, expected=expected, do=do, line=line)

    def complain_of(self, line: str, number: int) -> None:
        """Note an error message of the tool."""
        self.complain(
            line=number,
            found=excerpt(line),
            expected="a run without errors",
            do="fix the cause and run the step again",
        )

    def complain_of_another_run(self, which: str, line: int) -> None:
        """Report that another run begins on a line, and which of them is read."""
        self.complain(
            line=line,
            found=f"another run begins; {which}",
            expected="one run a log",
            do="keep the output of each in a file of its own",
        )

    def reading(self) -> LogReading:
        """Return everything noted."""
        return LogReading(
            format=self.format,
            file=self.file,
            metrics=tuple(self.metrics.values()),
            series=self.series,
            benchmarks=tuple(
                Benchmark(
                    name=name,
                    metrics=tuple(each.metrics.values()),
                    series=each.series,
                    first_line=each.first_line,
                    partial=each.partial,
                )
                for name, each in self.benchmarks.items()
            ),
            traces=tuple(self.traces),
            facts=tuple(self.facts.items()),
            skipped=tuple(
                Skipped(reason=reason, count=count, first_line=line)
                for reason, (count, line) in self._skipped.items()
            ),
            problems=tuple(_counted(count, first) for count, first in self._problems.values()),
            partial=self.partial,
        )


@dataclass
class BenchmarkNotes(Measures):
    """What was found of one of several benchmarks in a log."""

    notes: Notes
    first_line: int

    def skip(self, reason: str, line: int) -> None:
        """Note a line that is left out, with those of the log."""
        self.notes.skip(reason, line)


def excerpt(line: str, length: int = 200) -> str:
    """Return the start of a line, fit to be shown: no control characters, no megabytes."""
    shown = "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line[: length + 1]
    )
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def _series(series: OpenSeries) -> Series:
    return Series(
        name=series.first.name,
        unit=series.first.unit,
        better=series.first.better,
        seconds=tuple(series.seconds),
        values=tuple(series.values),
        first_line=series.first.line,
    )


def _counted(count: int, first: Problem) -> Problem:
    if count == 1:
        return first
    found = f"{first.found} (and {count - 1} more like it)"
    return replace(first, found=found)

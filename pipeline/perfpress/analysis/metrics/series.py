"""Time series of runs, and their medians over runs and intervals."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor
from statistics import median
from typing import NamedTuple

from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.input.logs.readings import Series

LATENCY_PERCENTILE = re.compile(r"latency_p(\d+(?:\.\d+)?)")
MEAN_LATENCY = "latency_average"
PREFERRED = ("latency_p95", "latency_p99")
"""Latencies that logs report; the mean comes last, as it hides what is slow."""

GAP = 1.5
"""Usual distances between two values from which on one is missing; clocks are a little off."""


def releases_over_time(study: Study, variant: str, step: str, metric: str) -> tuple[str, ...]:
    """Return the releases, in order, that have a metric over time."""
    return tuple(
        release
        for release in study.releases_with(variant, step)
        if any(metric in _names(each) for each in study.of_cell(CellKey(release, variant, step)))
    )


def latency_over_time(study: Study, variant: str, step: str) -> str | None:
    """Return the latency that the logs of most releases report over time; None if none does."""
    releases = Counter(
        name
        for release in study.releases_with(variant, step)
        for name in {
            name
            for each in study.of_cell(CellKey(release, variant, step))
            for name in _names(each)
            if _is_latency(name)
        }
    )
    return min(releases, key=lambda name: (-releases[name], *_rank(name)), default=None)


class Stretch(NamedTuple):
    """What the runs of a release did in a stretch of time."""

    median: float
    """Of all values of all runs."""
    lowest: float
    highest: float


@dataclass(frozen=True)
class Stretches:
    """Equal stretches of time, all releases alike."""

    interval: float
    """Seconds: the usual one of the logs."""
    intervals: int
    """In a stretch."""
    by_release: Mapping[str, Mapping[int, Stretch]]
    """By release and number of the stretch, from 1 on. A stretch that fewer than half of a
    release's runs reached is left out."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The stretches that any release has, in order."""
        return tuple(sorted({number for of_one in self.by_release.values() for number in of_one}))

    @property
    def seconds(self) -> float:
        """How long a stretch is."""
        return self.intervals * self.interval

    def end(self, number: int) -> float:
        """Return the second in which a stretch ends."""
        return number * self.seconds

    def middle(self, number: int) -> float:
        """Return the middle of the ends of its intervals: that of 16 s, 17 s, … 30 s is 23 s."""
        return self.end(number) - (self.intervals - 1) / 2 * self.interval


@dataclass(frozen=True)
class OverTime:
    """A metric of a step over time, in the releases that are shown."""

    metric: str
    series: Mapping[str, tuple[Series, ...]]
    """By release, one a run; at least one in all."""
    measured: int
    """How many releases have it, shown or not."""
    stretches: Stretches
    """What charts and tables show."""
    most: int
    """Stretches at most."""

    def of_releases(self, releases: Collection[str]) -> "OverTime":
        """Return the same of some releases, with the same stretches of time."""
        kept = {release: each for release, each in self.series.items() if release in releases}
        by_release = {release: self.stretches.by_release[release] for release in kept}
        return replace(self, series=kept, stretches=replace(self.stretches, by_release=by_release))


def over_time(
    study: Study,
    variant: str,
    step: str,
    metric: str | None,
    most: int,
    shown: Callable[[Sequence[str]], Collection[str]],
) -> OverTime | None:
    """Return a metric over time; None where no run that counts has it.

    Args:
        study: the report.
        variant: its slug.
        step: its name.
        metric: its name; None where there is none.
        most: stretches of time at most.
        shown: returns which of the releases that have the metric are shown.
    """
    measured = releases_over_time(study, variant, step, metric) if metric else ()
    if not metric or not measured:
        return None
    kept = shown(measured)
    series = {
        release: tuple(
            found
            for each in study.of_cell(CellKey(release, variant, step))
            if (found := _series(each, metric)) is not None
        )
        for release in measured
        if release in kept
    }
    return OverTime(metric, series, len(measured), stretches_of(series, most), most)


def stretches_of(series: Mapping[str, Sequence[Series]], most: int) -> Stretches:
    """Return at most `most` stretches, each of a whole number of the logs' intervals.

    Args:
        series: by release; at least one in all.
        most: how many stretches at most.
    """
    runs = [each for many in series.values() for each in many]
    interval = _usual_distance([each.seconds for each in runs])
    end = max(second for each in runs for second in each.seconds)
    intervals = max(1, ceil(_whole(end, interval) / most))
    return Stretches(
        interval,
        intervals,
        {release: _stretches(many, interval, intervals) for release, many in series.items()},
    )


def pieces(seconds: Sequence[float]) -> list[range]:
    """Part a series where values are missing; return the positions of each part's values."""
    longest = GAP * _usual_distance([seconds])
    breaks = [
        position
        for position, (before, after) in enumerate(pairwise(seconds), start=1)
        if after - before > longest
    ]
    edges = [0, *breaks, len(seconds)]
    return [range(first, last) for first, last in pairwise(edges) if last > first]


def _names(step_run: StepRun) -> frozenset[str]:
    """Return the series that the logs of a repeat hold."""
    series = step_run.outline.series
    return series if series and not why_not(step_run, "throughput") else frozenset()


def _series(step_run: StepRun, metric: str) -> Series | None:
    """Return the first series of a metric that the logs of a repeat hold."""
    if metric not in _names(step_run):
        return None
    return next(
        (
            series
            for reading in step_run.readings
            if not reading.partial
            for series in reading.series
            if series.name == metric and series.values
        ),
        None,
    )


def _is_latency(name: str) -> bool:
    return name == MEAN_LATENCY or LATENCY_PERCENTILE.fullmatch(name) is not None


def _rank(name: str) -> tuple[int, str]:
    if name in PREFERRED:
        return PREFERRED.index(name), name
    return len(PREFERRED) + (name == MEAN_LATENCY), name


def _usual_distance(many: Sequence[Sequence[float]]) -> float:
    """Return the median distance between neighbours; 1 second where there are none."""
    distances = [
        after - before for each in many for before, after in pairwise(each) if after > before
    ]
    return median(distances) if distances else 1.0


def _stretches(runs: Sequence[Series], interval: float, intervals: int) -> dict[int, Stretch]:
    values: dict[int, list[float]] = {}
    reached: dict[int, set[int]] = {}
    for run, series in enumerate(runs):
        for second, value in zip(series.seconds, series.values, strict=True):
            number = ceil(_whole(second, interval) / intervals)
            values.setdefault(number, []).append(value)
            reached.setdefault(number, set()).add(run)
    return {
        number: Stretch(median(found), min(found), max(found))
        for number, found in sorted(values.items())
        if 2 * len(reached[number]) >= len(runs)
    }


def _whole(seconds: float, interval: float) -> int:
    """Return how many intervals end by then, at least one.

    The clocks of runs are a little off: 10.001 s and 9.998 s end the same interval.
    """
    return max(1, floor(seconds / interval + 0.5))

"""Throughput over time: which series of which runs count, and medians over runs and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from statistics import median

from pipeline.analysis.counted import why_not
from pipeline.profiles import CellKey
from pipeline.readings import Series
from pipeline.study import StepRun, Study


def throughput_by_release(study: Study, variant: str, step: str) -> dict[str, tuple[Series, ...]]:
    """Return the throughput over time of the repeats, one series a run; releases in order.

    Releases without any are left out.
    """
    found = {
        release: tuple(
            series
            for each in study.of_cell(CellKey(release, variant, step))
            if (series := _throughput(each)) is not None
        )
        for release in study.releases_with(variant, step)
    }
    return {release: series for release, series in found.items() if series}


@dataclass(frozen=True)
class Stretches:
    """Equal stretches of time, all releases alike."""

    interval: float
    """Seconds: the usual one of the logs."""
    intervals: int
    """In a stretch."""
    medians: Mapping[str, Mapping[int, float]]
    """By release and number of the stretch, from 1 on: the median of all values of all runs. A
    stretch that fewer than half of a release's runs reached is left out."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The stretches that any release has, in order."""
        return tuple(sorted({number for of_one in self.medians.values() for number in of_one}))

    def end(self, number: int) -> float:
        """Return the second in which a stretch ends."""
        return number * self.intervals * self.interval


def stretches_of(series: Mapping[str, Sequence[Series]], most: int) -> Stretches:
    """Return at most `most` stretches, each of a whole number of the logs' intervals.

    It is how `pipeline/charts/series.js` makes the line of a chart.

    Args:
        series: by release; at least one in all.
        most: how many stretches at most.
    """
    runs = [each for many in series.values() for each in many]
    distances = [
        distance
        for each in runs
        for before, after in pairwise(each.seconds)
        if (distance := after - before) > 0
    ]
    interval = median(distances) if distances else 1.0
    end = max(second for each in runs for second in each.seconds)
    intervals = max(1, ceil(_whole(end, interval) / most))
    return Stretches(
        interval,
        intervals,
        {release: _medians(many, interval, intervals) for release, many in series.items()},
    )


def _throughput(step_run: StepRun) -> Series | None:
    """Return the first throughput over time that the logs of a repeat hold."""
    if why_not(step_run, "throughput"):
        return None
    return next(
        (
            series
            for reading in step_run.readings
            if not reading.partial
            for series in reading.series
            if series.name == "throughput" and series.values
        ),
        None,
    )


def _medians(runs: Sequence[Series], interval: float, intervals: int) -> dict[int, float]:
    values: dict[int, list[float]] = {}
    reached: dict[int, set[int]] = {}
    for run, series in enumerate(runs):
        for second, value in zip(series.seconds, series.values, strict=True):
            number = ceil(_whole(second, interval) / intervals)
            values.setdefault(number, []).append(value)
            reached.setdefault(number, set()).add(run)
    return {
        number: median(found)
        for number, found in sorted(values.items())
        if 2 * len(reached[number]) >= len(runs)
    }


def _whole(seconds: float, interval: float) -> int:
    """Return how many intervals end by then, at least one.

    The clocks of runs are a little off: 10.001 s and 9.998 s end the same interval.
    """
    return max(1, floor(seconds / interval + 0.5))

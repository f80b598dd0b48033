"""Latency percentile curves per release."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from perfpress.analysis.metrics.response_times import OWN, PERCENTILES, histograms, percentiles
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.input.logs.readings import Histogram

FEWEST_POINTS = 2
"""One point is not a curve."""


class Point(NamedTuple):
    """A point of a curve."""

    part: float
    """Of the operations, below 1."""
    value: float
    """In ms: so many took no longer."""


Curves = Mapping[str, tuple[Point, ...]]
"""By release, in the report's order; those without a curve are left out."""


def curves_of_step(study: Study, variant: str, step: str) -> Curves:
    """Return the curves of all releases of a step."""
    return {
        release: curve
        for release in study.releases_with(variant, step)
        if (curve := curve_of(study.of_cell(CellKey(release, variant, step))))
    }


def curve_of(runs: Sequence[StepRun]) -> tuple[Point, ...]:
    """Return the curve of some repeats; empty where their logs hold fewer than two percentiles.

    It is made from all operations of the runs that count where these have histograms, otherwise
    from the medians of the percentiles that logs state.
    """
    points = of_histograms(histograms(runs, OWN)) or _of_percentiles(runs)
    return points if len(points) >= FEWEST_POINTS else ()


def of_histograms(found: Sequence[Histogram]) -> tuple[Point, ...]:
    """Return a point for each bucket of some histograms that holds anything, times ascending."""
    counts: Counter[float] = Counter()
    for each in found:
        for value, count in zip(each.values, each.counts, strict=True):
            counts[value] += count
    total = counts.total()
    points = []
    reached = 0
    for value, count in sorted(counts.items()):
        reached += count
        if count:
            # The slowest of N operations is drawn where one of N is left: 100 % has no place on a
            # scale that never reaches it.
            points.append(Point(min(reached, total - 1) / total, value))
    return tuple(points)


def _of_percentiles(runs: Sequence[StepRun]) -> tuple[Point, ...]:
    found = percentiles(runs)
    return tuple(
        Point(part, found[name].value)
        for name, (_, part) in PERCENTILES.items()
        if name in found and part < 1
    )

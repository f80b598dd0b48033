"""Changes of level along the releases of a step: whether a whole series of releases moved."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from pipeline.analysis.change_points import FEWEST, change_points
from pipeline.analysis.throughput import Summary
from pipeline.report.report import Report
from pipeline.study.profiles import CellKey


@dataclass(frozen=True)
class LevelChange:
    """A release from which on the level is another."""

    release: str
    """The first of the new level."""
    before: float
    """The mean of the medians of the level before, in the metric's unit."""
    after: float
    releases_before: int
    """How many releases have the level before, since the change before it."""
    releases_after: int
    p: float
    """Of Student's t between the two levels; see `change_points`."""

    @property
    def ratio(self) -> float:
        """The level after ÷ the level before."""
        return self.after / self.before


@dataclass(frozen=True)
class Levels:
    """The series of a variant and step along the default branch."""

    releases: tuple[str, ...]
    """Those that have a median above zero, in order."""
    changes: tuple[LevelChange, ...]
    """In order."""


def levels_of(
    report: Report, summaries: Mapping[CellKey, Summary], variant: str, step: str
) -> Levels | None:
    """Return where the medians of a step change their level; None for too short a series.

    Each release counts once, by the median of its runs, however many runs it has. One that did
    nothing failed: that is no level, and a verdict of its own.
    """
    medians = {
        release.id: summary.median
        for release in report.of_default_branch
        if (summary := summaries.get(CellKey(release.id, variant, step))) and summary.median > 0
    }
    releases = tuple(medians)
    if len(releases) < FEWEST:
        return None
    points = change_points(list(medians.values()))
    edges = [0, *(point.index for point in points), len(releases)]
    counts = [last - first for first, last in pairwise(edges)]
    return Levels(
        releases,
        tuple(
            LevelChange(releases[point.index], point.before, point.after, *around, point.p)
            for point, around in zip(points, pairwise(counts), strict=True)
        ),
    )

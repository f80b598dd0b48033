"""Level changes along the releases of a step, on every metric that has a direction."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log, sqrt
from operator import itemgetter

import msgspec
import numpy as np

from perfpress.analysis.metrics.efficiency import NO_COUNTER
from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import StepKey
from perfpress.analysis.verdicts.change_points import (
    FEWEST,
    ChangePoint,
    Outlier,
    Prior,
    Segmentation,
)
from perfpress.analysis.verdicts.long_series import long_segmentation
from perfpress.analysis.verdicts.variances import Variance
from perfpress.base.kept_results import Kept, made_now
from perfpress.input.logs.metric_names import METRIC_NAMES, meaning_of
from perfpress.input.logs.readings import Better

COUNTS = ("failed_operations",)
"""Metrics that count: often zero, and with noise that grows with the root."""
NOISE_OF_COUNTS: Prior = (1.0, 2.0)
"""Of the root that a Poisson count is transformed to; counts that scatter more outweigh it."""
PERCENTILE = re.compile(r"latency_p\d+(\.\d+)?")


StretchNoise = Callable[[Mapping[str, Summary]], Variance | None]
"""Returns the variance of the logarithm of a median, of a part of a series."""

GroupKey = tuple[str, str, bool, bool]
"""Variant, first release, whether the level rises, and whether it lasts."""


class LevelChange(msgspec.Struct, frozen=True, array_like=True):
    """A release from which on the level is another."""

    release: str
    """The first that left the level before for good."""
    last_before: str
    """The last release of the level before."""
    before: float
    """The level before, in the metric's unit, without flukes."""
    after: float
    releases_before: int
    """How many releases have the level before."""
    releases_after: int
    p: float
    """See `ChangePoint`."""
    in_full: str = ""
    """The first release on the new level, where that is a later one."""

    @property
    def ratio(self) -> float | None:
        """The level after ÷ the level before; None where that is zero."""
        return self.after / self.before if self.before > 0 else None

    @property
    def is_rise(self) -> bool:
        """Whether the level is higher from here on."""
        return self.after > self.before

    @property
    def is_lasting(self) -> bool:
        """Whether several releases have each level; else the newest release alone has the new."""
        return min(self.releases_before, self.releases_after) > 1

    def group(self, variant: str) -> GroupKey:
        """Return which changes of a variant it is grouped with."""
        return variant, self.release, self.is_rise, self.is_lasting

    @property
    def size(self) -> float:
        """How large it is, whatever its direction: by this changes are ranked."""
        return (
            abs(log(self.ratio)) if self.ratio else abs(log((self.after + 1) / (self.before + 1)))
        )


@dataclass(frozen=True)
class Fluke:
    """A release that alone differs from the level around it."""

    release: str
    value: float
    level: float
    """The level around it."""
    p: float

    @property
    def ratio(self) -> float | None:
        """The value ÷ the level; None where that is zero."""
        return self.value / self.level if self.level > 0 else None


@dataclass(frozen=True)
class SeriesLevels:
    """The series of a metric on a variant and step, along the default branch."""

    metric: str
    better: Better
    releases: tuple[str, ...]
    """Those that have a value, in order."""
    changes: tuple[LevelChange, ...]
    """In order."""
    flukes: tuple[Fluke, ...]
    """In order."""
    levels: tuple[tuple[str, ...], ...]
    """The releases of each level; flukes are in none."""
    scatter: float
    """The standard deviation of the newest releases of one level, a part; of counts in roots."""

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """The place of each release; each is asked for with all others."""
        return {each: place for place, each in enumerate(self.releases)}

    @cached_property
    def _level_of(self) -> Mapping[str, int]:
        """The number of the level of several releases that each is on."""
        return {
            each: number
            for number, level in enumerate(self.levels)
            if len(level) > 1
            for each in level
        }

    @cached_property
    def _lasting(self) -> Sequence[tuple[int, float, LevelChange]]:
        """With place and size: they are compared for each pair of levels."""
        at = self._places
        return [(at[each.release], each.size, each) for each in self.changes if each.is_lasting]

    @cached_property
    def _between(self) -> dict[tuple[int, int], LevelChange | None]:
        """By the numbers of two levels, those that were asked for: the change between them."""
        return {}

    @cached_property
    def _fluke_at(self) -> Mapping[str, Fluke]:
        return {each.release: each for each in self.flukes}

    def flukes_of(self, releases: Iterable[str]) -> tuple[Fluke, ...]:
        """Return those of some releases that are flukes, in the order of the series."""
        own = {each for each in releases if each in self._fluke_at}
        if not own:  # of thousands of cells, most
            return ()
        return tuple(self._fluke_at[each] for each in sorted(own, key=self._places.__getitem__))

    def since(self, base: str, release: str) -> LevelChange | None:
        """Return the change by which a release differs from its base; None without evidence.

        Both are on levels of several releases. Of several changes between them it is the largest
        that goes the way that the levels differ.
        """
        one, other = self._level_of.get(base), self._level_of.get(release)
        if one is None or other is None or one == other:
            return None
        if self._places[base] > self._places[release]:
            return None
        if (one, other) not in self._between:
            self._between[one, other] = self._largest(self.levels[one], self.levels[other])
        return self._between[one, other]

    def _largest(self, before: Sequence[str], after: Sequence[str]) -> LevelChange | None:
        """Return the largest change between two levels that goes the way that they differ."""
        first, last = (
            bisect_right(self._lasting, self._places[each], key=itemgetter(0))
            for each in (before[-1], after[0])
        )
        lasting = self._lasting[first:last]
        if not lasting:
            return None
        rises = lasting[-1][2].after > lasting[0][2].before
        own = (each for each in lasting if each[2].is_rise == rises)
        _, _, largest = max(own, key=itemgetter(1), default=(0, 0.0, None))
        return largest

    def beside(self, change: LevelChange) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the releases of the level before a change and of that after it, in order."""
        at = {each: place for place, each in enumerate(self.releases)}
        before = next((each for each in self.levels if change.last_before in each), ())
        after = next((each for each in self.levels if at[each[0]] >= at[change.release]), ())
        return before, tuple(dict.fromkeys((change.release, *after)))


@dataclass(frozen=True)
class ChangeGroup:
    """Steps of a variant whose level changes at the same release, in the same direction."""

    variant: str
    metric: str
    better: Better
    release: str
    changes: Mapping[str, LevelChange]
    """By step, the largest first."""

    @property
    def key(self) -> GroupKey:
        """What tells it from the other groups of its report and metric."""
        return next(iter(self.changes.values())).group(self.variant)

    @property
    def is_lasting(self) -> bool:
        """Whether several releases have each level."""
        return next(iter(self.changes.values())).is_lasting

    @property
    def is_rise(self) -> bool:
        """Whether the levels are higher from here on."""
        return next(iter(self.changes.values())).is_rise

    @property
    def is_better(self) -> bool:
        """Whether that is an improvement."""
        return self.is_rise == (self.better == "higher")

    @property
    def size(self) -> float:
        """That of the largest change."""
        return max(each.size for each in self.changes.values())


def has_levels(metric: str) -> bool:
    """Whether level changes of a metric are looked for."""
    is_one = metric in ("throughput", *COUNTS, *NO_COUNTER) or PERCENTILE.fullmatch(metric)
    is_exact = metric in METRIC_NAMES and METRIC_NAMES[metric].is_exact
    return bool(is_one or is_exact) and meaning_of(metric).better is not None


def levels_of(
    metric: str,
    series: Mapping[str, Summary],
    noise: StretchNoise | None = None,
    kept: Kept[Segmentation] = made_now,
) -> SeriesLevels | None:
    """Return the levels of a series; None for too short a one.

    Args:
        metric: its name.
        series: the runs of each release, in order; each counts once, by its median. Of a metric
            that does not count, a release whose median is not positive is left out: it failed,
            and that is a verdict of its own.
        noise: returns what the report shows of a stretch of the series.
        kept: returns what is known of its stretches.
    """
    counts = metric in COUNTS
    usable = {each: runs for each, runs in series.items() if counts or runs.median > 0}
    if len(usable) < FEWEST:
        return None
    in_order = list(usable.items())

    def prior_of(start: int, end: int) -> Prior | None:
        if counts:
            return NOISE_OF_COUNTS
        found = noise(dict(in_order[start:end])) if noise else None
        return (sqrt(found.value), found.degrees) if found else None

    of_value = _root if counts else log
    medians = {release: runs.median for release, runs in usable.items()}
    values = np.array([of_value(each) for each in medians.values()])
    found = long_segmentation(values, prior_of, kept)
    return _named(metric, medians, found)


def groups_of(by_step: Mapping[StepKey, SeriesLevels]) -> list[ChangeGroup]:
    """Return the changes of one metric, those together that share variant, release and direction.

    They come by variant, and by release as the changes do.
    """
    found: dict[GroupKey, dict[str, LevelChange]] = {}
    better: Better = None
    metric = ""
    for (variant, step), levels in by_step.items():
        metric, better = levels.metric, levels.better
        for each in levels.changes:
            found.setdefault(each.group(variant), {})[step] = each
    return [
        ChangeGroup(
            variant=variant,
            metric=metric,
            better=better,
            release=release,
            changes=dict(sorted(changes.items(), key=lambda each: -each[1].size)),
        )
        for (variant, release, _, _), changes in found.items()
    ]


def _named(metric: str, series: Mapping[str, float], found: Segmentation) -> SeriesLevels:
    releases, values = tuple(series), tuple(series.values())
    back = _count if metric in COUNTS else exp

    def change(point: ChangePoint) -> LevelChange:
        return LevelChange(
            release=releases[point.index],
            last_before=releases[point.last_before],
            before=back(point.before),
            after=back(point.after),
            releases_before=point.count_before,
            releases_after=point.count_after,
            p=point.p,
            in_full=releases[point.in_full] if point.in_full > point.index else "",
        )

    def fluke(point: Outlier) -> Fluke:
        return Fluke(releases[point.index], values[point.index], back(point.level), point.p)

    return SeriesLevels(
        metric=metric,
        better=meaning_of(metric).better,
        releases=releases,
        changes=tuple(map(change, found.changes)),
        flukes=tuple(map(fluke, found.outliers)),
        levels=tuple(tuple(releases[at] for at in level) for level in found.levels),
        scatter=found.noise,
    )


def _root(count: float) -> float:
    return 2 * sqrt(count + 3 / 8)


def _count(root: float) -> float:
    return max((root / 2) ** 2 - 3 / 8, 0.0)

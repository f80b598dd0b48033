"""Where the level of a series of releases changes: a robust segmentation, confirmed by Student's t.

The best segmentation pays a price for each change of level, and for each value at most the price of
an outlier, so that one bad release bends no level. It is found exactly by dynamic programming over
a grid of levels. How much values of one level differ is estimated from the differences of
neighbours at first; while a change or an outlier is left that is not significant, the estimate is
raised and the series is segmented again.

Sources:
    P. Fearnhead, G. Rigaill, Changepoint Detection in the Presence of Outliers, JASA 114 (2019):
        the bounded loss, and the recursion.
    Y.-C. Yao, Estimating the number of change-points via Schwarz' criterion, Statistics &
        Probability Letters 6 (1988): the price of a change grows with the logarithm of the length.
    G. K. Smyth, Linear Models and Empirical Bayes Methods for Assessing Differential Expression,
        Statistical Applications in Genetics and Molecular Biology 3 (2004): variances moderated
        with a prior.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, comb, copysign, inf, log, pi, sqrt
from operator import attrgetter, itemgetter
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincc, ndtr, ndtri, stdtr

FEWEST = 6
"""Releases; fewer are not a series."""

LEVEL = 0.005
"""Of each change and outlier, adjusted for all places where it could have been. A series without
change has one in fewer than 2 of 100: `tests/bench/change_points.py` measures it. Of several
searches each has a part of it."""

RAISED = 1.2
"""By how much the estimate of the noise is raised at a time."""
MOST_LEVELS = 1000
"""Of the grid."""
OF_DIFFERENCES = 0.3
"""The degrees of freedom that a median of differences is worth, by value."""
LEAST_SKEWNESS = 0.05
"""Less changes no p, and needs more of the gamma function than it can."""
MEDIAN_OF_NORMAL = 0.6745
"""The median of the absolute values of a normal distribution."""

Values = npt.NDArray[np.float64]
Prior = tuple[float, float]
"""What is known of the noise from elsewhere: standard deviation, degrees of freedom."""


@dataclass(frozen=True)
class ChangePoint:
    """Two levels beside each other."""

    index: int
    """The first value that left the level before for good."""
    last_before: int
    """The last value of the level before; outliers may lie between."""
    before: float
    """The mean of the level before, without outliers."""
    after: float
    count_before: int
    """How many values the level before has."""
    count_after: int
    p: float
    """Of Student's t between the two levels, adjusted for the places between them."""
    in_full: int
    """The first value of the level after, where others before it were on the way."""


@dataclass(frozen=True)
class Outlier:
    """A value that belongs to no level."""

    index: int
    level: float
    """The mean of the level it differs least from."""
    p: float
    """Of Student's t, adjusted for the number of values."""


@dataclass(frozen=True)
class Segmentation:
    """A series as levels, with what belongs to none."""

    levels: tuple[tuple[int, ...], ...]
    """The values of each, two or more, in order; outliers are in none."""
    changes: tuple[ChangePoint, ...]
    outliers: tuple[Outlier, ...]
    noise: float
    """The standard deviation of values of one level."""

    def moved(self, places: int) -> "Segmentation":
        """Return the same, of values that stand so many places later in a longer series."""
        return Segmentation(
            levels=tuple(tuple(at + places for at in level) for level in self.levels),
            changes=tuple(
                replace(
                    each,
                    index=each.index + places,
                    last_before=each.last_before + places,
                    in_full=each.in_full + places,
                )
                for each in self.changes
            ),
            outliers=tuple(replace(each, index=each.index + places) for each in self.outliers),
            noise=self.noise,
        )

    def part(self, start: int, end: float) -> "Segmentation":
        """Return what it says of the values from one place on and before another."""
        first = bisect_left(self.levels, start, key=itemgetter(-1))
        last = bisect_left(self.levels, end, key=itemgetter(0))
        return Segmentation(
            levels=_cut(self.levels[first:last], start, end),
            changes=_between(self.changes, start, end),
            outliers=_between(self.outliers, start, end),
            noise=self.noise,
        )


def _cut(
    levels: tuple[tuple[int, ...], ...], start: int, end: float
) -> tuple[tuple[int, ...], ...]:
    """Return levels with the values from one place on; only the first and last lose some."""
    kept = list(levels)
    if kept:
        kept[-1] = kept[-1][: bisect_left(kept[-1], end)]
        kept[0] = kept[0][bisect_left(kept[0], start) :]
    return tuple(filter(None, kept))


Placed = TypeVar("Placed", ChangePoint, Outlier)


def _between(found: tuple[Placed, ...], start: int, end: float) -> tuple[Placed, ...]:
    first, last = (bisect_left(found, each, key=attrgetter("index")) for each in (start, end))
    return found[first:last]


def change_points(
    series: Sequence[float] | Values,
    prior: Prior | None = None,
    fewest: int = FEWEST,
    searches: int = 1,
) -> Segmentation:
    """Return the levels of a series whose noise is additive: of logarithms, if it is a part.

    Where only the last value differs, that is a change with one value after it; where only the
    first differs, it is an outlier. Of a series shorter than `fewest` all is one level. As one of
    several searches it finds only what is that many times as certain.
    """
    values = np.asarray(series, dtype=np.float64)
    count = len(values)
    start = _noise_of_differences(values) if count >= fewest else 0.0
    squared, _ = _moderated(start**2, OF_DIFFERENCES * (count - 1), prior)
    if start == 0 or squared == 0:
        return Segmentation((tuple(range(count)),), (), (), 0.0)
    grid = _grid(values)
    noise = sqrt(squared)
    row = 1
    while True:
        fit = _Fit(values, _levels(values, grid, noise, row), prior)
        longer = fit.longest_row(1 / searches)
        if longer > row:
            row = longer
        elif fit.least_certain <= LEVEL / searches:
            return fit.segmentation()
        else:
            noise *= RAISED


def _noise_of_differences(values: Values) -> float:
    """Return the standard deviation that differences of neighbours suggest; few changes bend it."""
    differences = np.abs(np.diff(values))
    median = float(np.median(differences)) / MEDIAN_OF_NORMAL
    return (median or float(differences.mean()) * sqrt(pi / 2)) / sqrt(2)


def _moderated(squared: float, degrees: float, prior: Prior | None) -> tuple[float, float]:
    """Return a variance with its degrees of freedom, moderated with a prior."""
    if prior is None:
        return squared, degrees
    noise, known = prior
    if known == inf:
        return noise**2, inf
    return (known * noise**2 + degrees * squared) / (known + degrees), known + degrees


def _grid(values: Values) -> Values:
    """Return the levels to choose from: the values, and the middle of each two."""
    grid = np.unique((values[:, None] + values[None, :]) / 2)
    return grid[:: ceil(len(grid) / MOST_LEVELS)]


def _levels(values: Values, grid: Values, noise: float, row: int) -> list[list[int]]:
    """Return the values of each level of the best segmentation, without outliers.

    Between two changes, so many bad values in a row are outliers; one more are a level.
    """
    count = len(values)
    price = 2 * log(count) + 4
    most = 1.05 * 2 * price / (row + 1)
    loss = np.minimum(((values[:, None] - grid[None, :]) / noise) ** 2, most)
    here = np.arange(len(grid))
    came_from = np.empty(loss.shape, dtype=np.intp)
    cost = loss[0]
    for at in range(1, count):
        cheapest = int(cost.argmin())
        stays = cost <= cost[cheapest] + price
        came_from[at] = np.where(stays, here, cheapest)
        cost = np.where(stays, cost, cost[cheapest] + price) + loss[at]
    path = [int(cost.argmin())]
    for at in range(count - 1, 0, -1):
        path.append(int(came_from[at, path[-1]]))
    path.reverse()
    edges = [0, *(at for at in range(1, count) if path[at] != path[at - 1]), count]
    found = (
        [at for at in range(first, last) if loss[at, path[at]] < most]
        for first, last in pairwise(edges)
    )
    return [level for level in found if level]


def _with_ends(levels: list[list[int]], count: int) -> list[list[int]]:
    """Return levels of which the first and the last value are in one, if in one of their own.

    Whether the segmentation makes such a value a level or an outlier depends on the grid: where it
    is thinned, no level may be close to the value. How certain it is may not depend on it.
    """
    before = [] if levels[0][0] == 0 else [[0]]
    after = [] if levels[-1][-1] == count - 1 else [[count - 1]]
    return [*before, *levels, *after]


class _Fit:
    """A segmentation with the significance of all its parts."""

    def __init__(self, values: Values, levels: list[list[int]], prior: Prior | None) -> None:
        levels = _with_ends(levels, len(values))
        # A level of one value, between others, is an outlier of both.
        inner = [each for each in levels[1:-1] if len(each) > 1]
        self.values = values
        self.levels = [*levels[:1], *inner, *levels[1:][-1:]]
        self.means = [float(values[level].mean()) for level in self.levels]
        residuals = [values[level] - values[level].mean() for level in self.levels]
        degrees = len(np.concatenate(residuals)) - len(self.levels)
        squared = float((np.concatenate(residuals) ** 2).sum()) / max(degrees, 1)
        squared, self.degrees = _moderated(squared, degrees, prior)
        self.noise = sqrt(squared)
        # A prior says how far noise reaches; alone, few values do not show it of the longer tail.
        self.skewness = 0.0 if prior else _skewness(np.concatenate(residuals))
        self.change_ps = [self._p_of_change(before) for before in range(len(self.levels) - 1)]
        self.outliers = {at: self._outlier(at) for at in self._outside()}

    @property
    def least_certain(self) -> float:
        """The largest p of all changes and outliers; 0 where there is none."""
        return max([*self.change_ps, *(each.p for each in self.outliers.values())], default=0.0)

    def longest_row(self, most: float) -> int:
        """Return the size of the longest level between others that outliers in a row explain.

        Where a part q of n values are outliers, k in a row are to be expected n q^k times.

        Args:
            most: what is to be expected oftener is a row.
        """
        count = len(self.values)
        part = len(self.outliers) / count
        sizes = map(len, self.levels[1:-1])
        return max((size for size in sizes if count * part**size > most), default=0)

    def segmentation(self) -> Segmentation:
        outliers = dict(self.outliers)
        changes = []
        for at, p in enumerate(self.change_ps):
            before, after = self.levels[at], self.levels[at + 1]
            if len(before) == 1 and at == 0:
                outliers[before[0]] = Outlier(before[0], self.means[1], p)
                continue
            step = self.means[at + 1] - self.means[at]
            first = after[0]
            # A value on the way to a new level of several has left the old one: the change begins
            # there. One beyond the new level is an outlier all the same.
            while (
                len(after) > 1
                and first - 1 > before[-1]
                and (self.values[first - 1] - self.means[at]) * step > 0
            ):
                first -= 1
                if (self.values[first] - self.means[at + 1]) * step <= 0:
                    del outliers[first]
            changes.append(self._change(at, first, p))
        return Segmentation(
            levels=tuple(tuple(level) for level in self.levels if len(level) > 1),
            changes=tuple(changes),
            outliers=tuple(outliers[at] for at in sorted(outliers)),
            noise=self.noise,
        )

    def _change(self, at: int, first: int, p: float) -> ChangePoint:
        before, after = self.levels[at], self.levels[at + 1]
        return ChangePoint(
            index=first,
            last_before=before[-1],
            before=self.means[at],
            after=self.means[at + 1],
            count_before=len(before),
            count_after=len(after),
            p=p,
            in_full=after[0],
        )

    def _outside(self) -> list[int]:
        inside = {at for level in self.levels for at in level}
        return [at for at in range(len(self.values)) if at not in inside]

    def _outlier(self, at: int) -> Outlier:
        """Return an outlier beside the level around it, or of two neighbours the likelier one."""
        nearby = [
            which
            for which, level in enumerate(self.levels)
            if (which + 1 == len(self.levels) or at < self.levels[which + 1][0])
            and (which == 0 or self.levels[which - 1][-1] < at)
        ]
        count = len(self.values)
        ps = {
            which: self._p(self.values[at] - self.means[which], (1, len(self.levels[which])), count)
            for which in nearby
        }
        least = max(ps, key=lambda which: ps[which])
        return Outlier(at, self.means[least], ps[least])

    def _p_of_change(self, before: int) -> float:
        """Return p of a change; two values in the tail of skewed noise are no level."""
        sizes = (len(self.levels[before]), len(self.levels[before + 1]))
        step = self.means[before + 1] - self.means[before]
        p = self._p(step, sizes, 1)
        if min(sizes) > 1:
            one, other = (1 / size for size in sizes)
            of_step = self.skewness * (other**2 - one**2) / (one + other) ** 1.5
            p = _beyond(p, of_step if step > 0 else -of_step)
        return min(p * (sum(sizes) - 1), 1.0)

    def _p(self, difference: float, sizes: tuple[int, int], places: int) -> float:
        """Return the two-sided p of a difference of means, adjusted for the places it could be at.

        Where all values of each level are equal, only their order is evidence: it is the part of
        the permutations that would part them so.
        """
        if self.degrees == 0 or difference == 0:
            return 1.0
        if self.noise == 0:
            return min(2 / comb(sum(sizes), sizes[0]) * places, 1.0)
        t = -abs(difference) / (self.noise * sqrt(sum(1 / size for size in sizes)))
        p = 2 * float(ndtr(t) if self.degrees == inf else stdtr(self.degrees, t))
        return min(p * places, 1.0)


def _skewness(residuals: Values) -> float:
    """Return by how much skewness exceeds its standard error, which of few values is large."""
    count = len(residuals)
    squared = float((residuals**2).mean())
    if count < 3 or squared == 0:
        return 0.0
    found = float((residuals**3).mean()) / squared**1.5 * sqrt(count * (count - 1)) / (count - 2)
    return copysign(max(0.0, abs(found) - sqrt(6 / count)), found)


def _beyond(p: float, skewness: float) -> float:
    """Return the two-sided p of what has that skewness in its direction: a gamma distribution's."""
    if skewness < LEAST_SKEWNESS:
        return p
    shape = 4 / skewness**2
    return max(p, 2 * float(gammaincc(shape, shape - sqrt(shape) * float(ndtri(p / 2)))))

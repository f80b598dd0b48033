"""Intervals from a few repeats, without assuming how they are distributed.

Sources:
    G. J. Hahn, W. Q. Meeker, Statistical Intervals (1991), section 5.2: the interval of a median
        between two order statistics.
    M. Hollander, D. A. Wolfe, E. Chicken, Nonparametric Statistical Methods, 3rd ed. (2014),
        sections 4.2 and 4.3: the distribution of the Mann-Whitney statistic, and the interval of a
        shift between two order statistics of all pairwise differences (Moses 1965). Of the
        logarithms, differences are ratios.
"""

from collections.abc import Sequence
from math import comb, floor, sqrt

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from perfpress.analysis.verdicts.significance import MOST_EXACT

LEVEL = 0.95

FEWEST_FOR_RATIO = 5
"""Repeats that each side needs; with fewer, values and their range are all that is shown."""


class Interval(msgspec.Struct, frozen=True, array_like=True):
    """Where a true value lies, at a level of confidence."""

    low: float
    high: float
    level: float
    """For these numbers of repeats: at least `LEVEL`."""


def interval_of_median(values: Sequence[float]) -> Interval | None:
    """Return the interval of the median, or None for fewer than six values.

    Between the k-th smallest and the k-th largest of n values the median lies with probability
    1 - 2 P(B < k), where B is binomial(n, 1/2). With five values and k = 1 this is only 93.75 %.
    """
    count = len(values)
    ordered = sorted(values)
    best: Interval | None = None
    outside = 0
    for k in range(1, count // 2 + 1):
        outside += 2 * comb(count, k - 1)
        level = 1 - outside / 2**count
        if level < LEVEL:
            break
        best = Interval(ordered[k - 1], ordered[count - k], level)
    return best


def interval_of_ratio(after: Sequence[float], before: Sequence[float]) -> Interval | None:
    """Return the interval of the ratio after ÷ before, or None with too few repeats.

    Sort the ratios of all m·n pairs; the true ratio lies between the k-th smallest and the k-th
    largest with probability 1 - 2 P(U < k), U being the Mann-Whitney statistic. This takes the two
    sides to differ by a factor alone. Needs `FEWEST_FOR_RATIO` positive values on each side.
    Beyond `MOST_EXACT` pairs U is taken for normal.
    """
    if min(len(after), len(before)) < FEWEST_FOR_RATIO or min(*after, *before) <= 0:
        return None
    if len(after) * len(before) > MOST_EXACT:
        return _interval_of_many(np.sort(after), np.sort(before))
    ratios = sorted(each / base for each in after for base in before)
    orderings = comb(len(after) + len(before), len(before))
    best: Interval | None = None
    outside = 0
    counts = mann_whitney_counts(len(after), len(before))
    for k in range(1, len(ratios) // 2 + 1):
        outside += 2 * counts[k - 1]
        level = 1 - outside / orderings
        if level < LEVEL:
            break
        best = Interval(ratios[k - 1], ratios[-k], level)
    return best


def _interval_of_many(after: npt.NDArray[np.float64], before: npt.NDArray[np.float64]) -> Interval:
    pairs = len(after) * len(before)
    sigma = sqrt(pairs * (len(after) + len(before) + 1) / 12)
    # U is a whole number: P(U < k) is that of less than k - 1/2.
    k = floor(pairs / 2 + 0.5 + float(ndtri((1 - LEVEL) / 2)) * sigma)
    level = 1 - 2 * float(ndtr((k - 0.5 - pairs / 2) / sigma))
    return Interval(
        _smallest_ratio(after, before, k), _smallest_ratio(after, before, pairs + 1 - k), level
    )


def _smallest_ratio(
    after: npt.NDArray[np.float64], before: npt.NDArray[np.float64], k: int
) -> float:
    """Return the k-th smallest of all ratios after ÷ before, which are too many to be listed.

    Args:
        after: ascending.
        before: ascending.
        k: from 1 on.
    """
    low, high = float(after[0] / before[-1]), float(after[-1] / before[0])
    while low < (middle := low + (high - low) / 2) < high:
        if np.searchsorted(after, middle * before, side="right").sum() < k:
            low = middle
        else:
            high = middle
    return high


def mann_whitney_counts(m: int, n: int) -> list[int]:
    """Return how many orderings of m and n values give each U from 0 to m·n.

    They are the coefficients of the Gaussian binomial coefficient, the product over i = 1 … m of
    (1 - q^(n+i)) / (1 - q^i).
    """
    length = m * n + 1
    counts = [1] + [0] * (length - 1)
    for i in range(1, m + 1):
        for power in range(length - 1, n + i - 1, -1):
            counts[power] -= counts[power - n - i]
        for power in range(i, length):
            counts[power] += counts[power - i]
    return counts

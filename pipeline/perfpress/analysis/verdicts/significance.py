"""Tests of whether two sides differ, exact for few values, and what many tests at once cost.

Sources:
    M. Hollander, D. A. Wolfe, E. Chicken, Nonparametric Statistical Methods, 3rd ed. (2014),
        section 4.1: the Mann-Whitney test, with mid-ranks where values are equal; its equations
        4.9 to 4.12 are the approximation for many values.
    Y. Benjamini, Y. Hochberg, Controlling the False Discovery Rate, J. R. Statist. Soc. B 57
        (1995): of what is called different, at most this part is so by chance. It holds for
        tests that depend on each other positively, as steps of one run do (Benjamini and
        Yekutieli 2001).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb, erfc, sqrt
from typing import TypeVar

Key = TypeVar("Key")

LEVEL = 0.05
"""What is called different is so by chance in at most this part of the cases."""

MOST_EXACT = 400
"""Pairs of a value of each side, 20 and 20, up to which all ways to deal values out are counted.
Beyond, the counting takes time without end, and the normal distribution gives the same."""


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the two-sided p of the Mann-Whitney test, also where values are equal.

    It is the part of all ways to deal the values out to both sides whose sum of ranks is as far
    from the expected one as the sum found. Up to `MOST_EXACT` pairs it is exact.
    """
    ranks = _doubled_ranks((*one, *other))
    expected = len(one) * (len(ranks) + 1)
    distance = abs(sum(ranks[: len(one)]) - expected)
    if len(one) * len(other) > MOST_EXACT:
        return _normal_p(ranks, len(one), distance)
    sums = _rank_sums(tuple(sorted(ranks)), len(one))
    as_far = sum(ways for total, ways in sums.items() if abs(total - expected) >= distance)
    return as_far / comb(len(ranks), len(one))


def adjusted(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """Return the p values of a family of tests, each adjusted by Benjamini and Hochberg.

    Those below a level are as many as can be called different with at most that part of them by
    chance.
    """
    ordered = sorted(p_values.items(), key=lambda item: item[1], reverse=True)
    count = len(ordered)
    least = 1.0
    found: dict[Key, float] = {}
    for position, (key, p) in enumerate(ordered):
        least = min(least, p * count / (count - position))
        found[key] = least
    return {key: found[key] for key in p_values}


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Return twice the rank of each value; equal ones share the middle of theirs."""
    ordered = sorted(values)
    first: dict[float, int] = {}
    for position, value in enumerate(ordered):
        first.setdefault(value, position)
    counts = Counter(ordered)
    return [2 * first[value] + counts[value] + 1 for value in values]


def _normal_p(ranks: Sequence[int], count: int, distance: int) -> float:
    """Return p by the normal distribution, corrected for equal values and for whole sums of ranks.

    Args:
        ranks: doubled.
        count: how many of them belong to the first side.
        distance: of the first side's sum of doubled ranks from the expected one.
    """
    total = len(ranks)
    ties = sum(equal**3 - equal for equal in Counter(ranks).values())
    variance = count * (total - count) / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance == 0:
        return 1.0
    return erfc(max(distance - 1, 0) / 2 / sqrt(2 * variance))


# Without equal values, the ranks of two sides of one length are the same for all steps.
@lru_cache(maxsize=64)
def _rank_sums(ranks: tuple[int, ...], count: int) -> Mapping[int, int]:
    """Return in how many ways `count` of the ranks have each sum."""
    ways: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in range(count))]
    for rank in ranks:
        for chosen in range(count, 0, -1):
            for total, number in ways[chosen - 1].items():
                ways[chosen][total + rank] += number
    return ways[count]

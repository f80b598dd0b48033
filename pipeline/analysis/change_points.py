"""Where the level of a series of releases changes: E-divisive with Student's t.

Sources:
    D. S. Matteson, N. A. James, A Nonparametric Approach for Multiple Change Point Analysis of
        Multivariate Data, JASA 109 (2014): where to part a series is where the energy distance of
        the two parts is largest; each part is then parted again.
    M. Fleming, P. Kołaczkowski et al., Hunter: Using Open Source Change Point Detection to Hunt
        for Performance Regressions, ICPE 2023: Student's t instead of permutations tells whether a
        part is worth it, which gives the same answer every time; first generously, in windows, so
        that an old change does not hide a new one, and then the weakest are taken out again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import frexp, ldexp, sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

FEWEST = 10
"""Releases; fewer are no series."""

LEVEL = 0.001
FIRST_LEVEL = 10 * LEVEL
WINDOW = 50
"""Values that are looked at together."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ChangePoint:
    """A place where the level changes."""

    index: int
    """The first value of the new level."""
    p: float
    """Of Student's t between the two levels beside it."""
    before: float
    """The mean of the level before."""
    after: float


def change_points(series: Sequence[float]) -> list[ChangePoint]:
    """Return the changes of level of a series, in order; none where it is shorter than `FEWEST`."""
    if len(series) < FEWEST:
        return []
    values = np.asarray(series, dtype=np.float64)
    # A power of two changes no digit, and keeps the squares of values such as 1e300 in range.
    scale = frexp(np.abs(values).max())[1]
    scaled = np.ldexp(values, -scale)
    places = _candidates(scaled)
    while places:
        points = _points(scaled, places)
        weakest = max(points, key=lambda point: point.p)
        if weakest.p <= LEVEL:
            return [
                replace(point, before=ldexp(point.before, scale), after=ldexp(point.after, scale))
                for point in points
            ]
        places.remove(weakest.index)
    return []


def _candidates(values: Values) -> list[int]:
    """Return the places that overlapping windows find at the generous level, in order."""
    found: set[int] = set()
    start = 0
    while start < len(values):
        end = min(start + WINDOW, len(values))
        here = [start + place for place in _parted(values[start:end])]
        found.update(here)
        # the next window begins behind what is settled, and overlaps this one by half otherwise
        start = max(start + WINDOW // 2, here[-1] if here else 0)
    return sorted(found)


def _parted(values: Values) -> list[int]:
    """Part values again and again, where it is most worth it; return the places in order."""
    places: list[int] = []
    while True:
        edges = [0, *places, len(values)]
        parts = [
            (first, *_best_part(values[first:last]))
            for first, last in pairwise(edges)
            if last - first > 1
        ]
        if not parts:
            return places
        first, place, _ = max(parts, key=lambda part: part[2])
        before, after = values[first:][:place], values[first + place : _next(edges, first)]
        if _t_test(before, after) > FIRST_LEVEL:
            return places
        places = sorted([*places, first + place])


def _next(edges: Sequence[int], first: int) -> int:
    return edges[edges.index(first) + 1]


def _best_part(values: Values) -> tuple[int, float]:
    """Return where the values before and behind a place differ most, and by how much.

    The values behind it may end early, so that a second change further on hides none. Parts of m
    and n values have the energy distance (Matteson and James, equations 5 to 7)
    2/(m·n)·Σ|x−y| − 1/C(m,2)·Σ|x−x'| − 1/C(n,2)·Σ|y−y'|, times m·n/(m+n).
    """
    count = len(values)
    sums = np.zeros((count + 1, count + 1))
    sums[1:, 1:] = np.abs(values[:, None] - values[None, :]).cumsum(axis=0).cumsum(axis=1)
    place = np.arange(1, count)[:, None]
    end = np.arange(2, count + 1)[None, :]
    m, n = place, np.maximum(end - place, 1)
    inside, whole = np.diagonal(sums)[1:count, None], np.diagonal(sums)[None, 2:]
    between = sums[1:count, 2:] - inside
    behind = whole - inside - 2 * between
    distance = 2 * between / (m * n)
    distance -= inside / np.maximum(m * (m - 1), 1) + behind / np.maximum(n * (n - 1), 1)
    scaled = np.where(end > place, m * n / (m + n) * distance, -np.inf)
    best = np.unravel_index(scaled.argmax(), scaled.shape)
    return int(best[0]) + 1, float(scaled[best])


def _points(values: Values, places: Sequence[int]) -> list[ChangePoint]:
    edges = [0, *places, len(values)]
    points = []
    for before, place, after in zip(edges, edges[1:], edges[2:], strict=False):
        left, right = values[before:place], values[place:after]
        p = _t_test(left, right)
        points.append(ChangePoint(place, p, float(left.mean()), float(right.mean())))
    return points


def _t_test(left: Values, right: Values) -> float:
    """Return the two-sided p of Student's t, as Hunter has it; 1 where nothing differs.

    Its variances are those of all values, with n below the line: beside n - 1, which is right for
    a sample, p comes out a little small. The levels above are chosen for it so.
    """
    degrees = len(left) + len(right) - 2
    if degrees < 1:
        return 1.0
    squares = sum((len(side) - 1) * float(side.var()) for side in (left, right))
    difference = abs(float(left.mean() - right.mean()))
    error = sqrt(squares / degrees * (1 / len(left) + 1 / len(right)))
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * stdtr(degrees, -difference / error))

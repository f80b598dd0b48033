"""Level changes of a series of any length, found in overlapping stretches.

In one search over a long series the newest value would move the level changes of all years, and
noise that grew lately would hide old ones. What a stretch decides stays, whatever comes after it,
so the n-th must be n² times as certain as the first: the sum of their error rates stays below 1.65
times that of the first, however long the series is (alpha spending: K. K. G. Lan, D. L. DeMets,
Discrete Sequential Boundaries for Clinical Trials, Biometrika 70, 1983).
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import inf

from perfpress.analysis.verdicts.change_points import Prior, Segmentation, Values, change_points
from perfpress.base.kept_results import Kept, made_now

STRETCH = 48
"""Values that are searched together."""
STEP = 8
"""Each stretch begins so many values after the one before, and decides on as many."""
CLEAR = 4
"""Values without a change around the border between what two stretches decide."""


def long_segmentation(
    values: Values,
    prior_of: Callable[[int, int], Prior | None],
    kept: Kept[Segmentation] = made_now,
) -> Segmentation:
    """Return the levels of a series; see `change_points`.

    Args:
        values: its values.
        prior_of: returns what is known of the noise of the values from one place to another.
        kept: returns what is known of stretches: a new value leaves all but the last as they were.
    """
    starts = range(0, max(1, len(values) - STRETCH + STEP), STEP)
    found = []
    for number, start in enumerate(starts, 1):
        end = min(start + STRETCH, len(values))
        stretch, prior = values[start:end], prior_of(start, end)
        segmentation = kept(
            (stretch.tolist(), prior, number),
            partial(change_points, stretch, prior, searches=number**2),
        )
        found.append((end, segmentation.moved(start)))
    whole = found[0][1]
    for (end, _), (_, after) in pairwise(found):
        whole = _joined(whole, after, end)
    return whole


def _joined(before: Segmentation, after: Segmentation, end: int) -> Segmentation:
    """Return two segmentations as one, where the first is of values before `end`.

    The border between them lies a step before that end, so that both know what comes after it; or
    near there, where neither has a change, which they could place on different sides of it.
    """
    usual = end - STEP
    near = [
        each.index
        for found in (before, after)
        for each in found.changes
        if abs(each.index - usual) < 2 * CLEAR
    ]

    def worth(place: int) -> tuple[int, int]:
        clear = min((abs(place - each) for each in near), default=CLEAR)
        return min(clear, CLEAR), -abs(place - usual)

    border = max(range(usual - CLEAR, usual + CLEAR), key=worth)
    own, others = before.part(0, border), after.part(border, inf)
    # No level begins at the border: what is on both sides of it is one.
    level = (*own.levels[-1], *others.levels[0])
    return Segmentation(
        levels=(*own.levels[:-1], level, *others.levels[1:]),
        changes=own.changes + others.changes,
        outliers=own.outliers + others.outliers,
        noise=after.noise,
    )

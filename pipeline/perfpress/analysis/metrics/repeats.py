"""Distinguishes repeats of one measurement from numbers that only share a cell."""

from collections.abc import Iterable
from itertools import pairwise

UNLIKE = 1.5
"""Neighbours among sorted repeats that differ by this factor are hardly of one measurement.

Run-to-run noise is percents; what was mixed up, such as data in memory and on disk, is factors.
"""


def unlike(values: Iterable[float]) -> tuple[float, float] | None:
    """Return the two neighbours, lower and higher, that differ most, if that is far beyond noise.

    Args:
        values: of one metric, a repeat each; what is not above 0 has no ratio and is passed over.
    """
    ordered = sorted(value for value in values if value > 0)
    widest = max(pairwise(ordered), key=lambda pair: pair[1] / pair[0], default=None)
    return widest if widest and widest[1] / widest[0] >= UNLIKE else None

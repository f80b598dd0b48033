"""Variances that are estimated from little: what each is worth, and how many strengthen each other.

Sources:
    G. K. Smyth, Linear Models and Empirical Bayes Methods for Assessing Differential Expression in
        Microarray Experiments, Stat. Appl. Genet. Mol. Biol. 3 (2004), section 6: variances of many
        alike are drawn towards their common value, each by how little it rests on.
    B. Phipson, S. Lee, I. J. Majewski, W. S. Alexander, G. K. Smyth, Robust Hyperparameter
        Estimation Protects against Hypervariable Genes, Ann. Appl. Stat. 10 (2016): the common
        value is taken so that a few outliers do not move it; here by quartiles.
    B. Efron, Large-Scale Simultaneous Hypothesis Testing, J. Am. Stat. Assoc. 99 (2004): what most
        of many differences show is noise, whatever the others are.
    F. E. Satterthwaite, An Approximate Distribution of Estimates of Variance Components,
        Biometrics Bulletin 2 (1946): the degrees of freedom of a sum of variances.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, fsum, log
from statistics import fmean, median
from typing import TypeVar

import numpy as np
from scipy.special import bdtr, fdtri, gammaincinv

Key = TypeVar("Key")

FEWEST_TO_MODERATE = 4
"""Variances; fewer do not show how far they differ from each other."""

KEPT = 0.6
"""The part of squared differences, the smallest, that is taken for noise: a series may change at
two of five releases before its changes are taken for noise, and one that jumps between two values
by chance at every other release shows its jumps."""

SMALLEST = 1e-8
"""The square of 0.01 %: logs print their numbers with four digits or so, and equal texts do not
mean that there is no noise."""

STANDING_OUT = 0.39
"""The expected square of how far a value stands out from both its neighbours, 0 where it lies
between them, by the variance of a difference; of normal values."""

SMALLER_OF_TWO = 0.85
"""The smaller of the two estimates of `of_neighbours`, by the true variance: simulated, 0.82 to
0.91 of 6 to 64 releases."""

DEGREES_OF_DIFFERENCE = 0.3
"""What one is worth there: simulated, 0.28 to 0.35 of 6 to 64 releases."""

LEAST_DEGREES = 3.0
"""Of what is common: few estimates of one degree can look as if they had nothing in common."""


LARGEST_OF_NOISE = 6.63
"""One square of a hundred is larger, by its variance."""

BELOW_LARGEST = 0.925
"""The expected square of the others."""

DEGREES_OF_SQUARE = 0.5
"""What each of them is worth around a median that they share: simulated, 0.35 to 0.6."""


@dataclass(frozen=True, slots=True)
class Variance:
    """An estimated variance, and the degrees of freedom that it rests on."""

    value: float
    degrees: float


def of_values(values: Sequence[float]) -> Variance:
    """Return the variance of values; one value has no degrees."""
    mean = fsum(values) / len(values)
    degrees = len(values) - 1
    return Variance(fsum((each - mean) ** 2 for each in values) / max(degrees, 1), degrees)


def pooled(variances: Iterable[Variance]) -> Variance | None:
    """Return one variance for several estimates of it; None where they have no degrees at all."""
    found = [each for each in variances if each.degrees > 0]
    degrees = fsum(each.degrees for each in found)
    if not degrees:
        return None
    return Variance(fsum(each.value * each.degrees for each in found) / degrees, degrees)


def added(*weighted: tuple[float, Variance]) -> Variance:
    """Return a sum of weight × variance, with Satterthwaite's degrees of freedom."""
    parts = [(weight * each.value, each.degrees) for weight, each in weighted]
    value = fsum([part for part, _ in parts])
    uncertainty = fsum([part**2 / degrees for part, degrees in parts])
    return Variance(value, value**2 / uncertainty)


def of_neighbours(differences: Sequence[float]) -> Variance:
    """Return the variance of differences of releases next to each other, of which some changed.

    It is the smaller of two estimates: that of the smaller differences, which a fluke does not
    bend, and that of releases that stand out from both their neighbours, which no change bends
    that lasts. Where a series only rises none does, and the smallest third of the differences is
    as large as noise may be.

    Args:
        differences: in order, four or more, each with the variance that is looked for.
    """
    squares = sorted(each**2 for each in differences)
    standing_out = [
        min(one**2, other**2) if one * other < 0 else 0.0 for one, other in pairwise(differences)
    ]
    smaller = min(trimmed(squares).value, fmean(standing_out) / STANDING_OUT) / SMALLER_OF_TWO
    smallest = fmean(squares[: ceil(len(squares) / 3)])
    return Variance(max(smaller, smallest), DEGREES_OF_DIFFERENCE * len(squares))


def trimmed(squares: Sequence[float]) -> Variance:
    """Return the variance that squared differences of neighbours show but for their largest.

    Args:
        squares: of the differences of values next to each other, one or more. The largest two
            fifths are left out, as some neighbours differ for a reason.
    """
    count = len(squares)
    kept = ceil(KEPT * count)
    mean = fsum(sorted(squares)[:kept]) / kept
    # Simulated, for differences of neighbours, which share values.
    return Variance(mean / _expected_trimmed(count, kept), 0.35 * count + 0.6)


def clipped(squares: Sequence[float]) -> Variance:
    """Return the variance of squared differences but for those that it does not explain.

    Args:
        squares: of differences, one or more: of noise, most of them.
    """
    found = trimmed(squares)
    count = 0
    while True:
        kept = [each for each in squares if each <= LARGEST_OF_NOISE * found.value]
        if len(kept) <= count:
            return found
        count = len(kept)
        found = Variance(fmean(kept) / BELOW_LARGEST, DEGREES_OF_SQUARE * count)


@cache
def _expected_trimmed(count: int, kept: int) -> float:
    """Return the expected mean of the smallest `kept` of `count` values of chi-squared(1).

    The j-th smallest of n values at u = F(x) has a Beta(j, n − j + 1) density; summed over
    j ≤ h that is n·P(Binomial(n − 1, u) < h).
    """
    u = (np.arange(4000) + 0.5) / 4000
    chi_squared = 2 * gammaincinv(0.5, u)
    return float(count / kept * np.mean(chi_squared * bdtr(kept - 1, count - 1, u)))


def moderated(found: Mapping[Key, Variance]) -> tuple[Variance | None, Mapping[Key, Variance]]:
    """Return the common variance of many, and each of them drawn towards it.

    The degrees of the common one say how alike they are; they are not more than those of all
    together. It is None where too few are given; then each stands alone.
    """
    own = {
        key: Variance(max(each.value, SMALLEST), each.degrees)
        for key, each in found.items()
        if each.degrees > 0
    }
    if len(own) < FEWEST_TO_MODERATE:
        return None, own
    common = _common(list(own.values()))
    return common, {key: _drawn(each, common) for key, each in own.items()}


def _drawn(own: Variance, common: Variance) -> Variance:
    drawn = pooled((own, common))
    assert drawn is not None
    return drawn


def _common(own: Sequence[Variance]) -> Variance:
    """Fit a scaled inverse chi-squared distribution to variances, robustly.

    Estimates with d degrees, divided by the common variance, are distributed as F(d, d0): d0 is
    where its middle half is as wide as theirs, and the common variance where the medians agree.
    """
    values = [each.value for each in own]
    typical = median(each.degrees for each in own)
    total = fsum(each.degrees for each in own)
    low, high = (float(each) for each in np.quantile(values, [0.25, 0.75]))

    def too_wide(degrees: float) -> float:
        lower, upper = fdtri(typical, degrees, [0.25, 0.75])
        return log(upper / lower) - log(high / low)

    if too_wide(LEAST_DEGREES) <= 0:
        degrees = LEAST_DEGREES
    elif too_wide(total) >= 0:
        degrees = total
    else:
        # Imported here because it takes half a second, and many reports end in one of the bounds.
        from scipy.optimize import brentq

        degrees = float(brentq(too_wide, LEAST_DEGREES, total))
    return Variance(median(values) / float(fdtri(typical, degrees, 0.5)), degrees)

"""Finds the functions whose own cost changes its level over the releases of a step.

Few releases have profiles, but each has hundreds of functions, most of which no release changes:
how much those differ from one release to the next is the noise of all (an empirical null: B. Efron,
Large-Scale Simultaneous Hypothesis Testing, JASA 99, 2004). Costs are transformed to roots: a
function's number of samples varies with its root, so that the roots of all vary alike.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
import numpy.typing as npt

from perfpress.analysis.profiles.function_matrix import FunctionMatrix, MatrixFunction
from perfpress.analysis.verdicts.change_points import ChangePoint, change_points
from perfpress.analysis.verdicts.significance import adjusted

FEWEST_PROFILES = 4
"""Releases with a profile; fewer have no level that several share."""
LEAST_SHARE = 0.001
"""Of a profile, in any release: smaller functions have too few samples, and move nothing."""
LARGE = 0.01
"""The share from which a function has samples enough to show how releases differ by a part."""
LEVEL = 0.01
"""Of all functions of a step together: the part that may be there by chance."""
DEGREES = 8.0
"""How much the noise of all functions weighs beside a function's own."""
MEDIAN_OF_SQUARES = 0.4549
"""The median of chi-square with one degree of freedom."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FunctionChange:
    """A function whose own cost is at another level from one release on."""

    function: MatrixFunction
    first: int
    """Which of the profiles has the new level first."""
    before: float
    """Own weight per unit of exposure: a share, or a cost per operation."""
    after: float
    count_before: int
    """How many profiles have the level before."""
    count_after: int
    p: float
    """Adjusted for all places and all functions."""

    @property
    def size(self) -> float:
        """How much it adds or saves: by this changes are ranked."""
        return abs(self.after - self.before)


def function_changes(matrix: FunctionMatrix, exposures: Sequence[float]) -> list[FunctionChange]:
    """Return the level changes of functions, the largest first.

    Args:
        matrix: what the profiles hold, in the order of releases.
        exposures: what each profile represents: its whole weight, or its operations.
    """
    if len(exposures) < FEWEST_PROFILES or min(exposures) <= 0:
        return []
    functions = [each for each in matrix.functions if _share(each.selfs, matrix) >= LEAST_SHARE]
    if not functions:
        return []
    costs = np.array([each.selfs for each in functions], dtype=np.float64) / np.array(exposures)
    roots = np.sqrt(costs)
    noise = _noise(roots, np.array([_share(each.selfs, matrix) for each in functions]))
    found: dict[tuple[int, int], FunctionChange] = {}
    p_values: dict[tuple[int, int], float] = {}
    for at, function in enumerate(functions):
        points = _points(roots[at], (float(noise[at]), DEGREES)) if noise[at] > 0 else []
        # One without a change is a test as well.
        p_values[at, -1] = 1.0
        for point in points:
            before, after = point.before**2, point.after**2
            found[at, point.index] = FunctionChange(
                function=function,
                first=point.index,
                before=before,
                after=after,
                count_before=point.count_before,
                count_after=point.count_after,
                p=point.p,
            )
            p_values[at, point.index] = point.p
            p_values.pop((at, -1), None)
    certain = adjusted(p_values)
    changes = [
        replace(each, p=certain[key]) for key, each in found.items() if certain[key] <= LEVEL
    ]
    return sorted(changes, key=lambda each: (-each.size, each.function.key))


def _points(roots: Values, prior: tuple[float, float]) -> Iterable[ChangePoint]:
    """Return the changes of a series; what only the first release has is one as well."""
    found = change_points(roots, prior, fewest=FEWEST_PROFILES)
    level = found.levels[0]
    for outlier in found.outliers:
        if outlier.index == 0 and found.levels[0][0] == 1:
            yield ChangePoint(
                index=1,
                last_before=0,
                before=float(roots[0]),
                after=float(roots[list(level)].mean()),
                count_before=1,
                count_after=len(level),
                p=outlier.p,
                in_full=1,
            )
    yield from found.changes


def _noise(roots: Values, shares: Values) -> Values:
    """Return the standard deviation of each function's roots that no change explains.

    Squares of differences of neighbours have two parts: one of samples, alike for all, and one in
    proportion to the cost, of releases whose runs differ by a part. Their medians bend little to
    the functions that do change.
    """
    squares = np.diff(roots, axis=1) ** 2 / 2
    small, large = shares < LARGE, shares >= LARGE
    of_samples = _median_variance(squares[small if small.any() else large])
    means = (roots**2).mean(axis=1)
    beyond = np.maximum(squares[large] - of_samples, 0) / means[large, None]
    of_runs = _median_variance(beyond)
    noise: Values = np.sqrt(of_samples + of_runs * means)
    return noise


def _median_variance(squares: Values) -> float:
    return median(squares.ravel().tolist()) / MEDIAN_OF_SQUARES if squares.size else 0.0


def _share(selfs: Sequence[int], matrix: FunctionMatrix) -> float:
    pairs = zip(selfs, matrix.totals, strict=True)
    return max((weight / total for weight, total in pairs if total), default=0.0)

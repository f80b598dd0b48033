"""How far two measurements of the same thing differ, on this step: the noise floor.

It is never guessed. What tells it are measurements that should be equal:

    repeats        runs of one cell
    twin variants  variants that the report declares to differ in nothing that matters
    same code      releases that the report declares to be the same (A/A)

Of each the differences of the logarithms are taken, as noise is a part of the value; their
variances are pooled, each with its degrees of freedom. What a comparison of m and n runs shows by
chance is then t·σ·√(1/m + 1/n), t being Student's for as many degrees of freedom: few of them make
it wide.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import expm1, fsum, log, sqrt
from statistics import fmean

from scipy.special import stdtrit

from pipeline.analysis.throughput import Summary
from pipeline.study.profiles import CellKey

Pairs = Sequence[tuple[str, str]]

REPEATS = "repeats"
TWINS = "twin variants"
SAME_CODE = "releases of the same code"


@dataclass(frozen=True)
class NoiseFloor:
    """The spread of equal measurements on one step of one variant."""

    sigma: float
    """Standard deviation of the logarithm of one run."""
    degrees: int
    """Of freedom: how many independent differences told it."""
    sources: tuple[str, ...]
    """What told it: some of `repeats`, `twin variants`, `releases of the same code`."""

    def change(self, runs: int, base_runs: int, level: float) -> float:
        """Return the change that chance alone passes in a part `level` of comparisons.

        A fraction: 0.03 means that 3 % more, or as much less, tells nothing.
        """
        t = float(stdtrit(self.degrees, 1 - level / 2))
        return expm1(min(t * self.sigma * sqrt(1 / runs + 1 / base_runs), 700.0))

    @property
    def described(self) -> str:
        """How it is known, in words."""
        differences = f"{self.degrees} difference" + ("s" if self.degrees != 1 else "")
        return f"{differences} between {' and '.join(self.sources)}"


@dataclass(frozen=True)
class _Spread:
    squares: float
    degrees: int
    source: str


def noise_floor(
    summaries: Mapping[CellKey, Summary],
    variant: str,
    step: str,
    *,
    twins: Pairs = (),
    same_code: Pairs = (),
) -> NoiseFloor | None:
    """Return the noise floor of a step of a variant; None where nothing tells it.

    Args:
        summaries: of one metric, by cell; values that are not above 0 tell nothing.
        variant: a slug.
        step: its name.
        twins: pairs of variants that the report declares to be alike.
        same_code: pairs of releases that it declares to be the same.
    """
    cells = {
        cell: summary
        for cell, summary in summaries.items()
        if cell.step == step and summary.low > 0
    }
    spreads = [
        *_of_repeats(cells, variant),
        *_of_twins(cells, [pair for pair in twins if variant in pair]),
        *_of_same_code(cells, variant, same_code),
    ]
    degrees = sum(each.degrees for each in spreads)
    if degrees == 0:
        return None
    sigma = sqrt(fsum(each.squares for each in spreads) / degrees)
    sources = tuple(dict.fromkeys(each.source for each in spreads if each.degrees))
    return NoiseFloor(sigma, degrees, sources)


def _of_repeats(cells: Mapping[CellKey, Summary], variant: str) -> Iterable[_Spread]:
    for cell, summary in cells.items():
        if cell.variant == variant and len(summary.values) > 1:
            logs = [log(value) for value in summary.values]
            mean = fmean(logs)
            squares = fsum((each - mean) ** 2 for each in logs)
            yield _Spread(squares, len(logs) - 1, REPEATS)


def _of_twins(cells: Mapping[CellKey, Summary], twins: Pairs) -> Iterable[_Spread]:
    for one, other in twins:
        for cell, summary in cells.items():
            twin = cells.get(CellKey(cell.release, other, cell.step))
            if cell.variant == one and twin is not None:
                yield _of_pair(summary, twin, TWINS)


def _of_same_code(
    cells: Mapping[CellKey, Summary], variant: str, same_code: Pairs
) -> Iterable[_Spread]:
    for one, other in same_code:
        first, second = (
            next(
                (
                    summary
                    for cell, summary in cells.items()
                    if cell.release == release and cell.variant == variant
                ),
                None,
            )
            for release in (one, other)
        )
        if first and second:
            yield _of_pair(first, second, SAME_CODE)


def _of_pair(one: Summary, other: Summary, source: str) -> _Spread:
    """Return what the medians of two cells that should be equal tell of the spread of one run."""
    difference = log(one.median / other.median)
    return _Spread(difference**2 / (1 / len(one.values) + 1 / len(other.values)), 1, source)


def pairs_of(groups: Iterable[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Return neighbours in each group: of n alike, n - 1 differences are independent."""
    return tuple(pair for group in groups for pair in pairwise(group))

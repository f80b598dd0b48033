"""Whether a release changed over all steps: the geometric mean of the ratios of its steps.

Thirty steps that are each 3 % slower may have no verdict of their own, and are no chance together.
What the steps of a build or a day have in common does not average out, so that neither a sign test
nor the noise of the steps says how large the mean is by chance. The means of neighbouring releases
do: they differ mostly by noise, as single steps do (noise_model.py). Where few releases were
measured, a prior stands in for what steps have in common, beside the noise of the steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, expm1, log, sqrt
from statistics import fmean

from scipy.special import stdtr, stdtrit

from perfpress.analysis.metrics.intervals import LEVEL as CONFIDENCE
from perfpress.analysis.metrics.throughput import Summary, summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import LevelChange, levels_of
from perfpress.analysis.verdicts.noise_model import (
    COMMON_PRIOR,
    FEWEST_NEIGHBOURS,
    NoiseModel,
    Source,
)
from perfpress.analysis.verdicts.significance import LEVEL
from perfpress.analysis.verdicts.variances import SMALLEST, Variance, added, trimmed
from perfpress.input.report.report import Report

FEWEST_STEPS = 3
"""The ratios of one or two steps are in the sentence before."""

FLOOR_WEIGHT = 0.8
"""Of the noise floor; the level change has the rest. With both, at most 5 % of releases without a
change are called (simulated.py)."""


@dataclass(frozen=True)
class MeanOfSteps:
    """The geometric mean of the ratios of all steps that two releases have."""

    ratio: float
    steps: int
    source: Source
    """What its noise is known from."""
    p: float
    """Of Student's t, with the price of looking at the series too; of the level change, where that
    is more certain."""
    within: float
    """A larger change, a part, is excluded at 95 %."""
    is_one_run: bool
    """Whether it rests on a single run of a side: no level change of several releases shows it."""
    since: LevelChange | None
    """The level change of the series of means that lies between the two releases."""

    @property
    def is_change(self) -> bool:
        """Whether it is more than noise."""
        return self.p <= LEVEL


def mean_of_steps(
    summaries: Mapping[CellKey, Summary],
    noise: NoiseModel,
    report: Report,
    cells: Sequence[CellKey],
    base: str,
) -> MeanOfSteps | None:
    """Return the mean over steps of one release and variant; None for fewer than three.

    Args:
        summaries: of a metric, by cell.
        noise: of the metric.
        report: for the order of its releases.
        cells: of the release; those without a value above 0 on both sides do not count.
        base: the release compared with.
    """
    cells = [
        cell
        for cell in cells
        if all(
            each in summaries and summaries[each].low > 0 for each in (cell, cell.in_release(base))
        )
    ]
    if len(cells) < FEWEST_STEPS:
        return None

    def side(release: str) -> list[Summary]:
        own = (summaries.get(cell.in_release(release)) for cell in cells)
        return [each for each in own if each is not None and each.low > 0]

    release = cells[0].release
    after, before = side(release), side(base)
    change = _mean(after) - _mean(before)
    runs = 1 / _runs(after) + 1 / _runs(before)
    series = {
        each.id: own for each in report.of_default_branch if len(own := side(each.id)) == len(cells)
    }
    alone = _of_steps(noise, cells, after, before)
    known = _of_neighbours(list(series.values()), runs)
    of_ratio = added((1, alone), (2, COMMON_PRIOR))
    if known:
        of_ratio = Variance(max(known.value, alone.value), known.degrees)
    means = {each: summarise({each: exp(_mean(own))}) for each, own in series.items()}
    levels = levels_of("throughput", means, added((1 / 2, of_ratio)))
    since = levels.since(base, release) if levels else None
    if since and since.is_rise != (change > 0):
        since = None
    p = float(2 * stdtr(of_ratio.degrees, -abs(change) / sqrt(of_ratio.value)))
    p = min(1.0, p / FLOOR_WEIGHT)
    far = float(stdtrit(of_ratio.degrees, (1 + CONFIDENCE) / 2)) * sqrt(of_ratio.value)
    return MeanOfSteps(
        ratio=exp(change),
        steps=len(cells),
        source=Source.NEIGHBOURS if known else Source.PRIOR,
        p=min(p, since.p) if since else p,
        within=expm1(abs(change) + far),
        is_one_run=since is None and min(_runs(after), _runs(before)) == 1,
        since=since,
    )


def _mean(steps: Sequence[Summary]) -> float:
    return fmean(log(each.median) for each in steps)


def _runs(steps: Sequence[Summary]) -> int:
    return min(len(each.values) for each in steps)


def _of_neighbours(series: Sequence[Sequence[Summary]], runs: float) -> Variance | None:
    """Return the variance of a ratio of means of so many runs, as neighbouring releases show it.

    Fewer runs than theirs are worth less; what more runs are worth depends on what runs of a
    build have in common, and is left out.
    """
    pairs = list(pairwise(series))
    if len(pairs) < FEWEST_NEIGHBOURS:
        return None
    squares = [(_mean(after) - _mean(before)) ** 2 for before, after in pairs]
    usual = fmean(1 / _runs(after) + 1 / _runs(before) for before, after in pairs)
    found = trimmed(squares)
    return Variance(max(SMALLEST, found.value) * max(1.0, runs / usual), found.degrees)


def _of_steps(
    noise: NoiseModel,
    cells: Sequence[CellKey],
    after: Sequence[Summary],
    before: Sequence[Summary],
) -> Variance:
    """Return the variance of a ratio of means, of steps that have nothing in common."""
    parts = [
        noise.between(cell.step_key, one, other).of_ratio(len(one.values), len(other.values))
        for cell, one, other in zip(cells, after, before, strict=True)
    ]
    return added(*((1 / len(parts) ** 2, each) for each in parts))

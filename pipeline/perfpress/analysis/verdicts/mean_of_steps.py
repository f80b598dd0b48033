"""Whether a release changed over all steps: the geometric mean of the ratios of its steps.

Thirty steps that are each 3 % slower may have no verdict of their own, and are no chance together.
What the steps of a build or a day have in common does not average out, so that neither a sign test
nor the noise of the steps says how large the mean is by chance. The means of neighbouring releases
do: they differ mostly by noise, as single steps do (noise_model.py). Where few releases were
measured, a prior stands in for what steps have in common, beside the noise of the steps.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, pairwise
from math import copysign, exp, fsum, log, sqrt
from statistics import fmean

from scipy.special import bdtrc, stdtr, stdtrit

from perfpress.analysis.metrics.throughput import Summary, summarise
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.change_points import Segmentation
from perfpress.analysis.verdicts.level_changes import LevelChange, SeriesLevels, levels_of
from perfpress.analysis.verdicts.noise import NoiseSource
from perfpress.analysis.verdicts.noise_model import COMMON_PRIOR, FEWEST_NEIGHBOURS
from perfpress.analysis.verdicts.noise_windows import Noises, window_of
from perfpress.analysis.verdicts.significance import LEVEL
from perfpress.analysis.verdicts.variances import SMALLEST, Variance, added, of_neighbours
from perfpress.base.kept_results import KeptResults
from perfpress.input.report.report import Report

FEWEST_STEPS = 3
"""The ratios of one or two steps are in the sentence before."""

FLOOR_WEIGHT = 0.7
"""Of the noise floor; the level change has the rest. With both, at most 5 % of releases without a
change are called (simulated.py)."""

MOST_DEGREES = 4
"""Of what neighbours show. Means of steps that have outliers have some themselves, and the smaller
differences of neighbours, by which their noise is known, do not show these."""


@dataclass(frozen=True)
class MeanOfSteps:
    """The geometric mean of the ratios of all steps that two releases have."""

    ratio: float
    steps: int
    source: NoiseSource
    """What its noise is known from."""
    p: float
    """Of Student's t, with the price of looking at the series too; of the level change, where that
    is more certain."""
    interval: tuple[float, float]
    """Of the ratio, at 95 % or more: 1 is outside where the noise floor calls it a change."""
    leaning: int
    """Steps that differ in the direction of the mean, whether by more than noise or not."""
    is_one_run: bool
    """Whether it rests on a single run of a side: no level change of several releases shows it."""
    since: LevelChange | None
    """The level change of the series of means that lies between the two releases."""
    largest: "LargestStep"

    @property
    def is_change(self) -> bool:
        """Whether it is more than noise."""
        return self.p <= LEVEL

    @property
    def p_of_lean(self) -> float:
        """Return p of a sign test: whether so many steps lean one way by their own noise.

        It does not see what the steps of a build or day have in common, so that it shows no change.
        """
        return min(1.0, 2 * float(bdtrc(self.leaning - 1, self.steps, 0.5)))

    @property
    def rests_on_prior(self) -> bool:
        """Whether nothing measured shows what all steps of a build have in common."""
        return self.source is NoiseSource.PRIOR and self.since is None


@dataclass(frozen=True)
class LargestStep:
    """The step that moves a mean most."""

    step: str
    part: float
    """Of the logarithm of the mean; above 1 where the others go the other way."""
    ratio_without: float
    """The geometric mean of the ratios of all other steps."""

    @classmethod
    def of(cls, steps: Sequence[str], differences: Sequence[float]) -> "LargestStep":
        """Return it, of the logarithms of the ratios of all steps."""
        whole = fsum(differences)
        largest, step = max(
            zip(differences, steps, strict=True), key=lambda each: each[0] * copysign(1, whole)
        )
        return cls(
            step, largest / whole if whole else 0.0, exp((whole - largest) / (len(steps) - 1))
        )


class MeansOfSteps:
    """The geometric means of all releases of a report, in one metric."""

    def __init__(
        self,
        summaries: Mapping[CellKey, Summary],
        noise: Noises,
        report: Report,
        kept: KeptResults | None = None,
    ) -> None:
        """Begin with none.

        Args:
            summaries: of the metric.
            noise: of the metric.
            report: the report.
            kept: what is known of levels, of which a new run changes few.
        """
        self._summaries = summaries
        self._positive = {cell for cell, each in summaries.items() if each.low > 0}
        self._noise = noise
        self._kept = kept or KeptResults()
        self._report = report.id
        self._places = {each.id: place for place, each in enumerate(report.releases)}
        self._branch = [each.id for each in report.of_default_branch]
        self._all_series: dict[tuple[StepKey, ...], _Series] = {}

    def of(self, cells: Sequence[CellKey], base: str) -> MeanOfSteps | None:
        """Return the mean over steps of one release and variant; None for fewer than three.

        Args:
            cells: of the release; those without a value above 0 on both sides do not count.
            base: the release compared with.
        """
        lines = tuple(
            cell.step_key
            for cell in cells
            if cell in self._positive and cell.in_release(base) in self._positive
        )
        if len(lines) < FEWEST_STEPS:
            return None
        release = cells[0].release
        series = self._series_of(lines)
        after, before = (self._side(series, each) for each in (release, base))
        change = after.mean - before.mean
        source, of_ratio = self._of_ratio(series, release, after, before)
        since = series.levels.since(base, release) if series.levels else None
        if since and since.is_rise != (change > 0):
            since = None
        p = float(2 * stdtr(of_ratio.degrees, -abs(change) / sqrt(of_ratio.value)))
        p = min(1.0, p / FLOOR_WEIGHT)
        far = float(stdtrit(of_ratio.degrees, 1 - LEVEL * FLOOR_WEIGHT / 2)) * sqrt(of_ratio.value)
        differences = [
            log(one.median / other.median)
            for one, other in zip(after.steps, before.steps, strict=True)
        ]
        return MeanOfSteps(
            ratio=exp(change),
            steps=len(lines),
            source=source,
            p=min(p, since.p) if since else p,
            interval=(exp(change - far), exp(change + far)),
            leaning=sum(each * change > 0 for each in differences),
            is_one_run=since is None and min(after.runs, before.runs) == 1,
            since=since,
            largest=LargestStep.of([step for _, step in lines], differences),
        )

    def _runs(self, release: str, lines: Sequence[StepKey]) -> list[Summary]:
        return [self._summaries[CellKey(release, *line)] for line in lines]

    def _side(self, series: "_Series", release: str) -> "_Side":
        """Return what a release of any branch has of the steps of a series."""
        return series.sides.get(release) or _Side.of(self._runs(release, series.lines))

    def _series_of(self, lines: tuple[StepKey, ...]) -> "_Series":
        """Return the series of the mean, of the releases that have all its steps."""
        if lines not in self._all_series:
            sides = {
                release: _Side.of(self._runs(release, lines))
                for release in self._branch
                if all(CellKey(release, *line) in self._positive for line in lines)
            }
            series = _Series(lines, sides, [self._places[each] for each in sides], None)

            def noise(stretch: Mapping[str, Summary]) -> Variance:
                newest = [*stretch][-1]
                _, of_ratio = self._of_ratio(series, newest, sides[newest], sides[newest])
                return added((1 / 2, of_ratio))

            means = {each: summarise({each: exp(own.mean)}) for each, own in sides.items()}
            name = ("levels of means", self._report, *chain.from_iterable(lines))
            with self._kept.of(name, Segmentation) as kept:
                levels = levels_of("throughput", means, noise, kept)
            self._all_series[lines] = replace(series, levels=levels)
        return self._all_series[lines]

    def _of_ratio(
        self, series: "_Series", release: str, after: "_Side", before: "_Side"
    ) -> tuple[NoiseSource, Variance]:
        """Return the variance of a ratio of means, and what it is known from."""
        alone = self._of_steps(series.lines, release, after, before)
        last = bisect_right(series.places, self._places[release]) - 1
        window = window_of(max(0, last), len(series.places))
        known = series.of_neighbours(window, 1 / after.runs + 1 / before.runs)
        if known:
            return NoiseSource.NEIGHBOURS, Variance(max(known.value, alone.value), known.degrees)
        return NoiseSource.PRIOR, added((1, alone), (2, COMMON_PRIOR))

    def _of_steps(
        self, lines: Sequence[StepKey], release: str, after: "_Side", before: "_Side"
    ) -> Variance:
        """Return the variance of a ratio of means, of steps that have nothing in common."""
        noise = self._noise[release]
        parts = [
            noise.between(line, one, other).of_ratio(len(one.values), len(other.values))
            for line, one, other in zip(lines, after.steps, before.steps, strict=True)
        ]
        return added(*((1 / len(parts) ** 2, each) for each in parts))


@dataclass(frozen=True)
class _Side:
    """All steps of a release and variant."""

    steps: Sequence[Summary]
    mean: float
    """Of the logarithms of their medians."""
    runs: int
    """Of the step that has the fewest."""

    @classmethod
    def of(cls, steps: Sequence[Summary]) -> "_Side":
        mean = fmean(log(each.median) for each in steps)
        return cls(steps, mean, min(len(each.values) for each in steps))


@dataclass(frozen=True)
class _Series:
    """The releases that have all of some steps."""

    lines: tuple[StepKey, ...]
    sides: Mapping[str, _Side]
    """In order."""
    places: Sequence[int]
    """Of its releases among all of the report."""
    levels: SeriesLevels | None

    def of_neighbours(self, window: range, runs: float) -> Variance | None:
        """Return the variance of a ratio of means of so many runs, as neighbours show it.

        Fewer runs than theirs are worth less; what more runs are worth depends on what runs of a
        build have in common, and is left out.
        """
        known = self._of_windows(window)
        if known is None:
            return None
        found, usual = known
        value = max(SMALLEST, found.value) * max(1.0, runs / usual)
        return Variance(value, min(found.degrees, MOST_DEGREES))

    @cached_property
    def _of_windows(self) -> Callable[[range], tuple[Variance, float] | None]:
        """Returns what a window of releases shows, and of how many runs; many releases share it."""
        sides = [*self.sides.values()]

        def found(window: range) -> tuple[Variance, float] | None:
            pairs = list(pairwise(sides[window.start : window.stop]))
            if len(pairs) < FEWEST_NEIGHBOURS:
                return None
            usual = fmean(1 / after.runs + 1 / before.runs for before, after in pairs)
            return of_neighbours([after.mean - before.mean for before, after in pairs]), usual

        return cache(found)

"""The noise of the lines of a report in one metric; `noise_model.py` estimates it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from math import pi
from statistics import median_low

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import StepKey
from perfpress.analysis.verdicts.days import independent
from perfpress.analysis.verdicts.variances import Variance, added
from perfpress.base.cache import key_of

FEWEST_FOR_MEDIAN = 3
"""Of two values the median is the mean."""

VARIANCE_OF_MEDIAN = pi / 2
"""That of a median of normal values ÷ that of their mean."""


class NoiseSource(StrEnum):
    """What noise is known from; the value is the plural in words."""

    REPEATS = "repeats"
    SAME_CODE = "releases of the same code"
    TWINS = "twin variants"
    NEIGHBOURS = "neighbouring releases"
    PRIOR = "the prior"
    DECLARED = "the prior declared by the report"


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise of one line."""

    sources: tuple[NoiseSource, ...]
    run: Variance
    """Of the logarithm of one value, within a build."""
    equal: Variance | None = None
    """Of the difference of the logarithms of two equal builds; None where no build has a level of
    its own that is known."""
    equal_runs: float = 2.0
    """1/m + 1/n of the m and n values of those builds."""

    @property
    def is_prior(self) -> bool:
        """Whether nothing of the report says how large it is."""
        return set(self.sources) <= {NoiseSource.PRIOR, NoiseSource.DECLARED}

    def of_ratio(self, values: float, base_values: float) -> Variance:
        """Return the variance of the logarithm of a ratio of so many values on each side."""
        return _of_ratio(self, 1 / values + 1 / base_values)


@lru_cache(maxsize=4096)  # a line has one for most releases of its window
def _of_ratio(noise: Noise, runs: float) -> Variance:
    alone = added((runs, noise.run))
    if noise.equal is None:
        return alone
    # More values than the equal builds had lessen the part of the runs, and no other.
    whole = added((1, noise.equal), (runs - noise.equal_runs, noise.run))
    return whole if whole.value > alone.value else alone


@dataclass(frozen=True)
class NoiseModel:
    """The noise of all lines of a report, in one metric."""

    lines: Mapping[StepKey, Noise]
    apart: Mapping[StepKey, Noise]
    """Of two cells that have no day in common."""
    days: Mapping[str, str]
    """By run id, where the day of a run is known."""
    is_day_a_value: bool
    """Whether days have levels of their own, so that runs of one day count once."""

    @cached_property
    def key(self) -> str:
        """The hash of what it says of all lines; of days it says what the runs do."""
        return key_of(list(self.lines.items()), list(self.apart.items()), self.is_day_a_value)

    def values(self, summary: Summary) -> tuple[float, ...]:
        """Return the values of a cell that are independent: its runs, or the means of its days."""
        return independent(summary, self.days if self.is_day_a_value else {})

    def between(self, line: StepKey, one: Summary, other: Summary) -> Noise:
        """Return the noise of a comparison of two cells of a line."""
        is_apart = not self.is_day_a_value and self._are_apart(one.runs, other.runs)
        return (self.apart if is_apart else self.lines)[line]

    @cached_property
    def _are_apart(self) -> Callable[[tuple[str, ...], tuple[str, ...]], bool]:
        """Returns whether runs were all made on other days than others; all steps ask the same."""

        def found(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
            days = [{self.days.get(run, "") for run in side} for side in (one, other)]
            return "" not in days[0] | days[1] and not days[0] & days[1]

        return lru_cache(maxsize=256)(found)

    def of_release(self, line: StepKey, series: Sequence[Summary]) -> Variance | None:
        """Return the variance of the logarithm of a median, of a typical release of a series.

        That is half of the variance of a ratio; None of a line with no value above 0.
        """
        if line not in self.lines:
            return None
        values: float = median_low(len(self.values(each)) for each in series)
        if values >= FEWEST_FOR_MEDIAN:
            values /= VARIANCE_OF_MEDIAN
        of_ratio = self.between(line, series[0], series[-1]).of_ratio(values, values)
        return added((1 / 2, of_ratio))

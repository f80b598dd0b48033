"""Summarizes the repeats of a cell and compares it with another release.

A cell is one release, variant and step; a repeat is one run of it. Intervals inside of a run are
never repeats.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from perfpress.analysis.metrics.intervals import Interval, interval_of_median
from perfpress.analysis.study.profiles import CellKey


@dataclass(frozen=True)
class Summary:
    """The repeats of one metric in one cell."""

    runs: tuple[str, ...]
    """Run ids, in order: that of their start."""
    values: tuple[float, ...]
    """One a run; at least one."""
    median: float
    low: float
    high: float
    interval: Interval | None
    """Of the median, at 95 % or more; None for fewer than six repeats."""


@dataclass(frozen=True)
class Comparison:
    """A cell against the same variant and step of another release, the base."""

    base: str
    """The release compared with."""
    ratio: float
    """Of the medians: this ÷ base."""
    low: float
    high: float
    """The range of the ratios of all pairs of repeats: no interval."""
    count: int
    base_count: int


def summarise(values: Mapping[str, float]) -> Summary:
    """Return the summary of one cell's values, given by run id; there is at least one."""
    numbers = tuple(values.values())
    return Summary(
        runs=tuple(values),
        values=numbers,
        median=median(numbers),
        low=min(numbers),
        high=max(numbers),
        interval=interval_of_median(numbers),
    )


def compare(summary: Summary, base_release: str, base: Summary) -> Comparison | None:
    """Compare two summaries; None if a median is not positive, as a ratio is then meaningless."""
    if min(summary.median, base.median) <= 0:
        return None
    return Comparison(
        base=base_release,
        ratio=summary.median / base.median,
        low=_ratio(summary.low, base.high),
        high=_ratio(summary.high, base.low),
        count=len(summary.values),
        base_count=len(base.values),
    )


def against(
    summaries: Mapping[CellKey, Summary], cell: CellKey, release: str | None
) -> Comparison | None:
    """Compare a cell with another release; None for its own and where one is missing."""
    summary = summaries.get(cell)
    base = summaries.get(cell.in_release(release)) if release else None
    if summary is None or base is None or release is None or release == cell.release:
        return None
    return compare(summary, release, base)


def _ratio(value: float, base: float) -> float:
    return value / base if base else float("inf")

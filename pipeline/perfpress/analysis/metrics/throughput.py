"""Summarizes the repeats of a cell and compares it with another release.

A cell is one release, variant and step; a repeat is one run of it, or one of the processes that a
run began for it (JMH's forks). Intervals inside of a run are never repeats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from types import MappingProxyType
from typing import Literal

import msgspec

from perfpress.analysis.metrics.intervals import Interval, interval_of_median
from perfpress.analysis.metrics.validity import counting
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun

NO_PROCESSES: Mapping[str, Sequence[float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Summary:
    """The repeats of one metric in one cell."""

    runs: tuple[str, ...]
    """Run ids, in order: that of their start. One with several processes is there for each.

    One object for the same runs: those of a release are in all its steps.
    """
    values: tuple[float, ...]
    """One a run or process; at least one."""
    median: float
    interval: Interval | None
    """Of the median, at 95 % or more; None for fewer than six repeats."""

    @property
    def low(self) -> float:
        """The least value."""
        return min(self.values)

    @property
    def high(self) -> float:
        """The greatest value."""
        return max(self.values)

    @property
    def has_processes(self) -> bool:
        """Whether a run began several processes, each with a value."""
        return len(set(self.runs)) < len(self.runs)


class CellComparison(msgspec.Struct, frozen=True, array_like=True):
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
    of: Literal["runs", "processes"] = "runs"
    """What is counted."""


def summarise(
    values: Mapping[str, float], processes: Mapping[str, Sequence[float]] = NO_PROCESSES
) -> Summary:
    """Return the summary of one cell's values, given by run id; there is at least one.

    Args:
        values: one a run.
        processes: the values of each process, of runs that began several.
    """
    found = [(run, each) for run in values for each in processes.get(run) or (values[run],)]
    numbers = tuple(value for _, value in found)
    return Summary(
        runs=_shared(tuple(run for run, _ in found)),
        values=numbers,
        median=median(numbers),
        interval=interval_of_median(numbers),
    )


@lru_cache(maxsize=8192)
def _shared(runs: tuple[str, ...]) -> tuple[str, ...]:
    return runs


def summaries_of(step_runs: Sequence[StepRun], metric: str) -> dict[CellKey, Summary]:
    """Return the repeats of a metric that count, by cell."""
    processes: dict[CellKey, dict[str, tuple[float, ...]]] = {}
    values: dict[CellKey, dict[str, float]] = {}
    for each, measured in counting(step_runs, metric):
        values.setdefault(each.cell, {})[each.bundle.run_id] = measured.value
        if measured.processes:
            processes.setdefault(each.cell, {})[each.bundle.run_id] = measured.processes
    return {cell: summarise(own, processes.get(cell, NO_PROCESSES)) for cell, own in values.items()}


def compare(summary: Summary, base_release: str, base: Summary) -> CellComparison | None:
    """Compare two summaries; None if a median is not positive, as a ratio is then meaningless."""
    if min(summary.median, base.median) <= 0:
        return None
    return CellComparison(
        base=base_release,
        ratio=summary.median / base.median,
        low=_ratio(summary.low, base.high),
        high=_ratio(summary.high, base.low),
        count=len(summary.values),
        base_count=len(base.values),
        of="processes" if summary.has_processes or base.has_processes else "runs",
    )


def against(
    summaries: Mapping[CellKey, Summary], cell: CellKey, release: str | None
) -> CellComparison | None:
    """Compare a cell with another release; None for its own and where one is missing."""
    summary = summaries.get(cell)
    base = summaries.get(cell.in_release(release)) if release else None
    if summary is None or base is None or release is None or release == cell.release:
        return None
    return compare(summary, release, base)


def _ratio(value: float, base: float) -> float:
    return value / base if base else float("inf")

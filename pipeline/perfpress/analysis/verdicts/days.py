"""The days that runs were made on, which may have levels of their own."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum, log
from statistics import fmean, geometric_mean

from scipy.special import fdtrc

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.verdicts.variances import Variance, of_values, pooled
from perfpress.input.corrections.corrected import CorrectedRun

DAY_LEVEL = 0.01
"""Days have levels of their own where their runs differ by so little chance."""


def run_days(runs: Iterable[CorrectedRun]) -> dict[str, str]:
    """Return on which day each run started, by run id; runs that say no time are left out."""
    bundles = [run.bundle for run in runs]
    return {
        each.run_id: each.run.started.date().isoformat() for each in bundles if each.run.started
    }


def with_processes(days: Mapping[str, str], summaries: Iterable[Summary]) -> Mapping[str, str]:
    """Return the days, with one of its own for each run that began several processes.

    They share its hour and its state of the machine, as runs of one day do.
    """
    counts = (Counter(summary.runs) for summary in summaries if summary.has_processes)
    own = {run: run for each in counts for run, times in each.items() if times > 1}
    return {**days, **own} if own else days


def independent(summary: Summary, days: Mapping[str, str]) -> tuple[float, ...]:
    """Return the values of a cell: its runs, or where days are given the means of each."""
    if not days:
        return summary.values
    of_days: dict[str, list[float]] = {}
    for run, value in zip(summary.runs, summary.values, strict=True):
        of_days.setdefault(days.get(run, run), []).append(value)
    return tuple(geometric_mean(values) for values in of_days.values())


def days_matter(summaries: Iterable[Summary], days: Mapping[str, str]) -> bool:
    """Return whether runs of one cell differ more between days than within: the F test, pooled."""
    between: list[Variance] = []
    within: list[Variance] = []
    for summary in summaries:
        of_days: dict[str, list[float]] = {}
        for run, value in zip(summary.runs, summary.values, strict=True):
            if run in days:
                of_days.setdefault(days[run], []).append(log(value))
        groups = list(of_days.values())
        if len(groups) > 1 and any(len(each) > 1 for each in groups):
            within += map(of_values, groups)
            centre = fmean([value for each in groups for value in each])
            squares = fsum(len(each) * (fmean(each) - centre) ** 2 for each in groups)
            between.append(Variance(squares / (len(groups) - 1), len(groups) - 1))
    one, other = pooled(between), pooled(within)
    if one is None or other is None or not one.value:
        return False
    if not other.value:
        return True
    return float(fdtrc(one.degrees, other.degrees, one.value / other.value)) < DAY_LEVEL

"""Response times: percentiles and histograms over the operations of runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, log2
from statistics import median

from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.study import StepRun
from perfpress.base.display import plural, plural_of
from perfpress.input.logs.readings import Histogram

PERCENTILES = {
    "p50": ("latency_p50", 0.5),
    "p95": ("latency_p95", 0.95),
    "p99": ("latency_p99", 0.99),
    "p99.9": ("latency_p99.9", 0.999),
    "max": ("latency_maximum", 1.0),
}
"""The metric that logs state each by, and the part of the operations that were no slower."""

OWN = "latency"
"""The histogram of the operations that throughput counts; others name what they are of."""

MOST_BUCKETS = 24


@dataclass(frozen=True)
class Percentile:
    """One percentile of a cell: the median of those of its runs."""

    value: float
    """In ms."""
    source: str
    """Where it is from, in words: stated, or read from a histogram."""


def percentiles(runs: Sequence[StepRun]) -> dict[str, Percentile]:
    """Return the percentiles of some repeats by name, without those that no valid run reports.

    What a log states goes before what is read from its histogram: the latter is exact to the width
    of a bucket.
    """
    found = {}
    for name, (metric, part) in PERCENTILES.items():
        stated = [
            (measured.value, f"stated by {measured.place}")
            for each in runs
            if (measured := each.measured.get(metric)) and not why_not(each, metric)
        ]
        read = [
            (percentile_of(each, part), f"read from the {_words(each)} of its histogram")
            for each in histograms(runs, OWN)
            if part < 1
        ]
        values = stated or read
        if values:
            sources = dict.fromkeys(source for _, source in values)
            many = f"median of {plural(len(values), 'run')}, " if len(values) > 1 else ""
            found[name] = Percentile(
                median(value for value, _ in values), many + next(iter(sources))
            )
    return found


def histograms(runs: Iterable[StepRun], name: str) -> list[Histogram]:
    """Return the non-empty histograms of one name in the valid runs."""
    return [
        histogram
        for each in runs
        if each.outline.has_histograms and not why_not(each, "throughput")
        for reading in each.readings
        for histogram in reading.histograms
        if histogram.name == name and any(histogram.counts)
    ]


def names_of_histograms(runs: Iterable[StepRun]) -> tuple[str, ...]:
    """Return what the histograms of some runs are of."""
    found = (
        histogram.name
        for each in runs
        if each.outline.has_histograms
        for reading in each.readings
        for histogram in reading.histograms
        if any(histogram.counts)
    )
    return tuple(dict.fromkeys(found))


def percentile_of(histogram: Histogram, part: float) -> float:
    """Return the value of the bucket in which `part` of all observations is reached.

    The histogram is not empty: see `histograms`.
    """
    total = sum(histogram.counts)
    reached = accumulate(histogram.counts)
    pairs = zip(histogram.values, reached, strict=True)
    return next((value for value, so_far in pairs if so_far >= part * total), histogram.values[-1])


def operations_covered(runs: Sequence[StepRun], operation: str) -> str:
    """Return how many operations the percentiles of some runs cover: `all 1,234 transactions`.

    Histograms know best; else it is what the logs count, where they do.
    """
    total: float = sum(sum(each.counts) for each in histograms(runs, OWN))
    if total == 0:
        total = sum(
            each.measured["operations"].value
            for each in runs
            if "operations" in each.measured and not why_not(each, "operations")
        )
    return f"all {total:,.0f} {plural_of(operation)}" if total else ""


def shares(found: Sequence[Histogram], edges: Sequence[float]) -> list[float]:
    """Return the part of all observations up to each edge and beyond the one before it."""
    counts = [0] * len(edges)
    for histogram in found:
        for value, count in zip(histogram.values, histogram.counts, strict=True):
            at = next((at for at, edge in enumerate(edges) if value <= edge), len(edges) - 1)
            counts[at] += count
    total = sum(counts)
    return [count / total if total else 0.0 for count in counts]


def edges_of(found: Mapping[str, Sequence[Histogram]]) -> tuple[float, ...]:
    """Return the ends of the buckets that several histograms are shown in.

    They are their own, where those are few; else the powers of two around the observations.
    """
    values = {
        value
        for many in found.values()
        for each in many
        for value, count in zip(each.values, each.counts, strict=True)
        if count
    }
    if len(values) <= MOST_BUCKETS or min(values) <= 0:
        return tuple(sorted(values))
    first, last = (ceil(log2(each)) for each in (min(values), max(values)))
    return tuple(2.0**power for power in range(first, last + 1))


def _words(histogram: Histogram) -> str:
    return "middles of the buckets" if histogram.values_are == "middle" else "ends of the buckets"

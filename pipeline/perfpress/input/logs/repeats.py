"""Summarizes the repeats of a benchmark within one log by their medians.

One process made them one after the other, so they are not independent, and never counted as runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from msgspec.structs import replace

from perfpress.base.limits import can_be_computed_with
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.logs.parser import Measures
from perfpress.input.logs.readings import Metric

TIME = "time_per_operation"

METRICS_OF_TIMES = (
    ("time_per_operation", "median"),
    ("time_per_operation_mean", "mean"),
    ("time_per_operation_stddev", "stddev"),
    ("time_per_operation_minimum", "min"),
    ("time_per_operation_maximum", "max"),
)
"""By the key of a statistic, as tools that repeat an operation name them in JSON."""


@dataclass
class Repeats:
    """The metrics of one benchmark, each with its values of all repeats."""

    line: int
    """Where it is first named."""
    failed: bool = False
    _metrics: dict[str, list[Metric]] = field(default_factory=dict)

    def measure(self, name: str, value: float, line: int) -> None:
        """Add one repeat's value of a metric of the table."""
        unit, better, *_ = meaning_of(name)
        self.measure_own(Metric(name=name, value=value, unit=unit, better=better, line=line))

    def measure_own(self, metric: Metric) -> None:
        """Add one repeat's value of a metric with its own unit and direction."""
        self._metrics.setdefault(metric.name, []).append(metric)

    def forget(self, name: str) -> None:
        """Leave out what was added of a metric: a later value is of all until then."""
        self._metrics.pop(name, None)

    def __bool__(self) -> bool:
        return bool(self._metrics)

    def note(self, notes: Measures) -> None:
        """Note the medians, and of the time of an operation its range and how many it is of."""
        notes.partial = notes.partial or self.failed
        for metrics in self._metrics.values():
            notes.measure_own(median_of(metrics))
        times = [each for each in self._metrics.get(TIME, ()) if can_be_computed_with(each.value)]
        if len(times) > 1:
            notes.measure(f"{TIME}_minimum", min(each.value for each in times), times[0].line)
            notes.measure(f"{TIME}_maximum", max(each.value for each in times), times[0].line)
            notes.measure("repeats", len(times), times[0].line)


def median_of(metrics: Sequence[Metric]) -> Metric:
    """Return the median of a metric's values, saying of how many; the first line is its line.

    Args:
        metrics: the same metric of all repeats, one at least. A value that is out of range counts
            as none, so that the result is in range where any is.
    """
    usable = [each for each in metrics if can_be_computed_with(each.value)]
    if len(usable) < 2:
        return usable[0] if usable else metrics[0]
    value = median(each.value for each in usable)
    return replace(usable[0], value=value, note=repeats_note(len(usable)))


def repeats_note(count: int, what: str = "median") -> str:
    """Return how a number was made of repeats: `median of 10 repeats`."""
    return f"{what} of {count} repeats" if count > 1 else ""

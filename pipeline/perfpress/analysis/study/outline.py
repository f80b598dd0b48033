"""What is asked of the logs of all runs: it stays in memory, while readings are read on demand."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from perfpress.analysis.study.measured import Measurement, measured, measurements
from perfpress.analysis.study.packed_measurements import PackedMeasurements, packed
from perfpress.base.problems import Problem
from perfpress.input.bundles.schema import Step
from perfpress.input.logs.readings import LogReading

CPUS = "CPUs"
"""The fact of a log that says how many the host has."""


class Outline(NamedTuple):
    """The logs of one step of one run, without their series, histograms, plans and traces."""

    problems: tuple[Problem, ...]
    nothing_done: bool
    """Whether the throughput is that of no operation."""
    partial: frozenset[str]
    """The logs that break off; all names of files are those inside the bundle."""
    cpus: tuple[tuple[str, str], ...]
    """Log and number, of those that say how many CPUs the host has."""
    series: frozenset[str]
    """Names of the series with values, in whole logs."""
    has_histograms: bool
    has_traces: bool
    has_plans: bool
    """In whole logs."""
    restated: tuple[tuple[str, Measurement], ...]
    """Metrics that another log or run.toml states, too, and whose number counts instead."""


def outline_of(
    logs: Sequence[str], readings: Sequence[LogReading], used: Mapping[str, Measurement]
) -> Outline:
    """Return the outline of a step's logs.

    Args:
        logs: their names inside the bundle.
        readings: of each.
        used: the measurements that count, by metric.
    """
    read = tuple(zip(logs, readings, strict=True))
    throughput = used.get("throughput")
    return Outline(
        problems=tuple(problem for each in readings for problem in each.problems),
        nothing_done=throughput is not None and throughput.value <= 0,
        partial=frozenset(log for log, each in read if each.partial),
        cpus=tuple((log, text) for log, each in read if (text := dict(each.facts).get(CPUS))),
        series=frozenset(
            series.name
            for each in readings
            if not each.partial
            for series in each.series
            if series.values
        ),
        has_histograms=any(each.histograms for each in readings),
        has_traces=any(each.traces for each in readings),
        has_plans=any(each.plans for each in readings if not each.partial),
        restated=tuple(
            (metric.name, stated)
            for log, each in read
            for metric in each.metrics
            if (stated := measured(metric, log)) != used.get(metric.name)
        ),
    )


class Outlined(NamedTuple):
    """What one step of one run measured, and the outline of its logs."""

    measured: Mapping[str, Measurement]
    outline: Outline


class KeptOutlined(msgspec.Struct, frozen=True, array_like=True):
    """The same as the cache holds it: what most runs say alike is decoded once."""

    texts: bytes
    numbers: bytes
    """Both as `PackedMeasurements` takes them."""
    outline: msgspec.Raw

    @classmethod
    def of(cls, outlined: Outlined) -> "KeptOutlined":
        """Return what was just read."""
        outline = msgspec.Raw(msgspec.msgpack.encode(outlined.outline))
        return cls(*packed(outlined.measured), outline)

    def read(self) -> Outlined:
        """Return it with one object for what other runs say alike."""
        return Outlined(PackedMeasurements(self.texts, self.numbers), _outline(bytes(self.outline)))


def outlined(step: Step, readings: Sequence[LogReading]) -> Outlined:
    """Return what a step measured, by its logs and its run.toml."""
    used = measurements(step, readings)
    return Outlined(used, outline_of(step.logs, readings, used))


@lru_cache(maxsize=4096)
def _outline(encoded: bytes) -> Outline:
    return msgspec.msgpack.decode(encoded, type=Outline)

"""What one step of one run measured: the metrics of its logs, and those that run.toml states."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.bundle.read import Bundle
from pipeline.bundle.schema import FILE_NAME, Step
from pipeline.logs import read_log
from pipeline.logs.metric_names import METRIC_NAMES
from pipeline.readings import Better, LogReading


@dataclass(frozen=True)
class Measurement:
    """One number, and where it stands."""

    value: float
    unit: str
    better: Better
    file: str
    """The name of the file inside the bundle."""
    line: int
    """0 where the number is computed from many lines."""


def read_logs(bundle: Bundle, step: Step) -> tuple[LogReading, ...]:
    """Read all logs of a step."""
    return tuple(
        read_log(bundle.directory / name, bundle.shown(name), step.formats.get(name))
        for name in step.logs
    )


def measurements(step: Step, readings: Sequence[LogReading]) -> dict[str, Measurement]:
    """Return the metrics of a step by name.

    A number of run.toml comes before one of a log, and an earlier log before a later one.
    Throughput is operations over seconds where no log states it.

    Args:
        step: of a bundle, patterns resolved.
        readings: of its logs, in their order.
    """
    found = {
        name: Measurement(metric.value, metric.unit, metric.better, FILE_NAME, 0)
        for name, metric in step.metrics.items()
    }
    for file, reading in zip(step.logs, readings, strict=True):
        for metric in reading.metrics:
            measured = Measurement(metric.value, metric.unit, metric.better, file, metric.line)
            found.setdefault(metric.name, measured)
    if "throughput" not in found and step.operations and step.seconds:
        unit, better, _ = METRIC_NAMES["throughput"]
        rate = step.operations / step.seconds
        found["throughput"] = Measurement(rate, unit, better, FILE_NAME, 0)
    return found

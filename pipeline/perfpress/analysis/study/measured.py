"""What one step of one run measured: the metrics of its logs, and those that run.toml states."""

from collections import Counter
from collections.abc import Mapping, Sequence
from sys import intern

import msgspec

from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME, Step, is_description
from perfpress.input.bundles.schema import Metric as StatedMetric
from perfpress.input.logs.metric_names import METRIC_NAMES
from perfpress.input.logs.named_benchmarks import of_step
from perfpress.input.logs.read import DescriptionFile
from perfpress.input.logs.readings import Better, LogReading, Metric
from perfpress.input.logs.workers import LogFile, read_each

NANOSECONDS = 1e9

PER_TIME = "1 \N{DIVISION SIGN} time per operation"
"""How the note of a rate begins that was made of the time of an operation."""

ELSEWHERE = "computed elsewhere"
"""The note of a number from an author's table, not from the log of the run."""


class Measurement(msgspec.Struct, frozen=True):
    """One number, with its file and line."""

    value: float
    unit: str
    better: Better
    file: str
    """The name of the file inside the bundle."""
    line: int
    """0 where the number is computed from many lines."""
    note: str = ""
    """How it was made where no file states it itself."""
    processes: tuple[float, ...] = ()
    """The values of the processes that it is the median of, where a harness began several."""

    @property
    def is_computed_elsewhere(self) -> bool:
        """Whether it is of an author's table, not of a log."""
        return self.note.startswith(ELSEWHERE)

    @property
    def is_of_time(self) -> bool:
        """Whether it is a rate that was made of the time of an operation."""
        return self.note.startswith(PER_TIME)

    @property
    def place(self) -> str:
        """Its file and line: `select.txt:12`."""
        return f"{self.file}:{self.line}" if self.line else self.file


Readings = Sequence[Sequence[LogReading]]
"""One tuple a step, with one reading a log: of the benchmarks in a log, the step's only."""


def read_logs(bundle: Bundle, steps: Sequence[Step]) -> Readings:
    """Read all logs of some steps of a bundle; each file once, however many steps name it."""
    (readings,) = read_logs_of_all([(bundle, steps)])
    return readings


def read_logs_of_all(
    bundles: Sequence[tuple[Bundle, Sequence[Step]]], processes: int = 1
) -> list[Readings]:
    """Read all logs of some steps of each bundle, all in the same processes."""
    logs = [log for bundle, steps in bundles for log in logs_of(bundle, steps)]
    whole = dict(zip(logs, read_each(logs, processes), strict=True))
    return [readings_of(bundle, steps, whole) for bundle, steps in bundles]


def logs_of(bundle: Bundle, steps: Sequence[Step]) -> list[LogFile]:
    """Return the logs that some steps of a bundle name, each once."""
    return list(dict.fromkeys(_log(bundle, step, name) for step in steps for name in step.logs))


def _log(bundle: Bundle, step: Step, name: str) -> LogFile:
    hint = step.formats.get(name)
    description = None
    if hint is not None and is_description(hint):
        description = DescriptionFile(bundle.directory / hint, bundle.shown(hint))
    return LogFile(bundle.directory / name, bundle.shown(name), description or hint)


def readings_of(
    bundle: Bundle, steps: Sequence[Step], whole: Mapping[LogFile, LogReading]
) -> Readings:
    """Return for each log the part of its reading that belongs to the step.

    Args:
        bundle: that the steps are of.
        steps: of the bundle, as corrections left them.
        whole: the readings of their logs, and of any others.
    """
    shared = Counter(name for step in bundle.steps for name in step.logs)
    return tuple(
        tuple(
            of_step(
                whole[_log(bundle, step, name)],
                step.name,
                bundle.shown(FILE_NAME),
                only_step=shared[name] == 1,
            )
            for name in step.logs
        )
        for step in steps
    )


def measurements(step: Step, readings: Sequence[LogReading]) -> dict[str, Measurement]:
    """Return the metrics of a step by name.

    A number of run.toml comes before one of a log, and an earlier log before a later one; one that
    was computed elsewhere comes last. Throughput is operations over seconds where nothing states
    it, or one over the time that an operation took.

    Args:
        step: of a bundle, patterns resolved.
        readings: of its logs, in their order.
    """
    found = {
        name: Measurement(metric.value, metric.unit, metric.better, FILE_NAME, 0)
        for name, metric in step.metrics.items()
        if not metric.file
    }
    for file, reading in zip(step.logs, readings, strict=True):
        for metric in reading.metrics:
            found.setdefault(intern(metric.name), measured(metric, file))
    for name, stated in step.metrics.items():
        if stated.file:
            found.setdefault(name, _computed_elsewhere(stated, stated.file))
    if "throughput" not in found and (rate := _derived_rate(step, found)):
        found["throughput"] = rate
    return found


def measured(metric: Metric, file: str) -> Measurement:
    """Return a metric of a log with the name of its file inside the bundle."""
    unit, note = intern(metric.unit), intern(metric.note)  # thousands of runs have the same
    return Measurement(metric.value, unit, metric.better, file, metric.line, note, metric.processes)


def _computed_elsewhere(metric: StatedMetric, file: str) -> Measurement:
    note = f"{ELSEWHERE}, for {metric.column}" if metric.column else ELSEWHERE
    return Measurement(metric.value, metric.unit, metric.better, file, metric.line or 0, note)


def _derived_rate(step: Step, found: Mapping[str, Measurement]) -> Measurement | None:
    unit, better, *_ = METRIC_NAMES["throughput"]
    if step.operations and step.seconds:
        return Measurement(step.operations / step.seconds, unit, better, FILE_NAME, 0)
    time = found.get("time_per_operation")
    if time is None or time.value <= 0:
        return None
    note = PER_TIME + (f", {time.note}" if time.note else "")
    rates = tuple(NANOSECONDS / each for each in time.processes if each > 0)
    return Measurement(NANOSECONDS / time.value, unit, better, time.file, time.line, note, rates)

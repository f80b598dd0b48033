"""Reads what the logs of a bundle say of its steps: throughput, work, and what is wrong."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from msgspec.structs import replace

from perfpress.base.display import plural
from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME, Step
from perfpress.input.logs.clients import clients_stated
from perfpress.input.logs.named_benchmarks import of_step
from perfpress.input.logs.read import format_of, read_log
from perfpress.input.logs.readings import LogReading

RATES = ("throughput", "time_per_operation")
"""Metrics of which a log has one for each of its steps."""

WORKLOAD = ("scaling factor", "query mode", "table size", "tables", "range", "rand type")
"""Facts of logs that must be equal where releases are compared."""


@dataclass(frozen=True)
class Findings:
    """What the logs of a bundle say of its steps."""

    rates: Mapping[str, float] = field(default_factory=dict)
    """Throughput by step, from the first log that has one above 0, or a table."""
    workloads: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What was measured, by step: facts such as the scaling factor."""
    problems: tuple[Problem, ...] = ()
    """Warnings: what is wrong with the logs of steps without throughput, and logs that state
    another number of clients than the run has."""


def findings_of(bundle: Bundle) -> Findings:
    """Return what the logs of a bundle say; of each step no log is read that adds nothing."""
    rates: dict[str, float] = {}
    workloads: dict[str, Mapping[str, str]] = {}
    problems: list[Problem] = []
    for step, readings in _readings(bundle):
        of_logs: list[Problem] = []
        for reading in readings:
            of_logs += reading.problems
            problems += _other_clients(bundle, reading)
            facts = dict(reading.facts)
            workloads[step.name] = {
                **{name: facts[name] for name in WORKLOAD if name in facts},
                **workloads.get(step.name, {}),
            }
            found = (each.value for each in reading.metrics if each.name == "throughput")
            if (rate := next(found, 0.0)) > 0:
                rates[step.name] = rate
                break
        stated = step.metrics.get("throughput")
        if stated and stated.value > 0:
            rates.setdefault(step.name, stated.value)
        if step.name not in rates:
            problems += (replace(each, severity="warning") for each in of_logs)
    return Findings(rates, workloads, tuple(dict.fromkeys(problems)))


def _readings(bundle: Bundle) -> Iterator[tuple[Step, Iterator[LogReading]]]:
    """Yield each step with what its logs say of it; a log is read when it is asked for."""
    shared = Counter(name for step in bundle.steps for name in step.logs)
    read = lru_cache(maxsize=8)(lambda name: read_log(bundle.directory / name, bundle.shown(name)))

    def of_logs(step: Step) -> Iterator[LogReading]:
        for name in step.logs:
            yield of_step(read(name), step.name, shown, only_step=shared[name] == 1)

    shown = bundle.shown(FILE_NAME)
    return ((step, of_logs(step)) for step in bundle.steps)


def _other_clients(bundle: Bundle, reading: LogReading) -> Iterator[Problem]:
    stated = clients_stated(reading)
    if stated and stated != bundle.run.clients:
        yield Problem(
            path=reading.file,
            found=f"of {plural(stated, 'client')}, and the map says "
            + (str(bundle.run.clients) if bundle.run.clients else "nothing"),
            expected="the same: releases are compared with the same number of clients",
            do=f"say clients = {stated} in the map, or {{clients}} in a match",
            severity="warning",
        )


def unread_logs(bundle: Bundle) -> Iterator[Problem]:
    """Yield the logs of steps that no reader knows, whatever they are called."""
    names = dict.fromkeys(name for step in bundle.steps for name in step.logs)
    for name in names:
        if not format_of(bundle.directory / name):
            yield Problem(
                path=bundle.shown(name),
                found="no reader knows what is in it",
                expected="a log of a known format, as its name says",
                do='look into it; as = "leave out" in the map says that it is none',
                severity="warning",
            )


def several_rates(bundle: Bundle) -> Iterator[Problem]:
    """Yield the steps of which several logs of one format have the rate: one would be lost."""
    for step in bundle.steps:
        by_format: dict[str | None, list[str]] = defaultdict(list)
        for name in step.logs if len(step.logs) > 1 else ():
            by_format[format_of(bundle.directory / name)].append(name)
        for names in by_format.values():
            if (
                len(names) > 1
                and len(own := [each for each in names if _has_rate(bundle, each)]) > 1
            ):
                yield Problem(
                    path=bundle.shown_as,
                    found=f"{own[0]} and {own[1]} are both of the step {shown_value(step.name)}",
                    expected="one log of a step in a run",
                    do="say in the map what distinguishes them: {step}, {repeat} or {axis_…}",
                )


def _has_rate(bundle: Bundle, name: str) -> bool:
    reading = read_log(bundle.directory / name, bundle.shown(name))
    single = [reading.metrics, *(each.metrics for each in reading.benchmarks)]
    return any(metric.name in RATES for metrics in single for metric in metrics)

"""Reads the throughput of the steps of a bundle: which are equal, which have several, and none."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
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


def rates_of(bundle: Bundle) -> Mapping[str, float]:
    """Return the throughput by step, from the first log that has one above 0, or a table."""
    rates: dict[str, float] = {}
    for step, readings in _readings(bundle):
        for reading in readings:
            found = (each.value for each in reading.metrics if each.name == "throughput")
            if (rate := next(found, 0.0)) > 0:
                rates[step.name] = rate
                break
        stated = step.metrics.get("throughput")
        if stated and stated.value > 0:
            rates.setdefault(step.name, stated.value)
    return rates


def _readings(bundle: Bundle) -> Iterator[tuple[Step, Iterator[LogReading]]]:
    """Yield each step with what its logs say of it; a log is read when it is asked for."""
    shared = Counter(name for step in bundle.steps for name in step.logs)
    read = lru_cache(maxsize=8)(lambda name: read_log(bundle.directory / name, bundle.shown(name)))
    shown = bundle.shown(FILE_NAME)
    for step in bundle.steps:
        yield (
            step,
            (
                of_step(read(name), step.name, shown, only_step=shared[name] == 1)
                for name in step.logs
            ),
        )


def silent_steps(bundle: Bundle, rates: Mapping[str, float]) -> Iterator[Problem]:
    """Yield what is wrong with the logs of steps that have no throughput, as warnings.

    Args:
        bundle: what was imported.
        rates: its throughput by step.
    """
    for step, readings in _readings(bundle):
        for reading in readings if step.name not in rates else ():
            yield from (replace(each, severity="warning") for each in reading.problems)


def other_clients(bundle: Bundle) -> Iterator[Problem]:
    """Yield the logs that state another number of clients than the run has: it is compared."""
    for name in dict.fromkeys(name for step in bundle.steps for name in step.logs):
        stated = clients_stated(read_log(bundle.directory / name, bundle.shown(name)))
        if stated and stated != bundle.run.clients:
            yield Problem(
                path=bundle.shown(name),
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

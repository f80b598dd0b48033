"""Gives the benchmarks of a log steps of their own, where its path says only one for all."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import Step
from perfpress.input.logs.named_benchmarks import of_step, step_name
from perfpress.input.logs.read import read_log


def benchmark_steps(bundle: Bundle, rates: Mapping[str, float]) -> tuple[Step, ...]:
    """Return the steps of a bundle with one for each benchmark of a log, as `workloada READ`.

    What the step has besides, captures and logs of the host, stays in it. Empty where no step
    changes.

    Args:
        bundle: what was imported.
        rates: its throughput by step; a step that has one needs no others.
    """
    steps: list[Step] = []
    for step in bundle.steps:
        own = () if step.name in rates else tuple(_of_benchmarks(bundle, step))
        of_own = {log for each in own for log in each.logs}
        logs = tuple(log for log in step.logs if log not in of_own)
        if not own or logs or step.captures:
            steps.append(replace(step, logs=logs))
        steps += own
    return tuple(steps) if len(steps) > len(bundle.steps) else ()


def _of_benchmarks(bundle: Bundle, step: Step) -> Iterator[Step]:
    for log in step.logs:
        reading = read_log(bundle.directory / log, bundle.shown(log))
        is_told = bool(of_step(reading, step.name, "", only_step=False).benchmarks)
        if len(reading.benchmarks) < 2 or is_told:
            continue
        for benchmark in reading.benchmarks:
            name = f"{step.name} {step_name(benchmark.name)}"
            yield Step(name=name, operation=step.operation, work=step.work, logs=(log,))

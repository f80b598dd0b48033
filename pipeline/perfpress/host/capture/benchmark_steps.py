"""Makes a step of each benchmark that a harness ran with one command."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from perfpress.base.slugs import slug
from perfpress.host.capture.host_counters import FILES
from perfpress.host.drafting.operations import USUAL, operation_of_formats
from perfpress.input.bundles.schema import Step, is_description
from perfpress.input.logs.named_benchmarks import step_name
from perfpress.input.logs.read import DescriptionFile, read_log
from perfpress.input.logs.readings import LogReading


def steps_of_benchmarks(step: Step, directory: Path) -> tuple[Step, ...]:
    """Return a step for each benchmark in a step's logs, named as the benchmark.

    The step itself is returned where its logs hold one benchmark, or one of its name, and where its
    captures or operations are of all benchmarks together. Counters of the host belong to none of
    several: they are removed.

    Args:
        step: as it was measured.
        directory: of the bundle.
    """
    if step.captures or step.operations or step.ended:
        return (step,)
    readings = {log: _reading(log, directory, step.formats) for log in step.logs}
    names_in = {
        log: [step_name(each.name) for each in read.benchmarks] for log, read in readings.items()
    }
    names = list(dict.fromkeys(name for each in names_in.values() for name in each))
    if len(names) < 2 or slug(step.name) in map(slug, names):
        return (step,)
    counters = [log for log in step.logs if Path(log).name in FILES]
    for log in counters:
        (directory / log).unlink()
    logs = [log for log in step.logs if log not in counters]
    usual = operation_of_formats({readings[log].format for log in logs if names_in[log]})
    steps = []
    for name in names:
        own = tuple(log for log in logs if name in names_in[log] or not names_in[log])
        formats = {log: step.formats[log] for log in own if log in step.formats}
        operation = usual if step.operation == USUAL else step.operation
        steps.append(replace(step, name=name, operation=operation, logs=own, formats=formats))
    return tuple(steps)


def _reading(log: str, directory: Path, formats: Mapping[str, str]) -> LogReading:
    given = formats.get(log)
    is_own = given is not None and is_description(given)
    hint = DescriptionFile(directory / given, given) if given and is_own else given
    return read_log(directory / log, log, hint)

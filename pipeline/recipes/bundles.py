"""Makes the bundles of a recipe: one run after the other, whatever fails."""

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem
from perfpress.build.progress import Progress
from perfpress.host.capture import bundle_writer, command_times, interruption
from perfpress.host.capture.machine import machine_facts
from perfpress.host.capture.step import MeasuredStep, StepRequest, measure
from perfpress.input.bundles import schema
from perfpress.input.bundles.discover import ADDING


@dataclass(frozen=True)
class Turn:
    """One run of a recipe."""

    title: str
    """Shown while it runs."""
    measure: Callable[[Path], schema.Run]
    """Measures it into a directory; start and machine are added to what it returns."""


def make_bundles(turns: Iterable[Turn], out: Path) -> list[Problem]:
    """Make runs in their order, place their bundles below `out`, return what went wrong.

    A run that failed leaves no bundle, and the others go on.
    """
    out.mkdir(parents=True, exist_ok=True)
    progress = Progress()
    problems: list[Problem] = []
    for turn in turns:
        progress.show(turn.title)
        try:
            with tempfile.TemporaryDirectory(dir=out, prefix=ADDING) as temporary:
                directory = Path(temporary) / "run"
                directory.mkdir()
                started = datetime.now(UTC).replace(microsecond=0)
                run = turn.measure(directory)
                machine = {**machine_facts(), **run.machine}
                run = msgspec.structs.replace(run, started=started, machine=machine)
                bundle_writer.write_bundle(run, directory)
                print(bundle_writer.place_bundle(directory, out), flush=True)
        except BadInput as failure:
            problems += failure.problems
    progress.end()
    return problems


def measure_step(request: StepRequest, directory: Path) -> MeasuredStep:
    """Measure a step.

    Raises:
        BadInput: it failed.
    """
    with interruption.noted() as asked_to_stop:
        measured = measure(request, directory, asked_to_stop)
    if asked_to_stop.signal is not None:
        raise KeyboardInterrupt
    if any(problem.severity == "error" for problem in measured.problems):
        raise BadInput(*measured.problems)
    print_problems(measured.problems)
    return measured


def without_host_counters(step: schema.Step, directory: Path) -> schema.Step:
    """Remove the counters of the whole host from a timed step: they count other programs too."""
    logs = tuple(log for log in step.logs if log.endswith(command_times.FILE))
    for log in {*step.logs} - {*logs}:
        (directory / log).unlink()
    return msgspec.structs.replace(step, logs=logs)

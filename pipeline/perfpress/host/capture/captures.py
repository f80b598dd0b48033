"""The captures of one step: recorded during its benchmark, then read and written for the bundle."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from perfpress.base.display import plural
from perfpress.base.problems import BadInput, Problem
from perfpress.host.capture import perf, profiler
from perfpress.host.capture.folding import Folder, write_capture
from perfpress.host.capture.profiler import Recording, Sampling
from perfpress.input.bundles import schema

FEWEST_CAPTURES = 3
"""With fewer, the noise between captures is unknown."""

READERS = 2
"""Captures that are read and folded at a time, once the benchmark is over."""


NO_CAPTURE = schema.Capture()


@dataclass(frozen=True)
class Profiling:
    """Which processes to profile during a step, and how."""

    sampling: Sampling
    """Its events are those that `perf.available_events` answered."""
    folder: Folder | None
    find_pids: Callable[[int], Sequence[int]] | None
    """Finds the processes, given the id of the benchmark's own; `None` profiles the whole host."""
    separate_run: bool = False
    """True where the run is made for its profile."""
    raw: Path | None = None
    """Where what perf recorded is kept on this host, as `perf script` text."""


@dataclass(frozen=True)
class StepCaptures:
    """The captures of a step as they are in the bundle."""

    files: tuple[Path, ...] = ()
    capture: schema.Capture = NO_CAPTURE
    problems: tuple[Problem, ...] = ()


def record(
    profiling: Profiling,
    recording: Recording,
    pid: int,
    stop: Event,
    directory: Path,
    progress: Callable[[str], None],
) -> None:
    """Record captures of the process `pid` into `directory`, and add them to `recording`."""
    find = profiling.find_pids
    made = profiler.record_captures(
        profiling.sampling, None if find is None else lambda: find(pid), stop, directory, progress
    )
    recording.captures += made.captures
    recording.problems += made.problems
    for problem in made.problems:
        # Not only in the end: that may be hours away.
        progress(f"no more captures: {problem}")


def captured(
    profiling: Profiling | None,
    recording: Recording,
    place: Path,
    step: str,
    is_cut: bool,
    progress: Callable[[str], None],
) -> StepCaptures:
    """Write the recorded captures of a step to `place`; report what fails.

    A step that was cut short gets no warning about too few captures.
    """
    if profiling is None:
        return StepCaptures()
    if recording.captures:
        progress(f"reading {plural(len(recording.captures), 'capture')}")
    sampling = profiling.sampling

    def read(numbered: tuple[int, Path]) -> tuple[perf.PerfCapture, list[Path]] | BadInput:
        number, data = numbered
        folder = profiling.folder if number > sampling.raw else None
        try:
            one = perf.recorded(data)
            return one, write_capture(one, f"perf.{number}", folder, place, profiling.raw)
        except BadInput as failure:
            return failure
        finally:
            data.unlink(missing_ok=True)

    with ThreadPoolExecutor(READERS) as readers:
        tried = list(readers.map(read, enumerate(recording.captures, start=1)))
    made = [each for each in tried if not isinstance(each, BadInput)]
    failures = [
        problem for each in tried if isinstance(each, BadInput) for problem in each.problems
    ]
    if profiling.raw is not None:
        with suppress(OSError):
            profiling.raw.rmdir()  # where nothing was kept
    files = tuple(path for _, paths in made for path in paths)
    events = sampling.events
    capture = schema.Capture(separate_run=profiling.separate_run)
    if files:
        capture = schema.Capture(
            event=events[0] if len(events) == 1 else None,
            frequency=sampling.frequency,
            seconds=sampling.seconds,
            scope="process" if profiling.find_pids else "host",
            separate_run=profiling.separate_run,
            lost=sum(one.lost for one, _ in made),
        )
    problems = [*recording.problems, *failures]
    held = sum(1 for _, paths in made if paths)
    if held < len(made):
        problems.append(_idle(step, held, len(made)))
    if (
        held < min(FEWEST_CAPTURES, sampling.captures or FEWEST_CAPTURES)
        and not problems
        and not is_cut
    ):
        problems.append(_too_few(step, held))
    return StepCaptures(files, capture, tuple(problems))


def _idle(step: str, held: int, taken: int) -> Problem:
    return Problem(
        path=step,
        found=f"{taken - held} of {plural(taken, 'capture')} without a sample, left out",
        expected="processes at work",
        do="see whether the right ones are profiled: --pid, --name, --backend",
        severity="warning" if held else "error",
    )


def _too_few(step: str, held: int) -> Problem:
    return Problem(
        path=step,
        found=f"{plural(held, 'capture')} before the benchmark ended",
        expected=f"{FEWEST_CAPTURES} or more, to measure their noise",
        do="let it run longer, or take shorter ones more often: --for, --every",
        severity="warning" if held else "error",
    )

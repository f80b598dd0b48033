"""Profiles running processes with perf, in several short captures.

Several short captures instead of one long one: their spread shows how far a share can be trusted,
and a disturbance spoils one of them only. Recording is all that happens while the benchmark runs;
the captures are read and folded after it.
"""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.host.capture import perf

FIND_SECONDS = 10.0
"""How long a process to profile may take to appear."""

FIRST_PAUSE = 5.0
"""Seconds from the start of one capture to the next, at first, where nobody says how many."""

FIRST_AFTER = 0.2
"""Of the pause: benchmarks connect first, and what serves them is there a moment later."""

MOST_SPREAD = 12
"""So many captures are spread over a run where nobody says how many."""

SPARE_BYTES = 1_000_000_000
"""Room on the disk that is left to the benchmark: no capture begins with less."""

FindPids = Callable[[], Sequence[int]]


@dataclass(frozen=True)
class Sampling:
    """How the captures of a step are taken."""

    events: tuple[str, ...] = (perf.DEFAULT_EVENT,)
    frequency: int = 199
    """Samples a second; a number that keeps out of step with timers of 100 or 1000 Hz."""
    call_graph: str = "dwarf,16384"
    """As `perf record --call-graph` takes it. `fp` costs less and needs frame pointers in every
    library: without them in libc a stack ends at the system call."""
    buffer: str = ""
    """Memory for each CPU's samples until perf has written them, as `perf record --mmap-pages`
    takes it; empty for perf's 512 KiB, all that a user without privileges may have."""
    seconds: float = 3.0
    """How long each capture lasts."""
    every: float | None = None
    """Seconds from the start of one capture to the start of the next, until the benchmark ends.
    `None` spreads the captures over the run, however long it is."""
    captures: int | None = None
    """At most so many."""
    raw: int = 0
    """So many captures, the first ones, go into the bundle as `perf script` text, not folded."""


@dataclass
class Recording:
    """What perf recorded during a benchmark."""

    captures: list[Path] = field(default_factory=list)
    """In the order of their times."""
    problems: list[Problem] = field(default_factory=list)
    """Why there are no more."""


def record_captures(
    sampling: Sampling,
    find_pids: FindPids | None,
    stop: Event,
    directory: Path,
    progress: Callable[[str], None] = lambda _: None,
) -> Recording:
    """Record captures into `directory` until the benchmark is over; return the recording.

    Processes are looked for again before each capture; without `find_pids` it is the whole host.
    A capture that the benchmark's end cut short is left out, so that all lasted equally long.

    Args:
        sampling: how.
        find_pids: the processes to profile.
        stop: set when the benchmark is over.
        directory: must exist.
        progress: called with each stage.
    """
    spread = _Spread(sampling)
    recording = Recording(spread.captures)
    taken = 0
    while not spread.is_full and not stop.wait(spread.seconds_left()):
        taken += 1
        data = directory / f"perf.{taken}.data"
        try:
            _check_room(directory)
            progress(f"capture {taken}")
            if not _record_one(sampling, find_pids, stop, data):
                break
        except BadInput as failure:
            recording.problems += failure.problems
            break
        spread.add(data)
    return recording


class _Spread:
    """When captures are taken, and which of them are kept.

    Nobody knows how long a benchmark will run. So where no pause was asked for, it is short at
    first; and whenever there are as many captures as wanted, every second one is dropped and the
    pause doubled. That leaves captures over the whole run, at equal distances, and never more.
    """

    def __init__(self, sampling: Sampling) -> None:
        self.captures: list[Path] = []
        self._fixed = sampling.every is not None
        self._most = sampling.captures or (None if self._fixed else MOST_SPREAD)
        self._pause = sampling.every or max(FIRST_PAUSE, 1.5 * sampling.seconds)
        self._begun = time.monotonic() + self._pause * FIRST_AFTER

    @property
    def is_full(self) -> bool:
        """Whether there will be no more."""
        return len(self.captures) == self._most

    def seconds_left(self) -> float:
        """Return how long it is to the next one."""
        return max(0.0, self._begun + len(self.captures) * self._pause - time.monotonic())

    def add(self, data: Path) -> None:
        """Keep a capture; make room for the next ones."""
        self.captures.append(data)
        if not self._fixed and self.is_full and len(self.captures) > 1:
            for dropped in self.captures[1::2]:
                dropped.unlink()
            del self.captures[1::2]
            self._pause *= 2


def _check_room(directory: Path) -> None:
    free = shutil.disk_usage(directory).free
    if free < SPARE_BYTES:
        raise bad_input(
            path=str(directory),
            found=f"{free / 1e6:.0f} MB free",
            expected=f"{SPARE_BYTES / 1e6:.0f} MB, for the next capture and the benchmark",
            do="write onto another disk (--out), or take fewer or shorter captures",
            severity="warning",
        )


def _record_one(sampling: Sampling, find_pids: FindPids | None, stop: Event, data: Path) -> bool:
    """Record one capture; return `False` where the benchmark ended first.

    perf fails, or ends early, when the processes that it follows end: pgbench connects once to look
    at its tables, before the connection that does the work. Then they are looked for again.
    """
    while True:
        pids = _wait_for_pids(find_pids, stop) if find_pids else ()
        if stop.is_set():
            return False
        status, answer = _perf_record(record_arguments(sampling, pids, data), stop)
        if status == 0 and not stop.is_set():
            return True
        data.unlink(missing_ok=True)
        if not stop.is_set() and (find_pids is None or list(find_pids()) == list(pids)):
            raise perf.failed("perf record", answer)


def _perf_record(arguments: Sequence[str], stop: Event) -> tuple[int, str]:
    """Run perf until it ends or the benchmark is over; return its status and its messages."""
    with tempfile.TemporaryFile() as answer:
        process = subprocess.Popen(
            ["perf", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=answer,
            process_group=0,
        )
        while process.poll() is None and not stop.wait(0.1):
            pass
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        answer.seek(0)
        return process.returncode, answer.read().decode("utf-8", "replace")


def record_arguments(sampling: Sampling, pids: Sequence[int], data: Path) -> tuple[str, ...]:
    """Return the arguments of perf for one capture.

    Without build ids: looking them up takes perf seconds at the end of each capture, while the
    benchmark runs, and serves only those who read the capture on another machine.
    """
    return (
        *("record", "--no-buildid", "--no-buildid-cache", "-e", ",".join(sampling.events)),
        *(*sampling_arguments(sampling), *target_arguments(pids), "-o", str(data)),
        *("--", "sleep", f"{sampling.seconds:g}"),
    )


def sampling_arguments(sampling: Sampling) -> tuple[str, ...]:
    """Return the arguments for frequency, call graph and buffer."""
    buffer = ("--mmap-pages", sampling.buffer) if sampling.buffer else ()
    return ("-F", str(sampling.frequency), "--call-graph", sampling.call_graph, *buffer)


def target_arguments(pids: Sequence[int]) -> tuple[str, ...]:
    """Return the arguments that name processes to perf; none are the whole host."""
    return ("-p", ",".join(map(str, pids))) if pids else ("-a",)


def _wait_for_pids(find_pids: FindPids, stop: Event) -> Sequence[int]:
    """Return the processes once there are any, or none where the benchmark ended first.

    Raises:
        BadInput: none appeared within `FIND_SECONDS`.
    """
    deadline = time.monotonic() + FIND_SECONDS
    while not (pids := find_pids()) and not stop.wait(0.05):
        if time.monotonic() > deadline:
            raise bad_input(
                path="profiler",
                found=f"no such process within {FIND_SECONDS:.0f} s",
                expected="a running process to profile",
                do="correct --pid, --name or --backend: ps -eo pid,comm,args",
            )
    return pids

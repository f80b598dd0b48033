"""Profiles running processes with perf, in several short captures.

Several short captures instead of one long one: their spread tells how far a share can be trusted,
and a disturbance spoils one of them only. Recording is all that happens while the benchmark runs;
the captures are read and folded after it.
"""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.problems import BadInput, Problem

DEFAULT_EVENT = "cycles"

FALLBACK_EVENT = "cpu-clock"
"""A timer of the kernel, taken for `DEFAULT_EVENT` where a machine has no hardware counters."""

FIND_SECONDS = 10.0
"""How long a process to profile may take to appear."""


@dataclass(frozen=True)
class Sampling:
    """How the captures of a step are taken."""

    event: str = DEFAULT_EVENT
    frequency: int = 199
    """Samples a second; a number that keeps out of step with timers of 100 or 1000 Hz."""
    call_graph: str = "dwarf,16384"
    """As `perf record --call-graph` takes it. `fp` costs less and needs frame pointers in every
    library: without them in libc a stack ends at the system call."""
    buffer: str = ""
    """Memory for each CPU's samples until perf has written them, as `perf record --mmap-pages`
    takes it; empty for perf's 512 KiB, all that a user without privileges may have."""
    captures: int = 4
    seconds: float = 3.0
    """How long each capture lasts."""
    every: float = 5.0
    """Seconds from the start of one capture to the start of the next."""
    raw: int = 0
    """So many captures, the first ones, stay `perf script` text and are not folded."""


@dataclass(frozen=True)
class Recorded:
    """One capture as perf wrote it."""

    data: Path
    event: str
    samples: int
    lost: int
    """Samples that did not fit into perf's buffer."""


def available_event(wanted: str) -> str:
    """Return the event that this machine samples when asked for `wanted`.

    The only reliable way to know is to record: perf itself takes `cpu-clock` for `cycles` where
    there is no counter, keeps silent about it, and names it in the file.

    Raises:
        BadInput: perf is not installed, or may not record.
    """
    if shutil.which("perf") is None:
        raise BadInput(
            Problem(
                path="perf",
                found="not installed",
                expected="the profiler perf",
                do="install it (Debian: apt-get install linux-perf) or leave --profile out",
            )
        )
    answer = ""
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory) / "perf.data"
        for event in (wanted, FALLBACK_EVENT) if wanted == DEFAULT_EVENT else (wanted,):
            tried = _perf("record", "-e", event, "-o", str(data), "--", "sleep", "0.1")
            if tried.returncode == 0:
                return event_of(data)
            answer = tried.stderr
    raise BadInput(
        Problem(
            path="perf record",
            found=" ".join(answer.split())[:300],
            expected=f"samples of {wanted}",
            do="see perf list; run as root, or: sysctl kernel.perf_event_paranoid=1",
        )
    )


def record_captures(
    sampling: Sampling,
    event: str,
    find_pids: Callable[[], Sequence[int]] | None,
    is_running: Callable[[], bool],
    directory: Path,
) -> list[Path]:
    """Record captures while a benchmark is running; return their files.

    Processes are looked for anew before each capture; without `find_pids` it is the whole host.
    A capture that the benchmark's end cut short is left out, so that all lasted equally long.

    Raises:
        BadInput: no process was found, or perf failed.
    """
    begun = time.monotonic()
    captures: list[Path] = []
    while len(captures) < sampling.captures:
        _wait_until(begun + len(captures) * sampling.every, is_running)
        data = directory / f"perf.{len(captures) + 1}.data"
        if not _record_one(sampling, event, find_pids, is_running, data):
            break
        captures.append(data)
    return captures


def _record_one(
    sampling: Sampling,
    event: str,
    find_pids: Callable[[], Sequence[int]] | None,
    is_running: Callable[[], bool],
    data: Path,
) -> bool:
    """Record one capture; return `False` where the benchmark ended first.

    perf fails, or ends early, when a process that it follows ends: pgbench connects once to look at
    its tables, before the connection that does the work. Then the processes are looked for again.
    """
    while True:
        pids = _wait_for_pids(find_pids, is_running) if find_pids else ()
        if not is_running():
            return False
        recorded = _perf(*record_arguments(sampling, event, pids, data))
        if recorded.returncode == 0 and is_running():
            return True
        data.unlink(missing_ok=True)
        if is_running() and (find_pids is None or find_pids() == pids):
            raise _failed("perf record", recorded.stderr)


def record_arguments(
    sampling: Sampling, event: str, pids: Sequence[int], data: Path
) -> tuple[str, ...]:
    """Return what perf is called with for one capture.

    Without build ids: looking them up takes perf seconds at the end of each capture, while the
    benchmark runs, and serves only those who read the capture on another machine.
    """
    target = ("-p", ",".join(map(str, pids))) if pids else ("-a",)
    buffer = ("--mmap-pages", sampling.buffer) if sampling.buffer else ()
    return (
        *("record", "--no-buildid", "--no-buildid-cache"),
        *("-e", event, "-F", str(sampling.frequency)),
        *("--call-graph", sampling.call_graph, *buffer, *target, "-o", str(data)),
        *("--", "sleep", f"{sampling.seconds:g}"),
    )


def _wait_for_pids(
    find_pids: Callable[[], Sequence[int]], is_running: Callable[[], bool]
) -> Sequence[int]:
    """Return the processes once there are any, or none where the benchmark ended first.

    Raises:
        BadInput: none appeared within `FIND_SECONDS`.
    """
    deadline = time.monotonic() + FIND_SECONDS
    while not (pids := find_pids()) and is_running():
        if time.monotonic() > deadline:
            raise BadInput(
                Problem(
                    path="profiler",
                    found=f"no such process within {FIND_SECONDS:.0f} s",
                    expected="a running process to profile",
                    do="name it by --pid, or by a text of its command line with --backend",
                )
            )
        time.sleep(0.05)
    return pids


def recorded(data: Path) -> Recorded:
    """Return what a file of perf says of itself.

    Raises:
        BadInput: perf cannot read it.
    """
    event = event_of(data)
    statistics = _perf("report", "--stats", "-i", str(data)).stdout
    return Recorded(
        data, event, event_count("SAMPLE", statistics), event_count("LOST_SAMPLES", statistics)
    )


def event_of(data: Path) -> str:
    """Return the event that a file of perf holds: `cpu-clock`, `cycles:u` as `cycles`."""
    listed = _perf("evlist", "-i", str(data))
    if listed.returncode != 0 or not listed.stdout.strip():
        raise _failed("perf evlist", listed.stderr)
    return listed.stdout.split()[0].partition(":")[0]


def event_count(kind: str, statistics: str) -> int:
    """Return how many samples `perf report --stats` counts under `kind`, over all events.

    Where the totals stand, with shares behind them, `LOST_SAMPLES` counts records instead; only the
    section of each event counts samples:

            LOST_SAMPLES events:          2  ( 0.0%)
        cpu-clock stats:
                  SAMPLE events:       5365
            LOST_SAMPLES events:        789
    """
    counts = re.findall(rf"^ *{kind} events: +(\d+)$", statistics, re.MULTILINE)
    return sum(map(int, counts))


def write_script(data: Path, text: Path) -> None:
    """Write a file of perf as `perf script` text.

    Inlined functions are not looked up: addr2line takes minutes for what perf script does in
    seconds, and the stacks of two releases compare as well without them. Where samples were lost a
    line says so, for those who get the text alone.

    Raises:
        BadInput: perf failed.
    """
    with text.open("wb") as lines:
        done = subprocess.run(
            ["perf", "script", "--no-inline", "--show-lost-events", "-i", data],
            stdin=subprocess.DEVNULL,
            stdout=lines,
            stderr=subprocess.PIPE,
            check=False,
        )
    if done.returncode != 0:
        raise _failed("perf script", done.stderr.decode("utf-8", "replace"))


def _wait_until(moment: float, is_running: Callable[[], bool]) -> None:
    while is_running() and (left := moment - time.monotonic()) > 0:
        time.sleep(min(left, 0.1))


def _perf(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["perf", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _failed(command: str, answer: str) -> BadInput:
    return BadInput(
        Problem(
            path=command,
            found=" ".join(answer.split())[:300] or "failed without a word",
            expected="a capture",
            do="run the same command by hand to see more",
        )
    )

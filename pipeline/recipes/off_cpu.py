"""Off-CPU time from context switches: the stack with which a thread left, and for how long.

perf samples `sched:sched_switch`, whose stacks are those of threads that leave a CPU, and records
without stacks when each thread is back. A sample and the next return of its thread make one wait.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from perfpress.host.capture import perf
from perfpress.host.capture.folding import Folder

from recipes.captures import Captures, folded

SECONDS = 0.2
"""Of a capture: a server switches 100,000 times a second, each with 8 KiB of stack."""

BUFFER = "256M"
"""For each CPU; it holds a whole capture, as perf gets no CPU in time to write it."""

EVENT = "off-cpu"

LEFT = re.compile(
    r"(?P<thread>.+?)\s+(?P<tid>\d+) \[\d+\] (?P<seconds>[\d.]+): +sched:sched_switch:"
)
"""`mysqld  9400 [000] 12489.558558: sched:sched_switch: prev_comm=mysqld …`"""

BACK = re.compile(r".+?\s+(?P<tid>\d+) \[\d+\] (?P<seconds>[\d.]+): PERF_RECORD_SWITCH IN")
"""`mysqld  9400 [000] 12489.558511: PERF_RECORD_SWITCH IN         `"""


def off_cpu(find_pid: Callable[[], int], call_graph: str, folder: Folder) -> Captures:
    """Return how a process's off-CPU time is captured; `call_graph` is perf's option."""

    def take() -> bytes:
        with tempfile.TemporaryDirectory() as directory:
            data = Path(directory) / "switches.data"
            _record(find_pid(), call_graph, data)
            return folded(_script(data), folder)

    return Captures("off-cpu.folded.gz", take, SECONDS)


def _record(pid: int, call_graph: str, data: Path) -> None:
    done = perf.call(
        *("record", "--no-buildid", "--no-buildid-cache", "-e", "sched:sched_switch"),
        *("--call-graph", call_graph, "--mmap-pages", BUFFER, "--switch-events"),
        *("-p", str(pid), "-o", str(data), "--", "sleep", f"{SECONDS:g}"),
    )
    if done.returncode != 0:
        raise perf.failed("perf record", done.stderr)


def _script(data: Path) -> str:
    shown = ("--show-switch-events", "--show-lost-events")
    done = perf.call("script", "--no-inline", *shown, "-i", str(data))
    if done.returncode != 0 or "PERF_RECORD_LOST" in done.stdout:
        raise perf.failed("perf script", done.stderr or "samples lost: waits would seem longer")
    return "".join(waits(done.stdout.splitlines()))


def waits(lines: Iterable[str]) -> Iterator[str]:
    """Yield each wait as a sample of `perf script`: a head, a line for each frame, an empty line.

    The weight is in nanoseconds. `lines` are those of `perf script --show-switch-events`.
    """
    waiting: dict[str, tuple[str, float, list[str]]] = {}
    stack: list[str] = []
    for line in lines:
        if line.startswith("\t"):
            stack.append(line)
        elif left := LEFT.match(line):
            stack = []
            waiting[left["tid"]] = (left["thread"].strip(), float(left["seconds"]), stack)
        elif (back := BACK.match(line)) and back["tid"] in waiting:
            thread, since, frames = waiting.pop(back["tid"])
            weight = round((float(back["seconds"]) - since) * 1e9)
            head = f"{thread} {back['tid']} [000] {since:.6f}: {weight} {EVENT}:"
            yield "\n".join([head, *frames, "", ""])

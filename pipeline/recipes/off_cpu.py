"""Off-CPU time from context switches: the stack with which a thread left, and for how long.

perf samples `sched:sched_switch`, whose stacks are those of threads that leave a CPU, and records
without stacks when each thread is back. A sample and the next return of its thread make one wait.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from perfpress.base.problems import bad_input
from perfpress.host.capture import perf
from perfpress.host.capture.folding import Folder

from recipes.captures import Captures, folded

BUFFER = "256M"
"""For each CPU; it holds a whole capture, as perf gets no CPU in time to write it."""

EVENT = "off-cpu"

LEFT = re.compile(
    r"(?P<thread>.+?)\s+(?P<tid>\d+) \[\d+\] +(?P<seconds>[\d.]+): +sched:sched_switch:"
)
"""`mysqld  9400 [000] 12489.558558: sched:sched_switch: prev_comm=mysqld …`

perf pads the time where the machine has been up for less than three hours."""

BACK = re.compile(r".+?\s+(?P<tid>\d+) \[\d+\] +(?P<seconds>[\d.]+): PERF_RECORD_SWITCH IN")
"""`mysqld  9400 [000] 12489.558511: PERF_RECORD_SWITCH IN         `"""


def off_cpu(
    find_target: Callable[[], str], call_graph: str, seconds: float, folder: Folder
) -> Captures:
    """Return how the off-CPU time of threads is captured.

    Args:
        find_target: returns perf's option that names a process or threads.
        call_graph: perf's option.
        seconds: of a capture.
        folder: folds it.
    """

    def take() -> Callable[[], bytes]:
        directory = tempfile.TemporaryDirectory()
        data = Path(directory.name) / "switches.data"
        _record(find_target(), call_graph, seconds, data)

        def content() -> bytes:
            with directory:
                return folded(written(_script(data), seconds), folder)

        return content

    return Captures("off-cpu.folded.gz", take, seconds)


def _record(target: str, call_graph: str, seconds: float, data: Path) -> None:
    done = perf.call(
        *("record", "--no-buildid", "--no-buildid-cache", "-e", "sched:sched_switch"),
        *("--call-graph", call_graph, "--mmap-pages", BUFFER, "--switch-events"),
        *(target, "-o", str(data), "--", "sleep", f"{seconds:g}"),
    )
    if done.returncode != 0:
        raise perf.failed("perf record", done.stderr)


def _script(data: Path) -> str:
    shown = ("--show-switch-events", "--show-lost-events")
    done = perf.call("script", "--no-inline", *shown, "-i", str(data))
    if done.returncode != 0 or "PERF_RECORD_LOST" in done.stdout:
        raise perf.failed("perf script", done.stderr or "samples lost: waits would seem longer")
    return done.stdout


def written(captured: str, seconds: float) -> str:
    """Return the waits of a capture as text.

    Args:
        captured: what `perf script --show-switch-events` prints.
        seconds: it took.

    Raises:
        BadInput: there are none.
    """
    text = "".join(waits(captured.splitlines()))
    if not text:
        raise bad_input(
            path="off-CPU time",
            found=f"no thread of the program left a CPU and came back within {seconds:g} s",
            expected="waits",
            do="record longer",
        )
    return text


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

"""Runs the command of a benchmark until it ends or is interrupted."""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from perfpress.host.capture.interruption import Interruption

STOP_SECONDS = 10.0
"""How long an interrupted benchmark may take to end before it is killed."""

LOOK_SECONDS = 0.2
"""How soon a signal is seen. The benchmark's own time does not depend on it."""


@dataclass(frozen=True)
class Ending:
    """How a benchmark ended."""

    seconds: float
    status: int | None
    """As subprocess gives it: negative for a signal; `None` where it could not be started."""
    stopped_by: signal.Signals | None = None
    """The signal on which it was stopped."""
    user: float = 0.0
    system: float = 0.0
    """Seconds of CPU of the command and of all whose end it waited for."""
    maxrss: int = 0
    """Most memory that one of them held, in the unit of getrusage(2); 0 where that is not known."""


def run_command(
    command: Sequence[str],
    log: Path,
    interruption: Interruption,
    alongside: Callable[[int, threading.Event], None],
) -> Ending:
    """Run a command, with its output and its errors at the end of `log`; return how it ended.

    The command is in a process group of its own, so that Ctrl-C reaches it through us only, and so
    that what a script has started ends with it.

    Args:
        command: the program and its arguments.
        log: added to.
        interruption: looked at while the command runs.
        alongside: called in a thread with the command's process id, and an event that stops it.
    """
    with log.open("ab") as output:
        try:
            process = _started(command, output)
        except OSError as error:
            output.write(f"{error.strerror}\n".encode())
            return Ending(0.0, None)
        begun = time.monotonic()
        over = threading.Event()
        ended_at, usage = [begun], []

        def watch() -> None:
            # subprocess has no way to the counts of one process.
            _, status, used = os.wait4(process.pid, 0)
            ended_at[0] = time.monotonic()
            process.returncode = os.waitstatus_to_exitcode(status)
            usage.append(used)
            over.set()

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        stop = threading.Event()
        accompanying = threading.Thread(target=alongside, args=(process.pid, stop))
        accompanying.start()
        while not over.wait(LOOK_SECONDS) and interruption.signal is None:
            pass
        stopped_by = None if over.is_set() else interruption.signal
        stop.set()
        if stopped_by is not None:
            _stop(process, stopped_by, over)
        watching.join()
        accompanying.join()
        [used] = usage
        # A process begins with the peak of the one that started it.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return Ending(
            seconds=ended_at[0] - begun,
            status=process.returncode,
            stopped_by=stopped_by,
            user=used.ru_utime,
            system=used.ru_stime,
            maxrss=used.ru_maxrss if used.ru_maxrss > own else 0,
        )


def _started(command: Sequence[str], output: BinaryIO) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        process_group=0,
    )


def _stop(process: subprocess.Popen[bytes], asked: signal.Signals, over: threading.Event) -> None:
    """Forward the signal, so that the benchmark can print its results; then kill it."""
    for number in (asked, signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        if over.wait(STOP_SECONDS):
            break
    # A script that has ended may leave behind what it started.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)

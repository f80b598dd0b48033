"""Finds the processes of a server by their command lines."""

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def pids_by_command_line(text: str, proc: Path = PROC) -> list[int]:
    """Return the ids of the processes whose command line holds `text`, in ascending order.

    PostgreSQL's server processes write what they do there:
    `postgres: bench bench [local] SELECT`. This process and those that it runs in are left out,
    for their own command lines hold the text that they were asked to look for.
    """
    ours = set(_ancestors(os.getpid(), proc))
    found = []
    for entry in proc.iterdir():
        if entry.name.isdecimal() and int(entry.name) not in ours and text in _command_line(entry):
            found.append(int(entry.name))
    return sorted(found)


def _command_line(process: Path) -> str:
    try:
        words = (process / "cmdline").read_bytes()
    except OSError:  # it has ended meanwhile
        return ""
    return words.replace(b"\0", b" ").decode("utf-8", "replace")


def _ancestors(pid: int, proc: Path) -> Iterator[int]:
    """Yield a process, its parent, and so on: `/proc/PID/stat` is `PID (name) state PARENT …`."""
    while pid > 0:
        yield pid
        try:
            status = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        pid = int(status.rpartition(")")[2].split()[1])

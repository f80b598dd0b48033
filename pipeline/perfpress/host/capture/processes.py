"""Finds processes: by a part of their command lines, by name, or by who started them."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from perfpress.base.groups import grouped

PROC = Path("/proc")

LONGEST_NAME = 15
"""Bytes of its name that the kernel keeps of a process."""


def pids_by_command_line(text: str, proc: Path = PROC) -> list[int]:
    """Return the ids of the processes whose command line holds `text`, in ascending order.

    PostgreSQL's server processes write what they do there:
    `postgres: bench bench [local] SELECT`. This process and those that it runs in are left out,
    for their own command lines hold the text that they were asked to look for.
    """
    return [pid for pid in _others(proc) if text in _command_line(proc / str(pid))]


def pids_by_name(name: str, proc: Path = PROC) -> list[int]:
    """Return the ids of the processes of that name, in ascending order; all servers of that kind.

    It is the name that `ps -o comm` and `pidof` use: `mysqld`, `postgres`.
    """
    short = name.encode()[:LONGEST_NAME].decode("utf-8", "ignore")
    return [pid for pid in _others(proc) if _read(proc / str(pid) / "comm") == f"{short}\n"]


def with_descendants(pids: Iterable[int], proc: Path = PROC) -> list[int]:
    """Return those of the processes that are there, with all that they have started."""
    running = [int(entry.name) for entry in proc.iterdir() if entry.name.isdecimal()]
    children = grouped(running, lambda pid: _parent(pid, proc))
    found: set[int] = set()
    waiting = [pid for pid in pids if pid in running]
    while waiting:
        pid = waiting.pop()
        if pid not in found and pid != os.getpid():
            found.add(pid)
            waiting += children.get(pid, ())
    return sorted(found)


def _others(proc: Path) -> list[int]:
    ours = set(_ancestors(os.getpid(), proc))
    pids = (int(entry.name) for entry in proc.iterdir() if entry.name.isdecimal())
    return sorted(pid for pid in pids if pid not in ours)


def _command_line(process: Path) -> str:
    return _read(process / "cmdline").replace("\0", " ")


def _ancestors(pid: int, proc: Path) -> Iterator[int]:
    """Yield a process, its parent, and so on."""
    while pid > 0:
        yield pid
        pid = _parent(pid, proc)


def _parent(pid: int, proc: Path) -> int:
    """Return the parent of a process, or 0: `/proc/PID/stat` is `PID (name) state PARENT …`.

    Names may hold spaces and parentheses.
    """
    words = _read(proc / str(pid) / "stat").rpartition(")")[2].split()
    return int(words[1]) if words else 0


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:  # it has ended meanwhile
        return ""

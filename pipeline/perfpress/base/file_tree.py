"""Files below a directory: which there are, and what changes when one of them does."""

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

SETTLED_AFTER = 2_000_000_000
"""Nanoseconds: the coarsest clock of a file system ticks that often."""


def regular_files(root: Path) -> Iterator[Path]:
    """Yield the files at or below `root`, however deep; no links, no pipes, no devices.

    A directory that cannot be listed, or is gone by then, has none.
    """
    if root.is_file():
        yield root
        return
    waiting = [root] if root.is_dir() else []
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)


def file_statuses(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files that `regular_files` does, as text below `root`, with what the system knows.

    A path object for each of a hundred thousand files takes longer than to ask for them.
    """
    if root.is_file():
        yield "", root.stat()
        return
    top = len(os.fspath(root)) + 1
    waiting = [os.fspath(root)] if root.is_dir() else []
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    with contextlib.suppress(FileNotFoundError):  # an editor's temporary file
                        yield entry.path[top:], entry.stat(follow_symlinks=False)


def tree_state(root: Path) -> str:
    """Return the hash of what changes when anything below a directory does; reads no file.

    Nobody can write a file and leave its time of change (`ctime`) alone.
    """
    state, _ = _state_and_newest(root)
    return state


def settled_state(root: Path) -> str | None:
    """Return `tree_state`, or None where something changed so lately that it may not show.

    A file that is written twice within a tick of the clock has one state and two contents.
    """
    now = time.time_ns()
    state, newest = _state_and_newest(root)
    return state if newest < now - SETTLED_AFTER else None


def _state_and_newest(root: Path) -> tuple[str, int]:
    """Return `tree_state`, and when the last file changed; holds one directory at a time."""
    state = hashlib.sha256()
    newest = 0
    waiting = [os.fspath(root)] if root.is_dir() else []
    while waiting:
        with os.scandir(waiting.pop()) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        facts: list[tuple[object, ...]] = []
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            name = entry.path
            if not name.isascii():
                name = os.fsencode(name).decode("latin-1")
            if stat.S_ISDIR(status.st_mode):
                waiting.append(entry.path)
                facts.append((name, status.st_mode))
            else:
                newest = max(newest, status.st_ctime_ns)
                times = (status.st_mtime_ns, status.st_ctime_ns)
                facts.append((name, status.st_mode, status.st_size, *times))
        state.update(msgspec.json.encode(facts))
    return state.hexdigest(), newest


def plain_name(path: Path, above: Path) -> str:
    """Return a path as text that can be encoded, also where its name is not UTF-8."""
    return os.fsencode(path.relative_to(above)).decode("latin-1")

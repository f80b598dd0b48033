"""Files below a directory: which there are, and what changes when one of them does."""

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

STATES = 2**128
"""How many there are of a tree."""

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


class Tree(NamedTuple):
    """The files below a directory, unread."""

    state: str
    """What changes when one of them does: a sum over directories, so that it is known of a tree
    after a change without a look at the others. Nobody can write a file and leave its time of
    change (`ctime`) alone."""
    sizes: dict[str, int]
    """Bytes, by path below the directory."""


def tree_of(root: Path) -> Tree:
    """Return the files below a directory; it holds nothing where there is none."""
    state = 0
    sizes: dict[str, int] = {}
    top = len(os.fspath(root)) + 1
    for _, facts in _directories(root):
        state += _state_of(facts)
        sizes |= {path[top:]: size for path, mode, size, *_ in facts if not stat.S_ISDIR(mode)}
    return Tree(_named(state), sizes)


def changed_tree(tree: Tree, root: Path, names: Sequence[str], change: Callable[[], None]) -> Tree:
    """Change files below a directory; return what is there then.

    Args:
        tree: what is there.
        root: the directory.
        names: paths below it of all files that the change writes or removes; others stay.
        change: does it.
    """
    files = [root / name for name in names]
    folders = {
        os.fspath(folder)
        for file in files
        for folder in file.parents
        if folder == root or folder.is_relative_to(root)
    }
    before = sum(_state_of(_facts_of(each)) for each in folders)
    change()
    after = sum(_state_of(_facts_of(each)) for each in folders)
    sizes = dict(tree.sizes)
    for name, file in zip(names, files, strict=True):
        sizes.pop(name, None)
        with contextlib.suppress(FileNotFoundError):
            sizes[name] = file.lstat().st_size
    return Tree(_named(int(tree.state, 16) + after - before), sizes)


def tree_state(root: Path) -> str:
    """Return the state of a file, or of what is below a directory, as `Tree` has it."""
    return _named(sum(_state_of(facts) for _, facts in _directories(root)))


def settled_state(root: Path) -> str | None:
    """Return `tree_state`, or None where something changed so lately that it may not show.

    A file that is written twice within a tick of the clock has one state and two contents.
    """
    settled = time.time_ns() - SETTLED_AFTER
    state = 0
    for _, facts in _directories(root):
        if any(changed >= settled for *_, changed in facts):
            return None
        state += _state_of(facts)
    return _named(state)


class Folder(NamedTuple):
    """A directory that holds files of its own."""

    state: str
    """As `tree_state` has it: of what is further below it, too."""
    is_settled: bool
    """Whether all that changed shows: see `settled_state`."""


def folders_below(root: Path) -> dict[str, Folder]:
    """Return the directories at or below one that hold files of their own, in order of paths."""
    states: dict[str, int] = {}
    newest: dict[str, int] = {}
    with_files = []
    settled = time.time_ns() - SETTLED_AFTER
    for directory, facts in _directories(root):
        state, latest = _state_of(facts), max((changed for *_, changed in facts), default=0)
        if any(not stat.S_ISDIR(mode) for _, mode, *_ in facts):
            with_files.append(directory)
        for above in _at_and_above(directory, os.fspath(root)):
            states[above] = states.get(above, 0) + state
            newest[above] = max(newest.get(above, 0), latest)
    return {
        each: Folder(_named(states[each]), newest[each] < settled) for each in sorted(with_files)
    }


def _at_and_above(directory: str, root: str) -> Iterator[str]:
    yield directory
    while directory != root:
        directory, _, _ = directory.rpartition(os.sep)
        yield directory


def _named(state: int) -> str:
    return f"{state % STATES:032x}"


_Fact = tuple[str, int, int, int, int]
"""Path, mode, size, and when contents and state changed in nanoseconds; of a directory the last are
its file system's, and 0 here."""


def _directories(root: Path) -> Iterator[tuple[str, list[_Fact]]]:
    """Yield the directories at or below `root`, and what is in each in the order of names.

    Of a file it yields that one.
    """
    if root.is_file():
        yield os.fspath(root), [_fact(os.fspath(root), root.stat())]
    waiting = [os.fspath(root)] if root.is_dir() else []
    while waiting:
        directory = waiting.pop()
        facts = _facts_of(directory)
        waiting += [path for path, mode, *_ in facts if stat.S_ISDIR(mode)]
        yield directory, facts


def _facts_of(directory: str) -> list[_Fact]:
    """Return what is in a directory; nothing where it is gone by then, or cannot be listed."""
    facts = []
    with contextlib.suppress(OSError), os.scandir(directory) as found:
        for entry in found:
            try:
                facts.append(_fact(entry.path, entry.stat(follow_symlinks=False)))
            except FileNotFoundError:  # an editor's temporary file
                continue
    return sorted(facts)


def _fact(path: str, status: os.stat_result) -> _Fact:
    if stat.S_ISDIR(status.st_mode):
        return path, status.st_mode, 0, 0, 0
    return path, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _state_of(facts: Sequence[_Fact]) -> int:
    """Return the part of a state that is of one directory."""
    if not all(path.isascii() for path, *_ in facts):
        facts = [
            (os.fsencode(path).decode("latin-1"), mode, size, written, changed)
            for path, mode, size, written, changed in facts
        ]
    return int.from_bytes(hashlib.sha256(msgspec.json.encode(facts)).digest()[:16]) if facts else 0


def plain_name(path: Path, above: Path) -> str:
    """Return a path as text that can be encoded, also where its name is not UTF-8."""
    return os.fsencode(path.relative_to(above)).decode("latin-1")

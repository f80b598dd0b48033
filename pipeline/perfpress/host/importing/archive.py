"""What an archive holds: its files, those that are junk, and the directories that are results."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from perfpress.base.problems import BadInput, Problem
from perfpress.host.importing.left_out import LeftOut
from perfpress.host.importing.result_tables import Number, ResultTable
from perfpress.input.bundles.safety import entries_below, shown_name, unfit_name
from perfpress.input.logs.text_lines import TextLines

MOST_FILES = 500_000
"""Of one archive: ten years of results have fewer."""

PACKED = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst")
"""How the name of a packed archive ends."""

JUNK = re.compile(r"\._.*|\.DS_Store|\.AppleDouble|__MACOSX|Thumbs\.db|desktop\.ini", re.DOTALL)
"""What file managers leave behind."""


UNREAD = re.compile(r"\.(?:7z|bz2|lz4|lzma|rar|Z|zip)$")
"""How files end that are compressed in a way that no reader knows."""

DRAWING = re.compile(r"\.svg(?:\.(?:gz|zst|xz))?$")
LARGEST_ERROR = 8192
"""Bytes; what is drawn where there were no stacks holds one sentence."""


@dataclass(frozen=True, order=True)
class File:
    """One file, by its path from the top of the archive or of a directory of results, with `/`."""

    name: str
    size: int


@dataclass(frozen=True)
class ResultDirectory:
    """What one execution of a benchmark left behind."""

    name: str
    """What the map calls it: its path inside the archive."""
    inside: str
    """What the names of `files` are below in the archive; empty at its top."""
    path: Path
    """What the names of `files` are relative to."""
    files: tuple[File, ...]
    numbers: tuple[Number, ...] = ()
    """What tables state of it; of one that only tables name there are no files."""

    def from_top(self, name: str) -> str:
        """Return the path of a file from the top of the archive on."""
        return f"{self.inside}/{name}" if self.inside else name


@dataclass(frozen=True)
class Archive:
    """One directory that the user named."""

    directories: tuple[ResultDirectory, ...]
    tables: tuple[ResultTable, ...]
    left_out: tuple[LeftOut, ...]


Home = Callable[[str], str | None]
"""Returns the directory of results that a file marks, from the file's path: `""` is the top, and
the path itself a result of a single file. `None` where the file marks none."""


ClientsOf = Callable[[str], int | None]
"""Returns the number of clients of a log by its path from the top of the archive on."""


ReadTable = Callable[[Path, str], ResultTable | None]
"""Reads a table of results by its path and the name to show; `None` where a file is none."""


def read_archive(
    root: Path, home: Home, read_table: ReadTable, why_not: Callable[[str], str]
) -> Archive:
    """Return what a directory holds. Links are never followed.

    Of files only small drawings are opened, and those in no directory of results.

    Args:
        root: the directory.
        home: returns where the directories of results are.
        read_table: reads a table of results.
        why_not: returns why a file outside of them is left out, by its name.

    Raises:
        BadInput: it holds more than any archive does.
    """
    left_out: list[LeftOut] = []
    files = list(_files(root, left_out))
    top = root.resolve().name
    directories, others = _grouped(root, top, files, home)
    tables: list[ResultTable] = []
    for name in others:
        table = read_table(root / name, name)
        if table is None:
            left_out.append(LeftOut(name, why_not(name)))
        else:
            tables.append(table)
            left_out += table.left_out
    return Archive(tuple(directories), tuple(tables), tuple(left_out))


def no_directory(path: Path) -> Problem:
    """Return the problem of a path that is no directory."""
    return Problem(
        path=str(path),
        found="a file",
        expected="a directory, or an archive .tar, .tar.gz, .tar.xz or .tar.zst",
        do="unpack it, and name the directory",
    )


def files_of(root: Path) -> list[str]:
    """Return the names of the files of a directory that may be imported."""
    return [file.name for file in _files(root, [])]


def _files(root: Path, left_out: list[LeftOut]) -> Iterator[File]:
    for count, (name, status, reason) in enumerate(entries_below(root, _reason)):
        if count >= MOST_FILES:
            found = f"more than {MOST_FILES} files and directories"
            raise BadInput(Problem(path=str(root), found=found, do="name smaller directories"))
        if reason:
            left_out.append(LeftOut(name, reason))
        elif stat.S_ISREG(status.st_mode):
            if status.st_size < LARGEST_ERROR and DRAWING.search(name) and _is_error(root / name):
                left_out.append(LeftOut(name, "the drawing of an error"))
            else:
                yield File(name, status.st_size)


def _reason(name: str, status: os.stat_result) -> str:
    return unwanted(name, status.st_mode, status.st_size)


def _is_error(path: Path) -> bool:
    """Return whether a drawing says "ERROR: No valid input provided to flamegraph.pl"."""
    try:
        return any("ERROR: " in line for line in islice(TextLines(path), 100))
    except OSError:
        return False


def unwanted(name: str, mode: int, size: int) -> str:
    """Return why a file or directory is not imported, whatever it holds; empty where it is."""
    if JUNK.fullmatch(name.rsplit("/", 1)[-1]):
        return "left by a file manager"
    if stat.S_ISLNK(mode):
        return "a link"
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return "no regular file"
    if unfit := unfit_name(name):
        return unfit
    if stat.S_ISREG(mode) and UNREAD.search(name):
        return "compressed in a way that is not read: unpack it, or use .gz, .xz or .zst"
    return "empty" if stat.S_ISREG(mode) and size == 0 else ""


def _grouped(
    root: Path, top: str, files: Sequence[File], home: Home
) -> tuple[list[ResultDirectory], list[str]]:
    """Return the directories of results with their files, and the names of the other files."""
    homes = {found for file in files if (found := home(file.name)) is not None}
    inside: dict[str, list[File]] = {each: [] for each in sorted(homes)}
    others: list[str] = []
    alone: set[str] = set()
    for file in files:
        at = next((each for each in _upwards(file.name) if each in homes), None)
        if at is None:
            others.append(file.name)
        elif at == file.name:
            alone.add(at)
            inside[at].append(File(PurePosixPath(at).name, file.size))
        else:
            inside[at].append(File(file.name[len(at) :].lstrip("/"), file.size))
    inside_of = {each: each.rpartition("/")[0] if each in alone else each for each in homes}
    directories = [
        ResultDirectory(
            name=each or shown_name(top),
            inside=inside_of[each],
            path=root / inside_of[each],
            files=tuple(sorted(group)),
        )
        for each, group in inside.items()
        if group  # else all files that mark it are in directories below it
    ]
    return directories, others


def _upwards(name: str) -> Iterator[str]:
    """Yield a path and the directories above it, innermost first."""
    yield name
    while "/" in name:
        name = name.rsplit("/", 1)[0]
        yield name
    yield ""


def merged(archives: Iterable[Archive]) -> Archive:
    """Return several archives as one, its directories of results by name.

    Raises:
        BadInput: two directories have one name: the map could not distinguish them.
    """
    archives = tuple(archives)
    by_name: dict[str, ResultDirectory] = {}
    for archive in archives:
        for directory in archive.directories:
            other = by_name.setdefault(directory.name, directory)
            if other.path.resolve() != directory.path.resolve():
                raise BadInput(
                    Problem(
                        path=str(directory.path),
                        found=f"called {shown_name(directory.name)}, as {other.path} is",
                        expected="directories of different names",
                        do="import them one after the other: each has a map of its own",
                    )
                )
    return Archive(
        tuple(by_name[name] for name in sorted(by_name)),
        tuple(table for archive in archives for table in archive.tables),
        tuple(each for archive in archives for each in archive.left_out),
    )

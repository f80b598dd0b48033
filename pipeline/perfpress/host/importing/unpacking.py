"""Reads archives: directories of results, or .tar files, unpacked as far as that is safe."""

import io
import shutil
import stat
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from perfpress.base.disk import temporary_directory
from perfpress.base.limits import LIMITS
from perfpress.base.problems import BadInput, Problem
from perfpress.host.importing.archive import (
    MOST_FILES,
    PACKED,
    ResultDirectory,
    merged,
    no_directory,
    read_archive,
    unwanted,
)
from perfpress.host.importing.computed import with_numbers
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.left_out import LeftOut
from perfpress.input.bundles.safety import path_problem, unfit_name
from perfpress.input.logs.text_lines import TextLines

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_BYTES = 50_000_000_000
"""Unpacked: ten years of logs have less. Small archives may unpack to less, as files of bundles."""


def open_archives(
    archives: Sequence[Path], unpacked: ExitStack
) -> tuple[list[Path], list[LeftOut]]:
    """Return the directories of archives, and what of packed ones is left out.

    Args:
        archives: directories, or .tar files.
        unpacked: holds the temporary directories into which .tar files are unpacked.

    Raises:
        BadInput: one is not there, or is damaged.
    """
    roots: list[Path] = []
    left_out: list[LeftOut] = []
    for path in archives:
        if not path.exists():
            do = "correct the name"
            raise BadInput(Problem(path=str(path), found="no such directory", do=do))
        root = path
        if is_packed(path):
            above = unpacked.enter_context(temporary_directory("perfpress-import-"))
            root = above / (plain_name(path) or "archive")
            root.mkdir()
            left_out += unpack(path, root)
        elif not path.is_dir():
            raise BadInput(no_directory(path))
        roots.append(root)
    return roots, left_out


def read_archives(
    roots: Sequence[Path], kind: ArchiveKind
) -> tuple[list[ResultDirectory], list[LeftOut]]:
    """Return what directories hold of a kind of archive, and what of it is left out.

    Raises:
        BadInput: one cannot be read.
    """
    whole = merged(read_archive(root, kind.home, kind.read_table, kind.why_not) for root in roots)
    directories, doubtful = with_numbers(kind, whole)
    return directories, [*whole.left_out, *doubtful]


def study_name(first: Path, directories: Sequence[ResultDirectory], kind: ArchiveKind) -> str:
    """Return a name for the study: the directory that holds those of results."""
    if is_packed(first):
        return plain_name(first)
    resolved = first.resolve()
    is_result = any(
        each.path.resolve() == resolved and _is_of_one_release(each, kind) for each in directories
    )
    return resolved.parent.name if is_result else resolved.name


def _is_of_one_release(directory: ResultDirectory, kind: ArchiveKind) -> bool:
    """Return whether a directory is called as its release, and not only its files are."""
    rules = (kind.rule(file.name) for file in directory.files)
    return any(rule and "{release}" not in rule.match for rule in rules)


def is_packed(path: Path) -> bool:
    """Return whether a path is one of a file to unpack."""
    return path.name.endswith(PACKED) and path.is_file()


def plain_name(path: Path) -> str:
    """Return the name of an archive without its ending."""
    ending = max((each for each in PACKED if path.name.endswith(each)), key=len, default="")
    return path.name.removesuffix(ending)


def unpack(packed: Path, target: Path) -> list[LeftOut]:
    """Write the plain files of an archive below a directory; return what was left out, and why.

    Raises:
        BadInput: it is damaged, is not an archive, or unpacks to more than any archive holds.
        OSError: there is no room for it.
    """
    left_out: list[LeftOut] = []
    source = TextLines(packed)
    total = 0
    most = min(MOST_BYTES, max(packed.stat().st_size * LIMITS.ratio, LIMITS.ratio_from_bytes))
    try:
        with tarfile.open(
            fileobj=io.BufferedReader(_Stream(source.blocks())), mode="r|"
        ) as archive:
            for count, member in enumerate(archive):
                total += member.size
                if count >= MOST_FILES or total > most:
                    raise BadInput(_too_much(packed, most))
                name = member.name.removeprefix("./").rstrip("/")
                if reason := _refused(member, name):
                    left_out.append(LeftOut(name, reason))
                elif member.isfile() and not _write(archive, member, target / name):
                    left_out.append(LeftOut(name, "a second file of that name"))
    except (tarfile.TarError, EOFError) as error:
        raise BadInput(_damaged(packed, source.broken or str(error))) from error
    if source.broken:
        raise BadInput(_damaged(packed, source.broken))
    return left_out


def _refused(member: tarfile.TarInfo, name: str) -> str:
    """Say why a member is not unpacked; an empty text where it is, or is a directory."""
    if member.isdir():
        return ""
    if not member.isfile():
        return "a link" if member.issym() or member.islnk() else "no regular file"
    if path_problem(name):
        return "a path that leads elsewhere"
    parts = name.split("/")
    above = (unfit_name("/".join(parts[:depth])) for depth in range(1, len(parts)))
    return next(filter(None, above), "") or unwanted(name, stat.S_IFREG, member.size)


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> bool:
    """Write a file; return whether its name was free."""
    content = archive.extractfile(member)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            if content is not None:
                shutil.copyfileobj(content, file)
    except (FileExistsError, NotADirectoryError):
        return False
    return True


class _Stream(io.RawIOBase):
    """Blocks of bytes as a file to read from."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._block = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill a buffer as far as the block at hand reaches, which may expand to megabytes."""
        while not self._block:
            following = next(self._blocks, None)
            if following is None:
                return 0
            self._block = memoryview(following)
        target = memoryview(buffer)
        count = min(len(target), len(self._block))
        target[:count] = self._block[:count]
        self._block = self._block[count:]
        return count


def _too_much(packed: Path, most: int) -> Problem:
    found = f"more than {MOST_FILES} files, or than {most / 1e9:.1f} GB unpacked"
    return Problem(path=str(packed), found=found, do="unpack it, and import parts of it")


def _damaged(packed: Path, why: str) -> Problem:
    expected = "a whole archive: " + ", ".join(PACKED)
    do = "copy it again; or unpack what can be read, and name the directory: tar -xf FILE"
    return Problem(path=str(packed), found=why, expected=expected, do=do)

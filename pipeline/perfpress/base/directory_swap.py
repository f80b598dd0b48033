"""Replaces a directory, or some files in it, atomically."""

import filecmp
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from perfpress.base.disk import flush, make_public, remove, temporary_directory
from perfpress.base.file_tree import regular_files

REMOVED = ".removed.json"
"""What is gone, beside the new files."""


@contextmanager
def replacing(final: Path) -> Iterator[Path]:
    """Give an empty directory that takes the place of `final` when the block ends well.

    What an earlier build left behind that died in here is put in order first. One process at a time
    may replace a directory.
    """
    restore_interrupted(final)
    with temporary_directory(f".{final.name}.new-", final.parent) as staging:
        yield staging
        make_public(staging)
        flush(staging)  # or a power cut after the renames leaves empty files in their place
        old = _aside(final)
        if final.exists():
            final.rename(old)
        staging.rename(final)
    remove(old)


def update(final: Path, new: Path, removed: Iterable[str]) -> None:
    """Put new files in their places in a directory, and remove others; leave equal files alone.

    A process that is killed meanwhile leaves a list of what is left to do, and
    `restore_interrupted` does it.

    Args:
        final: the directory.
        new: a directory beside it with the files, which is gone afterwards.
        removed: paths of files below the directory, there or not.
    """
    for path in list(regular_files(new)):
        same = final / path.relative_to(new)
        if same.is_file() and filecmp.cmp(path, same, shallow=False):
            path.unlink()
    (new / REMOVED).write_bytes(msgspec.json.encode(sorted(removed)))
    make_public(new)
    flush(new)
    new.rename(_pending(final))
    _finish_update(final)


def restore_interrupted(final: Path) -> None:
    """Put the last good site back, where a build died between the two renames."""
    old = _aside(final)
    if old.exists() and not final.exists():
        old.rename(final)
    remove(old)
    _finish_update(final)


def _finish_update(final: Path) -> None:
    pending = _pending(final)
    if final.is_dir() and (pending / REMOVED).is_file():
        for name in msgspec.json.decode((pending / REMOVED).read_bytes(), type=list[str]):
            remove_file(final, name)
        for folder, _, names in os.walk(pending):
            place = final / Path(folder).relative_to(pending)
            if not place.is_dir():
                place.mkdir()
                place.chmod(0o755)
            for name in names:
                if name != REMOVED:
                    (Path(folder) / name).replace(place / name)
    remove(pending)


def remove_file(final: Path, name: str) -> None:
    """Remove a file below a directory, and the directories that are empty without it."""
    path = final / name
    if path.is_file():
        path.unlink()
    for folder in path.parents:
        if folder == final or not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()


def _aside(final: Path) -> Path:
    return final.with_name(f".{final.name}.old")


def _pending(final: Path) -> Path:
    return final.with_name(f".{final.name}.update")

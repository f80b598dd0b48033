"""Puts a finished directory in the place of the last one: whole, or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perfpress.base.disk import flush, make_public, remove, temporary_directory


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
        flush(staging)  # or a power cut after the renames leaves empty files in place of the old
        old = _aside(final)
        if final.exists():
            final.rename(old)
        staging.rename(final)
    remove(old)


def restore_interrupted(final: Path) -> None:
    """Put the last good site back, where a build died between the two renames."""
    old = _aside(final)
    if old.exists() and not final.exists():
        old.rename(final)
    remove(old)


def _aside(final: Path) -> Path:
    return final.with_name(f".{final.name}.old")

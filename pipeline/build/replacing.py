"""Puts a finished directory in the place of the last one: whole, or not at all."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.build.cache import key_of


@contextmanager
def one_at_a_time(locks: Path, directory: Path) -> Iterator[None]:
    """Wait for other builds that write the same directory."""
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / key_of(str(directory))[:16]).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def replacing(final: Path) -> Iterator[Path]:
    """Give an empty directory that takes the place of `final` when the block ends well."""
    final.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{final.name}.new-", dir=final.parent))
    try:
        yield staging
        staging.chmod(0o755)
        old = _aside(final)
        if final.exists():
            final.rename(old)
        staging.rename(final)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def restore_interrupted(final: Path) -> None:
    """Put the last good site back, where a build died between the two renames."""
    old = _aside(final)
    if old.exists() and not final.exists():
        old.rename(final)
    shutil.rmtree(old, ignore_errors=True)
    for staging in final.parent.glob(f".{final.name}.new-*"):
        shutil.rmtree(staging, ignore_errors=True)


def _aside(final: Path) -> Path:
    return final.with_name(f".{final.name}.old")

"""Files and directories that survive a killed process and a power cut."""

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_directory(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """Give a new directory, removed when the block ends.

    A process that is killed leaves its directory behind, and with it no lock: the next call with
    the same prefix and parent removes it.
    """
    above = parent or Path(tempfile.gettempdir())
    above.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(above, prefix)
    directory, lock = _locked_directory(above, prefix)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        os.close(lock)


def _locked_directory(above: Path, prefix: str) -> tuple[Path, int]:
    while True:
        directory = Path(tempfile.mkdtemp(prefix=prefix, dir=above))
        try:
            lock = os.open(directory, os.O_RDONLY)
        except FileNotFoundError:  # another process took it for abandoned already
            continue
        with contextlib.suppress(OSError):  # some network file systems lock no directories
            fcntl.flock(lock, fcntl.LOCK_EX)
        if directory.exists():  # else another process took it for abandoned before it was locked
            return directory, lock
        os.close(lock)


def _remove_abandoned(above: Path, prefix: str) -> None:
    with os.scandir(above) as entries:
        found = [entry.path for entry in entries if entry.name.startswith(prefix)]
    for path in found:
        with contextlib.suppress(OSError):  # in use, or another user's
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


def remove(path: Path) -> None:
    """Remove whatever is at a path, if anything."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def flush(directory: Path) -> None:
    """Write a directory with all its files to the disk: a power cut does not empty them."""
    for folder, _, files in os.walk(directory, topdown=False):
        regular = [name for name in files if _is_regular(Path(folder) / name)]
        for name in (*regular, "."):
            file = os.open(Path(folder) / name, os.O_RDONLY)
            try:
                os.fsync(file)
            finally:
                os.close(file)


def _is_regular(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


def make_public(directory: Path) -> None:
    """Let everybody read a directory with all its files, whatever the umask."""
    for folder, _, files in os.walk(directory):
        _set_mode(Path(folder), 0o755)
        for name in files:
            _set_mode(Path(folder) / name, 0o644)


def _set_mode(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)

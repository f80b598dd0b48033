"""Writes files with names from elsewhere into a directory, and nowhere else."""

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def new_file(directory: Path, name: str) -> BinaryIO:
    """Open a new file below a directory; directories on the way to it are made.

    Each part of the name is opened in the directory before it, so that neither a name nor a link
    that somebody puts there meanwhile leads elsewhere.

    Raises:
        OSError: the name leads elsewhere, or the file is there.
    """
    *above, last = name.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in (*above, last)):
        raise OSError(f"a name that leads elsewhere: {name!r}")
    here = os.open(directory, _DIRECTORY)
    try:
        for part in above:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=here)
            inner = os.open(part, _DIRECTORY, dir_fd=here)
            os.close(here)
            here = inner
        return os.fdopen(os.open(last, _NEW, 0o644, dir_fd=here), "wb")
    finally:
        os.close(here)

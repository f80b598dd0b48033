"""Turns errors of the operating system into problems with advice."""

import errno

from perfpress.base.problems import Problem

ADVICE = {
    errno.EACCES: "let it be read and written, or name another place",
    errno.EPERM: "let it be read and written, or name another place",
    errno.EROFS: "name another place: nothing can be written there",
    errno.EEXIST: "remove what is there, or name another place",
    errno.ENOENT: "correct the name, or make the directory first",
    errno.ENOTDIR: "name a directory: there is a file on the way",
    errno.EISDIR: "name a file: it is a directory",
    errno.ENOSPC: "make room, or name another disk",
    errno.EDQUOT: "make room, or name another disk",
    errno.EFBIG: "allow larger files (ulimit -f), or name another disk",
    errno.EIO: "the disk or the network fails: see the system's log",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "close other programs: the system has no open file left",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def system_problem(error: OSError, path: str) -> Problem:
    """Return an error of the operating system as a problem with advice.

    Args:
        error: as it was raised.
        path: what was being written or read, where the error does not say it: `write` does not.
    """
    return Problem(
        path=str(error.filename or path),
        found=error.strerror or str(error),
        do=ADVICE.get(error.errno or 0, "see whether the name is right, and the disk"),
    )

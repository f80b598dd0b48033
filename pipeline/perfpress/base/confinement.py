"""Confines this process for good: it reads a few directories, and reaches nothing else.

Linux calls it Landlock (landlock(7)), from 5.13 on; other systems leave a process as it is. What it
may not do depends on the version of the system: write, remove and run files and look into other
processes (always), use TCP (6.7), send signals (6.12).
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, on every architecture."""
ASK_VERSION = 1
BELOW_PATH = 1
READ_FILE, READ_DIRECTORY = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights to files a version knows; later ones 16."""
TCP_RIGHTS, TCP_SINCE = 0b11, 4
SCOPES, SCOPES_SINCE = 0b11, 6
"""Abstract sockets and signals to processes outside."""
NO_NEW_PRIVILEGES = 38
"""Of prctl(2): what is asked for first, so that no program gets rights back."""


def can_confine() -> bool:
    """Return whether this system can confine a process."""
    return _version() > 0


def confine_this_process(readable: Iterable[Path]) -> None:
    """Let this process, and all that it starts, read these files and directories and no others.

    Raises:
        OSError: the system can confine a process, and did not.
    """
    version = _version()
    if version <= 0:
        return
    rights = (1 << FILE_RIGHTS.get(version, 16)) - 1
    asked = struct.pack(
        "=QQQ",
        rights,
        TCP_RIGHTS if version >= TCP_SINCE else 0,
        SCOPES if version >= SCOPES_SINCE else 0,
    )
    rules = _call(CREATE_RULESET, asked, len(asked), 0)
    try:
        for path in readable:
            _allow(rules, path)
        if _libc().prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
        _call(RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path) -> None:
    try:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rights = READ_FILE | (READ_DIRECTORY if path.is_dir() else 0)
        _call(ADD_RULE, rules, BELOW_PATH, struct.pack("=Qi", rights, file), 0)
    finally:
        os.close(file)


def _version() -> int:
    if sys.platform != "linux":
        return 0
    return int(_libc().syscall(CREATE_RULESET, None, 0, ASK_VERSION))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *words: object) -> int:
    done = int(_libc().syscall(number, *words))
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done

"""Runs the commands of a recipe, servers as a user without privileges."""

import os
import pwd
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from perfpress.base.problems import BadInput, Problem

UNPRIVILEGED = ("postgres", "nobody")
"""Whom a server runs as where this program runs as root: servers refuse to run as root."""


@dataclass(frozen=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int

    def own(self, directory: Path) -> Path:
        """Make a directory of this user, and return it."""
        directory.mkdir(parents=True, exist_ok=True)
        os.chown(directory, self.uid, self.gid)
        return directory

    def command(self, *words: str | Path) -> tuple[str, ...]:
        """Return a command that runs as this user."""
        become = ("runuser", "-u", self.name, "--") if os.geteuid() == 0 else ()
        return (*become, *map(str, words))


def server_account() -> Account:
    """Return the user that servers run as: the current one, or an unprivileged one for root.

    Raises:
        BadInput: root has no unprivileged user to run a server as.
    """
    if os.geteuid() != 0:
        current = pwd.getpwuid(os.geteuid())
        return Account(current.pw_name, current.pw_uid, current.pw_gid)
    for name in UNPRIVILEGED:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(found.pw_name, found.pw_uid, found.pw_gid)
    raise BadInput(
        Problem(
            path="user",
            found="root only",
            expected=f"one of the users {', '.join(UNPRIVILEGED)}, to run the server as",
            do="add one (useradd --system postgres), or run this as another user",
        )
    )


def run(words: Sequence[str | Path], environment: Mapping[str, str] = MappingProxyType({})) -> str:
    """Run a command; return what it printed.

    Raises:
        BadInput: it failed.
    """
    command = tuple(map(str, words))
    plain = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**plain, **environment},
        cwd="/",  # the caller's directory may be closed to the server's user
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise BadInput(
            Problem(
                path=command[0],
                found=" ".join(done.stdout.split())[-300:] or f"status {done.returncode}",
                expected="success",
                do=f"run it by hand: {shlex.join(command)}",
            )
        )
    return done.stdout

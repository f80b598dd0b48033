"""Sets up PostgreSQL servers, starts and stops them."""

import os
import pwd
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from perfpress.base.problems import BadInput, Problem

FILES = Path(__file__).parent
"""Where the settings and the SQL files of this recipe are."""

SUPERUSER = "bench"
DATABASE = "bench"
SCALE = 10
"""Of pgbench: a million accounts, 150 MB with their index."""

UNPRIVILEGED = ("postgres", "nobody")
"""Whom the server runs as where this program runs as root: it refuses to run as root itself."""


@dataclass(frozen=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int


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


@dataclass(frozen=True)
class Host:
    """Where servers run, and as whom."""

    account: Account
    directory: Path
    """Data directories and the socket are made here."""
    cpu: int
    """The only CPU that server and client may use."""

    @classmethod
    def create(cls, directory: Path, cpu: int) -> "Host":
        """Return a host whose directory exists and belongs to the account."""
        account = server_account()
        directory.mkdir(parents=True, exist_ok=True)
        os.chown(directory, account.uid, account.gid)
        return cls(account, directory, cpu)

    def as_account(self, *command: str | Path) -> None:
        """Run a command as the server's user, on the CPU set apart.

        Raises:
            BadInput: it failed.
        """
        pinned = ("taskset", "-c", str(self.cpu), *map(str, command))
        become = ("runuser", "-u", self.account.name, "--") if os.geteuid() == 0 else ()
        _run((*become, *pinned))

    def as_client(self, *command: str | Path) -> str:
        """Run a client of the server; return what it printed.

        Raises:
            BadInput: it failed.
        """
        return _run(
            tuple(map(str, command)),
            {"PGHOST": str(self.directory), "PGUSER": SUPERUSER, "PGDATABASE": DATABASE},
        )

    def psql(self, *arguments: str | Path) -> str:
        """Run psql without any start-up file, stopping at the first error.

        Raises:
            BadInput: it failed.
        """
        return self.as_client("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *arguments)


def prepare(host: Host, server: Path, data: Path) -> None:
    """Make a data directory with all tables that the steps use, and leave the server stopped.

    Raises:
        BadInput: a command failed.
    """
    shutil.rmtree(data, ignore_errors=True)
    # Checksums are the default since 18; here they are on in all releases.
    host.as_account(
        *(server / "bin" / "initdb", "-D", data, "-U", SUPERUSER, "--auth=trust"),
        *("--encoding=UTF8", "--no-locale", "--data-checksums"),
    )
    shutil.copyfile(FILES / "postgresql.conf", data / "postgresql.conf")
    with running(host, server, data):
        host.psql("-d", "postgres", "-c", f"CREATE DATABASE {DATABASE}")
        host.as_client("pgbench", "-i", "-q", "-s", str(SCALE))
        host.psql("-f", FILES / "prepare.sql")


@contextmanager
def running(host: Host, server: Path, data: Path) -> Iterator[None]:
    """Run a server on a data directory while the block runs.

    Raises:
        BadInput: it does not start.
    """
    control = (server / "bin" / "pg_ctl", "-D", data, "-w", "-s")
    log = host.directory / "server.log"
    host.as_account(*control, "-l", log, "-o", f"-k {shlex.quote(str(host.directory))}", "start")
    try:
        yield
    finally:
        host.as_account(*control, "-m", "fast", "stop")


@contextmanager
def running_on_copy(host: Host, server: Path, data: Path) -> Iterator[None]:
    """Run a server on a fresh copy of a prepared data directory, with all of it in memory.

    Every run begins with the same files, whatever the runs before it wrote.

    Raises:
        BadInput: it does not start.
    """
    copy = host.directory / "running"
    shutil.rmtree(copy, ignore_errors=True)
    host.as_account("cp", "-a", data, copy)
    os.sync()  # or the copy is written to the disk while the first step is measured
    with running(host, server, copy):
        host.psql("-f", FILES / "warm.sql")
        yield
    shutil.rmtree(copy, ignore_errors=True)


def _run(words: Sequence[str], environment: Mapping[str, str] = MappingProxyType({})) -> str:
    plain = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    done = subprocess.run(
        words,
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
                path=words[0],
                found=" ".join(done.stdout.split())[-300:] or f"status {done.returncode}",
                expected="success",
                do=f"run it by hand: {shlex.join(words)}",
            )
        )
    return done.stdout

"""Sets up PostgreSQL servers, starts and stops them."""

import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from recipes import accounts
from recipes.accounts import Account

FILES = Path(__file__).parent
"""Where the settings and the SQL files of this recipe are."""

SUPERUSER = "bench"
DATABASE = "bench"
SCALE = 10
"""Of pgbench: a million accounts, 150 MB with their index."""


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
        account = accounts.server_account()
        return cls(account, account.own(directory), cpu)

    def as_account(self, *command: str | Path) -> None:
        """Run a command as the server's user, on the CPU set apart.

        Raises:
            BadInput: it failed.
        """
        accounts.run(self.account.command("taskset", "-c", str(self.cpu), *command))

    def as_client(self, *command: str | Path) -> str:
        """Run a client of the server; return what it printed.

        Raises:
            BadInput: it failed.
        """
        return accounts.run(
            command,
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
    accounts.run(("sync",))  # or the copy is written to the disk while the first step is measured
    with running(host, server, copy):
        host.psql("-f", FILES / "warm.sql")
        yield
    shutil.rmtree(copy, ignore_errors=True)

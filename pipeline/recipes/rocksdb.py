"""RocksDB of several releases, fetched and unpacked.

They come from Maven Central, where RocksDB publishes its builds for Java. The library inside, with
its symbols and frame pointers, also exports the C interface, so that a program in C can load it.
"""

import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from recipes import accounts
from recipes.downloads import Download, fetch

REPOSITORY = "https://repo1.maven.org/maven2/org/rocksdb/rocksdbjni"
LIBRARY = "librocksdbjni-linux64.so"


@dataclass(frozen=True)
class Release:
    """A release of RocksDB."""

    version: str
    sha256: str

    @property
    def download(self) -> Download:
        """The archive that holds it."""
        name = f"rocksdbjni-{self.version}-linux64.jar"
        return Download(f"{REPOSITORY}/{self.version}/{name}", self.sha256)

    @property
    def tools(self) -> dict[str, str]:
        """What a bundle says of it."""
        return {"rocksdb_artifact": f"{self.download.file_name} sha256 {self.sha256}"}


ROCKSDB_6 = Release("6.28.2", "79497b6ee607d78340c9f45a0c64d3b0a4e34896433caba780d2e67c7e1f588c")
ROCKSDB_8 = Release("8.11.4", "dd4b5ec55462060e40c0583881971c37a00f4555dd0b555e830f733f6e70a3f3")
ROCKSDB_10 = Release("10.10.1", "fda4a26cd4ea229636c5379ed41d827ce119a99c404fab94d9f863783c9ccb18")


def install(release: Release, work: Path) -> Path:
    """Return the library of a release, after downloading and unpacking it if need be.

    Raises:
        BadInput: the download failed or is not what was expected.
    """
    library = work / "servers" / release.version / LIBRARY
    if not library.exists():
        jar = fetch(release.download, work / "downloads")
        library.parent.mkdir(parents=True, exist_ok=True)
        part = library.with_suffix(".part")
        with (
            zipfile.ZipFile(jar) as archive,
            archive.open(LIBRARY) as inner,
            part.open("wb") as out,
        ):
            shutil.copyfileobj(inner, out)
        part.rename(library)
    return library


def compile_program(source: Path, program: Path) -> None:
    """Compile a load generator, with frame pointers as the library has them.

    Raises:
        BadInput: the compiler failed.
    """
    options = ("-O2", "-g", "-Wall", "-Wextra", "-fno-omit-frame-pointer")
    accounts.run(("gcc", *options, "-o", program, source, "-lpthread", "-ldl"))

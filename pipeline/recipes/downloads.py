"""Downloads files that are pinned by checksum, and unpacks archives safely."""

import hashlib
import shutil
import tarfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from perfpress.base.problems import BadInput, Problem

TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Download:
    """A file on the web, with the checksum that it must have."""

    url: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The last part of its address."""
        return self.url.rpartition("/")[2]


def fetch(download: Download, directory: Path) -> Path:
    """Return the path of a downloaded file, after downloading it if need be.

    Raises:
        BadInput: the server does not answer with the file, or it is another than expected.
    """
    path = directory / download.file_name
    if not path.exists():
        _download(download.url, path)
    _check_sha256(path, download.sha256)
    return path


def _download(url: str, path: Path) -> None:
    """Download a file; it is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer, part.open("wb") as out:
            shutil.copyfileobj(answer, out)
    except (urllib.error.URLError, TimeoutError) as error:
        do = f"download it by other means, to {path}"
        raise BadInput(Problem(path=url, found=str(error), expected="a file", do=do)) from error
    part.rename(path)


def _check_sha256(path: Path, expected: str) -> None:
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


def extract(archive: tarfile.TarFile, directory: Path, source: Path) -> None:
    """Unpack an archive into a new directory.

    Raises:
        BadInput: it would write outside the directory; `source` is the file to name.
    """
    directory.mkdir()
    for member in archive:
        if not _is_harmless(member):
            raise BadInput(
                Problem(
                    path=str(source),
                    found=f"{member.name!r} leads out of the archive, or is no plain file",
                    expected="files, directories, and links among them",
                    do="do not use this file",
                )
            )
        # Owners and times are those of now: the archive's mean nothing on this machine.
        archive.extract(member, directory, set_attrs=False)
        if not member.issym():
            (directory / member.name).chmod(member.mode & 0o755)


def _is_harmless(member: tarfile.TarInfo) -> bool:
    if member.issym():
        return _stays_below(member.name) and _stays_below(member.linkname)
    return (member.isreg() or member.isdir()) and _stays_below(member.name)


def _stays_below(path: str) -> bool:
    """Return whether a path neither begins at the root nor climbs anywhere."""
    return not path.startswith("/") and ".." not in PurePosixPath(path).parts

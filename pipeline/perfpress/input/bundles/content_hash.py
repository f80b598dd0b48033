"""The hash that names a run: over the names and bytes of all its files."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

ID_DIGITS = 8
"""Hexadecimal digits of the content hash in a run id."""


class FileFact(msgspec.Struct, frozen=True, order=True):
    """One file of a bundle."""

    name: str
    """Its path inside the bundle, with `/`."""
    size: int
    sha256: str


def file_fact(directory: Path, name: str) -> FileFact:
    """Return the size and checksum of a file.

    Raises:
        OSError: the file cannot be read.
    """
    path = directory / name
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileFact(name, path.stat().st_size, digest)


def content_hash(files: Iterable[FileFact]) -> str:
    """Return a hash over names and contents, the same whatever the order of the files."""
    listing = "".join(
        f"{file.sha256} {len(file.name)} {file.name}\n"
        for file in sorted(files, key=lambda file: file.name)
    )
    return hashlib.sha256(listing.encode()).hexdigest()


def run_id(started: datetime | None, hash_of_content: str) -> str:
    """Return the name of a run: `20230901-100000-1a2b3c4d`, or `undated-1a2b3c4d`."""
    when = started.astimezone(UTC).strftime("%Y%m%d-%H%M%S") if started else "undated"
    return f"{when}-{hash_of_content[:ID_DIGITS]}"

"""Derived files, kept under the hash of everything they were made from.

A stage is a pure function of its inputs, its options and its own code; the hash of the three names
the directory that holds what it made. Nothing is ever changed in place: a directory is filled under
a temporary name and renamed, so a build that dies leaves no half result and two builds may share a
cache.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from pipeline.bundle.safety import LIMITS

ROOT = Path(__file__).resolve().parents[2]
"""The checkout that this package runs from."""


@dataclass(frozen=True)
class Artifact:
    """A file, and the hash of what it was made from (of its bytes, where nothing made it)."""

    path: Path
    key: str


def key_of(*parts: object) -> str:
    """Return the hash of plain data (numbers, text, lists, mappings in whatever order)."""
    encoded = msgspec.json.encode(parts, order="sorted")
    return hashlib.sha256(encoded).hexdigest()


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_hash(roots: Iterable[Path], suffixes: tuple[str, ...] = ()) -> str:
    """Return the hash of names and bytes of the files below `roots` that have a suffix given."""
    entries = [
        (_plain_name(path, root.parent), _known_by(path))
        for root in roots
        for path in regular_files(root)
        if not suffixes or path.suffix in suffixes
    ]
    return key_of(sorted(entries))


def _known_by(path: Path) -> str:
    """Return the hash of a file; of one that no bundle may hold, what can be told without reading.

    A file of 20 GB of holes takes no room, and a minute to read.
    """
    status = path.stat()
    if status.st_size > LIMITS.file_bytes:
        return f"{status.st_size} bytes at {status.st_mtime_ns}"
    return file_hash(path)


def regular_files(root: Path) -> Iterator[Path]:
    """Yield the files at or below `root`, however deep; no links, no pipes, no devices."""
    if root.is_file():
        yield root
        return
    waiting = [root] if root.is_dir() else []
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)


def _plain_name(path: Path, above: Path) -> str:
    """Return a path as text that can be encoded, also where its name is no UTF-8."""
    return os.fsencode(path.relative_to(above)).decode("latin-1")


@cache
def python_version_key() -> str:
    """Return the hash of the pipeline's Python code and of the versions it depends on."""
    return tree_hash([ROOT / "pipeline", ROOT / "uv.lock"], (".py", ".lock"))


@cache
def node_version_key() -> str:
    """Return the hash of the pipeline's JavaScript and of the versions it depends on."""
    return tree_hash([ROOT / "pipeline", ROOT / "package-lock.json"], (".js", ".css", ".json"))


class Cache:
    """A directory of derived directories, `<stage>/<key>/`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def directory(self, stage: str, key: str) -> Path:
        """Return where the stage's result for this key is, or would be."""
        return self.root / stage / key[:2] / key

    @contextmanager
    def filling(self, stage: str, key: str) -> Iterator[Path]:
        """Give a new directory to fill; it gets its final name only when the block ends well."""
        with self.working() as directory:
            yield directory
            self.keep(directory, stage, key)

    @contextmanager
    def working(self) -> Iterator[Path]:
        """Give a new directory, which is removed in the end unless it is kept."""
        self.root.mkdir(parents=True, exist_ok=True)
        directory = Path(tempfile.mkdtemp(prefix=".working-", dir=self.root))
        try:
            yield directory
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def keep(self, directory: Path, stage: str, key: str) -> None:
        """Give a working directory its final name."""
        final = self.directory(stage, key)
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            directory.rename(final)
        except OSError:
            # Another build made the same result first; its bytes are the same.
            if not final.is_dir():
                raise

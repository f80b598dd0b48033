"""Derived files, kept under the hash of everything they were made from.

A stage is a pure function of its inputs, its options and its own code; the hash of the three names
the entry that holds what it made. Nothing is ever changed in place: a directory is filled under
a temporary name and renamed, so a build that dies leaves no half result and two builds may share a
cache. An entry lists the checksums of its files, and whoever asks for one gets it whole or not at
all: a damaged entry is removed, and made again by who needs it. That covers power cuts too, so
nothing here waits for the disk.
"""

import contextlib
import fcntl
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from perfpress.base.cache_limits import collect_on_disk
from perfpress.base.checkout import ROOT
from perfpress.base.disk import temporary_directory
from perfpress.base.file_tree import plain_name, regular_files
from perfpress.base.limits import LIMITS
from perfpress.base.shared_cache import SharedCache

if TYPE_CHECKING:
    from perfpress.base.cluster import Cluster

CHECKSUMS = "checksums.json"
"""Every file of an entry but this one, and the key of the entry."""
VALUE = "value.msgpack"
"""The only file of an entry that holds a value."""

LONGEST_BUILD = 6 * 3600.0
"""Seconds in which a build, here or in another process, uses what it found."""

Value = TypeVar("Value")


class Checksum(msgspec.Struct, frozen=True):
    """What a file has to be."""

    size: int
    sha256: str


class Checksums(msgspec.Struct, frozen=True):
    """What an entry holds when it is whole."""

    key: str
    files: Mapping[str, Checksum]


@dataclass(frozen=True)
class Artifact:
    """A file, and the hash of what it was made from."""

    path: Path
    key: str


@dataclass(frozen=True)
class SourceFile(Artifact):
    """A file that somebody else writes; its key is the hash of its bytes when it was found."""

    def is_unchanged(self) -> bool:
        """Return whether the file still holds these bytes."""
        try:
            return file_hash(self.path) == self.key
        except OSError:
            return False


def key_of(*parts: object) -> str:
    """Return the hash of plain data (numbers, text, lists, mappings in whatever order)."""
    encoded = msgspec.json.encode(parts, order="sorted")
    return hashlib.sha256(encoded).hexdigest()


def file_state(path: Path) -> tuple[int, ...]:
    """Return what changes when a file is written or replaced; nothing where there is none.

    A file that was gone for a moment has the same bytes again, and another state.
    """
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_hash(roots: Iterable[Path], suffixes: tuple[str, ...] = ()) -> str:
    """Return the hash of names and bytes of the files below `roots` that have a suffix given."""
    entries = [
        (plain_name(path, root.parent), _known_by(path))
        for root in roots
        for path in regular_files(root)
        if not suffixes or path.suffix in suffixes
    ]
    return key_of(sorted(entries))


def _known_by(path: Path) -> str:
    """Return the hash of a file; of one that no bundle may hold, of its metadata.

    A file of 20 GB of holes takes no room, and a minute to read.
    """
    status = path.stat()
    if status.st_size > LIMITS.file_bytes:
        return f"{status.st_size} bytes at {status.st_mtime_ns}"
    return file_hash(path)


@cache
def python_version_key() -> str:
    """Return the hash of the pipeline's Python code and of the versions it depends on."""
    return tree_hash([ROOT / "pipeline", ROOT / "uv.lock"], (".py", ".lock"))


@cache
def node_version_key() -> str:
    """Return the hash of the pipeline's JavaScript and of the versions it depends on."""
    return tree_hash([ROOT / "pipeline", ROOT / "package-lock.json"], (".js", ".css", ".json"))


class Cache:
    """A directory of entries, `<stage>/<first digits>/<key>/`.

    Those whose key is of what they were made from, and not of this machine's files, may come from
    a shared cache: who needs some has them brought first, and sends what was not there.
    """

    def __init__(self, root: Path, shared: SharedCache | None = None) -> None:
        self.root = root
        self.shared = shared
        self.cluster: Cluster | None = None
        """Machines that fill the shared cache."""
        self._opened = time.time()

    def bring(self, stage: str, keys: Iterable[str]) -> None:
        """Copy what other machines have made of some entries; damage is found by `find`."""
        wanted = [key for key in dict.fromkeys(keys) if not self._entry(stage, key).is_dir()]
        if self.shared is None or not wanted:
            return
        with self.working() as above:
            self.shared.bring({entry_name(stage, key): above / key for key in wanted})
            for key in wanted:
                if (above / key).is_dir():
                    self._put(above / key, stage, key)

    def send(self, stage: str, keys: Iterable[str], again: bool = True) -> None:
        """Copy entries to other machines.

        Args:
            stage: that made them.
            keys: of entries; there may be none of some, where a defect has made nothing.
            again: copy also what is there already: entries that were just made were not, or are
                damaged there.
        """
        if self.shared is not None:
            entries = {entry_name(stage, key): self._entry(stage, key) for key in keys}
            here = {name: entry for name, entry in entries.items() if entry.is_dir()}
            self.shared.send(here, again)

    def find(self, stage: str, key: str) -> Path | None:
        """Return the directory of an entry, or None where there is none; remove a damaged one."""
        entry = self._entry(stage, key)
        if not os.path.lexists(entry):  # what another build puts there now is no damage
            return None
        if _is_whole(entry, key):
            with contextlib.suppress(OSError):  # a cache that may only be read
                os.utime(entry)
            return entry
        self._remove(entry)
        return None

    def keep(self, directory: Path, stage: str, key: str) -> Path:
        """Make a directory of files, without folders, an entry; return where it is then."""
        seal(directory, key)
        return self._put(directory, stage, key)

    def _put(self, directory: Path, stage: str, key: str) -> Path:
        entry = self._entry(stage, key)
        self._make_directory(entry.parent)
        try:
            directory.rename(entry)
        except OSError:  # another build has made the same entry, or something is in the way
            if self.find(stage, key) is None:
                directory.rename(entry)
        return entry

    @contextmanager
    def working(self) -> Iterator[Path]:
        """Give a new directory on the disk of the cache, removed in the end."""
        with temporary_directory(".working-", self.root) as directory:
            yield directory

    def find_value(self, stage: str, key: str, of_type: type[Value]) -> Value | None:
        """Return the value of an entry; None where there is none, or one of another shape.

        Keys of a site's own state do not hold the version of the code that wrote it.
        """
        encoded = self._find_encoded(stage, key)
        if encoded is None:
            return None
        try:
            return msgspec.msgpack.decode(encoded, type=of_type, dec_hook=_path)
        except msgspec.DecodeError:
            return None

    def keep_value(self, stage: str, key: str, value: object) -> None:
        """Make a value an entry, in the place of another one.

        A remark in a report's front matter changes what a site was made from, and no file of it.
        An entry that is the same stays: another build may be reading it.
        """
        encoded = msgspec.msgpack.encode(value, enc_hook=os.fspath)
        known = self._find_encoded(stage, key)
        if known == encoded:
            return
        if known is not None:
            self._remove(self._entry(stage, key))
        with self.working() as directory:
            (directory / VALUE).write_bytes(encoded)
            self.keep(directory, stage, key)

    def _find_encoded(self, stage: str, key: str) -> bytes | None:
        entry = self.find(stage, key)
        try:
            return (entry / VALUE).read_bytes() if entry else None
        except FileNotFoundError:  # another build puts a new value in its place
            return None

    def collect(self) -> None:
        """Remove entries that are too old or too many; none that this build or another uses."""
        collect_on_disk(self.root, time.time(), self._opened - LONGEST_BUILD)
        if self.shared is not None:
            self.shared.collect()

    @contextmanager
    def one_at_a_time(self, directory: Path) -> Iterator[None]:
        """Wait for other builds that write the same directory."""
        locks = self.root / "locks"
        self._make_directory(locks)
        lock = locks / key_of(str(directory))[:16]
        if os.path.lexists(lock) and (lock.is_symlink() or not lock.is_file()):
            self._remove(lock)
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _entry(self, stage: str, key: str) -> Path:
        return self.root / entry_name(stage, key)

    def _make_directory(self, directory: Path) -> None:
        """Make a directory of the cache; what is in its way is damage."""
        for each in (*reversed(directory.relative_to(self.root).parents), directory):
            path = self.root / each
            try:
                path.mkdir(parents=True, exist_ok=True)
            except FileExistsError:
                self._remove(path)
                path.mkdir(exist_ok=True)

    def _remove(self, path: Path) -> None:
        """Remove damage at once: another build never sees an entry that is half removed."""
        if os.path.lexists(path):
            with self.working() as aside, contextlib.suppress(FileNotFoundError):
                path.rename(aside / path.name)


@contextmanager
def shared_by_machines(root: Path, address: str | None) -> Iterator[Cache]:
    """Give a cache that is shared at an address, if there is one."""
    if address is None:
        yield Cache(root)
    else:
        with SharedCache(address) as shared:
            yield Cache(root, shared)


def entry_name(stage: str, key: str) -> str:
    """Return where an entry is, below the root of a cache."""
    return f"{stage}/{key[:2]}/{key}"


def seal(directory: Path, key: str) -> Checksums:
    """Write the checksums of all files of a directory: it can be an entry."""
    checksums = Checksums(key, {path.name: _checksum(path) for path in directory.iterdir()})
    (directory / CHECKSUMS).write_bytes(msgspec.json.encode(checksums))
    return checksums


def _is_whole(entry: Path, key: str) -> bool:
    """Return whether an entry holds exactly the files of its list, unchanged."""
    try:
        if entry.is_symlink():
            return False
        with os.scandir(entry) as found:
            files = {each.name: each.is_file(follow_symlinks=False) for each in found}
        if not all(files.values()) or not files.pop(CHECKSUMS, False):
            return False
        checksums = msgspec.json.decode((entry / CHECKSUMS).read_bytes(), type=Checksums)
        return (
            checksums.key == key
            and files.keys() == checksums.files.keys()
            and all(_is_as_before(entry / name, each) for name, each in checksums.files.items())
        )
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False


def _path(of_type: type[Path], value: str) -> Path:
    return of_type(value)


def _checksum(path: Path) -> Checksum:
    return Checksum(path.stat().st_size, file_hash(path))


def _is_as_before(path: Path, checksum: Checksum) -> bool:
    # The size first: a file may have become one that nobody wants to read to its end.
    return path.stat().st_size == checksum.size and file_hash(path) == checksum.sha256

"""Jobs for another machine: as bytes, with files by what they are and not by where they are.

A task names the cache that machines share. The files that its jobs read are entries there, and so
is what they make. Captures, which no stage made, are sent as entries by their checksum.
"""

import io
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from perfpress.base.cache import (
    Artifact,
    Cache,
    SourceFile,
    entry_name,
    seal,
    shared_by_machines,
)
from perfpress.base.checkout import NODE_PACKAGES
from perfpress.base.disk import temporary_directory
from perfpress.base.node.messages.message import Output, plain

SOURCES = "sources"
"""The stage of files that no stage made."""
SOURCE = "source"
"""The only file of such an entry."""

KeyedJobs = Sequence[tuple[str, Any]]
"""Jobs by their keys."""


def files_of(jobs: KeyedJobs) -> list[Artifact]:
    """Return the files that jobs read."""
    files: list[Artifact | Output] = []
    for _, job in jobs:
        plain(job.request, files.append)
    return [file for file in files if isinstance(file, Artifact)]


def share_inputs(cache: Cache, jobs: KeyedJobs) -> None:
    """Copy what jobs read to the other machines, as far as it is not there."""
    assert cache.shared is not None
    entries: dict[str, Path] = {}
    with cache.working() as above:
        for file in files_of(jobs):
            if isinstance(file, SourceFile):
                name, directory = entry_name(SOURCES, file.key), above / file.key
                if name not in entries:
                    directory.mkdir()
                    (directory / SOURCE).symlink_to(file.path)
                    if seal(directory, file.key).files[SOURCE].sha256 == file.key:
                        entries[name] = directory
            else:
                entry = file.path.parent
                entries[entry.relative_to(cache.root).as_posix()] = entry
        cache.shared.send(entries, again=False)


def packed(cache: Cache, script: Path, jobs: KeyedJobs) -> bytes:
    """Return jobs as a task."""
    assert cache.shared is not None
    buffer = io.BytesIO()
    task = (script.relative_to(NODE_PACKAGES).as_posix(), tuple(jobs))
    _Pickler(buffer, cache).dump(task)
    return msgspec.msgpack.encode((cache.shared.address, buffer.getvalue()))


@contextmanager
def unpacked(task: bytes) -> Iterator[tuple[Cache, Path, KeyedJobs]]:
    """Give a task's jobs with the files that they read, in a cache that is removed in the end."""
    address, pickled = msgspec.msgpack.decode(task, type=tuple[str, bytes])
    with (
        temporary_directory("perfpress-task-") as root,
        shared_by_machines(root, address) as cache,
    ):
        unpickler = _Unpickler(io.BytesIO(pickled), cache)
        script, jobs = unpickler.load()
        for stage, keys in unpickler.wanted.items():
            cache.bring(stage, keys)
            for key in keys:
                if cache.find(stage, key) is None:
                    raise FileNotFoundError(f"{address} has no {entry_name(stage, key)}")
        yield cache, NODE_PACKAGES / script, jobs


class _Pickler(pickle.Pickler):
    """Writes files by their entries."""

    def __init__(self, buffer: io.BytesIO, cache: Cache) -> None:
        super().__init__(buffer)
        self._root = cache.root

    def persistent_id(self, value: object) -> tuple[str, ...] | None:
        if isinstance(value, SourceFile):
            return (SOURCES, value.key, SOURCE, value.key)
        if isinstance(value, Artifact):
            stage, _, key, name = value.path.relative_to(self._root).parts
            return (stage, key, name, value.key)
        return None


class _Unpickler(pickle.Unpickler):
    """Reads files as those of a cache here, and collects which entries that takes."""

    def __init__(self, buffer: io.BytesIO, cache: Cache) -> None:
        super().__init__(buffer)
        self._root = cache.root
        self.wanted: dict[str, dict[str, None]] = {}

    def persistent_load(self, found: tuple[str, str, str, str]) -> Artifact:
        stage, key, name, file_key = found
        self.wanted.setdefault(stage, {})[key] = None
        path = self._root / entry_name(stage, key) / name
        return (SourceFile if stage == SOURCES else Artifact)(path, file_key)

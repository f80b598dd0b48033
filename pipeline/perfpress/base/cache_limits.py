"""Which entries of a cache are removed: by age, and the oldest ones where there are too many bytes.

An entry of a disk is as old as its last use. Object stores do not say when something was read:
there it is as old as the entry itself, and what is removed too early is made again.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from perfpress.base.disk import temporary_directory
from perfpress.base.object_store import ObjectStore

DAY = 24 * 3600.0
ENTRY = re.compile(r"[a-z-]+/([0-9a-f]{2})/\1[0-9a-f]{62}")
"""`fold/1a/1a2b…`: nothing else in the directory of a cache is an entry."""


class CacheLimits(NamedTuple):
    """How much is kept."""

    days: float
    bytes: int


ON_DISK = CacheLimits(30, 8_000_000_000)
"""GitHub keeps 10 GB of caches for a repository."""
IN_STORE = CacheLimits(90, 200_000_000_000)


class CacheEntry(NamedTuple):
    """An entry of a cache."""

    name: str
    bytes: int
    used: float
    """Seconds since 1970."""


def superfluous(
    entries: Iterable[CacheEntry], limits: CacheLimits, now: float, since: float
) -> list[str]:
    """Return the names of entries to remove, the oldest first.

    Args:
        entries: all of a cache.
        limits: of the cache.
        now: seconds since 1970.
        since: entries that were used from then on are kept, however many they are.
    """
    oldest_first = sorted(entries, key=lambda entry: (entry.used, entry.name))
    too_many = sum(entry.bytes for entry in oldest_first) - limits.bytes
    removed = []
    for entry in oldest_first:
        if entry.used >= since or (too_many <= 0 and now - entry.used <= limits.days * DAY):
            break
        removed.append(entry.name)
        too_many -= entry.bytes
    return removed


def collect_on_disk(root: Path, now: float, since: float, limits: CacheLimits = ON_DISK) -> None:
    """Remove entries of a cache on disk; another build never sees half of one."""
    names = superfluous(_entries_on_disk(root), limits, now, since)
    if names:
        with temporary_directory(".working-", root) as aside:
            for number, name in enumerate(names):
                with suppress(FileNotFoundError):  # another build removed it
                    (root / name).rename(aside / str(number))


def _entries_on_disk(root: Path) -> Iterator[CacheEntry]:
    for stage in _folders(root):
        # what builds work in begins with a dot, and goes while it is looked at
        for above in _folders(stage.path) if not stage.name.startswith(".") else ():
            for entry in _folders(above.path):
                name = f"{stage.name}/{above.name}/{entry.name}"
                if ENTRY.fullmatch(name):
                    with suppress(FileNotFoundError):  # another build replaces or removes it
                        with os.scandir(entry) as files:
                            size = sum(file.stat(follow_symlinks=False).st_size for file in files)
                        yield CacheEntry(name, size, entry.stat().st_mtime)


def _folders(directory: Path | str) -> list["os.DirEntry[str]"]:
    """Return the folders of a directory that are there: no links."""
    with suppress(FileNotFoundError), os.scandir(directory) as found:
        return [each for each in found if each.is_dir(follow_symlinks=False)]
    return []


def collect_in_store(store: ObjectStore, now: float) -> int:
    """Remove entries of a cache in an object store; return how many."""
    found = store.files.find(store.root, detail=True)
    entries = [
        CacheEntry(name, info["size"], stored)
        for path, info in found.items()
        if ENTRY.fullmatch(name := path.removeprefix(store.root).lstrip("/"))
        and (stored := _stored(info)) is not None
    ]
    names = superfluous(entries, IN_STORE, now, since=now)
    if names:
        store.files.rm([store.path(name) for name in names])
    return len(names)


def _stored(info: dict[str, Any]) -> float | None:
    """Return when an object was stored: each kind of store has a name of its own for it."""
    for name in ("LastModified", "last_modified", "updated", "mtime"):
        when = info.get(name)
        if isinstance(when, str):
            when = datetime.fromisoformat(when)
        if isinstance(when, datetime):
            return when.timestamp()
        if isinstance(when, int | float):
            return float(when)
    return None

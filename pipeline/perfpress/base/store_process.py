"""A process that reads and writes an object store for a build, within a budget.

The libraries of object stores start threads, wait as long as a store likes and read what it sends.
Here that costs a process that can be ended: the build itself stays one thread, which may fork.

    {"do": "bring", "address": …, "entries": [[name, directory], …]}
    {"do": "send", "address": …, "entries": [[name, directory], …], "again": true}
    {"do": "collect", "address": …}
    {"do": "fetch", "address": …, "files": [[name, path, size, sha256], …]}

An entry of a cache is one object, a compressed list of its files: it is there as a whole or not at
all, and takes one request.
"""

import hashlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from perfpress.base.cache_limits import DAY, collect_in_store
from perfpress.base.object_store import ObjectStore, store_failure
from perfpress.base.problems import BadInput
from perfpress.base.workers import WorkerAnswer, answering

AT_ONCE = 16
"""Requests to the store that wait at the same time."""
LARGEST_ENTRY = 256 << 20
"""Bytes of the files of an entry; larger ones stay on their machine."""
COLLECTED = "collected"
"""The file that holds when entries were last removed."""
PAUSE = 0.5
"""Seconds before the second attempt; libraries repeat most requests by themselves before that."""
PATIENCE = 60.0
"""Seconds in which a store has to answer one of the requests that wait."""


class Damaged(Exception):
    """An object that is no entry: it counts as none, and is replaced when the entry is made."""


def bring(store: ObjectStore, name: str, directory: Path) -> bool:
    """Write the files of an entry into a new directory; return False where there is none."""
    try:
        packed = store.content(store.path(name), LARGEST_ENTRY)
        files = unpacked(packed)
    except (FileNotFoundError, Damaged):
        return False
    directory.mkdir()
    for file, content in files.items():
        (directory / file).write_bytes(content)
    return True


def send(store: ObjectStore, name: str, directory: Path, again: bool) -> bool:
    """Store an entry, unless it is there already; return False where it is too large.

    Args:
        store: takes it.
        name: of the entry.
        directory: its files.
        again: store it even where it is there: that one may be damaged.
    """
    if not again and store.files.exists(store.path(name)):
        return True
    sizes = [path.stat().st_size for path in directory.iterdir()]
    if sum(sizes) > LARGEST_ENTRY:
        return False
    store.write(store.path(name), packed(directory))
    return True


def fetch(store: ObjectStore, name: str, target: str, size: int, sha256: str) -> bool:
    """Copy a file; return False where it is missing, or not what it has to be."""
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    try:
        with path.open("wb") as copy:
            for piece in store.read(store.path(name), size):
                copy.write(piece)
                digest.update(piece)
    except FileNotFoundError:
        return False
    return digest.hexdigest() == sha256


def collect(store: ObjectStore, now: float) -> int:
    """Remove what is too old or too much, if nobody has within a day; return how many entries.

    A list of all objects takes a request for each thousand of them.
    """
    marker = store.path(COLLECTED)
    try:
        last = float(store.content(marker, 100))
    except (OSError, ValueError):
        last = 0.0
    if now - last < DAY:
        return 0
    store.write(marker, str(now).encode())
    return collect_in_store(store, now)


def packed(directory: Path) -> bytes:
    """Return the files of a directory as one object."""
    files = {path.name: path.read_bytes() for path in sorted(directory.iterdir())}
    return zstandard.ZstdCompressor(3).compress(msgspec.msgpack.encode(files))


def unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of an object by name.

    Raises:
        Damaged: it is none, or has names that lead elsewhere.
    """
    try:
        with zstandard.ZstdDecompressor().stream_reader(content) as stream:
            plain = stream.read(LARGEST_ENTRY + 1_000_000)
        files = msgspec.msgpack.decode(plain, type=dict[str, bytes])
    except (zstandard.ZstdError, msgspec.DecodeError, ValueError) as error:
        raise Damaged from error
    if any(name in ("", ".", "..") or "/" in name or "\0" in name for name in files):
        raise Damaged
    return files


def answer(request: WorkerAnswer) -> dict[str, Any]:
    """Do what a request says; `done` has one entry each, `failed` says what the store said."""
    try:
        store = opened(request["address"])
        if request["do"] == "collect":
            return {"done": collect(store, time.time())}
        if request["do"] == "fetch":
            calls = [bound(fetch, store, *each) for each in request["files"]]
            return {"done": at_once(calls)}
        entries = [(name, Path(directory)) for name, directory in request["entries"]]
        if request["do"] == "bring":
            return {"done": at_once([bound(bring, store, *entry) for entry in entries])}
        again = request["again"]
        return {"done": at_once([bound(send, store, *entry, again) for entry in entries])}
    except BadInput as bad:
        return {"failed": bad.problems[0]}
    except Exception as error:  # each kind of store has its own
        return {"failed": store_failure(request["address"], error).problems[0]}


opened = cache(ObjectStore)


def bound(function: Callable[..., bool], *arguments: Any) -> Callable[[], bool]:
    """Return a call that is made again where the store fails."""

    def call() -> bool:
        try:
            return function(*arguments)
        except (BadInput, PermissionError):
            raise
        except Exception:  # each kind of store has its own
            time.sleep(PAUSE)
            return function(*arguments)

    return call


def at_once(calls: Sequence[Callable[[], bool]]) -> list[bool]:
    """Return what some calls return, in their order; all are given up where one fails.

    Raises:
        TimeoutError: none of those that wait got an answer in time.
    """
    pool = ThreadPoolExecutor(AT_ONCE)
    running = [pool.submit(call) for call in calls]
    left = set(running)
    try:
        while left:
            done, left = wait(left, PATIENCE, FIRST_COMPLETED)
            if not done:
                raise TimeoutError(f"no answer within {PATIENCE:.0f} s")
            for each in done:
                each.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return [each.result() for each in running]


def main() -> None:
    """Answer requests on stdin until there are no more."""
    # What a library prints is no answer.
    with open(os.dup(1), "wb") as out:  # noqa: PTH123
        os.dup2(2, 1)
        answering(answer)(sys.stdin.buffer, out)
        out.flush()
        os._exit(0)  # threads that wait for a store are not waited for


if __name__ == "__main__":
    main()

"""Reads git's objects through one `git cat-file --batch` that stays open."""

import math
import subprocess
import time
from functools import partial
from pathlib import Path
from threading import Lock, Timer
from typing import BinaryIO, Self

from perfpress.host.pushing.git import (
    OF_STRANGERS,
    OPTIONS,
    GitFailed,
    OverBudget,
    environment_of_none,
    limit,
)

LARGEST_TREE = 5_000_000
"""Bytes: twenty thousand files with names of 200 bytes in one directory."""
LARGEST_COMMIT = 1_000_000
BLOCK = 1 << 20
"""Bytes copied at a time."""


class Objects:
    """The objects of a repository on disk, for any thread. Nothing is fetched for it."""

    def __init__(self, directory: Path, end: float = math.inf) -> None:
        self.directory = directory
        self.end = end
        """When nothing more is read, on the clock of `time.monotonic`."""
        self.timer: Timer | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.one_at_a_time = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _failure(self, text: str) -> GitFailed:
        self.close()
        return OverBudget(f"error: {text}") if time.monotonic() >= self.end else GitFailed(text)

    def tree(self, name: str) -> bytes:
        """Return a tree as git stores it."""
        return self._read(name, b"tree", LARGEST_TREE)

    def tree_of_commit(self, name: str) -> str:
        """Return the name of the tree of a commit."""
        # tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n…
        first = self._read(name, b"commit", LARGEST_COMMIT).partition(b"\n")[0]
        return first.removeprefix(b"tree ").decode("ascii", "replace")

    def copy(self, name: str, target: BinaryIO, most: int) -> int:
        """Write a file's content; return its bytes."""
        with self.one_at_a_time:
            size, answer = self._ask(name, b"blob", most)
            left = size
            while left and (part := answer.read(min(left, BLOCK))):
                left -= target.write(part)
            self._end(answer, left)
            return size

    def _read(self, name: str, kind: bytes, most: int) -> bytes:
        with self.one_at_a_time:
            size, answer = self._ask(name, kind, most)
            content = answer.read(size)
            self._end(answer, size - len(content))
            return content

    def _ask(self, name: str, kind: bytes, most: int) -> tuple[int, BinaryIO]:
        if self.process is None:
            left = self.end - time.monotonic()
            if left <= 0:
                raise OverBudget("error: objects took too long to read")
            self.process = subprocess.Popen(
                ["git", *OPTIONS, "cat-file", "--batch"],
                cwd=self.directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment_of_none(),
                preexec_fn=partial(limit, OF_STRANGERS),
            )
            if left < math.inf:
                self.timer = Timer(left, self.process.kill)
                self.timer.daemon = True
                self.timer.start()
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(name.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._failure(f"git cannot read the object {name}") from None
        # 257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 4\nfoo\n\n
        words = self.process.stdout.readline().split()
        if len(words) != 3 or not words[2].isdigit():
            raise self._failure(f"the object {name} is missing or damaged")
        if words[1] != kind or int(words[2]) > most:
            found = f"a {words[1].decode()} of {int(words[2])} bytes"
            raise self._failure(f"{found}, not a {kind.decode()} of at most {most}: {name}")
        return int(words[2]), self.process.stdout  # type: ignore[return-value]

    def _end(self, answer: BinaryIO, left: int) -> None:
        if left or answer.read(1) != b"\n":
            raise self._failure("git ended while an object was read")

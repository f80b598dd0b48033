"""Two work trees of a repository, of their own: what is checked out by others is left alone."""

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from perfpress.base.problems import bad_input


class Worktrees:
    """Work trees below a folder, removed at the end."""

    def __init__(self, repository: Path, folder: Path, commits: tuple[str, str]) -> None:
        """Remember where they are to be, and what they hold first."""
        self.base, self.head = (folder.resolve() / name for name in ("base", "head"))
        self._repository = repository
        self._commits = commits

    def __enter__(self) -> Self:
        """Check both out; what an interrupted call left goes first."""
        self._remove()
        for tree, commit in zip((self.base, self.head), self._commits, strict=True):
            git(self._repository, "worktree", "add", "--quiet", "--detach", str(tree), commit)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove both."""
        self._remove()

    def _remove(self) -> None:
        for tree in (self.base, self.head):
            shutil.rmtree(tree, ignore_errors=True)
        with suppress(OSError):
            self.base.parent.rmdir()
        git(self._repository, "worktree", "prune")


def git(directory: Path, *words: str, may_fail: bool = False) -> str:
    """Return what git prints, without white space around it.

    Args:
        directory: of a repository or work tree.
        words: its arguments.
        may_fail: return what it printed, whatever its status is.

    Raises:
        BadInput: it fails.
    """
    done = subprocess.run(
        ["git", "-C", str(directory), *words],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode and not may_fail:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise bad_input(path=str(directory), found=f"git {words[0]}: {lines[-1]}")
    return done.stdout.strip()

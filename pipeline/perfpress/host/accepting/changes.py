"""Compares a pushed commit with the main branch: which runs it adds, and what else it changes.

Trees are compared as git's own objects. A few objects can nest more directories than there are
atoms, so that a comparison has an end.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

from perfpress.base.limits import LIMITS
from perfpress.host.pushing.git import Budget, GitFailed, OverBudget
from perfpress.host.pushing.repository import RESULTS, Repository, RunPath
from perfpress.host.pushing.trees import TreeEntry
from perfpress.input.bundles.discover import LEVELS
from perfpress.input.bundles.safety import DEEPEST, shown_name, unfit_name

MOST_PROBLEMS = 100
"""Of a commit, after which no more is compared."""
COMPARING_HISTORIES = Budget(seconds=20)
REGULAR = (b"100644", b"100755")
RUN_DEPTH = len(RESULTS) + len(LEVELS)


class Bounds(NamedTuple):
    """Where a comparison ends."""

    entries: int
    """Files and directories that differ."""
    at: float
    """On the clock of `time.monotonic`."""


FEW_ENTRIES, MOST_ENTRIES = 2_000, 6 * LIMITS.files


class Beyond(Exception):
    """A comparison that reached its bounds; the text says which."""


class ChangedPath(NamedTuple):
    """One path that a commit changes."""

    path: tuple[str, ...]
    old: TreeEntry | None
    new: TreeEntry | None


class File(NamedTuple):
    """A file of a run."""

    name: str
    """From the directory of the run on."""
    object: str


class Run(NamedTuple):
    """A run that a commit adds."""

    tree: str
    files: list[File]


class Changes(NamedTuple):
    """What a commit does."""

    runs: dict[RunPath, Run]
    unfit: list[tuple[str, str]]
    """Paths of changes that may not be accepted, and why."""


def changes_of(repository: Repository, commit: str, main: str | None, bounds: Bounds) -> Changes:
    """Compare a commit with the last one that it has in common with the main branch.

    Raises:
        UnfitTree: a tree is not as git writes them.
        GitFailed: objects are missing or damaged.
        OverBudget: comparing it takes too long.
        Beyond: it differs in too much.
    """
    found = Changes({}, [])
    walk = _Walk(repository, bounds)
    common = _common_root(repository, main, commit)
    for change in walk.changes(common, repository.root(commit)):
        if problem := why_unfit(change):
            found.unfit.append((shown_path(change.path), problem))
            if len(found.unfit) >= MOST_PROBLEMS:
                break
        elif change.new is not None:
            place = change.path[len(RESULTS) : RUN_DEPTH]
            file = File("/".join(change.path[RUN_DEPTH:]), change.new.object.decode())
            run = Run(walk.runs[change.path[:RUN_DEPTH]], [])
            found.runs.setdefault(place, run).files.append(file)
    return found


def changes_between(
    repository: Repository, old: str | None, new: str, bounds: Bounds
) -> Iterator[ChangedPath]:
    """Yield what differs between two trees. What may not be accepted is one change, however large.

    Raises:
        UnfitTree: a tree is not as git writes them.
        GitFailed: objects are missing or damaged.
        OverBudget: comparing them takes too long.
        Beyond: they differ in too much.
    """
    return _Walk(repository, bounds).changes(old, new)


def _common_root(repository: Repository, main: str | None, commit: str) -> str | None:
    """Return the tree of the last commit that both have; `None` where there is none."""
    if main is None:
        return None
    try:
        words = ("merge-base", main, commit)
        common = repository.git(*words, budget=COMPARING_HISTORIES).decode().strip()
    except GitFailed:
        return None
    return repository.root(common)


class _Walk:
    """A walk through what differs between two trees."""

    def __init__(self, repository: Repository, bounds: Bounds) -> None:
        self.repository = repository
        self.bounds = bounds
        self.entries = 0
        self.runs: dict[tuple[str, ...], str] = {}
        """The trees of the runs that were looked into, by their paths."""

    def changes(
        self, old: str | None, new: str, above: tuple[str, ...] = ()
    ) -> Iterator[ChangedPath]:
        olds = self.repository.entries(old) if old else {}
        news = self.repository.listed(new)
        for name in sorted({*olds, *news}):
            before, after = olds.get(name), news.get(name)
            if before == after:
                continue
            self._count()
            path = (*above, name.decode())
            if after is None or after.kind != b"tree" or not _may_hold_runs(path, before):
                yield ChangedPath(path, before, after)
                continue
            if len(path) == RUN_DEPTH:
                self.runs[path] = after.object.decode()
            below = before.object.decode() if before is not None else None
            yield from self.changes(below, after.object.decode(), path)

    def _count(self) -> None:
        self.entries += 1
        if self.entries > self.bounds.entries:
            raise Beyond(f"more than {self.bounds.entries} changes")
        if time.monotonic() > self.bounds.at:
            raise OverBudget("error: too many changes to compare in time")


def _may_hold_runs(path: tuple[str, ...], before: TreeEntry | None) -> bool:
    """Return whether to look into a directory that a commit changes."""
    if path[: len(RESULTS)] != RESULTS[: len(path)] or len(path) > RUN_DEPTH + 2 + DEEPEST:
        return False
    # An accepted run is never changed, so it does not matter in what.
    return before is None or (before.kind == b"tree" and len(path) < RUN_DEPTH)


def shown_path(path: tuple[str, ...]) -> str:
    """Return a changed path as messages show it."""
    return "/".join(map(shown_name, path))


def why_unfit(change: ChangedPath) -> str:
    """Say why a change may not be accepted; an empty text where it may."""
    path, old, new = change
    is_result = path[: len(RESULTS)] == RESULTS
    if is_result and new is None:
        return "removes what was accepted"
    if is_result and old is not None:
        return "changes what was accepted"
    if new is None or not is_result or len(path) <= RUN_DEPTH:
        return "outside the place of a run"
    if new.mode not in REGULAR:
        return "no regular file"
    inside = "/".join(path[RUN_DEPTH:])
    return next(filter(None, map(unfit_name, (*path, inside))), "")

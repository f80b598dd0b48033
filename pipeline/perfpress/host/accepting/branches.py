"""Reads the branches that hosts push to: `results/<host>`.

Nothing of a branch is checked out. Each commit is on its own: what is wrong with one is a problem
of its branches, and the others are read. Any number of branches at one commit are read once.

Time is shared by turns: each call of `accept` begins with another commit, which is fetched alone
and gets longer than the others. So within as many patient calls as there are commits each is read,
whatever the others cost. The others are fetched side by side, so that one that stalls holds up few.
"""

import re
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from perfpress.base.groups import grouped
from perfpress.base.problems import Problem
from perfpress.host.accepting.arrivals import Arrival, arrivals_at
from perfpress.host.accepting.changes import (
    FEW_ENTRIES,
    MOST_ENTRIES,
    Beyond,
    Bounds,
    Changes,
    changes_of,
)
from perfpress.host.accepting.patience import Patience
from perfpress.host.accepting.turns import in_turn
from perfpress.host.pushing.deliver import owner
from perfpress.host.pushing.git import GitFailed, OverBudget
from perfpress.host.pushing.repository import BRANCHES, NO_TREES, Repository
from perfpress.host.pushing.trees import UnfitTree
from perfpress.input.bundles.safety import shown_name

MOST_COMMITS = 2000
"""Of a repository, looked into in one call."""
FETCHING_MAIN = 20
"""Seconds, without its files and directories."""
MOST_NAMES = 200
"""Branches refused by name that are listed one by one."""
SHOWN = 3
"""Problems of one commit that are shown one by one, and names of one commit."""
LONGEST_SHOWN = 300
"""Characters of a name."""
HOST = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
"""A host, as `owner` spells it."""


class Branch(NamedTuple):
    """What hosts have pushed: one commit."""

    names: tuple[str, ...]
    """Of all branches that are at it."""
    commit: str
    arrivals: tuple[Arrival, ...]
    problems: tuple[Problem, ...]
    """Why all of it is refused, if it is."""
    is_late: bool = False
    """Time was too short for it: a patient call may accept it."""


def read_branches(
    repository: Repository, turn: int, patience: Patience, pushed_now: str = ""
) -> tuple[list[Branch], list[Problem]]:
    """Return what hosts have pushed to a repository, in turn, and the names that no host has.

    Args:
        repository: with the time that is left to read it.
        turn: another one in each call.
        patience: how long each commit may take.
        pushed_now: the branch that this call was started for: it is the first.

    Raises:
        GitFailed: it cannot be read.
    """
    main, heads = repository.branches()
    pushed = sorted(name for name in heads if name.startswith(BRANCHES))
    unfit = [name for name in pushed if not is_branch_of_a_host(name)]
    problems = list(_unfit_names(unfit))
    names = grouped(sorted({*pushed} - {*unfit}), heads.__getitem__)
    commits = in_turn(list(names), turn, MOST_COMMITS)
    if (first := heads.get(pushed_now, "")) in names:
        commits = [first, *(commit for commit in commits if commit != first)]
    if left_out := len(names) - len(commits):
        found = f"{left_out} branches were not looked into"
        expected = f"at most {MOST_COMMITS} in one call; the others have their turn in the next"
        do = "remove those that no host pushes to"
        problems.append(Problem(path=f"{BRANCHES}*", found=found, expected=expected, do=do))
    at_main = _fetch_main(repository, heads.get(main))
    read, failed = _read(repository, commits, at_main, patience)
    sizes = repository.sizes(patience.each)
    return [
        _branch(repository, tuple(names[commit]), commit, read[commit], sizes)
        if commit in read
        else _failed(tuple(names[commit]), commit, failed[commit])
        for commit in commits
    ], problems


def _fetch_main(repository: Repository, main: str | None) -> str | None:
    """Fetch the main branch; return its commit, `None` where there is none that can be read.

    Raises:
        OverBudget: the server is too slow.
    """
    if main is None:
        return None
    try:
        repository.fetch([main], NO_TREES, seconds=FETCHING_MAIN)
    except OverBudget:
        raise  # it would not send the others either
    except GitFailed:
        return None  # then a branch may hold runs, and nothing else
    return main


def _read(
    repository: Repository, commits: Sequence[str], main: str | None, patience: Patience
) -> tuple[dict[str, Changes], dict[str, Exception]]:
    """Return what each commit does, and why a commit could not be fetched or compared.

    A commit is compared as soon as it is fetched: time that runs out takes only those that were not
    looked at.
    """
    read: dict[str, Changes] = {}
    failed: dict[str, Exception] = {}
    again: list[str] = []
    for commit, failure in _fetched(repository, commits, patience):
        is_first = commit == commits[0]
        most = (MOST_ENTRIES, patience.first) if is_first else (FEW_ENTRIES, patience.each)
        if failure is not None:
            failed[commit] = failure
        elif not _compare(repository, commit, main, most, read, failed) and not is_first:
            again.append(commit)
    # Who pushed much waits for all who did not, but for the first in turn.
    end = time.monotonic() + patience.first
    for commit in again:
        left = end - time.monotonic()
        _compare(repository, commit, main, (MOST_ENTRIES, left), read, failed)
    return read, failed


def _fetched(
    repository: Repository, commits: Sequence[str], patience: Patience
) -> Iterator[tuple[str, GitFailed | None]]:
    """Yield each commit when it is fetched, or why it could not be.

    All are fetched at once if none is unfit or slow.
    """
    try:
        repository.fetch_checked(commits, patience.together)
        yield from ((commit, None) for commit in commits)
    except GitFailed:
        failure = None
        try:
            repository.fetch_checked(commits[:1], patience.first)
        except GitFailed as alone:
            failure = alone
        yield commits[0], failure
        yield from repository.fetch_each(commits[1:], patience.each)


def _compare(
    repository: Repository,
    commit: str,
    main: str | None,
    most: tuple[int, float],
    read: dict[str, Changes],
    failed: dict[str, Exception],
) -> bool:
    """Add what a commit does to `read`, or to `failed` why not; return whether that is final."""
    entries, seconds = most
    try:
        left = repository.seconds_left()
        if left <= 0:
            raise OverBudget("error: the others took too long")
        bounds = Bounds(entries, time.monotonic() + min(left, seconds))
        read[commit] = changes_of(repository, commit, main, bounds)
    except (GitFailed, Beyond) as failure:
        failed[commit] = failure
        return False
    except UnfitTree as failure:
        failed[commit] = failure
    return True


def _failed(names: tuple[str, ...], commit: str, failure: Exception) -> Branch:
    """Return a commit that could not be fetched or compared."""
    lines = str(failure).splitlines() or ["git failed"]
    found = next((line for line in lines if "error" in line), lines[0])
    expected, do = "what git itself would have pushed", _remove(names[0])
    if isinstance(failure, Beyond):
        expected, do = "", "push fewer runs at a time"
    elif isinstance(failure, OverBudget):
        expected, do = "", "call it again: each call begins with another branch"
    problem = Problem(path=_all_of(names), found=found, expected=expected, do=do)
    return Branch(names, commit, (), (problem,), isinstance(failure, OverBudget))


def _all_of(names: tuple[str, ...]) -> str:
    return f"{names[0]} and {len(names) - 1} more branches" if len(names) > 1 else names[0]


def _branch(
    repository: Repository,
    names: tuple[str, ...],
    commit: str,
    changes: Changes,
    sizes: Mapping[str, int],
) -> Branch:
    """Return what is at a commit."""
    problems = [
        Problem(
            path=f"{names[0]}:{path}",
            found=found,
            expected="new runs only",
            do=_remove(names[0]),
        )
        for path, found in changes.unfit[:SHOWN]
    ]
    if left_out := len(changes.unfit[SHOWN:]):
        found = f"at least {left_out} more changes of that kind"
        problems.append(Problem(path=_all_of(names), found=found))
    hosts = frozenset(name.removeprefix(BRANCHES) for name in names)
    arrivals = () if problems else tuple(arrivals_at(repository, changes, sizes, hosts, names[0]))
    return Branch(names, commit, arrivals, tuple(problems))


def is_branch_of_a_host(name: str) -> bool:
    """Return whether a branch has a name as `branch_of` makes them."""
    host = name.removeprefix(BRANCHES)
    return name != host and HOST.fullmatch(host) is not None and owner(host) == host


def _unfit_names(names: Sequence[str]) -> Iterator[Problem]:
    expected = "results/<host>, with the host in lower case: a-z, 0-9 and ._-"
    for name in names[:MOST_NAMES]:
        found = "a name that no host's branch has"
        yield Problem(path=_shown(name), found=found, expected=expected, do=_remove(name))
    if len(names) > MOST_NAMES:
        found = f"{len(names) - MOST_NAMES} more branches with names that no host's branch has"
        yield Problem(path=f"{BRANCHES}*", found=found, expected=expected, do="remove them")


def _shown(name: str) -> str:
    """Return a branch's name as messages show it: bytes that are not text are escaped."""
    text = name.encode(errors="surrogateescape").decode(errors="backslashreplace")
    return shown_name(text[:LONGEST_SHOWN] + "…" * (len(text) > LONGEST_SHOWN))


def _remove(name: str) -> str:
    """Return what to do about a branch, with a command to copy."""
    if len(name) > LONGEST_SHOWN:
        quoted = "NAME"
    elif name.isascii() and name.isprintable():
        quoted = shlex.quote(name)
    else:
        text = name.encode(errors="surrogateescape")
        quoted = "$'" + "".join(f"\\x{byte:02x}" for byte in text) + "'"
    return f"remove the branch (git push --delete origin {quoted}), then: perfpress push DIR"

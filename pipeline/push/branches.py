"""Reads the branches that hosts push to: `results/<host>`.

Nothing of a branch is checked out. Its changes are compared as git's own objects, and only regular
files with plain names are copied, into an empty directory.
"""

import shlex
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pipeline.bundle.discover import LEVELS
from pipeline.bundle.safety import DEEPEST, LIMITS, shown_name, unfit_name
from pipeline.problems import BadInput, Problem
from pipeline.push.arrivals import Arrival
from pipeline.push.git import GitFailed, environment
from pipeline.push.repository import BRANCHES, NO_TREES, RESULTS, Entry, Place, Repository

MOST_CHANGES = 5 * LIMITS.files
"""Of a branch, directories included."""
REGULAR = (b"100644", b"100755")
BLOCK = 1 << 20
"""Bytes copied at a time."""
SHOWN = 3
"""Problems of one branch that are told one by one."""


class Change(NamedTuple):
    """One path that a branch changes."""

    path: tuple[str, ...]
    old: Entry | None
    new: Entry | None


class Branch(NamedTuple):
    """What a host has pushed."""

    name: str
    commit: str
    arrivals: tuple[Arrival, ...]
    problems: tuple[Problem, ...]
    """Why all of it is refused, if it is."""


def read_branches(repository: Repository) -> list[Branch]:
    """Return all that hosts have pushed to a repository.

    Raises:
        GitFailed: it cannot be read.
    """
    main, heads = repository.branches()
    pushed = {name: at for name, at in heads.items() if name.startswith(BRANCHES)}
    if main:
        repository.fetch([heads[main]], NO_TREES)
    repository.fetch(pushed.values(), "--no-filter")
    return [
        _branch(repository, name, commit, heads.get(main))
        for name, commit in sorted(pushed.items())
    ]


def _branch(repository: Repository, name: str, commit: str, main: str | None) -> Branch:
    old = _common_root(repository, main, commit)
    runs: dict[Place, list[tuple[str, Entry]]] = defaultdict(list)
    problems: list[Problem] = []
    for count, change in enumerate(_changes(repository, old, repository.root(commit))):
        if count >= MOST_CHANGES:
            found = f"more than {MOST_CHANGES} changes"
            problems.append(Problem(path=name, found=found, do="push fewer runs at a time"))
            break
        problem = _problem(change)
        if problem:
            shown = f"{name}:{'/'.join(map(shown_name, change.path))}"
            remove = f"git push --delete origin {shlex.quote(name)}"
            do = f"remove the branch ({remove}), then: perfpress push DIR"
            problems.append(Problem(path=shown, found=problem, expected="new runs only", do=do))
        elif change.new is not None:
            inside = change.path[len(RESULTS) :]
            place = inside[: len(LEVELS)]
            runs[place].append(("/".join(inside[len(LEVELS) :]), change.new))
    if len(problems) > SHOWN:
        more = f"{len(problems) - SHOWN} more changes of that kind"
        problems = [*problems[:SHOWN], Problem(path=name, found=more)]
    arrivals = () if problems else tuple(_arrivals(repository, name, commit, runs))
    return Branch(name, commit, arrivals, tuple(problems))


def _common_root(repository: Repository, main: str | None, commit: str) -> str | None:
    """Return the tree of the last commit that both have; `None` where there is none."""
    if main is None:
        return None
    try:
        common = repository.git("merge-base", main, commit).decode().strip()
    except GitFailed:
        return None
    return repository.root(common)


def _changes(
    repository: Repository, old: str | None, new: str, above: tuple[str, ...] = ()
) -> Iterator[Change]:
    """Yield what differs between two trees. A directory that is gone is one change."""
    olds = repository.entries(old) if old else {}
    news = repository.listed(new)
    for name in sorted({*olds, *news}):
        before, after = olds.get(name), news.get(name)
        if before == after:
            continue
        path = (*above, name.decode(errors="surrogateescape"))
        was_tree = before is not None and before.kind == b"tree"
        if after is None or after.kind != b"tree" or len(path) > DEEPEST + 8:
            yield Change(path, before, after)
            continue
        if before is not None and not was_tree:
            yield Change(path, before, None)
        below = before.object.decode() if before is not None and was_tree else None
        yield from _changes(repository, below, after.object.decode(), path)


def _problem(change: Change) -> str:
    """Say why a change may not be accepted; an empty text where it may."""
    path, old, new = change
    is_result = path[: len(RESULTS)] == RESULTS
    if is_result and new is None:
        return "removes what was accepted"
    if new is None or not is_result or len(path) <= len(RESULTS) + len(LEVELS):
        return "outside the place of a run"
    if old is not None:
        return "changes what was accepted"
    if new.mode not in REGULAR:
        return "no regular file"
    inside = "/".join(path[len(RESULTS) + len(LEVELS) :])
    return next(filter(None, map(unfit_name, (*path, inside))), "")


def _arrivals(
    repository: Repository,
    branch: str,
    commit: str,
    runs: dict[Place, list[tuple[str, Entry]]],
) -> Iterator[Arrival]:
    for place, files in runs.items():
        shown_as = f"{branch}:{'/'.join((*RESULTS, *place))}"
        yield Arrival(
            host=branch.removeprefix(BRANCHES),
            place=place,
            shown_as=shown_as,
            tree=_tree_at(repository, commit, place),
            copy=partial(_copy, repository, files, shown_as),
        )


def _tree_at(repository: Repository, commit: str, place: Place) -> str:
    tree = repository.root(commit)
    for name in (*RESULTS, *place):
        tree = repository.listed(tree)[name.encode()].object.decode()
    return tree


def _copy(
    repository: Repository, files: Sequence[tuple[str, Entry]], shown_as: str, directory: Path
) -> None:
    """Write files of git into a new directory.

    Raises:
        BadInput: they are more, or larger, than those of a bundle may be.
    """
    asked = b"".join(entry.object + b"\n" for _, entry in files)
    answers = repository.git("cat-file", "--batch-check=%(objectsize)", given=asked)
    stored = sum(map(int, answers.split()))
    if len(files) > LIMITS.files or stored > LIMITS.bundle_bytes:
        found = f"{len(files)} files of {stored / 1e6:.0f} MB"
        do = "split the run, or leave raw captures out"
        raise BadInput(Problem(path=shown_as, found=found, expected="a smaller bundle", do=do))
    directory.mkdir(parents=True)
    with subprocess.Popen(
        ["git", "cat-file", "--batch"],
        cwd=repository.directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as reader:
        assert reader.stdin
        assert reader.stdout
        for name, entry in files:
            reader.stdin.write(entry.object + b"\n")
            reader.stdin.flush()
            # 257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 4\nfoo\n\n
            size = int(reader.stdout.readline().split()[2])
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                while size and (part := reader.stdout.read(min(size, BLOCK))):
                    size -= file.write(part)
            reader.stdout.read(1)
        reader.stdin.close()

"""Moves the main branch to a commit that adds runs and does nothing else, and checks that itself.

On GitHub this is all that holds the right to write: another job, without it, has read what
strangers pushed, and passes on a `Landing` and the objects that it names. Neither is trusted.
"""

import os
import re
import shutil
import stat
import time
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from perfpress.base.limits import LIMITS
from perfpress.base.problems import BadInput, Problem
from perfpress.host.accepting.branches import is_branch_of_a_host
from perfpress.host.accepting.changes import (
    MOST_ENTRIES,
    RUN_DEPTH,
    Beyond,
    Bounds,
    changes_between,
    changes_of,
    shown_path,
    why_unfit,
)
from perfpress.host.accepting.turns import in_turn
from perfpress.host.pushing.deliver import ATTEMPTS, pause
from perfpress.host.pushing.git import OF_STRANGERS, GitFailed, shown_address
from perfpress.host.pushing.repository import (
    NO_FILES,
    NO_TREES,
    RESULTS,
    Repository,
    RunPath,
    message,
)
from perfpress.host.pushing.trees import UnfitTree

AUTHOR = "perfpress"
LANDING = "landing.json"
OBJECTS = "objects.pack"
LATE = "late"
"""A file that exists if a call with more time is to follow."""
LARGEST_LANDING = 10_000_000
"""Bytes."""
MOST_BRANCHES = 200
"""Removed at once; the others are removed by the next call."""
LONGEST_COMPARING, LONGEST_OF_ALL = 30, 300
"""Seconds, of a branch with what landed, and of all branches."""
MOST_ADDED = 2_000_000
"""Files and directories: a few objects can nest more of them than there are atoms."""
LONGEST_LISTING = 240
"""Seconds, of what a landing adds."""
PLAIN_FILE = b"100644"
NAME = re.compile(r"[0-9a-f]{40}")


class Landing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be added to the main branch, and which branches are to be removed afterwards."""

    tree: str
    """Holds the new runs, from the root on, and nothing else; "" where there are none."""
    branches: dict[str, str]
    """By name, those of which everything is accepted: the commits at which they are removed."""


def save(repository: Repository, landing: Landing, directory: Path, *, is_late: bool) -> None:
    """Write a landing with its objects into a directory, if there is anything to land."""
    if is_late:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / LATE).touch()
    if not landing.tree and not landing.branches:
        return
    directory.mkdir(parents=True, exist_ok=True)
    if landing.tree:
        objects = repository.git("rev-list", "--objects", "--no-object-names", landing.tree)
        packed = repository.git("pack-objects", "--quiet", "landing", given=objects)
        # Git moves a file within one file system only.
        made = repository.directory / f"landing-{packed.decode().strip()}.pack"
        shutil.copyfile(made, directory / OBJECTS)
    (directory / LANDING).write_bytes(msgspec.json.encode(landing))


def restored(repository: Repository, directory: Path) -> Landing:
    """Return the landing that was written into a directory; its objects are in the repository then.

    Raises:
        BadInput: it is malformed, or missing.
        GitFailed: git finds an object unfit.
    """
    pack = repository.directory / "objects" / "pack" / "landing.pack"
    try:
        with _opened(directory / LANDING) as file:
            landing = msgspec.json.decode(file.read(LARGEST_LANDING), type=Landing)
        if landing.tree:
            with _opened(directory / OBJECTS) as objects, pack.open("xb") as copy:
                shutil.copyfileobj(objects, copy)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        expected, do = "what perfpress accept --prepare wrote", "prepare it again"
        problem = Problem(path=str(directory), found=str(error), expected=expected, do=do)
        raise BadInput(problem) from None
    if landing.tree:
        repository.git("index-pack", "--strict", str(pack), budget=OF_STRANGERS)
    return landing


def _opened(path: Path) -> BinaryIO:
    """Open a regular file; raise OSError where it is anything that may have no end."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path.name} is no regular file")
    return file


class Landed(NamedTuple):
    """What a landing did."""

    runs: tuple[RunPath, ...]
    """New in the main branch."""
    problems: tuple[Problem, ...]
    """Branches that are kept although everything of them was accepted, and why."""


def land(landing: Landing, repository: Repository, turn: int) -> Landed:
    """Move the main branch and remove branches that are done with.

    Args:
        landing: what to do.
        repository: as of `restored`.
        turn: another one in each call: which branches are compared first.

    Raises:
        BadInput: the landing does more than that, or the main branch moved each time.
        GitFailed: git could not do it.
    """
    _check(landing)
    end = time.monotonic() + LONGEST_OF_ALL
    compared = in_turn(sorted(landing.branches.items()), turn, MOST_BRANCHES)
    kept: dict[tuple[str, str, str], str] = {}
    for attempt in range(ATTEMPTS):
        if attempt:
            pause(attempt)
        main, heads = repository.branches()
        at = heads.get(main)
        if at is None:
            raise BadInput(_refused(repository, "no main branch"))
        repository.fetch([at], NO_TREES)
        runs, grown = _grown(repository, at, landing.tree) if landing.tree else ((), at)
        commits, problems = {}, []
        for name, commit in compared:
            if heads.get(name) != commit or name == main:
                continue
            asked = commit, at, grown
            if asked not in kept:
                kept[asked] = _why_kept(repository, *asked, end)
            if kept[asked]:
                problems.append(_stays(name, kept[asked]))
            else:
                commits[name] = ""
        leased = {name: heads[name] for name in commits}
        if runs:
            commits[main], leased[main] = grown, at
        if not commits or repository.push(commits, leased):
            return Landed(runs, tuple(problems))
    found = f"the main branch moved {ATTEMPTS} times meanwhile"
    shown = shown_address(repository.address)
    raise BadInput(Problem(path=shown, found=found, do="call it again"))


def _why_kept(repository: Repository, commit: str, main: str, grown: str, end: float) -> str:
    """Say why a branch is kept; "" where `grown` has all that the branch adds to `main`.

    It compares them itself, and trusts nobody: what is removed is gone.
    """
    seconds = min(float(LONGEST_COMPARING), end - time.monotonic())
    if seconds <= 0:
        return f"not compared with main: others took {LONGEST_OF_ALL} s"
    bounds = Bounds(MOST_ENTRIES, time.monotonic() + seconds)
    try:
        repository.fetch_checked([commit], seconds, NO_FILES)
        changes = changes_of(repository, commit, main, bounds)
        if changes.unfit:
            return "it holds more than new runs"
        for place, run in changes.runs.items():
            there = repository.run_at(grown, place)
            if there is None or dict(run.files) != repository.files_at(there):
                return f"main does not hold {'/'.join(place)} as it does"
    except (UnfitTree, GitFailed, Beyond) as failure:
        return f"comparing it with main failed: {str(failure).partition(chr(10))[0]}"
    return ""


def _stays(name: str, why: str) -> Problem:
    do = "nothing is lost; if it stays so, compare it by hand, then: "
    do += f"git push --delete origin {name}"
    return Problem(path=name, found=f"not removed: {why}", do=do, severity="warning")


def _check(landing: Landing) -> None:
    names = [*landing.branches.values(), *filter(None, [landing.tree])]
    if not all(map(NAME.fullmatch, names)) or not all(map(is_branch_of_a_host, landing.branches)):
        do = "prepare it again"
        raise BadInput(Problem(path=LANDING, found="names that no git has", do=do))


def _grown(repository: Repository, main: str, tree: str) -> tuple[tuple[RunPath, ...], str]:
    """Return the runs that a tree adds to the main branch, and the commit that has them.

    Raises:
        BadInput: it would add, change or remove anything else.
    """
    bounds = Bounds(MOST_ADDED, time.monotonic() + LONGEST_LISTING)
    places: dict[RunPath, int] = {}
    try:
        whole = repository.grafted(repository.root(main), tree)
        for change in changes_between(repository, repository.root(main), whole, bounds):
            mode = change.new.mode if change.new is not None else b""
            if (problem := why_unfit(change)) or mode != PLAIN_FILE:
                what = problem or f"a file of the mode {mode.decode()}"
                raise BadInput(_refused(repository, f"{shown_path(change.path)}: {what}"))
            place = change.path[len(RESULTS) : RUN_DEPTH]
            places[place] = places.get(place, 0) + 1
    except (UnfitTree, GitFailed, Beyond) as problem:
        raise BadInput(_refused(repository, str(problem).partition("\n")[0])) from None
    for place, files in places.items():
        if files > LIMITS.files or repository.run_at(main, place) is not None:
            raise BadInput(_refused(repository, f"more files for {'/'.join(place)}"))
    runs = tuple(sorted(places))
    subject = message("Accept {runs}", runs)
    return runs, repository.commit_tree(whole, main, AUTHOR, subject)


def _refused(repository: Repository, found: str) -> Problem:
    expected = "a main branch, and new regular files in data/results/<report>/<release>/…"
    do = "nothing was written: prepare it again"
    shown = shown_address(repository.address)
    return Problem(path=shown, found=found, expected=expected, do=do)

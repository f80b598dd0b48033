"""Bundles that hosts have pushed, where they left them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from perfpress.base.limits import LIMITS
from perfpress.base.problems import BadInput, Problem
from perfpress.host.accepting.changes import Changes, File
from perfpress.host.accepting.new_files import new_file
from perfpress.host.pushing.git import GitFailed, OverBudget
from perfpress.host.pushing.objects import Objects
from perfpress.host.pushing.repository import RESULTS, Repository, RunPath
from perfpress.host.pushing.store import Store, download


@dataclass(frozen=True)
class Arrival:
    """A bundle where a host left it."""

    hosts: frozenset[str]
    """Who own that place, as `owner` spells them: one of them has measured it."""
    place: RunPath
    shown_as: str
    tree: str | None
    """The git tree that it is, where it is in git."""
    bytes: int
    """Of its files; 0 where they are not known yet."""
    copy: Callable[[Path, float], None]
    """Writes it into a directory that is not there yet.

    Raises BadInput where it must not, OverBudget at a time on the clock of `time.monotonic`.
    """


def arrivals_in(store: Store) -> list[Arrival] | None:
    """Return the bundles in an object store; `None` where nothing is at its address.

    Raises:
        BadInput: it cannot be read.
    """
    stored_there = store.stored()
    if stored_there is None:
        return None
    return [
        Arrival(
            hosts=frozenset([stored.host]),
            place=stored.place,
            shown_as=f"{store.address}/{stored.host}/{'/'.join(stored.place)}",
            tree=None,
            bytes=0,
            copy=partial(download, store, stored),
        )
        for stored in stored_there
    ]


def arrivals_at(
    repository: Repository,
    changes: Changes,
    sizes: Mapping[str, int],
    hosts: frozenset[str],
    branch: str,
) -> Iterator[Arrival]:
    """Yield the bundles that a commit adds.

    Args:
        repository: has the commit.
        changes: of the commit.
        sizes: of files, by object.
        hosts: whose branches are at the commit.
        branch: one of them, for messages.
    """
    for place, run in changes.runs.items():
        shown_as = f"{branch}:{'/'.join((*RESULTS, *place))}"
        yield Arrival(
            hosts=hosts,
            place=place,
            shown_as=shown_as,
            tree=run.tree,
            bytes=sum(sizes.get(file.object, 0) for file in run.files),
            copy=partial(_copy, repository, run.files, shown_as),
        )


def _copy(
    repository: Repository, files: Sequence[File], shown_as: str, directory: Path, end: float
) -> None:
    """Write files of git into a new directory.

    Raises:
        BadInput: they are more, or larger, than those of a bundle may be, or not all there.
        OverBudget: it took too long.
    """
    if len(files) > LIMITS.files:
        raise BadInput(_too_much(shown_as, f"{len(files)} files"))
    asked = "".join(f"{file.object}\n" for file in files).encode()
    try:
        sizes = repository.git("cat-file", "--batch-check=%(objectsize)", given=asked).split(b"\n")
    except GitFailed:  # a file that was not fetched
        sizes = [b"missing", b""]
    # 1f7a7a472abf3dd9643fd615f6da379c4acb3e3a missing
    if not all(size.isdigit() for size in sizes[:-1]):
        found = f"a file of more than {LIMITS.file_bytes / 1e6:.0f} MB, or one that git cannot read"
        do = "leave large files out, or push it again"
        raise BadInput(Problem(path=shown_as, found=found, do=do))
    stored = sum(map(int, sizes[:-1]))
    if stored > LIMITS.bundle_bytes:
        raise BadInput(_too_much(shown_as, f"{len(files)} files of {stored / 1e6:.0f} MB"))
    directory.mkdir(parents=True)
    try:
        # One of its own: others are read meanwhile.
        with Objects(repository.directory, end) as objects:
            for file in files:
                with new_file(directory, file.name) as written:
                    objects.copy(file.object, written, LIMITS.bundle_bytes)
    except OverBudget:
        raise
    except (GitFailed, OSError) as failure:
        do = "push it again; if it stays so, remove the branch"
        raise BadInput(Problem(path=shown_as, found=str(failure), do=do)) from None


def _too_much(shown_as: str, found: str) -> Problem:
    do = "split the run, or leave raw captures out"
    return Problem(path=shown_as, found=found, expected="a smaller bundle", do=do)

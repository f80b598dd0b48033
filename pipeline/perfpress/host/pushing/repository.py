"""A temporary repository beside a remote one: it fetches little, and pushes whole commits.

Commits are fetched without their files and directories (`--filter=tree:0`), and a directory when it
is looked into. So an archive of ten years costs a push the few directories on the way to its runs.
A remote that cannot filter sends all of its newest commit instead.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Self

from perfpress.base.limits import LIMITS
from perfpress.host.pushing.git import (
    ANY,
    LISTING,
    OF_STRANGERS,
    Budget,
    GitFailed,
    OverBudget,
    environment,
    environment_of_none,
    git,
)
from perfpress.host.pushing.objects import Objects
from perfpress.host.pushing.trees import TreeEntry, parse_tree

FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
COMMIT = re.compile(rb"[0-9a-f]{40}")
RESULTS = ("data", "results")
NO_TREES = "--filter=tree:0"
NO_FILES = "--filter=blob:none"
NO_LARGE_FILES = f"--filter=blob:limit={LIMITS.file_bytes + 1}"
"""Leaves out files larger than a bundle may hold; a remote that cannot filter sends them anyway."""
CHECKED = {
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    # What arrives stays one file, whose size is limited.
    "fetch.unpackLimit": "1",
    "transfer.unpackLimit": "1",
    # Each thread would hold files of its own.
    "pack.threads": "1",
}
"""Settings to fetch what untrusted hosts pushed."""
FETCHED_AT_ONCE = 8
"""A fetch mostly waits for the server and the network."""
BRANCHES = "results/"
"""Begins the name of a branch that a host pushes to."""

RunPath = tuple[str, ...]
"""Report, release, variant and run, as directories."""


class Repository:
    """A repository without files, whose only remote is the one at an address."""

    def __init__(
        self,
        directory: Path,
        address: str,
        connecting: Mapping[str, str],
        end: float | None = None,
    ) -> None:
        self.directory = directory
        self.address = address
        self.connecting = connecting
        """The environment of git while it connects to the remote; only this has credentials."""
        self.end = end
        """The deadline for an untrusted remote."""
        self.objects = Objects(directory)
        self.fetched: set[str] = set()
        """Trees."""
        self.indexes = count()

    @classmethod
    def beside(
        cls,
        address: str,
        directory: Path,
        connecting: Mapping[str, str] | None = None,
        end: float | None = None,
    ) -> Self:
        """Make one in a directory that is not there yet.

        Args:
            address: of the remote.
            directory: where to make it.
            connecting: the environment of a git that connects to the remote.
            end: when nothing more is asked of it, on the clock of `time.monotonic`; such a remote
                has a budget of memory and disk too.

        Raises:
            GitFailed: git cannot write there.
        """
        directory.mkdir()
        made = cls(directory, address, environment() if connecting is None else connecting, end)
        made.git("init", "--quiet", "--bare", "--template=")
        for key, value in (
            ("url", address),
            ("promisor", "true"),  # what is missing can be fetched from there
            ("partialclonefilter", "tree:0"),
        ):
            made.git("config", f"remote.origin.{key}", value)
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.objects.close()

    def git(
        self,
        *words: str,
        given: bytes = b"",
        settings: Mapping[str, str] | None = None,
        budget: Budget = ANY,
    ) -> bytes:
        """Call a git in it that connects to nothing; see `git.git`."""
        variables = environment_of_none() | dict(settings or {})
        return git(self.directory, *words, given=given, variables=variables, budget=budget)

    def connect(self, *words: str, given: bytes = b"", budget: Budget = ANY) -> bytes:
        """Call a git in it that may speak to the remote."""
        if self.end is not None:
            left = self.seconds_left()
            if left <= 0:
                raise OverBudget("error: what was asked of the server before took too long")
            budget = budget.within(OF_STRANGERS._replace(seconds=left))
        variables = dict(self.connecting)
        return git(self.directory, *words, given=given, variables=variables, budget=budget)

    def seconds_left(self) -> float:
        """Return the seconds until the deadline."""
        return math.inf if self.end is None else self.end - time.monotonic()

    def branches(self) -> tuple[str, dict[str, str]]:
        """Return the remote's main branch ("" where there is none) and all branches' commits.

        Symbolic references, which are other names of branches, are none. Names are what git has,
        bytes that are not UTF-8 as surrogates: they may hold line breaks of other alphabets than
        ASCII, and anything else.
        """
        main, found, other_names = "", {}, set()
        words = ("ls-remote", "--symref", "origin", "HEAD", "refs/heads/*")
        listed = self.connect(*words, budget=ANY if self.end is None else LISTING)
        for line in listed.split(b"\n"):
            what, _, named = line.partition(b"\t")
            name = named.decode(errors="surrogateescape")
            # ref: refs/heads/main\tHEAD
            if what.startswith(b"ref: ") and name == "HEAD":
                main = what.removeprefix(b"ref: refs/heads/").decode(errors="surrogateescape")
            elif what.startswith(b"ref: "):
                other_names.add(name.removeprefix("refs/heads/"))
            elif name.startswith("refs/heads/") and COMMIT.fullmatch(what):
                found[name.removeprefix("refs/heads/")] = what.decode()
            elif what and not COMMIT.fullmatch(what):
                raise GitFailed(
                    "error: not a repository of SHA-1 hashes, which git makes by default"
                )
        # Another name of a branch is left out: to move or remove it would move the branch.
        found = {name: commit for name, commit in found.items() if name not in other_names}
        return (main if main in found else ""), found

    def fetch(self, commits: Iterable[str], *options: str, seconds: float = ANY.seconds) -> None:
        """Fetch commits that `branches` listed."""
        wanted = sorted(set(commits))
        if wanted:
            budget = ANY._replace(seconds=seconds)
            self.connect(*FETCH, *options, "origin", *wanted, budget=budget)

    def fetch_checked(
        self, commits: Iterable[str], seconds: float, which: str = NO_LARGE_FILES
    ) -> None:
        """Fetch commits; nothing of them is kept where git finds an object unfit.

        All that was fetched before and what is fetched now share the bytes of one budget.
        """
        try:
            self._fetch_checked(commits, seconds, which)
        finally:
            self._remove_leftovers()

    def fetch_each(
        self, commits: Iterable[str], seconds: float
    ) -> Iterator[tuple[str, GitFailed | None]]:
        """Fetch commits like `fetch_checked`, several side by side, each with so many seconds.

        Yields each as soon as it is fetched, or why it is not.
        """

        def fetched(commit: str) -> GitFailed | None:
            try:
                self._fetch_checked([commit], seconds, NO_LARGE_FILES, FETCHED_AT_ONCE)
            except GitFailed as failure:
                return failure
            return None

        with ThreadPoolExecutor(FETCHED_AT_ONCE) as fetching:
            asked = {fetching.submit(fetched, commit): commit for commit in commits}
            for done in as_completed(asked):
                yield asked[done], done.result()
        self._remove_leftovers()

    def _fetch_checked(
        self, commits: Iterable[str], seconds: float, which: str, at_once: int = 1
    ) -> None:
        wanted = "".join(f"{commit}\n" for commit in sorted(set(commits)))
        if not wanted:
            return
        stored = 0
        for path in self._packs():
            with suppress(FileNotFoundError):  # of a fetch beside this one
                stored += path.stat().st_size
        room = (OF_STRANGERS.file_bytes - stored) // at_once
        if room <= 0:
            raise OverBudget(f"error: what was fetched before fills {stored / 1e9:.0f} GB")
        budget = OF_STRANGERS._replace(seconds=seconds, file_bytes=room)
        checks = [word for key, value in CHECKED.items() for word in ("-c", f"{key}={value}")]
        words = (*checks, *FETCH, which, "--stdin", "origin")
        self.connect(*words, given=wanted.encode(), budget=budget)

    def _packs(self) -> list[Path]:
        return [*(self.directory / "objects" / "pack").iterdir()]

    def _remove_leftovers(self) -> None:
        """Remove what fetches that failed have written."""
        for path in self._packs():
            if path.name.startswith("tmp_"):
                path.unlink()

    def sizes(self, seconds: float) -> dict[str, int]:
        """Return the bytes of all files that were fetched, by object; of none if it takes long."""
        words = ("cat-file", "--batch-all-objects", "--batch-check", "--unordered")
        try:
            listed = self.git(*words, budget=OF_STRANGERS._replace(seconds=seconds))
        except GitFailed:
            return {}
        # 257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 4
        found = (line.split() for line in listed.decode().splitlines())
        return {name: int(size) for name, kind, size in found if kind == "blob"}

    def root(self, commit: str) -> str:
        """Return the tree of a commit."""
        return self.objects.tree_of_commit(commit)

    def entries(self, tree: str) -> dict[bytes, TreeEntry]:
        """Return what a directory of the remote holds, by name."""
        # Left to itself git fetches all directories below it too.
        if tree not in self.fetched:
            self.fetch([tree], NO_TREES)
            self.fetched.add(tree)
        return self.listed(tree)

    def listed(self, tree: str) -> dict[bytes, TreeEntry]:
        """Return what a directory holds that is here, by name.

        Raises:
            UnfitTree: an honest git would not have written it.
        """
        return parse_tree(self.objects.tree(tree))

    def run_at(self, commit: str, place: RunPath) -> str | None:
        """Return the tree of the run that a commit has at that place, if it has one."""
        tree = self.root(commit)
        for name in (*RESULTS, *place):
            entry = self.entries(tree).get(name.encode())
            if entry is None or entry.kind != b"tree":
                return None
            tree = entry.object.decode()
        return tree

    def files_at(self, tree: str) -> dict[str, str]:
        """Return the files below a directory of the remote: their objects by name."""
        files: dict[str, str] = {}
        for name, entry in self.entries(tree).items():
            shown, found = name.decode(), entry.object.decode()
            if entry.kind == b"tree":
                files |= {f"{shown}/{below}": at for below, at in self.files_at(found).items()}
            else:
                files[shown] = found
        return files

    def run_in(self, tree: str, place: RunPath) -> str:
        """Return the tree of a run in a tree of `tree_of`."""
        for name in (*RESULTS, *place):
            tree = self.listed(tree)[name.encode()].object.decode()
        return tree

    def tree_of(
        self, results: Path, places: Iterable[RunPath], seconds: float = ANY.seconds
    ) -> str:
        """Store runs of a results directory; return a tree that has them where they belong."""
        settings = self._index() | {"GIT_WORK_TREE": str(results.parents[len(RESULTS) - 1])}
        self.git("read-tree", "--empty", settings=settings)
        runs = (str(results.joinpath(*place)) for place in places)
        budget = ANY._replace(seconds=seconds)
        self.git("add", "--force", "--", *runs, settings=settings, budget=budget)
        return self.git("write-tree", settings=settings).decode().strip()

    def joined(self, trees: Iterable[str]) -> str:
        """Return one tree that has all that trees of `tree_of` have."""
        settings = self._index()
        self.git("read-tree", "--empty", settings=settings)
        for tree in trees:
            listing = self.git("ls-tree", "-r", "-z", tree)
            self.git("update-index", "-z", "--index-info", given=listing, settings=settings)
        return self.git("write-tree", settings=settings).decode().strip()

    def _index(self) -> dict[str, str]:
        # One for each tree: several are made at once.
        return {"GIT_INDEX_FILE": str(self.directory / f"index-{next(self.indexes)}")}

    def grafted(self, onto: str, tree: str) -> str:
        """Return a tree of the remote's with all that a tree that is here adds to it."""
        entries = self.entries(onto)
        for name, entry in self.listed(tree).items():
            there = entries.get(name)
            if there is not None and there.kind == entry.kind == b"tree":
                joined = self.grafted(there.object.decode(), entry.object.decode())
                entry = entry._replace(object=joined.encode())
            entries[name] = entry
        listing = b"".join(
            b"%s %s %s\t%s\0" % (entry.mode, entry.kind, entry.object, entry.name)
            for entry in entries.values()
        )
        # --missing: what is not looked into is not fetched.
        return self.git("mktree", "-z", "--missing", given=listing).decode().strip()

    def commit(self, tree: str, parent: str | None, author: str, message: str) -> str:
        """Store a commit that adds a tree to its parent's; return it."""
        whole = self.grafted(self.root(parent), tree) if parent else tree
        return self.commit_tree(whole, parent, author, message)

    def commit_tree(self, whole: str, parent: str | None, author: str, message: str) -> str:
        """Store a commit of a tree; return it."""
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (("NAME", author), ("EMAIL", f"{author}@perfpress.invalid"))
        }
        parents = ("-p", parent) if parent else ()
        return (
            self.git("commit-tree", whole, *parents, given=message.encode(), settings=who)
            .decode()
            .strip()
        )

    def push(self, commits: Mapping[str, str], leased: Mapping[str, str]) -> bool:
        """Move branches to commits, all or none; return whether it was so.

        Args:
            commits: by branch; "" deletes the branch.
            leased: the commits that branches must still be at.

        Returns:
            False where somebody else moved one of them meanwhile.

        Raises:
            GitFailed: for any other reason.
        """
        leases = [f"--force-with-lease=refs/heads/{name}:{at}" for name, at in leased.items()]
        moves = [f"{commit}:refs/heads/{name}" for name, commit in commits.items()]
        try:
            self.connect("push", "--quiet", "--atomic", *leases, "origin", *moves)
        except GitFailed as failure:
            _, now = self.branches()
            if all(now.get(name, "") == commit for name, commit in commits.items()):
                return True  # only the answer was lost
            moved = any(now.get(name, "") != at for name, at in leased.items())
            # Somebody is at it now: "cannot lock ref", "Unable to create '…/lab1.lock'".
            if moved or "lock" in str(failure):
                return False
            raise
        return True


def message(what: str, places: Sequence[RunPath]) -> str:
    """Return the message of a commit that adds runs."""
    runs = "1 run" if len(places) == 1 else f"{len(places)} runs"
    listed = "".join(f"{'/'.join(place)}\n" for place in places[:50])
    return f"{what.format(runs=runs)}\n\n{listed}"

"""A temporary repository beside a remote one: it fetches little, and pushes whole commits.

Commits are fetched without their files and directories (`--filter=tree:0`), and a directory when it
is looked into. So an archive of ten years costs a push the few directories on the way to its runs.
A remote that cannot filter sends all of its newest commit instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from pipeline.push.git import GitFailed, git

RESULTS = ("data", "results")
NO_TREES = "--filter=tree:0"
BRANCHES = "results/"
"""Begins the name of a branch that a host pushes to."""

Place = tuple[str, ...]
"""Report, release, variant and run, as directories."""


class Entry(NamedTuple):
    """One line of a directory in git."""

    mode: bytes
    kind: bytes
    object: bytes
    name: bytes


class Repository:
    """A repository without files, whose only remote is the one at an address."""

    def __init__(self, directory: Path, address: str) -> None:
        self.directory = directory
        self.address = address
        self.fetched: set[str] = set()
        """Trees."""

    @classmethod
    def beside(cls, address: str, directory: Path) -> Self:
        """Make one in a directory that is not there yet.

        Raises:
            GitFailed: git cannot write there.
        """
        directory.mkdir()
        made = cls(directory, address)
        made.git("init", "--quiet", "--bare", "--template=")
        for key, value in (
            ("url", address),
            ("promisor", "true"),  # what is missing can be fetched from there
            ("partialclonefilter", "tree:0"),
        ):
            made.git("config", f"remote.origin.{key}", value)
        return made

    def git(
        self, *words: str, given: bytes = b"", settings: Mapping[str, str] | None = None
    ) -> bytes:
        """Call git in it; see `pipeline.push.git.git`."""
        return git(self.directory, *words, given=given, settings=settings)

    def branches(self) -> tuple[str, dict[str, str]]:
        """Return the remote's main branch ("" where there is none) and all branches' commits."""
        main, found = "", {}
        for line in self.git("ls-remote", "--symref", "origin").decode().splitlines():
            what, _, name = line.partition("\t")
            # ref: refs/heads/main\tHEAD
            if what.startswith("ref: ") and name == "HEAD":
                main = what.removeprefix("ref: refs/heads/")
            elif name.startswith("refs/heads/"):
                found[name.removeprefix("refs/heads/")] = what
        return (main if main in found else ""), found

    def fetch(self, commits: Iterable[str], *options: str) -> None:
        """Fetch commits that `branches` told of."""
        wanted = sorted(set(commits))
        if wanted:
            self.git("fetch", "--quiet", "--no-tags", *options, "origin", *wanted)

    def root(self, commit: str) -> str:
        """Return the tree of a commit."""
        return self.git("log", "-1", "--format=%T", commit).decode().strip()

    def entries(self, tree: str) -> dict[bytes, Entry]:
        """Return what a directory of the remote holds, by name."""
        # Left to itself git fetches all directories below it too.
        if tree not in self.fetched:
            self.fetch([tree], NO_TREES)
            self.fetched.add(tree)
        return self.listed(tree)

    def listed(self, tree: str) -> dict[bytes, Entry]:
        """Return what a directory holds that is here, by name."""
        listed = {}
        for line in self.git("ls-tree", "-z", tree).split(b"\0")[:-1]:
            # 040000 tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\tdata
            facts, _, name = line.partition(b"\t")
            listed[name] = Entry(*facts.split(b" "), name)  # type: ignore[call-arg]
        return listed

    def run_at(self, commit: str, place: Place) -> str | None:
        """Return the tree of the run that a commit has at that place, if it has one."""
        tree = self.root(commit)
        for name in (*RESULTS, *place):
            entry = self.entries(tree).get(name.encode())
            if entry is None or entry.kind != b"tree":
                return None
            tree = entry.object.decode()
        return tree

    def tree_of(self, results: Path, places: Iterable[Place]) -> str:
        """Store runs of a results directory; return a tree that has them where they belong."""
        settings = {
            "GIT_INDEX_FILE": str(self.directory / "index"),
            "GIT_WORK_TREE": str(results.parents[len(RESULTS) - 1]),
        }
        self.git("read-tree", "--empty", settings=settings)
        runs = (str(results.joinpath(*place)) for place in places)
        self.git("add", "--force", "--", *runs, settings=settings)
        return self.git("write-tree", settings=settings).decode().strip()

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
            self.git("push", "--quiet", "--atomic", *leases, "origin", *moves)
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


def message(what: str, places: Sequence[Place]) -> str:
    """Return the message of a commit that adds runs."""
    runs = "1 run" if len(places) == 1 else f"{len(places)} runs"
    listed = "".join(f"{'/'.join(place)}\n" for place in places[:50])
    return f"{what.format(runs=runs)}\n\n{listed}"

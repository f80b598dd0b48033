"""Git trees and branches that no honest git writes, put into a repository by hand."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

Entry = tuple[bytes, bytes, str]
"""Mode, name and object."""


def git_input(directory: Path, given: bytes, *words: str) -> str:
    """Call git with an input; return what it printed."""
    done = subprocess.run(
        ["git", *words], cwd=directory, input=given, capture_output=True, check=True
    )
    return done.stdout.decode(errors="surrogateescape").strip()


def blob(repository: Path, content: bytes) -> str:
    """Store a file."""
    return git_input(repository, content, "hash-object", "-w", "--stdin")


def tree(repository: Path, entries: Sequence[Entry]) -> str:
    """Store a tree of any entries, as they are and in this order."""
    raw = b"".join(
        mode + b" " + name + b"\0" + bytes.fromhex(found) for mode, name, found in entries
    )
    words = ("hash-object", "-t", "tree", "-w", "--literally", "--stdin")
    return git_input(repository, raw, *words)


def above(repository: Path, inner: str, path: str) -> str:
    """Return a tree that has another at a path."""
    for name in reversed(path.split("/")):
        inner = tree(repository, [(b"40000", name.encode(), inner)])
    return inner


def branch(repository: Path, name: str, root: str) -> str:
    """Make a commit of a tree, on top of main, and a branch of it."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    commit = git_input(repository, b"x", *who, "commit-tree", root, "-p", "main")
    git_input(repository, b"", "update-ref", f"refs/heads/{name}", commit)
    return commit


def with_results(repository: Path, inner: str, path: str) -> str:
    """Return the tree of main, with a tree at a path below data."""
    entries: list[Entry] = []
    for line in git_input(repository, b"", "ls-tree", "-z", "main").split("\0")[:-1]:
        facts, _, name = line.partition("\t")
        mode, _, found = facts.split(" ")
        if name != "data":
            entries.append((mode.removeprefix("0").encode(), name.encode(), found))
    corrections = git_input(repository, b"", "rev-parse", "main:data/corrections")
    results = above(repository, inner, path)
    data = tree(
        repository, [(b"40000", b"corrections", corrections), (b"40000", b"results", results)]
    )
    return tree(repository, sorted([*entries, (b"40000", b"data", data)], key=lambda e: e[1]))

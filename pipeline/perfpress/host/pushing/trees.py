"""Parses git's tree objects, and refuses every entry that no honest git would have written.

A tree is bytes from whoever pushed it: a name may hold a slash, and would then lead out of the
directory that it is copied to. Nothing else in Perfpress parses trees.
"""

import re
import unicodedata
from typing import NamedTuple

LONGEST_NAME = 255
"""Bytes: no file system that people use takes more."""
KINDS = {
    b"40000": b"tree",
    b"100644": b"blob",
    b"100755": b"blob",
    b"120000": b"blob",
    b"160000": b"commit",
}
"""What an entry is, by its mode; git writes no other modes."""
HASH_BYTES = 20

SHORT_GIT = re.compile(r"git~\d+", re.IGNORECASE)
"""What Windows calls `.git` where names have at most eight characters."""


class TreeEntry(NamedTuple):
    """One line of a directory in git."""

    mode: bytes
    kind: bytes
    object: bytes
    name: bytes


class UnfitTree(Exception):
    """A tree that must not be used; the text says why."""


def parse_tree(tree: bytes) -> dict[bytes, TreeEntry]:
    """Return the entries of a tree object by name.

    Raises:
        UnfitTree: git would not have written it.
    """
    entries: dict[bytes, TreeEntry] = {}
    before = b""
    at = 0
    while at < len(tree):
        # 100644 README.md\0<20 bytes>
        end = tree.find(b"\0", at)
        mode, space, name = tree[at:end].partition(b" ")
        at = end + 1 + HASH_BYTES
        if end < 0 or not space or at > len(tree):
            raise UnfitTree("a directory that is damaged")
        kind = KINDS.get(mode)
        if kind is None:
            raise UnfitTree(f"an entry of the mode {mode[:20].decode('ascii', 'replace')!r}")
        if problem := unfit_for_git(name):
            raise UnfitTree(problem)
        # Git sorts directories as if a slash ended their names.
        sorted_by = name + b"/" if kind == b"tree" else name
        if sorted_by <= before or name in entries:
            raise UnfitTree("a directory with entries out of order, or with one name twice")
        before = sorted_by
        entries[name] = TreeEntry(mode, kind, tree[end + 1 : at].hex().encode(), name)
    return entries


def unfit_for_git(name: bytes) -> str:
    """Say why no tree may hold this name; an empty text where it may."""
    if b"/" in name or b"\0" in name:
        return "a name with a slash"
    if not 0 < len(name) <= LONGEST_NAME:
        return f"a name of {len(name)} bytes"
    try:
        text = name.decode()
    except UnicodeDecodeError:
        return "a name not in UTF-8"
    # File systems ignore invisible characters (HFS+), what follows a colon (NTFS), dots and spaces
    # at the end, and the difference of case.
    seen = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Cc", "Cn"))
    seen = unicodedata.normalize("NFKC", seen).casefold().replace("\\", ":")
    for part in (seen, seen.partition(":")[0]):
        taken_for = part.rstrip(". ")
        if not taken_for:
            return f"the name {text!r}, which leads to another directory"
        if taken_for == ".git" or SHORT_GIT.fullmatch(taken_for):
            return f"the name {text!r}, which a file system may take for .git"
    return ""

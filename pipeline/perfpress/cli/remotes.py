"""Resolves an address given on the command line."""

import re
from pathlib import Path
from typing import NamedTuple

from perfpress.base.checkout import ROOT
from perfpress.base.problems import bad_input
from perfpress.cli.arguments import CUT_SHORT, STORE, refused
from perfpress.host.pushing.deliver import owner
from perfpress.host.pushing.git import GitFailed, git

NAME = re.compile(r"[\w.-]+")
"""`origin`: a remote of this checkout, as git has it."""

BOUND = re.compile(r"(\w[^=/:@]*)=(.*)")
"""`lab1=https://…`: the one host that pushes there. A path is written `./a=b`."""


class Remote(NamedTuple):
    """A git repository or an object store."""

    address: str
    is_store: bool


def remote(text: str) -> Remote:
    """Return what an argument means."""
    # What begins with a dash would be taken for an option of git; `ext::sh -c …` runs a program.
    if not text or text.startswith("-") or "::" in text or not text.isprintable():
        raise refused(text, "the address of a git repository or object store")
    if CUT_SHORT.match(text):
        raise refused(text, "s3://bucket/path or file:///path")
    if STORE.match(text):
        return Remote(text.rstrip("/"), is_store=True)
    is_path = "://" not in text and not NAME.fullmatch(text) and not re.match(r"[^/]+:", text)
    return Remote(str(Path(text).resolve()) if is_path else text, is_store=False)


def source(text: str) -> tuple[str, Remote]:
    """Return what `HOST=REMOTE` means: the host, as `owner` spells it, or ""; and the remote."""
    bound = BOUND.fullmatch(text)
    return (owner(bound[1]), remote(bound[2])) if bound else ("", remote(text))


def resolved(to: Remote) -> str:
    """Return an address: of a name, that of this checkout's remote, or else of the directory here.

    Raises:
        BadInput: there is no such remote.
    """
    if to.is_store or not NAME.fullmatch(to.address):
        return to.address
    try:
        return git(ROOT, "remote", "get-url", "--push", to.address).decode().strip()
    except GitFailed:
        if Path(to.address).is_dir():
            return str(Path(to.address).resolve())
        found = f"{ROOT} has no remote called {to.address}"
        do = "name the repository: git@github.com:owner/name.git"
        raise bad_input(path=to.address, found=found, do=do) from None

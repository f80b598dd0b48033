"""Refuses unsafe file names and types in an untrusted directory, before any file is read."""

import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from perfpress.base.groups import grouped
from perfpress.base.limits import LIMITS, BundleLimits
from perfpress.base.problems import Problem
from perfpress.base.secrets.redact import find_secrets, redact
from perfpress.base.toml.words import shown_value

LONGEST_NAME = 200
"""Bytes of one part of a path: leaves room for what file systems allow, 255."""
DEEPEST = 9
"""Directories one in another."""


def safe_files(
    directory: Path, shown_as: str, limits: BundleLimits = LIMITS
) -> tuple[list[str], list[Problem]]:
    """Return the names of the files below a directory, sorted, and why it is refused, if it is.

    Names use `/`. Links are never followed, and nothing is opened.
    """
    names: list[str] = []
    problems: list[Problem] = []
    stored = 0
    for count, (name, status, unfit) in enumerate(entries_below(directory, _unfit)):
        shown = f"{shown_as}/{shown_name(name)}"
        if count >= limits.files:
            found = f"more than {limits.files} files and directories"
            problems.append(Problem(path=shown_as, found=found, do="pack fewer files into a run"))
            break
        if unfit:
            expected = "files and directories with plain names, each with bytes of its own"
            do = "rename it, or put a copy in its place, or remove it"
            problems.append(Problem(path=shown, found=unfit, expected=expected, do=do))
        elif stat.S_ISREG(status.st_mode):
            names.append(name)
            stored += status.st_size
            if status.st_size > limits.file_bytes:
                problems.append(_too_large(shown, status.st_size, limits.file_bytes))
    if stored > limits.bundle_bytes:
        problems.append(_too_large(shown_as, stored, limits.bundle_bytes))
    names.sort()
    return names, problems + list(_same_names(names, shown_as))


def path_problem(name: str) -> str:
    """Say why a path from run.toml may not be used; an empty text where it may."""
    if name.startswith(("/", "~")) or (len(name) > 1 and name[1] == ":"):
        return f"{shown_value(name)} is an absolute path"
    if "\\" in name:
        return f"{shown_value(name)} holds a backslash"
    parts = name.split("/")
    if ".." in parts:
        return f"{shown_value(name)} climbs out of the bundle"
    if "." in parts or "" in parts:
        return f"{shown_value(name)} has an empty part"
    return ""


def unfit_name(name: str) -> str:
    """Say why no file may be called so; an empty text where it may."""
    part = name.rsplit("/", 1)[-1]
    if not part.isprintable():
        return "a name with control characters, or not in UTF-8"
    if "\\" in part:
        return "a name with a backslash"
    if part.startswith((".", "-", " ")):
        return "a name that begins with a dot, a dash or a space"
    if part.endswith((".", " ")):
        return "a name that ends in a dot or a space"
    if len(part.encode()) > LONGEST_NAME:
        return f"a name of {len(part.encode())} bytes"
    if name.count("/") > DEEPEST:
        return f"more than {DEEPEST} directories one in another"
    if secret := _secret_in(part):
        return f"a name with what looks like a secret: {secret}"
    return ""


@lru_cache(maxsize=10_000)  # the runs of a report hold files of the same names
def _secret_in(part: str) -> str:
    return next((each.what for each in find_secrets(part)), "")


@lru_cache(maxsize=10_000)  # asked for every number of every table
def shown_name(name: str) -> str:
    """Return a file name as messages show it: without secrets, quoted where it is not plain."""
    name = redact(name)[0]
    if name.isprintable() and name.isascii() and len(name) <= LONGEST_NAME:
        return name
    return shown_value(name)


def entries_below(
    directory: Path, unfit: Callable[[str, os.stat_result], str], inside: str = ""
) -> Iterator[tuple[str, os.stat_result, str]]:
    """Yield name, status, and why it is unfit (or ""), of all that a directory holds."""
    with os.scandir(directory) as scan:
        entries = sorted(scan, key=lambda entry: os.fsencode(entry.name))
    for entry in entries:
        status = entry.stat(follow_symlinks=False)
        name = inside + entry.name
        reason = unfit(name, status)
        yield name, status, reason
        if stat.S_ISDIR(status.st_mode) and not reason:
            yield from entries_below(Path(entry.path), unfit, f"{name}/")


def _unfit(name: str, status: os.stat_result) -> str:
    return _unfit_kind(status) or unfit_name(name)


def _unfit_kind(status: os.stat_result) -> str:
    mode = status.st_mode
    if stat.S_ISREG(mode) and status.st_nlink > 1:
        return "a hard link: the file has another name too, by which it can change"
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return ""
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "no regular file")


def _same_names(names: Sequence[str], shown_as: str) -> Iterator[Problem]:
    """Yield names that are one on a file system that folds case or Unicode forms."""
    folded = grouped(names, lambda name: unicodedata.normalize("NFKC", name).casefold())
    for same in folded.values():
        if len(same) > 1:
            yield Problem(
                path=shown_as,
                found=f"{', '.join(map(shown_value, same))} differ only in case or Unicode form",
                expected="names that are different on every file system",
                do="rename all but one",
            )


def _too_large(shown: str, size: int, limit: int) -> Problem:
    return Problem(
        path=shown,
        found=f"{size / 1e6:.0f} MB",
        expected=f"at most {limit / 1e6:.0f} MB",
        do="compress it (.gz, .zst or .xz), or leave raw captures out: folded ones are enough",
    )

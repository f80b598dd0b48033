"""Decides which differences between two environments the releases themselves imply."""

import re
from collections.abc import Iterable, Sequence

from perfpress.analysis.environment.environment import Difference
from perfpress.input.report.front_matter import Release

VERSION = "\N{REPLACEMENT CHARACTER}"
"""Stands for a release's own version, which names and paths of its files hold."""
CHECKSUM = re.compile(r"[0-9a-f]{32,}")


def is_implied(difference: Difference, base: Release, after: Release) -> bool:
    """Return whether a fact differs in nothing but the releases' own names and versions.

    `PostgreSQL 12.22 on x86_64` and `PostgreSQL 18.6 on x86_64` do, `/opt/12.22/bin` and
    `/opt/18.6/bin`, a file so named with its checksum, and settings whose changed lines do. Names
    of a configuration differ only where the report declares them the same.
    """
    if difference.kind == "run.toml":
        return True
    if difference.changed_lines:
        gone, new = (
            sorted(line[1:] for line in difference.changed_lines if line[0] == sign)
            for sign in "-+"
        )
        return len(gone) == len(new) and all(
            _differ_in_version(left, right, base, after)
            for left, right in zip(gone, new, strict=True)
        )
    if len(difference.base) != 1 or len(difference.after) != 1:
        return False
    (left,), (right,) = difference.base, difference.after
    return left is not None and right is not None and _differ_in_version(left, right, base, after)


def _differ_in_version(left: str, right: str, base: Release, after: Release) -> bool:
    words, others = left.split(), right.split()
    if len(words) != len(others):
        return False
    pairs = [pair for pair in zip(words, others, strict=True) if pair[0] != pair[1]]
    named = [pair for pair in pairs if not all(map(CHECKSUM.fullmatch, pair))]
    # A checksum is that of what is named beside it.
    return bool(named) and all(
        VERSION in (plain := _without_version(word, base))
        and plain == _without_version(other, after)
        for word, other in named
    )


def _without_version(word: str, release: Release) -> str:
    names = _names(release)
    return re.sub(rf"(?<![\w.~])(?:{'|'.join(names)})(?![A-Za-z0-9])(?:\.\d+)*", VERSION, word)


def _names(release: Release) -> Sequence[str]:
    """Return what a release is called in names of files, the longest first."""
    known: Iterable[str] = filter(None, (release.id, release.version, *_words(release.label or "")))
    return sorted({re.escape(each) for each in known}, key=len, reverse=True)


def _words(label: str) -> Sequence[str]:
    return [word for word in label.split() if any(map(str.isdigit, word))]

"""Orders releases by their names where the author gives no order."""

import re

PRE_RELEASES = ("dev", "alpha", "a", "beta", "b", "milestone", "m", "preview", "pre", "rc")
"""Words that, straight before a number or the end, come before the release they lead to."""

PART = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)

AGAIN = re.compile(r"(.*\d)[-_]?v\d+")

VersionKey = tuple[tuple[tuple[int, int, str], ...], str]


def version_key(name: str) -> VersionKey:
    """Return a sort key: numbers by value, `18beta1 < 18rc1 < 18 < 18-lto < 18.1`.

    Every part becomes (rank, number, word). The end of a name ranks between pre-releases and
    anything that is added to a release.
    """
    parts: list[tuple[int, int, str]] = []
    for text in PART.findall(re.sub(r"^v(?=[0-9])", "", name.lower())):
        if text.isdecimal():
            parts.append((3, int(text), ""))
        elif text in PRE_RELEASES and parts:
            parts.append((0, PRE_RELEASES.index(text), text))
        else:
            parts.append((2, 0, text))
    return (*parts, (1, 0, "")), name


def original_of(name: str) -> str:
    """Return the release that one is named after as measured again: 8.4.5 of `8.4.5v2`; or ""."""
    match = AGAIN.fullmatch(name)
    return match[1] if match else ""

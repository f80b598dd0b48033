"""The one place that turns names into parts of addresses and directory names."""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

Level = Literal["report", "release", "step", "host"]
"""Position of a slug in an address: `/reports/<report>/<release>/<step>/`, `/hosts/<host>/`."""

LONGEST = 100
"""Characters of a slug; a longer name is cut and ends in a hash."""

_GENERATED = frozenset(
    {"index", "index.html", "index.md", "index.xml", "index.json", "feed.xml", "page"}
    | {
        "metrics.csv",
        "metrics.json",
        "verdicts.json",
        "profile.json",
        "flamegraph.svg",
        "flamegraph.png",
    }
    | {"stacks.folded.gz", "card.png"}
)
RESERVED: dict[Level, frozenset[str]] = {
    "report": _GENERATED,
    "release": _GENERATED | {"steps", "compare", "embed", "releases"},
    "step": _GENERATED | {"runs", "vs"},
    "host": _GENERATED,
}
"""Addresses of other pages and files at that level."""


@lru_cache(maxsize=10_000)  # asked for every cell of every table
def slug(name: str) -> str:
    """Return the name as used in addresses: lower case, ASCII, letters, digits and `._-`.

    Names that differ only in case, accents, or the Unicode form of a letter have the same slug.
    Letters that ASCII lacks become a hash at the end, so that no slug is empty.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(char for char in folded if not unicodedata.combining(char))
    text = re.sub(r"[^a-z0-9._]+", "-", letters).strip("-._")
    lost = any(char.isalnum() and not char.isascii() for char in letters)
    if lost or not text:
        return f"{shortened(text, LONGEST - 9)}-{_hash(letters)}".lstrip("-")
    return shortened(text, LONGEST)


def shortened(text: str, longest: int) -> str:
    """Return an ASCII text of at most `longest` characters; what is cut becomes a hash."""
    if len(text) <= longest:
        return text
    return f"{text[: longest - 9].strip('-._')}-{_hash(text)}"


def reserved(name: str, level: Level) -> str | None:
    """Return the slug of the name if another page or file has that address, else `None`."""
    found = slug(name)
    return found if found in RESERVED[level] else None


def collisions(names: Iterable[str]) -> dict[str, list[int]]:
    """Return the slugs that several names share, with the positions of these names."""
    by_slug: dict[str, list[int]] = defaultdict(list)
    for position, name in enumerate(names):
        by_slug[slug(name)].append(position)
    return {key: positions for key, positions in by_slug.items() if len(positions) > 1}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]

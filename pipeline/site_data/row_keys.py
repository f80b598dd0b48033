"""Anchors of rows that functions name: the same in every build, however the rows are sorted."""

from collections import Counter
from collections.abc import Iterable

from pipeline.slug import shortened, slug

LONGEST_KEY = 40
"""Characters; a page has the key of a row once for every cell."""


def row_keys(names: Iterable[str]) -> tuple[str, ...]:
    """Return a key for each name; where several make one, those after the first are numbered."""
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for name in names:
        key = shortened(slug(name), LONGEST_KEY)
        seen[key] += 1
        # No slug holds `~`: a number is never taken for the name of another function.
        keys.append(key if seen[key] == 1 else f"{key}~{seen[key]}")
    return tuple(keys)

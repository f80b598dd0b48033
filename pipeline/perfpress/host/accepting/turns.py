"""Shares bounded time fairly: every call begins at another place, and every owner goes in turn."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

Item = TypeVar("Item")
_NOTHING = object()


def in_turn(items: Sequence[Item], turn: int, most: int | None = None) -> list[Item]:
    """Return at most so many items, in the order in which this turn looks at them.

    With n items in p parts of at most `most`, each item is returned in one of p turns in a row, and
    is the first in one of n + p.
    """
    parts = max(1, -(-len(items) // most)) if most else 1
    chosen = list(items[turn % parts :: parts])
    first = turn // parts % max(1, len(chosen))
    return chosen[first:] + chosen[:first]


def one_by_one(owned: Iterable[Iterable[Item]]) -> Iterator[Item]:
    """Yield the first item of each owner, then the second of each: many hold up no few."""
    for item in chain.from_iterable(zip_longest(*owned, fillvalue=_NOTHING)):
        if item is not _NOTHING:
            yield item  # type: ignore[misc]

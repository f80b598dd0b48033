"""The order of runs: what is compared takes turns, so that nothing always runs first."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Compared = TypeVar("Compared")


def rounds(compared: Sequence[Compared], repeats: int) -> Iterator[list[Compared]]:
    """Yield all that is compared once for each repeat; each round begins with another."""
    for repeat in range(repeats):
        first = repeat % len(compared)
        yield [*compared[first:], *compared[:first]]

"""Percentages straight from folded stacks, without any code of Perfpress."""

import gzip
from collections.abc import Iterator
from pathlib import Path


def stacks(path: Path) -> Iterator[tuple[list[str], int]]:
    """Yield the frames and the weight of each line."""
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        frames, _, weight = line.rpartition(" ")
        yield frames.split(";"), int(weight)


def whole(path: Path) -> int:
    """Return the weight of all stacks."""
    return sum(weight for _, weight in stacks(path))


def percent(path: Path, *functions: str) -> float:
    """Return the percentage of stacks that have one of the functions anywhere.

    Args:
        path: of the stacks.
        functions: with or without namespace, arguments of templates and parameters left out.
    """
    having = sum(
        weight
        for frames, weight in stacks(path)
        if any(_is_called(frame, each) for frame in frames for each in functions)
    )
    return 100 * having / whole(path)


def _is_called(frame: str, function: str) -> bool:
    plain = frame.removesuffix("_[k]").partition("(")[0]
    return plain == function or plain.endswith(f"::{function}")

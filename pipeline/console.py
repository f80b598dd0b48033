"""What the command line prints: names in it may hold control characters."""

import sys
from collections.abc import Iterable

from pipeline.problems import Problem


def printable(text: str) -> str:
    """Return the text with control characters, which could steer a terminal, replaced."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def say(lines: Iterable[str]) -> None:
    """Print results on stdout."""
    for line in lines:
        print(printable(line))


def tell(problems: Iterable[Problem]) -> None:
    """Print problems on stderr, one a line."""
    for problem in problems:
        mark = "warning: " if problem.severity == "warning" else ""
        print(printable(f"{mark}{problem}"), file=sys.stderr)

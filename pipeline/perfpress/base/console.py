"""Prints results and problems, whose texts may hold control characters of any input."""

import sys
import unicodedata
from collections.abc import Iterable

from perfpress.base.problems import Problem


def printable(text: str) -> str:
    """Return the text without control characters, which could steer a terminal.

    Spaces of any kind become plain ones: numbers made for pages do not break before their unit.
    """
    return "".join(char if char.isprintable() else _instead(char) for char in text)


def _instead(char: str) -> str:
    return " " if unicodedata.category(char) == "Zs" else "\N{REPLACEMENT CHARACTER}"


def line_of(text: str) -> str:
    """Return a text as one line that steers nothing: no terminal, and no workflow on GitHub.

    There a line that begins with `::`, or holds `##[` anywhere, is a command, whoever printed it.
    """
    shown = printable(text).replace("##[", "#\\#[")
    return f"\\{shown}" if shown.lstrip().startswith("::") else shown


def print_lines(lines: Iterable[str]) -> None:
    """Print results on stdout."""
    for line in lines:
        print(line_of(line))


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems on stderr, one a line, and below it what the problem points at."""
    for problem in problems:
        mark = "warning: " if problem.severity == "warning" else ""
        print(line_of(f"{mark}{problem}"), file=sys.stderr)
        for line in problem.excerpt.splitlines():
            print(line_of(f"  {line}"), file=sys.stderr)

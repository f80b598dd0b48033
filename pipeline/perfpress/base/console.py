"""Prints results and problems, whose texts may hold control characters of any input."""

import sys
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from perfpress.base.groups import grouped
from perfpress.base.problems import Problem, kinds_of

WARNING = "warning: "
"""What the line of a warning begins with."""

MOST_TEXTS = 5
"""Warnings of one kind that are printed where their texts differ; the others are counted."""
MOST_PLACES = 3
"""Places that are named after the first, of a problem that is in several."""


def printable(text: str) -> str:
    """Return the text without control characters, which could steer a terminal.

    Spaces of any kind become plain ones: numbers made for pages do not break before their unit.
    """
    if text.isprintable():
        return text
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
        mark = WARNING if problem.severity == "warning" else ""
        print(line_of(f"{mark}{problem}"), file=sys.stderr)
        for line in problem.excerpt.splitlines():
            print(line_of(f"  {line}"), file=sys.stderr)


def print_grouped(problems: Iterable[Problem], whole_list: str) -> None:
    """Print problems by kind on stderr: those of one text are one line, with the first places.

    Errors whose texts differ all have their line; of warnings of one kind the first ones have.

    Args:
        problems: of one input: a bundle, an archive.
        whole_list: where each has a line of its own: "the page Problems lists all".
    """
    for kind in kinds_of(problems):
        alike = [*grouped(kind, lambda each: (each.found, each.expected, each.do)).values()]
        shown = len(alike) if kind[0].severity == "error" else MOST_TEXTS
        print_problems(_with_places(each, whole_list) for each in alike[:shown])
        if left := sum(map(len, alike[shown:])):
            print(f"{WARNING}{left} more of this kind; {whole_list}", file=sys.stderr)


def _with_places(alike: Sequence[Problem], whole_list: str) -> Problem:
    """Return the first of problems of one text, which says where the others are.

    `a.txt:1: a tab; expected spaces; 227 more places: b.txt:4, c.txt:2, c.txt:7, …; use --all`
    """
    first = alike[0]
    others = [
        where for where in dict.fromkeys(each.where for each in alike) if where != first.where
    ]
    if not others:
        return first
    places = "1 more place" if len(others) == 1 else f"{len(others)} more places"
    named = f"{places}: {', '.join(others[:MOST_PLACES])}"
    more = f"{named}, …; {whole_list}" if others[MOST_PLACES:] else named
    return msgspec.structs.replace(first, do=f"{first.do}; {more}" if first.do else more)

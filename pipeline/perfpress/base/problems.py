"""Problems of an input, reported so that its author can correct it.

Every part of the pipeline reports bad input as a `Problem`: where it is, what was found, what was
expected and what to do. Problems are collected, printed as `path:line: found; expected …; do this`,
and listed on the site; the other inputs are still processed.
"""

import re
from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

from perfpress.base.groups import grouped

Severity = Literal["error", "warning", "note"]
"""A note tells what a reader leaves out by its rules: nothing is wrong, and the site lists it with
the quality of the capture."""

REPORT_IT = "this is a defect of Perfpress: report it, with the file"
"""What to do about a problem that is not the input's fault."""


class Problem(msgspec.Struct, frozen=True, order=True, kw_only=True):
    """One thing that is wrong with one input.

    `path` is relative to the directory that the user named, so that the same input gives the same
    text on every machine. `line` counts from 1; 0 means the whole file or directory.
    """

    path: str
    line: int = 0
    found: str
    expected: str = ""
    do: str = ""
    severity: Severity = "error"
    excerpt: str = ""
    """The line in question, and below it a `^` at the character."""

    @property
    def is_defect(self) -> bool:
        """Whether it is a defect of Perfpress, not of the input; it may not occur again."""
        return self.do == REPORT_IT

    @property
    def where(self) -> str:
        """The path, and the line where there is one."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        """Return `path:line: found; expected …; do this`, without the parts that are empty."""
        expected = f"expected {self.expected}" if self.expected else ""
        parts = (self.found, expected, self.do)
        return f"{self.where}: " + "; ".join(part for part in parts if part)


QUOTED = re.compile(r"'[^']*'|`[^`]*`|\d[\d.,]*")
"""What differs between problems of one kind: names and numbers."""


def kinds_of(problems: Iterable[Problem]) -> list[tuple[Problem, ...]]:
    """Return problems in groups that differ only in where they are, and in names and numbers.

    The groups are in the order of their first problems, errors before warnings, notes last.
    """

    def texts(each: Problem) -> tuple[str, ...]:
        texts = (each.found, each.expected, each.do)
        return (each.severity, *(QUOTED.sub("…", text) for text in texts))

    kinds = grouped(problems, texts).values()
    return sorted(kinds, key=lambda kind: get_args(Severity).index(kind[0].severity))


def over_budget(path: str, job: str, spent: str) -> Problem:
    """Return the problem of an input whose reading was stopped.

    Args:
        path: of the input.
        job: what was done with it: `fold`.
        spent: what it took more of than it may, in words.
    """
    return Problem(
        path=path,
        found=f"{job} needs {spent}, and was stopped",
        expected="an input that is read within a budget in proportion to its size",
        do="leave it out, or split it; if it is what its tool wrote, report it, with the file",
    )


class BadInput(Exception):
    """Raised when a verb cannot continue without the input that the problems describe."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def bad_input(
    *,
    path: str,
    found: str,
    expected: str = "",
    do: str = "",
    severity: Severity = "error",
) -> BadInput:
    """Return the exception for a single problem; the arguments are those of `Problem`."""
    return BadInput(Problem(path=path, found=found, expected=expected, do=do, severity=severity))


LONGEST_EXCERPT = 72
"""Characters of a line that an excerpt shows."""


def pointing_at(line: str, position: int) -> str:
    """Return a line with a `^` below one of its characters; of a long line the part around it.

    Args:
        line: without line breaks; others are shown as spaces.
        position: of the character, counted from 1; the end is one more.
    """
    at = position - 1
    start = 0 if len(line) <= LONGEST_EXCERPT else max(0, at - LONGEST_EXCERPT // 2)
    shown = "".join(char if char.isprintable() else " " for char in line)
    before = "…" if start else ""
    after = "…" if start + LONGEST_EXCERPT < len(line) else ""
    text = f"{before}{shown[start : start + LONGEST_EXCERPT]}{after}"
    return f"{text}\n{' ' * (len(before) + at - start)}^"

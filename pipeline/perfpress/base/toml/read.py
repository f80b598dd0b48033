"""Reads TOML that people write into Structs; reports all problems at once, with their lines."""

import re
import sys
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from perfpress.base.problems import Problem
from perfpress.base.toml.faults import MOST_LISTED, Fault, all_faults
from perfpress.base.toml.lines import KeyPath, line_of, lines_by_key

LARGEST_FILE = 1_000_000
"""Bytes. Files that people write are far smaller."""
DEEPEST = 50
"""Tables and lists one in another. A dotted key could make thousands of them."""


_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
LONG_DOTTED_KEY = re.compile(
    rf"(?:^[ \t]*+\[{{0,2}}+|[{{,])[ \t]*+{_KEY_PART}"
    rf"(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{DEEPEST},}}+",
    re.MULTILINE,
)
"""A key of more parts than DEEPEST. tomllib takes their square in bytes."""

T = TypeVar("T")


@dataclass(frozen=True)
class Document:
    """A TOML file as read: its values and their lines."""

    text: str
    shown_as: str
    values: dict[str, Any]
    first_line: int = 1
    """The line of the file on which the TOML begins (front matter does not begin on the first)."""

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return lines_by_key(self.text)

    def line(self, *path: str | int) -> int:
        """Return the line of a key, or of the nearest table around it."""
        return line_of(self._lines, path) + self.first_line - 1 if self._lines else self.first_line

    def lines_below(self, *tables: str) -> list[tuple[str, int]]:
        """Return the lines of all keys in some tables."""
        own = ((path, line) for path, line in self._lines.items() if path[0] in tables)
        return [(repr(path), line + self.first_line - 1) for path, line in own]


@dataclass(frozen=True)
class Input(Generic[T]):
    """A file as it was read into a Struct: `value` is `None` where something is wrong."""

    value: T | None
    problems: tuple[Problem, ...]
    document: Document | None = None


def read_text(path: Path, shown_as: str) -> tuple[str | None, list[Problem]]:
    """Return the text of a file that people write."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return None, [
                Problem(
                    path=shown_as,
                    found=f"{path.stat().st_size} bytes",
                    expected=f"at most {LARGEST_FILE}",
                    do="keep large texts in files of their own",
                )
            ]
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n"), []
    except OSError as error:
        found, do = f"cannot be read ({error.strerror})", "add the file"
    except UnicodeDecodeError as error:
        found, do = f"byte {error.start} is no UTF-8", "save the file as UTF-8"
    return None, [Problem(path=shown_as, found=found, expected="a text file", do=do)]


def parse_toml(
    text: str, shown_as: str, first_line: int = 1
) -> tuple[Document | None, list[Problem]]:
    """Return the values of a TOML text."""
    if too_deep := LONG_DOTTED_KEY.search(text):
        line = first_line + text.count("\n", 0, too_deep.end())
        return None, [_too_deep(shown_as, line)]
    try:
        values = tomllib.loads(text + "\n")
    except tomllib.TOMLDecodeError as error:
        return None, [_syntax_problem(str(error), text, shown_as, first_line)]
    except ValueError:
        return None, [_too_long_number(text, shown_as, first_line)]
    except RecursionError:
        values = None
    if values is None or _is_deeper(values, DEEPEST):
        return None, [_too_deep(shown_as)]
    return Document(text, shown_as, values, first_line), []


def _too_deep(shown_as: str, line: int = 0) -> Problem:
    found = f"more than {DEEPEST} tables or lists one in another"
    return Problem(path=shown_as, line=line, found=found, expected="fewer", do="nest them less")


def _syntax_problem(message: str, text: str, shown_as: str, first_line: int) -> Problem:
    at = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(at[1]) if at else text.count("\n") + 1
    return Problem(
        path=shown_as,
        line=line + first_line - 1,
        found=re.sub(r" \(at .*\)$", "", message),
        expected="TOML",
        do="correct the line" if at else "close what is open at the end of the file",
    )


def _is_deeper(value: Any, levels: int) -> bool:
    """Return whether tables and lists are nested deeper than that."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)


def _too_long_number(text: str, shown_as: str, first_line: int) -> Problem:
    """Report the one value of valid TOML that tomllib cannot read: Python bounds the digits."""
    most = sys.get_int_max_str_digits()
    numbers = (found for found in re.finditer(r"[\d_]+", text) if len(found[0]) > most)
    number = next(numbers, None)
    return Problem(
        path=shown_as,
        line=first_line + text.count("\n", 0, number.start() if number else 0),
        found="a number that is too long",
        expected=f"at most {most} digits",
        do="correct it",
    )


def convert(document: Document, struct: type[T]) -> Input[T]:
    """Return the document as a Struct that forbids unknown fields, or all that is wrong."""
    faults = all_faults(document.values, struct)
    if faults:
        return Input(None, _problems(faults, document), document)
    return Input(msgspec.convert(document.values, struct), (), document)


def convert_parts(document: Document, struct: type[T], passed_over: Collection[str]) -> Input[T]:
    """Like `convert`, but leave out what is wrong, a whole key of the top level at a time.

    Args:
        document: what was read.
        struct: a Struct whose fields all have defaults.
        passed_over: keys of the top level that belong to somebody else.
    """
    values = {key: value for key, value in document.values.items() if key not in passed_over}
    faults = all_faults(values, struct)
    wrong = {fault.path[0] for fault in faults if fault.path}
    good = {key: value for key, value in values.items() if key not in wrong}
    return Input(msgspec.convert(good, struct), _problems(faults, document), document)


def read_toml(path: Path, shown_as: str, struct: type[T]) -> Input[T]:
    """Return a file as a Struct, or all its problems."""
    text, problems = read_text(path, shown_as)
    if text is None:
        return Input(None, tuple(problems))
    document, problems = parse_toml(text, shown_as)
    if document is None:
        return Input(None, tuple(problems))
    return convert(document, struct)


def _problems(faults: Sequence[Fault], document: Document) -> tuple[Problem, ...]:
    problems = [
        fault.problem(document.shown_as, document.line(*fault.path))
        for fault in faults[:MOST_LISTED]
    ]
    if more := len(faults) - len(problems):
        do = "correct those listed first"
        problems.append(Problem(path=document.shown_as, found=f"{more} more problems", do=do))
    return tuple(problems)

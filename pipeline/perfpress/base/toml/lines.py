"""Finds the line of a key in a TOML file, for messages."""

import re
from collections.abc import Iterator, Mapping
from tomllib import loads
from typing import Any

KeyPath = tuple[str | int, ...]
"""Path of a value: `("step", 0, "capture", "event")`."""

MOST_PARSED = 5_000_000
"""Characters, over all tries to parse a part of a document; keys beyond that are not found."""

CLOSING = re.compile(r"[]}]|\"{3}|'{3}")
"""What the last line of a statement of many lines holds."""


def lines_by_key(text: str) -> dict[KeyPath, int]:
    """Return the line, counted from 1, on which each key of a valid TOML document begins.

    Statements of TOML can be parsed one by one, so tomllib remains the only parser: lines are
    gathered until they parse. A table has the line of its header, or of its first key.
    """
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    lengths: dict[KeyPath, int] = {}
    parser = _Parser(MOST_PARSED)
    for line, source, statement in _statements(text, parser):
        if source.lstrip().startswith("["):
            table = _open_table(statement, lengths)
            _note(lines, table, line)
        else:
            for key in statement:
                _note(lines, (*table, key), line)
            if source.count("\n") > 1:
                _note_elements(lines, table, source, line, parser)
            _note_keys(lines, table, statement, line)
    return lines


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of the key, or of the nearest table around it; 0 where none is known."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 0


class _Parser:
    """Parses parts of a document, until it has parsed too much."""

    def __init__(self, most: int) -> None:
        self.left = most

    def values(self, text: str) -> dict[str, Any] | None:
        """Return the values of a text, `None` where it is not whole or too much was parsed."""
        self.left -= len(text)
        if self.left < 0:
            return None
        try:
            return loads(text)
        except (ValueError, RecursionError):
            return None


def _statements(text: str, parser: _Parser) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield each statement: its first line, its text, its value."""
    gathered: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        gathered.append(line + "\n")
        if len(gathered) > 1 and not CLOSING.search(line):
            continue
        source = "".join(gathered)
        statement = parser.values(source)
        if statement is None:
            continue
        if statement:
            yield number - len(gathered) + 1, source, statement
        gathered = []


def _open_table(header: dict[str, Any], lengths: dict[KeyPath, int]) -> KeyPath:
    """Return the path of the table that `[a.b]` or `[[a.b]]` opens.

    `lengths` counts the tables of each array so far: keys below one belong to its last.
    """
    path: KeyPath = ()
    inner: Any = header
    while isinstance(inner, dict) and inner:
        (key, inner), *_ = inner.items()
        path = (*path, key)
        if isinstance(inner, list):
            lengths[path] = lengths.get(path, 0) + 1
            inner = inner[0]
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _note_elements(
    lines: dict[KeyPath, int], table: KeyPath, source: str, first: int, parser: _Parser
) -> None:
    """Note the elements of an array of many lines, where each begins on a line of its own.

    An array that is closed early, after its line n, holds the elements up to there. After a comma
    the next line begins like an array of its own.
    """
    early = ""
    begun = noted = 0
    key = ""
    for number, line in enumerate(source.split("\n")[:-1], start=first):
        early += line + "\n"
        values = parser.values(early + "]")
        if values is None:
            continue
        ((name, array),) = values.items()
        if not isinstance(array, list):
            return
        key = key or name
        for index in range(noted, begun + len(array)):
            _note(lines, (*table, key, index), number)
            _note_keys(lines, (*table, key, index), array[index - begun], number)
        noted = begun + len(array)
        if parser.values(early + "0]") is not None:
            early, begun = "rest = [", noted


def _note_keys(lines: dict[KeyPath, int], table: KeyPath, value: Any, line: int) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _note(lines, (*table, key), line)
            _note_keys(lines, (*table, key), inner, line)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _note_keys(lines, (*table, index), inner, line)


def _note(lines: dict[KeyPath, int], path: KeyPath, line: int) -> None:
    for length in range(1, len(path) + 1):
        lines.setdefault(path[:length], line)

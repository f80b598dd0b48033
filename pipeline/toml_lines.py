"""Finds the line of a TOML file on which a key stands, for messages."""

import tomllib
from collections.abc import Mapping
from typing import Any

KeyPath = tuple[str | int, ...]
"""Where a value stands: `("step", 0, "capture", "event")`."""

LONGEST_STATEMENT = 1000
"""Lines; keys below a longer statement are not found."""


def lines_by_key(text: str) -> dict[KeyPath, int]:
    """Return the line, counted from 1, on which each key of a valid TOML document begins.

    Statements of TOML can be parsed one by one, so tomllib remains the only parser: lines are
    gathered until they parse. A table has the line of its header, or of its first key.
    """
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    lengths: dict[KeyPath, int] = {}
    for line, source, statement in _statements(text):
        if source.lstrip().startswith("["):
            table = _open_table(statement, lengths)
            _note(lines, table, line)
        else:
            for key in statement:
                _note(lines, (*table, key), line)
            _note_elements(lines, table, source, line)
            _note_keys(lines, table, statement, line)
    return lines


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of the key, or of the nearest table around it; 0 where none is known."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 0


def _statements(text: str) -> list[tuple[int, str, dict[str, Any]]]:
    """Return each statement: its first line, its text, its value."""
    found: list[tuple[int, str, dict[str, Any]]] = []
    gathered = ""
    first = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not gathered:
            first = number
        gathered += line + "\n"
        try:
            statement = tomllib.loads(gathered)
        except tomllib.TOMLDecodeError:
            if number - first >= LONGEST_STATEMENT:
                break
            continue
        if statement:
            found.append((first, gathered, statement))
        gathered = ""
    return found


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


def _note_elements(lines: dict[KeyPath, int], table: KeyPath, source: str, first: int) -> None:
    """Note the elements of an array of many lines, where each begins on a line of its own.

    An array that is closed early, after its line n, holds the elements up to there.
    """
    early = ""
    count = 0
    for number, line in enumerate(source.splitlines(), start=first):
        early += line + "\n"
        try:
            ((key, value),) = tomllib.loads(early + "]").items()
        except (tomllib.TOMLDecodeError, ValueError):
            continue
        if isinstance(value, list):
            for index in range(count, len(value)):
                _note(lines, (*table, key, index), number)
                _note_keys(lines, (*table, key, index), value[index], number)
            count = len(value)


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

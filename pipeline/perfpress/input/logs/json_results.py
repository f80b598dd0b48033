"""Reads a JSON log: an object with a list of results, each with the line on which it begins.

One result is decoded at a time, so that what was written before a file broke off is kept.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any, TypeVar

import msgspec

from perfpress.base.limits import LIMITS
from perfpress.input.logs.parser import GIVE_UP_AFTER, Notes, Recognition, excerpt

LARGEST = LIMITS.document_bytes
"""Characters of a log that is read as a whole."""

MOST_RESULTS = 20_000
"""Of a log; a run has no more than some thousand steps."""

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[\s,]*")


@dataclass
class JsonList:
    """The list of results in a log; `items` reads them one by one, and then the rest."""

    text: str
    start: int
    """Behind the bracket that begins the list."""
    rest: dict[str, Any] = field(default_factory=dict)
    """The other keys of the object."""
    count: int = 0
    """Results that were read."""
    broken: str = ""
    """Why no more could be read; empty where all was."""
    broken_line: int = 0

    def items(self) -> Iterator[tuple[int, Any]]:
        """Yield the results, each with the line on which it begins."""
        if self.broken:
            return
        place, line = self.start, self.text.count("\n", 0, self.start) + 1
        while True:
            begin = after_space(self.text, place)
            line, place = line + self.text.count("\n", place, begin), begin
            if self.text.startswith("]", place):
                break
            if self.count == MOST_RESULTS:
                self.broken, self.broken_line = f"more than {MOST_RESULTS:,} results", line
                return
            try:
                item, end = DECODER.raw_decode(self.text, place)
            except (ValueError, RecursionError) as error:
                self.broken, self.broken_line = reason_of(error), line
                return
            self.count += 1
            yield line, item
            line, place = line + self.text.count("\n", place, end), end
        self._read_rest(place, line)

    def _read_rest(self, place: int, line: int) -> None:
        around = f"{self.text[: self.start].lstrip()}{self.text[place:]}"
        try:
            rest, end = DECODER.raw_decode(around)
        except (ValueError, RecursionError) as error:
            self.broken, self.broken_line = reason_of(error), line
            return
        if around[end:].strip():
            self.broken = "more text behind the end of the JSON"
            self.broken_line = line + around.count("\n", self.start, end) + 1
        self.rest = rest if isinstance(rest, dict) else {}


def recognise_json(*keys: str) -> Callable[[Sequence[str]], Recognition]:
    """Return a recogniser of JSON objects that begin with all the keys."""
    patterns = [re.compile(rf'"{key}"\s*:') for key in keys]

    def recognise(lines: Sequence[str]) -> Recognition:
        first = next((line for line in lines if line.strip()), "")
        if not first.lstrip().startswith(("{", "[")):
            return "no" if first else "more"
        if all(any(map(pattern.search, lines)) for pattern in patterns):
            return "yes"
        return "more" if len(lines) < GIVE_UP_AFTER else "no"

    return recognise


def whole_text(lines: Iterable[str]) -> str | None:
    """Return the text of a log, or None where it is larger than `LARGEST`."""
    blocks: list[str] = []
    size = 0
    following = iter(lines)
    # A line that is kept by itself takes more room than its few letters.
    while some := list(islice(following, 10_000)):
        blocks.append("\n".join(some))
        size += len(blocks[-1]) + 1
        if size > LARGEST:
            return None
    return "\n".join(blocks)


def json_list(lines: Iterable[str], key: str) -> JsonList:
    """Return the list under a key of a log's object."""
    text = whole_text(lines)
    if text is None:
        return JsonList("", 0, broken=f"a log of more than {LARGEST >> 20} MiB")
    start = re.search(rf'(?<!\\)"{key}"\s*:\s*\[', text)
    if start is None:
        return JsonList("", 0, broken=f"no list {key!r}")
    return JsonList(text, start.end())


def number_of(value: Any) -> float | None:
    """Return a value of JSON as a number; None where it is something else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf


def reason_of(error: Exception) -> str:
    """Return why JSON cannot be read, for people."""
    if isinstance(error, RecursionError):
        return "JSON that is nested too deep"
    return "JSON that breaks off or is damaged"


def after_space(text: str, place: int) -> int:
    """Return where the next value begins, or the end of a list or of the text."""
    found = SPACE.match(text, place)
    return found.end() if found else place


Result = TypeVar("Result")


def typed_results(
    notes: Notes, lines: Iterable[str], key: str, result: type[Result]
) -> tuple[Iterator[tuple[int, Result, Any]], JsonList]:
    """Return the results of a JSON log and, once they are read, what else it holds.

    With each result come its line and what it was converted from.

    Those of another shape are reported and left out; so is the place where the log ends too early.

    Args:
        notes: of the log.
        lines: all of it.
        key: of the list of results.
        result: the shape of one.
    """
    read = json_list(lines, key)
    return _typed(notes, read, key, result), read


def _typed(
    notes: Notes, read: JsonList, key: str, result: type[Result]
) -> Iterator[tuple[int, Result, Any]]:
    for line, item in read.items():
        try:
            yield line, msgspec.convert(item, result), item
        except (msgspec.ValidationError, OverflowError) as error:
            found = f"a result of {key!r} that cannot be read: {excerpt(str(error))}"
            _complain(notes, line, found, f"what {notes.format} writes")
    if read.broken:
        notes.partial = not read.count
        found = f"{read.broken}; of the results before it, {read.count} are read"
        expected = f"whole JSON with a list {key!r}, of at most {LARGEST >> 20} MiB"
        _complain(notes, read.broken_line, found, expected)


def _complain(notes: Notes, line: int, found: str, expected: str) -> None:
    do = "copy the log again from where it was written, or run the step again"
    notes.complain(line=line, found=found, expected=expected, do=do)


def complain_of_second(notes: Notes, name: str, line: int) -> None:
    """Report a second result of the same name; the first one counts."""
    notes.complain(
        line=line,
        found=f"a second result of {excerpt(name)!r}; the first one is read",
        expected="one result of each name",
        do="keep the output of each run in a file of its own",
    )


def complain_of_failure(notes: Notes, what: str, line: int) -> None:
    """Report that a benchmark failed: its numbers, if any, do not count."""
    notes.complain(
        line=line,
        found=excerpt(what),
        expected="a benchmark without errors",
        do="fix the cause and run the step again; the other benchmarks count",
    )

"""Reads a JSON log: an object with a list of results, each with the line on which it begins.

One result is decoded at a time, so that what was written before a file broke off is kept.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any

from pipeline.logs.parser import GIVE_UP_AFTER, Answer

LARGEST = 64 << 20
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


def recognise_json(*keys: str) -> Callable[[Sequence[str]], Answer]:
    """Return a recogniser that says yes to a JSON object in whose beginning all the keys stand."""
    patterns = [re.compile(rf'"{key}"\s*:') for key in keys]

    def recognise(lines: Sequence[str]) -> Answer:
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
    """Return the list that stands under a key of a log's object."""
    text = whole_text(lines)
    if text is None:
        return JsonList("", 0, broken=f"a log of more than {LARGEST >> 20} MiB")
    start = re.search(rf'(?<!\\)"{key}"\s*:\s*\[', text)
    if start is None:
        return JsonList("", 0, broken=f"no list {key!r}")
    return JsonList(text, start.end())


def number_of(value: Any) -> float | None:
    """Return a value of JSON as a number; None where it is none."""
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

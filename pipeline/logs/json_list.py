"""Reads a JSON log: an object with a list of results, each with the line on which it begins.

One result is decoded at a time, so that what was written before a file broke off is kept.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from pipeline.logs.parser import GIVE_UP_AFTER, Answer

LARGEST = 64 << 20
"""Characters of a log that is read as a whole."""

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[\s,]*")


@dataclass
class JsonList:
    """What a log holds."""

    items: list[tuple[int, Any]] = field(default_factory=list)
    """The results, each with the line on which it begins."""
    rest: dict[str, Any] = field(default_factory=dict)
    """The other keys of the object."""
    broken: str = ""
    """Why no more could be read; empty where all was."""
    broken_line: int = 0


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
    kept: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > LARGEST:
            return None
        kept.append(line)
    return "\n".join(kept)


def read_json_list(lines: Iterable[str], key: str) -> JsonList:
    """Return the results that a log lists under a key of its object, and its other keys."""
    text = whole_text(lines)
    if text is None:
        return JsonList(broken=f"a log of more than {LARGEST >> 20} MiB")
    start = re.search(rf'(?<!\\)"{key}"\s*:\s*\[', text)
    if start is None:
        return JsonList(broken=f"no list {key!r}")
    found = JsonList()
    place, line, counted = start.end(), 1, 0
    while True:
        place = _after_space(text, place)
        line, counted = line + text.count("\n", counted, place), place
        if text.startswith("]", place):
            break
        try:
            item, place = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            found.broken, found.broken_line = reason_of(error), line
            return found
        found.items.append((line, item))
    around = f"{text[: start.end()].lstrip()}{text[place:]}"
    try:
        rest, end = DECODER.raw_decode(around)
    except (ValueError, RecursionError) as error:
        found.broken, found.broken_line = reason_of(error), line
        return found
    if around[end:].strip():
        found.broken = "more text behind the end of the JSON"
        found.broken_line = line + around.count("\n", start.end(), end) + 1
    found.rest = rest if isinstance(rest, dict) else {}
    return found


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


def _after_space(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place

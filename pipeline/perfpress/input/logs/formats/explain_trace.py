"""Reads the table that CockroachDB's `EXPLAIN (TRACE)` printed in 2016.

    92.947µs    |   9 | node      | execute
    4.573606ms  |  13 | node      | Transaction was not present

Its columns are the time since the event before, the position, the place and the event; a fifth in
front is the time since the start of the trace.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import GIVE_UP_AFTER, Notes, Parser, Recognition, excerpt
from perfpress.input.logs.readings import LogReading, Span, Trace

# 92.947µs      417ns      4.573606ms      1.2s      1m3.5s: as Go prints durations. The µ may be
# either of Unicode's two, a u, or what is left of it in a file that is not UTF-8.
DURATION = re.compile(
    r"(?:(\d{1,9})h)?(?:(\d{1,9})m)?(\d{1,18}(?:\.\d{1,18})?)"
    r"(ns|[µ\u03bcu\N{REPLACEMENT CHARACTER}]s|ms|s)"
)
DIGITS = {"n": -9, "m": -3, "s": 0}
"""Of a second, by the first letter of the unit; any other one is that of a microsecond."""

STATEMENT = re.compile(r"\s*(?:\S*[>#] )?EXPLAIN \(TRACE\)", re.IGNORECASE)
SEPARATOR = re.compile(r"[\s+|-]*$")
LONGEST_STATEMENT = 500

NOTE = (
    "A row is an event: its time is that since the event before it, and its bar ends where it "
    "happened."
)
FROM_FIRST = " The time begins before the first event that is there."


class _Event(NamedTuple):
    """One row of the table; times in seconds."""

    line: int
    since_start: float | None
    seconds: float
    place: str
    message: str


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the traces, one a statement."""
    notes = Notes("explain-trace", file)
    statement = ""
    events: list[_Event] = []
    for number, line in enumerate(lines, start=1):
        if event := _event(line, number):
            events.append(event)
        elif STATEMENT.match(line):
            _note_trace(notes, statement, events)
            statement, events = line.strip(), []
        elif SEPARATOR.match(line):
            notes.skip("heading", number)
        elif statement and not events and "|" not in line:
            statement = f"{statement[:LONGEST_STATEMENT]} {line.strip()}"
        else:
            notes.skip("line that is no event", number)
    _note_trace(notes, statement, events)
    if not notes.traces:
        notes.break_off(
            found="no event",
            expected="rows of duration | position | place | event",
            do="keep the whole output of EXPLAIN (TRACE)",
        )
    return notes.reading()


def _event(line: str, number: int) -> _Event | None:
    if "|" not in line:
        return None
    cells = [cell.strip() for cell in line.strip().removeprefix("|").split("|")]
    if len(cells) > 4 and not cells[-1]:
        cells.pop()
    times = [_seconds(cell) for cell in cells[:2]]
    since_start = times.pop(0) if times[-1] is not None and len(cells) > 4 else None
    rest = cells[2:] if since_start is not None else cells[1:]
    if times[0] is None or len(rest) < 3 or not rest[0].isdecimal():
        return None
    return _Event(number, since_start, times[0], excerpt(rest[1]), excerpt(" | ".join(rest[2:])))


def _seconds(text: str) -> float | None:
    found = DURATION.fullmatch(text)
    if found is None:
        return None
    hours, minutes, rest, unit = found.groups()
    seconds = scaled(float(rest), DIGITS.get(unit[0], -6))
    return float(hours or 0) * 3600 + float(minutes or 0) * 60 + seconds


def _note_trace(notes: Notes, statement: str, events: Sequence[_Event]) -> None:
    if not events:
        return
    spans: list[Span] = []
    end = 0.0
    for event in events:
        if event.since_start is not None:
            end = max(end, event.since_start - event.seconds)
        spans.append(
            Span(
                name=event.message,
                start=end,
                seconds=event.seconds,
                place=event.place,
                line=event.line,
            )
        )
        end += event.seconds
    has_clock = any(event.since_start is not None for event in events)
    notes.traces.append(
        Trace(
            name=excerpt(statement) or "EXPLAIN (TRACE)",
            spans=tuple(spans),
            note=NOTE if has_clock else NOTE + FROM_FIRST,
            first_line=events[0].line,
        )
    )


def recognise(lines: Sequence[str]) -> Recognition:
    """Say yes to the statement, or to a row of its table."""
    if any(STATEMENT.match(line) or _event(line, 0) for line in lines):
        return "yes"
    return "more" if len(lines) < GIVE_UP_AFTER else "no"


PARSER = Parser("explain-trace", recognise, parse)

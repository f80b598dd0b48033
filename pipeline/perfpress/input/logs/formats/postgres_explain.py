"""Reads PostgreSQL's `EXPLAIN (ANALYZE, FORMAT JSON)`: a query's plan with the time of each node.

Times are milliseconds of one loop, averaged over all loops and, below a Gather, over all processes;
https://www.postgresql.org/docs/current/using-explain.html#USING-EXPLAIN-ANALYZE
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Annotated, Any

import msgspec

from perfpress.input.logs.json_results import DECODER, LARGEST, after_space, reason_of, whole_text
from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import GIVE_UP_AFTER, Notes, Parser, Recognition, excerpt
from perfpress.input.logs.readings import LogReading, Span, Trace

DIGITS = -3
"""Of a second in a millisecond."""

# psql's table:  "                            QUERY PLAN"
#                "   {                                                              +"
HEADING = re.compile(r"\s*QUERY PLAN\s*$")
FURNITURE = re.compile(r"\s*(?:QUERY PLAN|-+|\(1 row\))\s*$")
NODE = re.compile(r'\s*"Node Type":')

NOTE = (
    "PostgreSQL does not log when a node began: each bar begins where that of the node above it "
    "does. A node's time is that of all its loops, and holds the time of the nodes below it; below "
    "a Gather it is the mean over the processes."
)


Amount = Annotated[float, msgspec.Meta(ge=0, le=1e15)]
"""Milliseconds, rows, loops, workers."""


class Node(msgspec.Struct, frozen=True):
    """One node of a plan, as PostgreSQL states it."""

    type: str = msgspec.field(name="Node Type")
    milliseconds: Amount | None = msgspec.field(name="Actual Total Time", default=None)
    loops: Amount | None = msgspec.field(name="Actual Loops", default=None)
    rows: Amount | None = msgspec.field(name="Actual Rows", default=None)
    expected: Amount | None = msgspec.field(name="Plan Rows", default=None)
    relation: str = msgspec.field(name="Relation Name", default="")
    index: str = msgspec.field(name="Index Name", default="")
    subplan: str = msgspec.field(name="Subplan Name", default="")
    launched: Amount = msgspec.field(name="Workers Launched", default=0)
    below: list[Any] = msgspec.field(name="Plans", default_factory=list)


class Query(msgspec.Struct, frozen=True):
    """One query's plan and times."""

    plan: Any = msgspec.field(name="Plan")
    planning: Amount | None = msgspec.field(name="Planning Time", default=None)
    execution: Amount | None = msgspec.field(name="Execution Time", default=None)
    text: str = msgspec.field(name="Query Text", default="")


@dataclass
class _Reader:
    """Makes spans of one plan's nodes."""

    lines: Iterator[int]
    """Of the nodes, in the order of the log."""
    spans: list[Span] = field(default_factory=list)
    without_time: int = 0

    def read(self, plan: Any, parent: int | None, start: float) -> None:
        """Add the nodes of a plan, each before those below it."""
        waiting: list[tuple[Any, int | None, float]] = [(plan, parent, 1.0)]
        while waiting:
            entry, above, processes = waiting.pop()
            node = msgspec.convert(entry, Node)
            if node.milliseconds is None or node.loops is None:
                self.without_time += 1
            milliseconds = (node.milliseconds or 0) * (node.loops or 0) / processes
            self.spans.append(
                Span(
                    name=excerpt(": ".join(part for part in (node.subplan, node.type) if part)),
                    start=start,
                    seconds=scaled(milliseconds, DIGITS),
                    parent=above,
                    place=excerpt(" ".join(part for part in (node.relation, node.index) if part)),
                    message=_message(node),
                    line=next(self.lines, 0),
                )
            )
            inner = processes * (1 + node.launched)
            own = len(self.spans) - 1
            waiting += [(each, own, inner) for each in reversed(node.below)]


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return a trace for each query that the log explains."""
    notes = Notes("postgres-explain", file)
    kept = (_bare(line) for line in lines)
    text = whole_text(kept)
    if text is None:
        _complain(notes, 0, f"a log of more than {LARGEST >> 20} MiB", "a smaller one")
        return notes.reading()
    nodes = (number for number, line in enumerate(text.split("\n"), start=1) if NODE.match(line))
    for line, entry in _entries(notes, text):
        try:
            _note_query(notes, msgspec.convert(entry, Query), nodes, line)
        except (msgspec.ValidationError, OverflowError) as error:
            _complain(notes, line, f"a plan that cannot be read: {excerpt(str(error))}", "a plan")
    return notes.reading()


def _bare(line: str) -> str:
    """Return a line without what psql puts around it."""
    return "" if FURNITURE.match(line) else line.rstrip().removesuffix("+")


def _entries(notes: Notes, text: str) -> Iterator[tuple[int, Any]]:
    """Yield the plans, of one JSON text or of several one after the other."""
    place, line = 0, 1
    while True:
        begin = after_space(text, place)
        line, place = line + text.count("\n", place, begin), begin
        if place >= len(text):
            return
        try:
            value, end = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            _complain(notes, line, reason_of(error), "whole JSON")
            return
        for entry in value if isinstance(value, list) else [value]:
            yield line, entry
        line, place = line + text.count("\n", place, end), end


def _note_query(notes: Notes, query: Query, nodes: Iterator[int], line: int) -> None:
    planning = scaled(query.planning or 0, DIGITS)
    reader = _Reader(nodes)
    top = None
    if query.planning is not None:
        reader.spans.append(Span(name="Planning", start=0, seconds=planning, line=line))
    if query.execution is not None:
        top = len(reader.spans)
        seconds = scaled(query.execution, DIGITS)
        reader.spans.append(Span(name="Execution", start=planning, seconds=seconds, line=line))
    reader.read(query.plan, top, planning)
    if not all(isfinite(span.seconds) for span in reader.spans):
        _complain(notes, line, "a plan with a time that is out of range", "milliseconds")
        return
    if reader.without_time:
        expected = "EXPLAIN (ANALYZE, FORMAT JSON), with TIMING"
        _complain(notes, line, "a plan without the time of its nodes", expected)
        return
    name = excerpt(query.text) or "EXPLAIN (ANALYZE)"
    notes.traces.append(Trace(name=name, spans=tuple(reader.spans), note=NOTE, first_line=line))


def _message(node: Node) -> str:
    if not node.loops:
        return "never executed"
    rows = f"{node.rows or 0:,.10g} rows a loop"
    expected = "" if node.expected is None else f", {node.expected:,.10g} expected"
    loops = f", {node.loops:,.10g} loops" if node.loops > 1 else ""
    return rows + expected + loops


def _complain(notes: Notes, line: int, found: str, expected: str) -> None:
    notes.partial = not notes.traces
    do = "explain the query again, and keep the whole output"
    notes.complain(line=line, found=found, expected=expected, do=do)


def recognise(lines: Sequence[str]) -> Recognition:
    """Say yes to JSON that holds a plan, alone or in psql's table."""
    first = next((line for line in lines if line.strip()), "")
    if not first:
        return "more" if len(lines) < GIVE_UP_AFTER else "no"
    if not (first.lstrip().startswith(("[", "{")) or HEADING.match(first)):
        return "no"
    if any('"Node Type":' in line for line in lines):
        return "yes"
    return "more" if len(lines) < GIVE_UP_AFTER else "no"


PARSER = Parser("postgres-explain", recognise, parse)

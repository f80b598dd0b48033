"""The schema of a TOML description of logs, and what else is checked of one.

A stranger's description is as hostile as a stranger's log: patterns are those of RE2, which take
linear time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
import re2
from msgspec import Meta

from perfpress.base.problems import Problem
from perfpress.base.toml.read import Document
from perfpress.input.logs.metric_names import unit_of
from perfpress.input.logs.parser import excerpt
from perfpress.input.logs.readings import Better
from perfpress.input.logs.units import factor_between

MOST_NUMBERS = 64
"""Of a description."""
PATTERN_MEMORY = 1 << 20
"""Bytes that RE2 may take for one pattern."""
MOST_PARTS = 20
"""Of a key."""

SYNTAX = "correct it: https://github.com/google/re2/wiki/Syntax"

Text = Annotated[str, Meta(max_length=500)]
Pattern = Annotated[str, Meta(min_length=1, max_length=1000)]
Patterns = Annotated[tuple[Pattern, ...], Meta(max_length=20)]


class NumberDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number, or the numbers of one kind."""

    metric: Text
    """Its name: one of the table, which has a unit and direction, or another one. It may hold
    `{placeholders}` of groups, of keys and of what `*` stands for."""
    unit: Text = ""
    """As the log has it, and a placeholder too: a number of the table is converted to its unit.
    One that cannot be is of the next description that fits."""
    better: Better = None
    factor: Annotated[float, Meta(ge=1e-30, le=1e30)] = 1.0
    """What makes it the unit where no name of a unit tells it."""
    pattern: Pattern | None = None
    """Of lines: the group `value` is the number; `seconds` makes it one of a series."""
    key: Pattern | Patterns | None = None
    """Of JSON: keys with `/` between; `*name` is any key, and a placeholder; `~1` is a `/` inside
    of a key. A place that several numbers find is of the first. Of CSV: a column. Of several keys
    the first that is there counts."""
    benchmark: Text | None = None
    """The name of its benchmark, where that is not the name of the log's."""

    @property
    def keys(self) -> tuple[str, ...]:
        """All that may hold the number."""
        return (self.key,) if isinstance(self.key, str) else self.key or ()


class LogDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the logs of one tool are read."""

    layout: Literal["lines", "json", "csv"] = "lines"
    recognise: Patterns = ()
    """By what a built-in format is recognised: patterns of which a line fits one, all of some keys
    of JSON, or all of some columns."""
    records: Text = ""
    """Of JSON: the key of the list of results; empty where the document is the list, or the only
    result."""
    benchmark: Text = ""
    """The name of the benchmark that numbers are of, with `{placeholders}`; empty where a log has
    one only."""
    context: Patterns = ()
    """Patterns of lines whose groups are placeholders for the lines below, until one fits again."""
    path: Pattern | None = None
    """A pattern of the log's name, whose groups are placeholders: where each benchmark has a file
    of its own. Without a match a log has no `benchmark`."""
    keep: Literal["median", "last"] = "median"
    """What of several numbers of one metric: they are repeats, or each is of all until then."""
    began: Pattern | None = None
    """Where the log says when the run began: a date with its offset from UTC, or the time since
    1970 in s, ms, µs or ns. Of lines: a pattern whose group `value` it is; of JSON: a key of the
    whole document; of CSV: a column."""
    failures: Patterns = ()
    """Patterns of lines in which the tool reports an error."""
    numbers: Annotated[tuple[NumberDescription, ...], Meta(min_length=1, max_length=MOST_NUMBERS)]


@dataclass(frozen=True)
class CompiledDescription:
    """A description with its patterns compiled."""

    name: str
    described: LogDescription

    @cached_property
    def patterns(self) -> tuple[Any, ...]:
        """One a number; None of those with a key."""
        return tuple(each.pattern and compiled(each.pattern) for each in self.described.numbers)

    @cached_property
    def keys(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """One a number: its keys in parts."""
        return tuple(tuple(map(self.parts, each.keys)) for each in self.described.numbers)

    def parts(self, key: str) -> tuple[str, ...]:
        """Return the parts of a key; a column is one."""
        return parts_of(key) if self.described.layout == "json" else (key,)

    @cached_property
    def began(self) -> Any:
        """Of `began`: a pattern, or the parts of a key; None without."""
        began = self.described.began
        if not began:
            return None
        layout = self.described.layout
        return compiled(began) if layout == "lines" else self.parts(began)

    @cached_property
    def failures(self) -> tuple[Any, ...]:
        """Of `failures`."""
        return tuple(map(compiled, self.described.failures))

    @cached_property
    def context(self) -> tuple[Any, ...]:
        """Of `context`."""
        return tuple(map(compiled, self.described.context))

    @cached_property
    def path(self) -> Any:
        """Of `path`; None without."""
        return self.described.path and compiled(self.described.path)


def parts_of(key: str) -> tuple[str, ...]:
    """Return the parts of a key of JSON, as in a JSON pointer without its first slash."""
    parts = key.split("/") if key else ()
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def compiled(pattern: str) -> Any:
    """Return a pattern of RE2.

    Raises:
        re2.error: it is none.
    """
    options = re2.Options()
    options.log_errors = False
    options.max_mem = PATTERN_MEMORY
    return re2.compile(pattern, options)


def misfits(described: LogDescription, document: Document) -> Iterator[Problem]:
    """Yield what the schema cannot check."""

    def problem(found: str, expected: str, do: str, *path: str | int) -> Problem:
        line = document.line(*path)
        return Problem(path=document.shown_as, line=line, found=found, expected=expected, do=do)

    has_lines = described.layout == "lines"
    for name, patterns in (("failures", described.failures), ("context", described.context)):
        for at, pattern in enumerate(patterns):
            if why := _wrong_pattern(pattern, ""):
                yield problem(f"a pattern that {why}", "one of RE2", SYNTAX, name, at)
    if has_lines and described.began and (why := _wrong_pattern(described.began, "value")):
        yield problem(f"a pattern that {why}", "one of RE2", SYNTAX, "began")
    if described.path and (why := _wrong_pattern(described.path, "")):
        yield problem(f"a pattern that {why}", "one of RE2", SYNTAX, "path")
    for at, number in enumerate(described.numbers):
        place = ("numbers", at)
        if (number.pattern is not None, bool(number.keys)) != (has_lines, not has_lines):
            found = f"a number in the layout {described.layout}"
            expected = "`pattern` and no `key`" if has_lines else "`key` and no `pattern`"
            yield problem(found, expected, "correct it", *place)
        elif number.pattern and (why := _wrong_pattern(number.pattern, "value")):
            yield problem(f"a pattern that {why}", "one of RE2", SYNTAX, *place, "pattern")
        elif (parts := max((key.count("/") + 1 for key in number.keys), default=0)) > MOST_PARTS:
            found = f"a key of {parts} parts"
            yield problem(found, f"at most {MOST_PARTS}", "correct it", *place, "key")
        known = unit_of(number.metric)
        if known is None or not number.unit or "{" in number.unit:
            continue
        if factor_between(number.unit, known) is None:
            found, do = f"{number.metric} in {number.unit!r}", "convert it by `factor`"
            yield problem(found, f"{known}, or another name", do, *place, "unit")


def _wrong_pattern(pattern: str, group: str) -> str:
    try:
        found = compiled(pattern)
    except re2.error as error:
        return f"cannot be read ({excerpt(str(error), 100)})"
    return "" if not group or group in found.groupindex else f"has no group (?P<{group}>…)"

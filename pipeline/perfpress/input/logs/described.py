"""Reads logs by a TOML description: patterns of lines, or keys of JSON or CSV.

The formats of `formats/*.toml` are described so, and so is any other that a bundle brings along.
A stranger's description is as hostile as a stranger's log: patterns are those of RE2, which take
linear time, and the reader has the budget of its log.
"""

import csv
import json
import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import re2
from msgspec import Meta

from perfpress.base.problems import Problem
from perfpress.base.toml.read import Document, convert, parse_toml, read_text
from perfpress.input.logs.json_results import LARGEST, reason_of, recognise_json, whole_text
from perfpress.input.logs.metric_names import meaning_of, unit_of
from perfpress.input.logs.parser import (
    GIVE_UP_AFTER,
    Answer,
    Measures,
    Notes,
    Parser,
    excerpt,
)
from perfpress.input.logs.readings import Better, LogReading, Metric
from perfpress.input.logs.repeats import Repeats

SUFFIX = ".toml"
"""Ends the name of a description, where run.toml names one in the place of a format."""

MOST_NUMBERS = 64
"""Of a description."""
MOST_FOUND = 20_000
"""Different metrics of a log, over all its benchmarks."""
PATTERN_MEMORY = 1 << 20
"""Bytes that RE2 may take for one pattern."""
MOST_PARTS = 20
"""Of a key."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")
# 5 · 12.5 · 1,234,567.8 · 12,5 · 3e-05
NUMBER = re.compile(r"[+-]?\d{1,300}(?:[.,]\d{1,300})*(?:[eE][+-]?\d{1,3})?", re.ASCII)
CLOCK = re.compile(r"(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6}(?:\.\d{1,9})?)", re.ASCII)
THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")

SYNTAX = "correct it: https://github.com/google/re2/wiki/Syntax"

Text = Annotated[str, Meta(max_length=500)]
Pattern = Annotated[str, Meta(min_length=1, max_length=1000)]


class NumberDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number, or the numbers of one kind."""

    metric: Text
    """Its name: one of the table, which has a unit and direction, or another one. It may hold
    `{placeholders}` of groups, of keys and of what `*` stands for."""
    unit: Text = ""
    better: Better = None
    factor: Annotated[float, Meta(ge=1e-30, le=1e30)] = 1.0
    """What makes it the metric's unit: 1e-6 from ns to ms."""
    pattern: Pattern | None = None
    """Of lines: the group `value` is the number; `seconds` makes it one of a series."""
    key: Pattern | None = None
    """Of JSON: keys with `/` between; `*name` is any key, and a placeholder. A place that several
    numbers find is of the first. Of CSV: a column."""


class LogDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the logs of one tool are read."""

    layout: Literal["lines", "json", "csv"] = "lines"
    recognise: Annotated[tuple[Pattern, ...], Meta(max_length=20)] = ()
    """By what a built-in format is recognised: patterns of which a line fits one, all of some keys
    of JSON, or all of some columns."""
    records: Text = ""
    """Of JSON: the key of the list of results; empty where the document is the list, or the only
    result."""
    benchmark: Text = ""
    """The name of the benchmark that numbers are of, with `{placeholders}`; empty where a log has
    one only."""
    failures: Annotated[tuple[Pattern, ...], Meta(max_length=20)] = ()
    """Patterns of lines in which the tool reports an error."""
    numbers: Annotated[tuple[NumberDescription, ...], Meta(min_length=1, max_length=MOST_NUMBERS)]


def read_parser(path: Path, shown_as: str) -> tuple[Parser | None, tuple[Problem, ...]]:
    """Return the parser of a description that a bundle holds, or what is wrong with it."""
    text, problems = read_text(path, shown_as)
    if text is None:
        return None, tuple(problems)
    return _parser(text, path.stem, shown_as)


def built_in_parser(name: str, text: str) -> Parser:
    """Return the parser of a format that comes with Perfpress, by the text of its description."""
    parser, problems = _parser(text, name, name)
    assert parser is not None, problems
    return parser


def _parser(text: str, name: str, shown_as: str) -> tuple[Parser | None, tuple[Problem, ...]]:
    document, problems = parse_toml(text, shown_as)
    if document is None:
        return None, tuple(problems)
    read = convert(document, LogDescription)
    if read.value is None:
        return None, read.problems
    format_ = _Format(name, read.value)
    if wrong := tuple(_misfits(format_, document)):
        return None, wrong
    return Parser(name, format_.recognise, partial(_parse, format_)), ()


@dataclass(frozen=True)
class _Format:
    """A description with its patterns compiled."""

    name: str
    described: LogDescription

    @cached_property
    def patterns(self) -> tuple[Any, ...]:
        """One a number; None of those with a key."""
        return tuple(each.pattern and _compiled(each.pattern) for each in self.described.numbers)

    @cached_property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """One a number: its key in parts."""
        is_path = self.described.layout == "json"
        keys = (each.key or "" for each in self.described.numbers)
        return tuple(tuple(key.split("/")) if is_path else (key,) for key in keys)

    @cached_property
    def failures(self) -> tuple[Any, ...]:
        return tuple(map(_compiled, self.described.failures))

    def recognise(self, lines: Sequence[str]) -> Answer:
        wanted = self.described.recognise
        if not wanted:
            return "no"
        if self.described.layout == "json":
            return recognise_json(*map(re.escape, wanted))(lines)
        if self.described.layout == "csv":
            first = next((line for line in lines if line.strip()), None)
            if first is None:
                return "more" if len(lines) < GIVE_UP_AFTER else "no"
            return "yes" if set(wanted) <= set(_cells(first)) else "no"
        signatures = map(_compiled, wanted)
        if any(each.search(line) for each in signatures for line in lines):
            return "yes"
        return "more" if len(lines) < GIVE_UP_AFTER else "no"


def _compiled(pattern: str) -> Any:
    """Return a pattern of RE2.

    Raises:
        re2.error: it is none.
    """
    options = re2.Options()
    options.log_errors = False
    options.max_mem = PATTERN_MEMORY
    return re2.compile(pattern, options)


def _misfits(format_: _Format, document: Document) -> Iterator[Problem]:
    """Yield what the schema cannot check."""

    def problem(found: str, expected: str, do: str, *path: str | int) -> Problem:
        line = document.line(*path)
        return Problem(path=document.shown_as, line=line, found=found, expected=expected, do=do)

    described = format_.described
    has_lines = described.layout == "lines"
    for at, failure in enumerate(described.failures):
        if why := _wrong_pattern(failure, ""):
            yield problem(f"a pattern that {why}", "one of RE2", SYNTAX, "failures", at)
    for at, number in enumerate(described.numbers):
        place = ("numbers", at)
        if (number.pattern is not None, number.key is not None) != (has_lines, not has_lines):
            found = f"a number in the layout {described.layout}"
            expected = "`pattern` and no `key`" if has_lines else "`key` and no `pattern`"
            yield problem(found, expected, "correct it", *place)
        elif number.pattern and (why := _wrong_pattern(number.pattern, "value")):
            yield problem(f"a pattern that {why}", "one of RE2", SYNTAX, *place, "pattern")
        elif number.key and number.key.count("/") >= MOST_PARTS:
            found = f"a key of {number.key.count('/') + 1} parts"
            yield problem(found, f"at most {MOST_PARTS}", "correct it", *place, "key")
        known = unit_of(number.metric)
        if known is not None and number.unit not in ("", known):
            found, do = f"{number.metric} in {number.unit!r}", "convert it by `factor`"
            yield problem(found, f"{known}, or another name", do, *place, "unit")


def _wrong_pattern(pattern: str, group: str) -> str:
    try:
        compiled = _compiled(pattern)
    except re2.error as error:
        return f"cannot be read ({excerpt(str(error), 100)})"
    return "" if not group or group in compiled.groupindex else f"has no group (?P<{group}>…)"


@dataclass
class _Found:
    """The numbers of a log while it is read."""

    notes: Notes
    format: _Format
    repeats: dict[str, Repeats] = field(default_factory=dict)
    """By benchmark; those of none have an empty name."""
    metrics: set[tuple[str, str]] = field(default_factory=set)

    def add(
        self, number: NumberDescription, text: str, values: Mapping[str, str], line: int
    ) -> None:
        """Note one number, or why it is none."""
        value = _value(text)
        if value is None:
            self.notes.skip(f"{excerpt(number.metric, 60)} that is no number", line)
            return
        name = excerpt(_filled(number.metric, values))
        benchmark = _filled(self.format.described.benchmark, values).strip()
        self.metrics.add((benchmark, name))
        if len(self.metrics) > MOST_FOUND:
            self.notes.skip(f"number beyond {MOST_FOUND:,} metrics", line)
            return
        unit, better = excerpt(_filled(number.unit, values), 40), number.better
        if (known := unit_of(name)) is not None:
            unit, better = unit or known, meaning_of(name).better
        metric = Metric(
            name=name, value=_times(value, number.factor), unit=unit, better=better, line=line
        )
        measures: Measures = self.notes.benchmark(benchmark, line) if benchmark else self.notes
        seconds = _value(values.get("seconds", ""))
        if seconds is not None:
            measures.sample_own(metric, seconds)
        else:
            self.repeats.setdefault(benchmark, Repeats(line)).measure_own(metric)

    def note(self) -> None:
        """Note the medians of repeats."""
        for name, one in self.repeats.items():
            one.note(self.notes.benchmark(name, one.line) if name else self.notes)


def _parse(format_: _Format, lines: Iterable[str], file: str) -> LogReading:
    notes = Notes(format_.name, file)
    found = _Found(notes, format_)
    if format_.described.layout == "lines":
        for number, line in enumerate(lines, start=1):
            _read_line(found, line, number)
    else:
        records = _csv if format_.described.layout == "csv" else _json
        for number, record in records(notes, format_.described, lines):
            _read_record(found, record, number)
    found.note()
    if not found.metrics:
        notes.break_off(
            found="none of the numbers that the format describes",
            expected=f"a whole log of the format {format_.name}",
            do="copy the log again, or correct the description",
        )
    return notes.reading()


def _read_line(found: _Found, line: str, at: int) -> None:
    described, is_known = found.format.described, False
    for number, pattern in zip(described.numbers, found.format.patterns, strict=True):
        if match := pattern.search(line):
            is_known = True
            values = {name: value or "" for name, value in match.groupdict().items()}
            found.add(number, values["value"], values, at)
    if any(failure.search(line) for failure in found.format.failures):
        found.notes.complain_of(line, at)
    elif not is_known:
        found.notes.skip("line without a number that is described", at)


def _read_record(found: _Found, record: Mapping[str, Any], line: int) -> None:
    values = {key: str(value) for key, value in record.items() if isinstance(value, str | int)}
    taken: set[tuple[str, ...]] = set()
    for number, parts in zip(found.format.described.numbers, found.format.keys, strict=True):
        for value, place in _at(record, parts):
            is_number = isinstance(value, str | int | float) and not isinstance(value, bool)
            if is_number and place not in taken:
                taken.add(place)
                stars = {part[1:]: key for part, key in zip(parts, place, strict=True)}
                found.add(number, str(value), ChainMap(values, stars), line)


def _at(value: Any, parts: Sequence[str]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield the values at a key, each with the keys that lead to it."""
    if not parts:
        yield value, ()
        return
    first, *rest = parts
    inner: Mapping[str, Any] = {}
    if isinstance(value, dict):
        inner = value
    elif isinstance(value, list):
        inner = {str(at): each for at, each in enumerate(value)}
    for key in inner if first.startswith("*") else (first,):
        if key in inner:
            yield from ((found, (key, *place)) for found, place in _at(inner[key], rest))


def _json(
    notes: Notes, described: LogDescription, lines: Iterable[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the results of a JSON document; no line of it is known for them."""
    text = whole_text(lines)
    try:
        document = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        found = f"more than {LARGEST >> 20} MiB" if text is None else reason_of(error)
        do = "copy the log again from where it was written"
        notes.break_off(found=found, expected="whole JSON", do=do)
        return
    for value, _ in _at(document, described.records.split("/") if described.records else ()):
        for record in value if isinstance(value, list) else [value]:
            if isinstance(record, dict):
                yield 0, record


def _csv(
    notes: Notes, _: LogDescription, lines: Iterable[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a CSV below its heading."""
    rows = csv.reader(f"{line}\n" for line in lines)
    columns: list[str] = []
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error:
            notes.skip("row that is no CSV", line)
            continue
        if row is None:
            return
        if not columns:
            columns = [cell.strip() for cell in row]
        elif len(row) == len(columns):
            yield line, dict(zip(columns, row, strict=True))
        else:
            notes.skip("row that does not fit the heading", line)


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:
        return []


def _value(text: str) -> float | None:
    """Return the number in a text: also `1,234.5`, `12,5` and `1:02:03`, in seconds."""
    text = text.strip()
    if clock := CLOCK.fullmatch(text):
        hours, minutes, seconds = clock.groups()
        return 3600 * float(hours or 0) + 60 * float(minutes) + float(seconds)
    if not NUMBER.fullmatch(text):
        return None
    plain = THOUSANDS.sub("", text).replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return None


def _times(value: float, factor: float) -> float:
    """Return what the log would hold had it been written in the other unit, to the last digit."""
    return float(Decimal(repr(value)) * Decimal(repr(factor)))


def _filled(template: str, values: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)

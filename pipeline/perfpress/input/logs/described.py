"""Reads logs by a TOML description: patterns of lines, or keys of JSON or CSV.

The formats of `formats/*.toml` are described so, and so is any other that a bundle brings along.
The reader has the budget of its log.
"""

import csv
import json
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from perfpress.base.problems import Problem
from perfpress.base.toml.read import convert, parse_toml, read_text
from perfpress.input.logs.json_results import LARGEST, reason_of, recognise_json, whole_text
from perfpress.input.logs.log_description import (
    CompiledDescription,
    LogDescription,
    NumberDescription,
    compiled,
    misfits,
    parts_of,
)
from perfpress.input.logs.metric_names import meaning_of, unit_of
from perfpress.input.logs.parser import (
    GIVE_UP_AFTER,
    Measures,
    Notes,
    Parser,
    Recognition,
    excerpt,
)
from perfpress.input.logs.readings import LogReading, Metric
from perfpress.input.logs.repeats import Repeats
from perfpress.input.logs.units import factor_between

MOST_FOUND = 20_000
"""Different metrics of a log, over all its benchmarks."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")
# 5 · 12.5 · 1,234,567.8 · 12,5 · 3e-05
NUMBER = re.compile(r"[+-]?\d{1,300}(?:[.,]\d{1,300})*(?:[eE][+-]?\d{1,3})?", re.ASCII)
CLOCK = re.compile(r"(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6}(?:\.\d{1,9})?)", re.ASCII)
THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")

PlaceholderValues = MutableMapping[str, Any]
"""What placeholders stand for, where it is text or a whole number; a ChainMap takes no other."""


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
    if wrong := tuple(misfits(read.value, document)):
        return None, wrong
    parse = partial(_parse, CompiledDescription(name, read.value))
    return Parser(name, _recogniser(read.value), parse, read.value.began is not None), ()


def _recogniser(described: LogDescription) -> Callable[[Sequence[str]], Recognition]:
    wanted = described.recognise
    if not wanted:
        return lambda _: "no"
    if described.layout == "json":
        return recognise_json(*map(re.escape, wanted))
    if described.layout == "csv":
        return partial(_recognise_csv, frozenset(wanted))
    return partial(_recognise_lines, tuple(map(compiled, wanted)))


def _recognise_csv(columns: frozenset[str], lines: Sequence[str]) -> Recognition:
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        return "more" if len(lines) < GIVE_UP_AFTER else "no"
    return "yes" if columns <= set(_cells(first)) else "no"


def _recognise_lines(signatures: Sequence[Any], lines: Sequence[str]) -> Recognition:
    if any(each.search(line) for each in signatures for line in lines):
        return "yes"
    return "more" if len(lines) < GIVE_UP_AFTER else "no"


@dataclass
class _Found:
    """The numbers of a log while it is read."""

    notes: Notes
    format: CompiledDescription
    benchmark: str
    """The template of its name."""
    repeats: dict[str, Repeats] = field(default_factory=dict)
    """By benchmark; those of none have an empty name."""
    metrics: set[tuple[str, str]] = field(default_factory=set)

    def add(
        self, number: NumberDescription, text: str, values: PlaceholderValues, line: int
    ) -> bool:
        """Note one number, or why it is none; return whether its unit is the metric's."""
        name = excerpt(_filled(number.metric, values))
        unit, better = excerpt(_filled(number.unit, values), 40), number.better
        factor: Decimal | None = Decimal(repr(number.factor))
        if (known := unit_of(name)) is not None:
            factor = factor_between(unit, known) if unit else factor
            unit, better = known, meaning_of(name).better
        if factor is None:
            return False
        value = _value(text)
        if value is None:
            self.notes.skip(f"{excerpt(number.metric, 60)} that is no number", line)
            return True
        template = self.benchmark if number.benchmark is None else number.benchmark
        benchmark = _filled(template, values).strip()
        self.metrics.add((benchmark, name))
        if len(self.metrics) > MOST_FOUND:
            self.notes.skip(f"number beyond {MOST_FOUND:,} metrics", line)
            return True
        # What the log would hold had it been written in the other unit, to the last digit.
        value = float(Decimal(repr(value)) * factor)
        metric = Metric(name=name, value=value, unit=unit, better=better, line=line)
        measures: Measures = self.notes.benchmark(benchmark, line) if benchmark else self.notes
        seconds = _value(_text(values.get("seconds")))
        if seconds is not None:
            measures.sample_own(metric, seconds)
        else:
            repeats = self.repeats.setdefault(benchmark, Repeats(line))
            if self.format.described.keep == "last":
                repeats.forget(name)
            repeats.measure_own(metric)
        return True

    def note(self) -> None:
        """Note the medians of repeats."""
        for name, one in self.repeats.items():
            one.note(self.notes.benchmark(name, one.line) if name else self.notes)


def _parse(format_: CompiledDescription, lines: Iterable[str], file: str) -> LogReading:
    notes = Notes(format_.name, file)
    in_name = format_.path.search(file) if format_.path else None
    no_benchmark = format_.path is not None and in_name is None
    found = _Found(notes, format_, "" if no_benchmark else format_.described.benchmark)
    around = in_name.groupdict("") if in_name else {}
    if format_.described.layout == "lines":
        for number, line in enumerate(lines, start=1):
            around = _read_line(found, line, around, number)
    else:
        records = _csv if format_.described.layout == "csv" else _json
        for number, record, values in records(notes, format_, lines):
            _read_record(found, record, ChainMap(values, around), number)
    found.note()
    if not found.metrics:
        notes.break_off(
            found="none of the numbers that the format describes",
            expected=f"a whole log of the format {format_.name}",
            do="copy the log again, or correct the description",
        )
    return notes.reading()


def _read_line(found: _Found, line: str, around: dict[str, str], at: int) -> dict[str, str]:
    """Read one line; return the placeholders for those below."""
    described, is_known = found.format.described, False
    # Each pattern would encode a text again.
    encoded = line.encode()
    if found.format.began and (began := found.format.began.search(encoded)):
        found.notes.begin(_groups(began)["value"])
        is_known = True
    for context in found.format.context:
        if match := context.search(encoded):
            is_known, around = True, around | _groups(match)
    for number, pattern in zip(described.numbers, found.format.patterns, strict=True):
        if match := pattern.search(encoded):
            groups = _groups(match)
            is_known = found.add(number, groups["value"], ChainMap(groups, around), at) or is_known
    if any(failure.search(encoded) for failure in found.format.failures):
        found.notes.complain_of(line, at)
    elif not is_known:
        found.notes.skip("line without a number that is described", at)
    return around


def _groups(match: Any) -> dict[str, str]:
    """Return the named groups; a pattern may cut a character in two."""
    return {name: part.decode(errors="replace") for name, part in match.groupdict(b"").items()}


def _read_record(
    found: _Found, record: Mapping[str, Any], values: PlaceholderValues, line: int
) -> None:
    taken: set[tuple[str, ...]] = set()
    for number, keys in zip(found.format.described.numbers, found.format.keys, strict=True):
        for parts in keys:
            is_found = False
            for value, place, _ in _at(record, parts):
                is_number = isinstance(value, str | int | float) and not isinstance(value, bool)
                if is_number and place not in taken:
                    stars = {part[1:]: key for part, key in zip(parts, place, strict=True)}
                    is_found = found.add(number, str(value), ChainMap(stars, values), line)
                    taken |= {place} if is_found else set()
            if is_found:
                break


def _at(
    value: Any, parts: Sequence[str], around: tuple[dict[str, Any], ...] = ()
) -> Iterator[tuple[Any, tuple[str, ...], tuple[dict[str, Any], ...]]]:
    """Yield the values at a key, each with the keys that lead to it, and the objects around it."""
    if not parts:
        yield value, (), around
        return
    first, *rest = parts
    inner: Mapping[str, Any] = {}
    if isinstance(value, dict):
        inner, around = value, (value, *around)
    elif isinstance(value, list):
        inner = {str(at): each for at, each in enumerate(value)}
    for key in inner if first.startswith("*") else (first,):
        if key in inner:
            for found, place, objects in _at(inner[key], rest, around):
                yield found, (key, *place), objects


def _json(
    notes: Notes, format_: CompiledDescription, lines: Iterable[str]
) -> Iterator[tuple[int, dict[str, Any], PlaceholderValues]]:
    """Yield the results of a JSON document; no line of it is known for them."""
    text = whole_text(lines)
    try:
        document = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        found = f"more than {LARGEST >> 20} MiB" if text is None else reason_of(error)
        do = "copy the log again from where it was written"
        notes.break_off(found=found, expected="whole JSON", do=do)
        return
    if format_.began:
        _note_begin(notes, (value for value, _, _ in _at(document, format_.began)))
    for value, _, around in _at(document, parts_of(format_.described.records)):
        for record in value if isinstance(value, list) else [value]:
            if isinstance(record, dict):
                yield 0, record, ChainMap(record, *around)


def _note_begin(notes: Notes, values: Iterable[Any]) -> None:
    for value in values:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            notes.begin(value)


def _csv(
    notes: Notes, format_: CompiledDescription, lines: Iterable[str]
) -> Iterator[tuple[int, dict[str, Any], PlaceholderValues]]:
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
            record = dict(zip(columns, row, strict=True))
            if format_.began:
                _note_begin(notes, (value for value, _, _ in _at(record, format_.began)))
            yield line, record, record
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


def _filled(template: str, values: PlaceholderValues) -> str:
    return PLACEHOLDER.sub(lambda found: _text(values.get(found[1]), found[0]), template)


def _text(value: Any, otherwise: str = "") -> str:
    return str(value) if isinstance(value, str | int) else otherwise

"""Reads a log of any known format; the format is recognised from the content."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import msgspec

from perfpress.base.problems import Problem
from perfpress.base.toml.words import nearest
from perfpress.input.logs.formats import FORMATS, parser_of
from perfpress.input.logs.other_logs import OtherLog, other_log
from perfpress.input.logs.parser import GIVE_UP_AFTER, Parser
from perfpress.input.logs.readings import LogReading, Metric, Skipped
from perfpress.input.logs.text_lines import TextLines


@dataclass(frozen=True)
class DescriptionFile:
    """A TOML file that says how a log is read, as `perfpress.input.logs.described` has it."""

    path: Path
    shown_as: str


COLOUR = re.compile(r"\x1b\[[0-9;]{0,40}m")
"""Some tools write them into files as well: mitata, vitest, siege."""

HEADS = (20, 200, GIVE_UP_AFTER)
"""Lines that the parsers are shown, one try after the other."""


def read_log(
    path: Path, shown_as: str, format_hint: str | DescriptionFile | None = None
) -> LogReading:
    """Read a log, plain or compressed; `shown_as` is its name in problems and on pages.

    `format_hint` is a parser's name, given where recognition is wrong, or a description for want of
    a parser. Never raises for what the file holds, or for a file that cannot be read: the reading's
    problems say what is wrong.
    """
    source = TextLines(path)
    try:
        lines = _plain(iter(source))
        if isinstance(format_hint, DescriptionFile):
            from perfpress.input.logs.described import read_parser

            parser, problems = read_parser(format_hint.path, format_hint.shown_as)
            if parser is None:
                return LogReading(format="", file=shown_as, problems=problems)
            return _parsed(parser, lines, shown_as, source)
        parser, head = _choose(lines, format_hint)
        if parser is None:
            return _unknown(shown_as, head, format_hint, source)
        return _parsed(parser, chain(head, lines), shown_as, source)
    except OSError as error:
        problem = Problem(
            path=shown_as,
            found=f"cannot be read ({error.strerror or error})",
            expected="a readable file",
            do="fix the file or its entry in run.toml",
        )
        return LogReading(format="", file=shown_as, problems=(problem,))


def _parsed(parser: Parser, lines: Iterable[str], shown_as: str, source: TextLines) -> LogReading:
    reading = parser.parse(lines, shown_as)
    if source.too_long:
        reading = _without_long_lines(reading, source)
    if source.broken:
        return _with_damage(reading, source.broken)
    return _without_cut_line(reading, source.cut_line) if source.cut_line else reading


def format_of(path: Path) -> str:
    """Return the format of a log by its first lines; an empty text where no parser knows it."""
    try:
        parser, _ = _choose(_plain(iter(TextLines(path))), None)
    except OSError:
        return ""
    return parser.name if parser else ""


def other_log_in(path: Path) -> OtherLog | None:
    """Return what a file is that no parser takes, where its first lines show it."""
    try:
        return other_log(list(islice(_plain(iter(TextLines(path))), GIVE_UP_AFTER)))
    except OSError:
        return None


def _plain(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines without a byte order mark and without the colours of a terminal."""
    for at, line in enumerate(lines):
        marked = line.removeprefix("\ufeff") if at == 0 else line
        yield COLOUR.sub("", marked) if "\x1b" in marked else marked


def _choose(lines: Iterator[str], format_hint: str | None) -> tuple[Parser | None, list[str]]:
    """Return the parser that knows the log, and the lines read to find out."""
    head: list[str] = []
    if format_hint is not None:
        return parser_of(format_hint) if format_hint in FORMATS else None, head
    candidates: Sequence[str] = FORMATS
    for size in HEADS:
        head += islice(lines, size - len(head))
        undecided = []
        for name in candidates:
            parser = parser_of(name)
            answer = parser.recognise(head)
            if answer == "yes":
                return parser, head
            if answer == "more":
                undecided.append(name)
        candidates = undecided
    return None, head


def _unknown(file: str, head: Sequence[str], hint: str | None, source: TextLines) -> LogReading:
    if hint is not None:
        near = nearest(hint, FORMATS)
        found = f"the format {hint!r}, which no parser reads"
        do = f"did you mean {near}?" if near else "correct it under [step.formats]"
    elif source.broken:
        found, do = source.broken, "copy the file again from where it was written"
    elif source.too_long and not any(head):
        found = f"a line longer than {source.longest >> 20} MiB"
        do = "keep the log as its tool wrote it, in lines"
    elif not any(head):
        found = f"no text in the first {len(head):,} lines" if head else "an empty file"
        do = "remove it from logs, or run the step again"
    elif other := other_log(head):
        found, do = other.found, other.do
    elif "\0" in head[0]:
        found, do = "a file of bytes, or text in UTF-16", "write text as UTF-8"
    else:
        found, do = (
            "a log of no known format",
            "name or describe its format: [step.formats]; text where it has no numbers",
        )
    expected = f"one of the {len(FORMATS)} formats that the page on logs lists"
    problem = Problem(path=file, found=found, expected=expected, do=do)
    return LogReading(format="", file=file, problems=(problem,), partial=bool(source.broken))


def _without_long_lines(reading: LogReading, source: TextLines) -> LogReading:
    reason = f"line longer than {source.longest >> 20} MiB"
    skipped = Skipped(reason=reason, count=len(source.too_long), first_line=source.too_long[0])
    return msgspec.structs.replace(reading, skipped=(*reading.skipped, skipped))


def _without_cut_line(reading: LogReading, line: int) -> LogReading:
    """Leave out the numbers of a last line that may be cut off."""

    def whole(metrics: tuple[Metric, ...]) -> tuple[Metric, ...]:
        return tuple(each for each in metrics if each.line != line)

    benchmarks = tuple(
        msgspec.structs.replace(each, metrics=whole(each.metrics)) for each in reading.benchmarks
    )
    rest = msgspec.structs.replace(reading, metrics=whole(reading.metrics), benchmarks=benchmarks)
    if rest == reading:
        return reading
    problem = Problem(
        path=reading.file,
        line=line,
        found="a last line without an end, whose number may be cut off: it is left out",
        expected="a whole file",
        do="copy it again; or, if it is whole, end its last line",
        severity="warning",
    )
    return msgspec.structs.replace(rest, problems=(*reading.problems, problem))


def _with_damage(reading: LogReading, broken: str) -> LogReading:
    problem = Problem(
        path=reading.file,
        found=broken,
        expected="a whole file",
        do="copy it again from where it was written; what could be read is shown",
    )
    return msgspec.structs.replace(reading, problems=(problem, *reading.problems), partial=True)

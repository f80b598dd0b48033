"""Benchmark and host logs, one parser a file. A format is recognised from the content."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import msgspec

from pipeline.logs import (
    csv_table,
    db_bench,
    explain_trace,
    go_bench,
    google_benchmark,
    hyperfine,
    insert_benchmark_client,
    insert_benchmark_result,
    insert_benchmark_summary,
    interval_throughput,
    iostat,
    operation_rates,
    perf_stat,
    pgbench,
    postgres_explain,
    pytest_benchmark,
    sysbench,
    time_command,
    vmstat,
)
from pipeline.logs.open import LONGEST_LINE, TextLines
from pipeline.logs.parser import GIVE_UP_AFTER, Parser
from pipeline.logs.readings import LogReading, Skipped
from pipeline.problems import Problem

PARSERS: tuple[Parser, ...] = (
    pgbench.PARSER,
    sysbench.PARSER,
    vmstat.PARSER,
    insert_benchmark_summary.PARSER,
    insert_benchmark_result.PARSER,
    insert_benchmark_client.PARSER,
    iostat.PARSER,
    operation_rates.PARSER,
    perf_stat.PARSER,
    time_command.PARSER,
    db_bench.PARSER,
    go_bench.PARSER,
    google_benchmark.PARSER,
    hyperfine.PARSER,
    pytest_benchmark.PARSER,
    interval_throughput.PARSER,
    explain_trace.PARSER,
    postgres_explain.PARSER,
    csv_table.PARSER,
)
"""Every known format. A new one is one more file and one more entry."""

HEADS = (20, 200, GIVE_UP_AFTER)
"""Lines that the parsers are shown, one try after the other."""


def read_log(path: Path, shown_as: str, format_hint: str | None = None) -> LogReading:
    """Read a log, plain or compressed; `shown_as` is its name in problems and on pages.

    `format_hint` is a parser's name, given where recognition is wrong. Never raises for what the
    file holds, or for a file that cannot be read: the reading's problems say what is wrong.
    """
    source = TextLines(path)
    try:
        lines = _without_byte_order_mark(iter(source))
        parser, head = _choose(lines, format_hint)
        if parser is None:
            return _unknown(shown_as, head, format_hint, source)
        reading = parser.parse(chain(head, lines), shown_as)
    except OSError as error:
        problem = Problem(
            path=shown_as,
            found=f"cannot be read ({error.strerror or error})",
            expected="a readable file",
            do="mend the file or its entry in run.toml",
        )
        return LogReading(format="", file=shown_as, problems=(problem,))
    if source.too_long:
        reading = _without_long_lines(reading, source.too_long)
    return _with_damage(reading, source.broken) if source.broken else reading


def _without_byte_order_mark(lines: Iterator[str]) -> Iterator[str]:
    first = next(lines, None)
    return iter(()) if first is None else chain((first.removeprefix("\ufeff"),), lines)


def _choose(lines: Iterator[str], format_hint: str | None) -> tuple[Parser | None, list[str]]:
    """Return the parser that knows the log, and the lines read to find out."""
    head: list[str] = []
    if format_hint is not None:
        return next((each for each in PARSERS if each.name == format_hint), None), head
    candidates: Sequence[Parser] = PARSERS
    for size in HEADS:
        head += islice(lines, size - len(head))
        answers = [(parser, parser.recognise(head)) for parser in candidates]
        for parser, answer in answers:
            if answer == "yes":
                return parser, head
        candidates = [parser for parser, answer in answers if answer == "more"]
    return None, head


def _unknown(file: str, head: Sequence[str], hint: str | None, source: TextLines) -> LogReading:
    known = ", ".join(parser.name for parser in PARSERS)
    if hint is not None:
        found, do = f"the format {hint!r}, which no parser reads", "correct it under [step.formats]"
    elif source.broken:
        found, do = source.broken, "copy the file again from where it was written"
    elif source.too_long and not any(head):
        found = f"a line longer than {LONGEST_LINE >> 20} MiB"
        do = "keep the log as its tool wrote it, in lines"
    elif not any(head):
        found, do = "an empty file", "remove it from logs, or run the step again"
    elif "\0" in head[0]:
        found, do = "a file of bytes, or text in UTF-16", "write text as UTF-8"
    else:
        found, do = "a log of no known format", "name its format under [step.formats]"
    problem = Problem(path=file, found=found, expected=f"output of {known}", do=do)
    return LogReading(format="", file=file, problems=(problem,), partial=bool(source.broken))


def _without_long_lines(reading: LogReading, lines: Sequence[int]) -> LogReading:
    reason = f"line longer than {LONGEST_LINE >> 20} MiB"
    skipped = Skipped(reason=reason, count=len(lines), first_line=lines[0])
    return msgspec.structs.replace(reading, skipped=(*reading.skipped, skipped))


def _with_damage(reading: LogReading, broken: str) -> LogReading:
    problem = Problem(
        path=reading.file,
        found=broken,
        expected="a whole file",
        do="copy it again from where it was written; what could be read is shown",
    )
    return msgspec.structs.replace(reading, problems=(problem, *reading.problems), partial=True)

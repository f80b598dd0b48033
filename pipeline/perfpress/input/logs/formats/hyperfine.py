"""Reads hyperfine's JSON (`--export-json`).

An operation is one run of the command; each is a process of its own.
"""

from collections.abc import Iterable
from statistics import median

import msgspec

from perfpress.input.logs.json_results import complain_of_second, recognise_json, typed_results
from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import Notes, Parser
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.repeats import METRICS_OF_TIMES, repeats_note

DIGITS = 9
"""Of a nanosecond in a second."""


class CommandResult(msgspec.Struct, frozen=True):
    """One entry of `results`; times in seconds."""

    command: str
    mean: float
    median: float
    min: float
    max: float
    stddev: float | None = None
    """null where the command ran once."""
    user: float | None = None
    system: float | None = None
    times: tuple[float, ...] = ()
    memory_usage_byte: tuple[int, ...] | None = None
    """Most memory held, of each run; since hyperfine 1.20."""
    exit_codes: tuple[int | None, ...] = ()
    """null where a signal ended the command."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all commands, of each the median of its runs."""
    notes = Notes("hyperfine", file)
    results, _ = typed_results(notes, lines, "results", CommandResult)
    seen: set[str] = set()
    for line, result, _ in results:
        if result.command in seen:
            complain_of_second(notes, result.command, line)
            continue
        seen.add(result.command)
        _note(notes, result, line)
    return notes.reading()


def _note(notes: Notes, result: CommandResult, line: int) -> None:
    benchmark = notes.benchmark(result.command, line)
    count = len(result.times)
    for name, key in METRICS_OF_TIMES:
        seconds = getattr(result, key)
        if seconds is not None:
            note = repeats_note(count) if key == "median" else ""
            runs = [scaled(each, DIGITS) for each in result.times] if key == "median" else []
            benchmark.measure(name, scaled(seconds, DIGITS), line, note, runs)
    if result.user is not None and result.system is not None:
        cpu = scaled(result.user + result.system, DIGITS)
        benchmark.measure("process_cpu_per_operation", cpu, line, repeats_note(count, "mean"))
    if memory := [each for each in result.memory_usage_byte or () if each > 0]:
        held = median(memory) / 1024
        benchmark.measure("command_memory", held, line, repeats_note(len(memory)))
    if count:
        benchmark.measure("repeats", count, line)
    failed = sum(code != 0 for code in result.exit_codes)
    if result.exit_codes:
        benchmark.measure("failed_operations", failed, line)
    if failed:
        # hyperfine stops at a failure, unless it is run with -i.
        notes.complain(
            line=line,
            found=f"{failed} of {len(result.exit_codes)} runs ended with another exit code than 0",
            expected="a command that does its work; its times count, because hyperfine ran with -i",
            do="see that the command does what it should",
            severity="warning",
        )


PARSER = Parser("hyperfine", recognise_json("results", "command", "mean"), parse)

"""Reads what `vmstat SECONDS` prints, with `-t` or without, `-w` or without.

The numbers are those of the whole host, the client that drove the benchmark included. The first
report is left out: it holds averages since the host was started. A log made with `-y`, which
suppresses that report, loses its first interval by this, unless the command is above it.

Only with `-t`, or below its command, does the log have the time of a report; without there are
averages, and no series.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import fmean
from typing import NamedTuple

from perfpress.input.logs.interval_command import IntervalCommand, interval_command
from perfpress.input.logs.parser import Notes, Parser, recognise_by
from perfpress.input.logs.readings import LogReading

#  r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
#    r    b         swpd         free         buff        cache   si   so    bi    bo …   (-w)
#  r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st          UTC
COLUMNS = re.compile(r"\s*r\s+b\s+swpd\s+free\s")
# procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
# --procs-- -----------------------memory---------------------- ---swap-- -----io----
GROUPS = re.compile(r"-*procs-* -+memory-+ ")

#  1  0      0 23811556   7124 738680    0    0     0     0   51   78  0  0 100  0  0 2026-11-21 …
ROW = re.compile(r"[\s\d]+$")
CLOCK = re.compile(r"\s(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$")

METRICS = {
    "r": "runnable",
    "b": "blocked",
    "si": "swap_in",
    "so": "swap_out",
    "bi": "blocks_in",
    "bo": "blocks_out",
    "in": "interrupts",
    "cs": "context_switches",
    "us": "cpu_user",
    "sy": "cpu_system",
    "id": "cpu_idle",
    "wa": "cpu_wait",
    "st": "cpu_stolen",
    "gu": "cpu_guest",
}
"""By vmstat's column. The memory columns are left out: their unit depends on `-S`."""


class VmstatReport(NamedTuple):
    """One line of numbers."""

    line: int
    values: dict[str, float]
    """By metric."""
    clock: datetime | None


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the averages over vmstat's intervals, and with `-t` each interval's values."""
    notes = Notes("vmstat", file)
    columns: list[str] = []
    reports: list[VmstatReport] = []
    command: IntervalCommand | None = None
    cut = 0
    for number, line in enumerate(lines, start=1):
        if COLUMNS.match(line):
            columns = line.split()
        elif GROUPS.match(line) or not line.strip():
            notes.skip("heading", number)
        elif report := _report(line, columns, number):
            reports.append(report)
        elif not reports and (found := interval_command(line, "vmstat")):
            command = found
        else:
            notes.skip("line that is no whole report of vmstat", number)
            cut = number
    if cut and (not reports or cut > reports[-1].line):
        _complain(notes, cut, "the log breaks off inside a line", "copy the file again")
    intervals = reports if command and command.omits_first else reports[1:]
    if intervals is not reports and reports:
        notes.skip("first report: averages since the host was started", reports[0].line)
    if intervals:
        _note_averages(notes, intervals)
        _note_series(notes, reports, intervals, command)
    else:
        missing = "no report but the one since the host was started"
        _complain(notes, 0, missing, "run vmstat with an interval, during the whole step")
    return notes.reading()


def _report(line: str, columns: Sequence[str], number: int) -> VmstatReport | None:
    clock = CLOCK.search(line)
    numbers = line[: clock.start()] if clock else line
    if not ROW.match(numbers):
        return None
    values = [float(text) for text in numbers.split()]
    # With -t the time zone follows the names of the columns.
    if len(values) != len(columns) - (1 if clock else 0):
        return None
    named = {
        METRICS[column]: value
        for column, value in zip(columns, values, strict=False)
        if column in METRICS
    }
    try:
        return VmstatReport(number, named, datetime.fromisoformat(clock[1]) if clock else None)
    except ValueError:
        return None


def _note_averages(notes: Notes, intervals: Sequence[VmstatReport]) -> None:
    for name in intervals[0].values:
        values = [report.values[name] for report in intervals if name in report.values]
        notes.measure(name, fmean(values), intervals[0].line)


def _note_series(
    notes: Notes,
    reports: Sequence[VmstatReport],
    intervals: Sequence[VmstatReport],
    command: IntervalCommand | None,
) -> None:
    """Note the values of intervals, where the log has their times."""
    for place, report in enumerate(intervals, start=1):
        if command:
            seconds = float(place * command.seconds)
        elif report.clock and (start := reports[0].clock):
            seconds = (report.clock - start).total_seconds()
        else:
            notes.skip("values of single intervals: without -t the log holds no clock", report.line)
            continue
        for name, value in report.values.items():
            notes.sample(name, seconds, value, report.line)


def _complain(notes: Notes, line: int, found: str, do: str) -> None:
    notes.break_off(line=line, found=found, expected="whole reports", do=do)


PARSER = Parser("vmstat", recognise_by(COLUMNS), parse)

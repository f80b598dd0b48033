"""Reads what iostat prints, best with `-kx`: layouts of sysstat 10, 11 and 12, by their headings.

The first report is left out where it holds averages since the host was started; with `-y` iostat
prints none, and has a second empty line below its first one. Only with `-t`, or below its
command, does the log have the time of a report; without there are averages, and no series.

The sums are over devices that are built on no other. A mirror writes twice what it is asked to
write, and so does the sum.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from statistics import fmean

from perfpress.input.logs.interval_command import IntervalCommand, interval_command
from perfpress.input.logs.parser import Notes, Parser, excerpt, recognise_by
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.storage_devices import physical

# Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s …   sysstat 12
# Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm …            11
# Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz …           10
# Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read …        without -x
DEVICES = re.compile(r"Device:?\s+(?:r/s|rrqm/s|tps)\s")
# avg-cpu:  %user   %nice %system %iowait  %steal   %idle
CPU = re.compile(r"avg-cpu:\s+%user\s")
# Linux 5.15.0-119-generic (host) 	03/05/2025 	_x86_64_	(96 CPU)
FIRST = re.compile(r"Linux \S+ \([^)]*\)\s[^(]*\((\d+) CPU\)\s*$")
# 11/21/26 20:36:17 · 11/21/2026 08:36:17 PM · 2026-11-21T20:36:18+0000 · Time: 20:36:17
CLOCK = re.compile(
    r"(?:Time: |[\d./-]{6,12}[T ]\s{0,3})(\d\d):(\d\d):(\d\d)"
    r"\s{0,3}(AM|PM|[+-]\d\d:?\d\d)?\s{0,3}$",
    re.ASCII,
)
# `-h` puts the devices last and rounds.      r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
ROUNDED = re.compile(r"\s+(?:[rwdf]/s|tps)\s.*\sDevice$")

DAY = 24 * 3600
LONGEST_NAME = 100
"""Characters of a device's name."""

SECTOR = 0.5
"""KiB that a sector, or a block of iostat without -k, has."""

CPU_METRICS = {
    "%system": "cpu_system",
    "%idle": "cpu_idle",
    "%iowait": "cpu_wait",
    "%steal": "cpu_stolen",
}
"""By column; %user and %nice together are what vmstat calls `us`."""

DEVICE_METRICS = {
    "r/s": ("reads", 1.0),
    "w/s": ("writes", 1.0),
    "rkB/s": ("read_volume", 1.0),
    "wkB/s": ("write_volume", 1.0),
    "rMB/s": ("read_volume", 1024.0),
    "wMB/s": ("write_volume", 1024.0),
    "rsec/s": ("read_volume", SECTOR),
    "wsec/s": ("write_volume", SECTOR),
    "kB_read/s": ("read_volume", 1.0),
    "kB_wrtn/s": ("write_volume", 1.0),
    "MB_read/s": ("read_volume", 1024.0),
    "MB_wrtn/s": ("write_volume", 1024.0),
    "Blk_read/s": ("read_volume", SECTOR),
    "Blk_wrtn/s": ("write_volume", SECTOR),
    "r_await": ("read_latency", 1.0),
    "w_await": ("write_latency", 1.0),
    "%util": ("utilization", 1.0),
}
"""The metric of a column, and what one of its unit is in that of the metric."""
SUMMED = ("reads", "writes", "read_volume", "write_volume")
WEIGHED_BY = {"read_latency": "reads", "write_latency": "writes"}
"""A mean time is one of operations: of an interval with more of them, more counts."""


@dataclass
class IostatReport:
    """What iostat prints at one time."""

    line: int
    seconds: float | None = None
    """Of the day, where the log holds a clock."""
    cpu: dict[str, float] = field(default_factory=dict)
    """By metric."""
    devices: dict[str, dict[str, float]] = field(default_factory=dict)
    """By device and metric."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return averages over iostat's intervals, per device and summed, and with `-t` the sums."""
    notes = Notes("iostat", file)
    reader = _Reader(notes)
    for number, line in enumerate(lines, start=1):
        reader.read(line, number)
    if reader.cut:
        _complain(notes, reader.cut, "the log breaks off inside a line", "copy the file again")
    reports = [report for report in reader.reports if report.devices or report.cpu]
    command = reader.command
    omits_first = reader.omits_first or (command is not None and command.omits_first)
    if not omits_first and reports:
        notes.skip("first report: averages since the host was started", reports[0].line)
        since_start, *intervals = reports
        start = since_start.seconds
    else:
        intervals, start = reports, None
    if not intervals:
        found = "no report but the one since the host was started"
        _complain(notes, 0, found, "run iostat with an interval, during the whole step")
    else:
        _note_averages(notes, intervals)
        if command:
            _note_series(notes, intervals, [float(command.seconds)] * len(intervals))
        else:
            _note_series(notes, intervals, _lengths(intervals, start))
    return notes.reading()


class _Reader:
    """Sorts lines into reports."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.reports: list[IostatReport] = []
        self.omits_first = False
        self.command: IntervalCommand | None = None
        self.cut = 0
        self._columns: list[str] = []
        self._clock: float | None = None
        self._first_line = 0
        self._is_cpu_next = False

    def read(self, line: str, number: int) -> None:
        if not line.strip():
            self.omits_first |= number == self._first_line + 2 and self._first_line > 0
            self._columns = []
        elif CPU.match(line):
            self._begin(number)
            self._columns, self._is_cpu_next = line.split()[1:], True
        elif DEVICES.match(line):
            if not self.reports or self.reports[-1].devices:
                self._begin(number)
            self._columns, self._is_cpu_next = line.split()[1:], False
        elif first := FIRST.match(line):
            self._first_line = number
            self.notes.facts.setdefault("CPUs that iostat knows", first[1])
        elif clock := CLOCK.match(line):
            self._clock = _seconds_of(clock)
        elif command := interval_command(line, "iostat"):
            self.command = command
        elif ROUNDED.match(line):
            problem = "iostat -h rounds its numbers"
            _complain(self.notes, number, problem, "run iostat -kx without -h")
        elif not self._columns:
            self.notes.skip("line that is not iostat's", number)
        else:
            self._read_row(line, number)

    def _begin(self, number: int) -> None:
        self.reports.append(IostatReport(number, self._clock))
        self._clock = None

    def _read_row(self, line: str, number: int) -> None:
        cells = line.split()
        name = "" if self._is_cpu_next else excerpt(cells.pop(0), LONGEST_NAME)
        try:
            # A locale may write 0,62.
            values = [float(cell.replace(",", ".")) for cell in cells]
        except ValueError:
            values = []
        self.cut = 0 if len(values) == len(self._columns) else number
        if self.cut:
            self.notes.skip("line that is no whole row of iostat", number)
            return
        row = dict(zip(self._columns, values, strict=True))
        if self._is_cpu_next:
            self.reports[-1].cpu = _cpu(row)
            self._columns = []
        else:
            self.reports[-1].devices.setdefault(name, _device(row))


def _seconds_of(clock: re.Match[str]) -> float:
    hours, minutes, seconds = (int(clock[group]) for group in (1, 2, 3))
    if clock[4] in ("AM", "PM"):
        hours = hours % 12 + (12 if clock[4] == "PM" else 0)
    return float(3600 * hours + 60 * minutes + seconds)


def _cpu(row: Mapping[str, float]) -> dict[str, float]:
    named = {metric: row[column] for column, metric in CPU_METRICS.items() if column in row}
    return {"cpu_user": row.get("%user", 0.0) + row.get("%nice", 0.0)} | named


def _device(row: Mapping[str, float]) -> dict[str, float]:
    return {
        DEVICE_METRICS[column][0]: value * DEVICE_METRICS[column][1]
        for column, value in row.items()
        if column in DEVICE_METRICS
    }


def _note_averages(notes: Notes, intervals: Sequence[IostatReport]) -> None:
    line = intervals[0].line
    for name in intervals[0].cpu:
        notes.measure(name, fmean(each.cpu[name] for each in intervals if name in each.cpu), line)
    devices = dict.fromkeys(device for each in intervals for device in each.devices)
    summed = physical(devices)
    notes.facts["devices summed"] = ", ".join(summed) or "none"
    if others := [device for device in devices if device not in summed]:
        notes.facts["devices left out of the sum, as they are built on others"] = ", ".join(others)
    for name in SUMMED:
        sums = [_sum(each, summed, name) for each in intervals]
        known = [value for value in sums if value is not None]
        if known:
            notes.measure(name, fmean(known), line)
    for device in devices:
        rows = [each.devices[device] for each in intervals if device in each.devices]
        if not any(name in row for row in rows for name in SUMMED):
            notes.skip("device in a layout without columns for reads and writes", line)
        elif any(row.get(name) for row in rows for name in SUMMED):
            _note_device(notes, device, rows, line)
        else:
            notes.skip("device that neither read nor wrote", line)


def _note_device(notes: Notes, device: str, rows: Sequence[Mapping[str, float]], line: int) -> None:
    for name in rows[0]:
        weights = [row.get(WEIGHED_BY.get(name, ""), 1.0) for row in rows]
        if sum(weights) > 0:
            value = fmean([row.get(name, 0.0) for row in rows], weights)
            notes.measure(f"{name} of {device}", value, line)


def _sum(report: IostatReport, devices: Sequence[str], name: str) -> float | None:
    values = [
        report.devices[device][name] for device in devices if name in report.devices.get(device, ())
    ]
    return sum(values) if values else None


def _lengths(intervals: Sequence[IostatReport], start: float | None) -> list[float]:
    """Return how long each interval was, in s; none where the log holds no clock.

    Args:
        intervals: with their ends.
        start: of the first one. Where that is not known it is taken to be as long as the second.
    """
    ends = [report.seconds for report in intervals if report.seconds is not None]
    if len(ends) < len(intervals) or (start is None and len(ends) < 2):
        return []
    lengths = [(end - before) % DAY for before, end in pairwise(ends)]
    return [lengths[0] if start is None else (ends[0] - start) % DAY, *lengths]


def _note_series(notes: Notes, intervals: Sequence[IostatReport], lengths: Sequence[float]) -> None:
    if not lengths:
        line = intervals[0].line
        notes.skip("values of single intervals: without -t the log holds no clock", line)
        return
    summed = notes.facts["devices summed"].split(", ")
    for report, seconds in zip(intervals, accumulate(lengths), strict=True):
        for name, value in report.cpu.items():
            notes.sample(name, seconds, value, report.line)
        for name in SUMMED:
            if (total := _sum(report, summed, name)) is not None:
                notes.sample(name, seconds, total, report.line)


def _complain(notes: Notes, line: int, found: str, do: str) -> None:
    notes.break_off(line=line, found=found, expected="whole reports", do=do)


PARSER = Parser("iostat", recognise_by(re.compile(f"{DEVICES.pattern}|{CPU.pattern}")), parse)

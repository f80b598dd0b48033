"""Reads the tables of sar, mpstat and pidstat, as they print them for people.

Each interval has a table with its time in front; the last ones, of averages, are left out and
computed again. sar and mpstat cover the whole host, pidstat its processes by their commands.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from perfpress.input.logs.metric_names import unit_of
from perfpress.input.logs.parser import Notes, Parser, excerpt, recognise_by
from perfpress.input.logs.readings import LogReading, Metric
from perfpress.input.logs.storage_devices import physical

CLOCK = r"(\d\d):(\d\d):(\d\d)(?: ([AP]M))?"
# 17:56:04        CPU     %user     %nice   %system   %iowait    %steal     %idle
# 17:56:04          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz …
# 20:47:18      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
HEADING = re.compile(
    rf"{CLOCK}\s+((?:CPU\s+%us|DEV\s+tps|runq-sz|proc/s|UID\s+(?:TGID\s+)?T?G?PID)\S*\s.*)"
)
OTHER_HEADING = re.compile(rf"{CLOCK}\s+[A-Za-z%]\S*\s+[a-zA-Z%]")
ROW = re.compile(rf"{CLOCK}\s+(\S.*)")
AVERAGE = re.compile(r"Average:\s")
# Linux 6.18.44 (vm) 	11/24/26 	_x86_64_	(2 CPU)
FIRST = re.compile(r"Linux \S+ \([^)]*\)\s[^(]*\((\d+) CPU\)\s*$")

DAY = 24 * 3600
LONGEST_NAME = 100
"""Characters of a device's or command's name."""

CPU = {
    "%usr": "cpu_user",
    "%user": "cpu_user",
    "%nice": "cpu_user",
    "%sys": "cpu_system",
    "%system": "cpu_system",
    "%irq": "cpu_system",
    "%soft": "cpu_system",
    "%iowait": "cpu_wait",
    "%steal": "cpu_stolen",
    "%guest": "cpu_guest",
    "%gnice": "cpu_guest",
    "%idle": "cpu_idle",
}
"""By column; those of one metric are added up, as vmstat does."""

HOST = {"runq-sz": "runnable", "blocked": "blocked", "cswch/s": "context_switches"}
DEVICE = {"rkB/s": "read_volume", "wkB/s": "write_volume", "%util": "utilization"}
SUMMED = ("read_volume", "write_volume")
PROCESS = {
    "%CPU": ("CPU of", "%"),
    "RSS": ("memory of", "KiB"),
    "kB_rd/s": ("read by", "KiB/s"),
    "kB_wr/s": ("written by", "KiB/s"),
}
"""By column of pidstat: the beginning of a metric and its unit."""


@dataclass
class PrintedValues:
    """What was printed at one time."""

    seconds: float
    """Of the day."""
    line: int
    values: dict[str, float] = field(default_factory=dict)
    devices: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        """Add to a metric: of several processes of one command, of several columns."""
        self.values[name] = self.values.get(name, 0.0) + value


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return averages over all intervals, and each interval's values."""
    notes = Notes("sysstat-tables", file)
    intervals: dict[float, PrintedValues] = {}
    units: dict[str, str] = {}
    columns: Sequence[str] = ()
    for number, line in enumerate(lines, start=1):
        if heading := HEADING.match(line):
            columns = heading[5].split()
        elif OTHER_HEADING.match(line):
            columns = ()
            notes.skip("table of other numbers", number)
        elif (row := ROW.match(line)) and columns:
            cells = row[5].split(maxsplit=len(columns) - 1)
            seconds = _seconds(row)
            interval = intervals.setdefault(seconds, PrintedValues(seconds, number))
            if not _read_row(interval, units, columns, cells):
                notes.skip("row that does not fit its heading", number)
        elif first := FIRST.match(line):
            notes.facts["CPUs that sysstat knows"] = first[1]
        elif line.strip():
            reason = "average, computed again" if AVERAGE.match(line) else "other line"
            notes.skip(reason, number)
    _note(notes, list(intervals.values()), units)
    return notes.reading()


def _seconds(row: re.Match[str]) -> float:
    hours, minutes, seconds = (int(row[group]) for group in (1, 2, 3))
    if row[4]:
        hours = hours % 12 + (12 if row[4] == "PM" else 0)
    return float(3600 * hours + 60 * minutes + seconds)


def _read_row(
    interval: PrintedValues, units: dict[str, str], columns: Sequence[str], cells: Sequence[str]
) -> bool:
    """Add the numbers of a row to its interval; return whether it is one."""
    if len(cells) != len(columns):
        return False
    texts = dict(zip(columns, cells, strict=True))
    try:
        row = dict(_numbers(texts))
    except ValueError:
        return False
    if "Command" in texts:
        command = excerpt(texts["Command"].lstrip("|_"), LONGEST_NAME)
        for column, (begin, unit) in PROCESS.items():
            if column in row:
                units[f"{begin} {command}"] = unit
                interval.add(f"{begin} {command}", row[column])
    elif "DEV" in texts:
        device = excerpt(texts["DEV"], LONGEST_NAME)
        named = {DEVICE[column]: value for column, value in row.items() if column in DEVICE}
        interval.devices[device] = named
    elif texts.get("CPU", "all") == "all":
        for column, value in row.items():
            if name := CPU.get(column) or HOST.get(column):
                interval.add(name, value)
    return True


def _numbers(texts: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    for column, text in texts.items():
        if column in CPU or column in HOST or column in DEVICE or column in PROCESS:
            # A locale may write 0,62.
            yield column, float(text.replace(",", "."))


def _note(notes: Notes, intervals: Sequence[PrintedValues], units: Mapping[str, str]) -> None:
    for each in intervals:
        for device, numbers in each.devices.items():
            each.values |= {f"{name} of {device}": value for name, value in numbers.items()}
        for name in SUMMED:
            summed = [each.devices[one] for one in physical(each.devices)]
            if known := [numbers[name] for numbers in summed if name in numbers]:
                each.values[name] = sum(known)
    names = dict.fromkeys(name for each in intervals for name in each.values)
    for name in names:
        # A process that used nothing in an interval has no row there.
        values = [
            each.values.get(name, 0.0) for each in intervals if name in each.values or name in units
        ]
        _measure(notes, name, fmean(values), units, intervals[0].line)
    if not names:
        found = "no table of processors, devices or processes"
        notes.break_off(
            found=found, expected="whole output of sar, mpstat or pidstat", do="keep all of it"
        )
    if len(intervals) > 1:
        length = (intervals[1].seconds - intervals[0].seconds) % DAY
        for each in intervals:
            end = (each.seconds - intervals[0].seconds) % DAY + length
            for name, value in each.values.items():
                if name not in units:
                    notes.sample(name, end, value, each.line)


def _measure(notes: Notes, name: str, value: float, units: Mapping[str, str], line: int) -> None:
    if unit_of(name) is not None:
        notes.measure(name, value, line)
    else:
        notes.measure_own(Metric(name=name, value=value, unit=units.get(name, ""), line=line))


PARSER = Parser("sysstat-tables", recognise_by(HEADING), parse)

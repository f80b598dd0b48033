"""Reads what `turbostat --interval SECONDS` prints, with its rows of single CPUs or `--Summary`.

Only the rows of the whole host count. Which columns there are depends on the CPU.
"""

import re
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from perfpress.input.logs.parser import Notes, Parser, recognise_by
from perfpress.input.logs.readings import Better, LogReading, Metric

# Core	CPU	Avg_MHz	Busy%	Bzy_MHz	TSC_MHz	IPC	IRQ	POLL	C1	CoreTmp	PkgTmp	PkgWatt	RAMWatt
# Avg_MHz	Busy%	Bzy_MHz	TSC_MHz	IRQ	PkgWatt                       --Summary
HEADING = re.compile(r"(?:\S+\s+){0,8}Avg_MHz\s+(?:Busy%|%Busy)\s+Bzy_MHz(?:\s|$)")
# -	-	1212	45.21	2681	2100	1.02	31244	0	12	61	61	92.31	10.02
ALL = "-"
PLACES = ("Package", "Die", "Node", "Core", "CPU", "APIC", "X2APIC")
"""Columns that say which CPU a row is of."""
CLOCK = "Time_Of_Day_Seconds"

METRICS: dict[str, tuple[str, str, Better]] = {
    "Avg_MHz": ("clock, idle time included", "MHz", None),
    "Busy%": ("CPUs that are not idle (C0)", "%", None),
    "%Busy": ("CPUs that are not idle (C0)", "%", None),
    "Bzy_MHz": ("clock of CPUs that are not idle", "MHz", None),
    "IPC": ("instructions_per_cycle", "instructions/cycle", "higher"),
    "CoreTmp": ("temperature of the hottest core", "°C", None),
    "PkgTmp": ("temperature of the package", "°C", None),
    "PkgWatt": ("power of the package", "W", "lower"),
    "CorWatt": ("power of the cores", "W", "lower"),
    "RAMWatt": ("power of the memory", "W", "lower"),
    "PKG_%": ("time in which the package's power was limited", "%", "lower"),
}
"""Name, unit and direction by turbostat's column."""


class TurbostatReport(NamedTuple):
    """The row of the whole host, of one interval."""

    line: int
    values: dict[str, float]
    """By column."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the averages over the intervals, and with the time of day each interval's values."""
    notes = Notes("turbostat", file)
    columns: Sequence[str] = ()
    reports: list[TurbostatReport] = []
    for number, line in enumerate(lines, start=1):
        if HEADING.match(line):
            columns = line.split()
        elif columns and (row := _row(columns, line.split())) is not None:
            if row:
                reports.append(TurbostatReport(number, row))
            else:
                notes.skip("row of one CPU", number)
        elif line.strip():
            notes.skip("other line", number)
    _note(notes, reports)
    return notes.reading()


def _row(columns: Sequence[str], cells: Sequence[str]) -> dict[str, float] | None:
    """Return the numbers of the whole host, none of a single CPU; None where it is no row."""
    texts = dict(zip(columns, cells, strict=False))
    places = [texts[place] for place in PLACES if place in texts]
    if places and places[-1] != ALL:
        # a CPU that shares its core and package with another leaves their cells out
        return {} if all(place.isdecimal() for place in places) else None
    if len(cells) != len(columns):
        return None
    try:
        return {column: float(texts[column]) for column in (*METRICS, CLOCK) if column in texts}
    except ValueError:
        return None


def _note(notes: Notes, reports: Sequence[TurbostatReport]) -> None:
    if not reports:
        notes.break_off(
            found="no row of the whole host",
            expected="rows whose Core and CPU are -, or those of --Summary",
            do="keep all that turbostat prints",
        )
        return
    for column in METRICS:
        values = [(each.values[column], each.line) for each in reports if column in each.values]
        if values:
            mean = fmean(value for value, _ in values)
            notes.measure_own(_metric(column, mean, values[0][1]))
    clocks = [each.values[CLOCK] for each in reports if CLOCK in each.values]
    if 1 < len(clocks) == len(reports):
        length = clocks[1] - clocks[0]
        for clock, report in zip(clocks, reports, strict=True):
            for column, value in report.values.items():
                if column in METRICS:
                    metric = _metric(column, value, report.line)
                    notes.sample_own(metric, clock - clocks[0] + length)


def _metric(column: str, value: float, line: int) -> Metric:
    name, unit, better = METRICS[column]
    return Metric(name=name, value=value, unit=unit, better=better, line=line)


PARSER = Parser("turbostat", recognise_by(HEADING), parse)

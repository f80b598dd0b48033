"""Reads what a lab host's scripts made of vmstat and iostat: rates, per second and per operation.

`sb.met.*` of Mark Callaghan's sysbench scripts. Their averages differ from those of the raw logs:
the scripts count the report since the host was started, and each repetition of vmstat's heading as
an interval without work. Their reads and writes are those of one device.
"""

import re
from collections.abc import Iterable

from perfpress.input.logs.parser import Notes, Parser, recognise_by
from perfpress.input.logs.rate_table import RATES, read_row
from perfpress.input.logs.readings import LogReading

# iostat, vmstat normalized by operation rate
FIRST = re.compile(r"iostat, vmstat normalized by operation rate$")


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the numbers of both tables."""
    notes = Notes("operation-rates", file)
    columns: list[str] = []
    tables = 0
    for number, line in enumerate(lines, start=1):
        if RATES.match(line):
            columns = line.split()
        elif columns and read_row(notes, columns, line, number):
            columns, tables = [], tables + 1
        elif line.strip() and not FIRST.match(line):
            notes.skip("line that is no row of a table", number)
    if tables < 2:
        notes.break_off(
            found=f"{tables} of 2 tables",
            expected="a table of iostat and one of vmstat, each with a row",
            do="copy the file again, or run the step again",
        )
    return notes.reading()


PARSER = Parser("operation-rates", recognise_by(FIRST), parse)

"""Reads `o.ib.*` of the Insert Benchmark: what one of its clients, iibench.py, printed.

Written after the description of the format, without a real file at hand. A step has as many of
these logs as clients; only where the name of the file says that there was one (`o.ib.dop1.1`) are
its rates those of the step. The first line is the command, with a password in it: never kept.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath

from msgspec.structs import replace

from perfpress.input.logs.parser import Notes, Parser, recognise_by
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.response_times import HEADING, ResponseTimes, histograms_of, read_times

# i_sec t_sec i_ips t_ips i_dps t_dps i_qps t_qps max_i max_d max_q t_ins t_del t_query retry_i …
# i_sec t_sec i_ips t_ips i_qps t_qps max_i max_q t_ins t_query …               before deletes
COLUMNS = re.compile(r"i_sec\s+t_sec\s+i_ips\s")
ROW = re.compile(r"\d+\.\d\s+\d+\.\d(?:\s+-?\d+(?:\.\d+)?)+\s*$", re.ASCII)

SERIES = {
    "i_ips": ("client_insert_rate", 1.0),
    "i_dps": ("client_delete_rate", 1.0),
    "i_qps": ("client_query_rate", 1.0),
    "max_i": ("client_insert_maximum", 1e-3),
    "max_d": ("client_delete_maximum", 1e-3),
    "max_q": ("client_query_maximum", 1e-3),
}
"""The series of a column, and what one of its unit, µs for times, is in that of the series."""

# Totals: 160.2 secs, 15605.5 rows/sec, 2500000 rows, 0 0 0 insert-delete-query retry
TOTALS = re.compile(r"Totals: (\d+(?:\.\d+)?) secs, (\d+(?:\.\d+)?) rows/sec, \d+ rows\b", re.ASCII)
END = re.compile(r"Done\s*$")
ONE_CLIENT = re.compile(r"o\.ib\.dop1\.")
FAILURE = re.compile(r"Traceback \(most recent call last\)|SQL error: |\w+(?:\.\w+)*Error: ")


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return one client's rates over time, and of a single client the step's throughput."""
    notes = Notes("insert-benchmark-client", file)
    times: dict[str, ResponseTimes] = {}
    columns: list[str] = []
    last: dict[str, float] = {}
    last_line = 0
    has_ended = False
    for number, line in enumerate(lines, start=1):
        if COLUMNS.match(line):
            columns = line.split()
        elif ROW.match(line) and len(cells := line.split()) == len(columns):
            last, last_line = dict(zip(columns, map(float, cells), strict=True)), number
            _note_interval(notes, last, number)
        elif totals := TOTALS.match(line):
            notes.measure("seconds", float(totals[1]), number)
        elif FAILURE.match(line):
            notes.complain_of(line, number)
        elif END.match(line):
            has_ended = True
        elif line.strip() and not read_times(times, line, number) and not HEADING.match(line):
            notes.skip("line that is of no interval", number)
    if ONE_CLIENT.match(PurePath(file).name) and has_ended and last:
        rate = last.get("t_qps") or last.get("t_ips", 0.0)
        notes.measure("throughput", rate, last_line, "of the step's one client, to the last line")
    if not has_ended:
        notes.break_off(
            line=last_line,
            found="no line 'Done': the client did not come to its end",
            expected="the output of a whole step",
            do="fix the cause and run the step again; what was read before is kept",
        )
    return replace(notes.reading(), histograms=histograms_of(times))


def _note_interval(notes: Notes, row: dict[str, float], number: int) -> None:
    for column, (name, factor) in SERIES.items():
        if column in row:
            notes.sample(name, row.get("t_sec", 0.0), row[column] * factor, number)


PARSER = Parser("insert-benchmark-client", recognise_by(COLUMNS), parse)

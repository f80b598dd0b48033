"""Reads a CSV with declared columns: what people write for a tool that Perfpress does not know.

    benchmark,metric,value,unit,better
    load,throughput,81234.5,operations/s,higher
    load,memory,512,MiB,lower

One number a row. `benchmark` may be missing where the log holds one only; `better` may be missing
or empty where no direction is the good one. With a column `seconds` a row that fills it is one
interval of a series, and one that leaves it empty is of the whole run. Rows of the same benchmark
and metric are its repeats.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from perfpress.input.logs.metric_names import meaning_of, unit_of
from perfpress.input.logs.parser import GIVE_UP_AFTER, Measures, Notes, Parser, Recognition, excerpt
from perfpress.input.logs.readings import Better, LogReading, Metric
from perfpress.input.logs.repeats import Repeats

NEEDED = frozenset({"metric", "value", "unit"})
ALL = NEEDED | {"benchmark", "better", "seconds"}
DIRECTIONS: Mapping[str, Better] = {"higher": "higher", "lower": "lower", "": None}
COLUMNS = "metric, value and unit, and perhaps benchmark, better and seconds"


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return what the rows say; a bad row is reported, and the others are read."""
    notes = Notes("csv", file)
    rows = csv.reader(f"{line}\n" for line in lines)
    columns: list[str] = []
    repeats: dict[str, Repeats] = {}
    while True:
        first = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            _complain(notes, first, f"a row that is no CSV ({error})", "one row a line")
            continue
        if row is None:
            break
        if not any(map(str.strip, row)):
            notes.skip("empty line", first)
        elif not columns:
            columns = _header(row)
            if not NEEDED <= set(columns) <= ALL:
                _complain(notes, first, f"the heading {excerpt(','.join(row))!r}", COLUMNS)
                notes.partial = True
                return notes.reading()
        elif len(row) != len(columns):
            _complain(notes, first, f"{len(row)} values", f"{len(columns)}, as in the heading")
        else:
            values = dict(zip(columns, map(str.strip, row), strict=True))
            _read_row(notes, repeats, values, first)
    for name, one in repeats.items():
        one.note(notes.benchmark(name, one.line) if name else notes)
    return notes.reading()


def _read_row(notes: Notes, repeats: dict[str, Repeats], row: Mapping[str, str], line: int) -> None:
    metric = _metric(notes, row, line)
    if metric is None:
        return
    name = row.get("benchmark", "")
    series: Measures = notes.benchmark(name, line) if name else notes
    if not row.get("seconds"):
        repeats.setdefault(name, Repeats(line)).measure_own(metric)
        return
    seconds = _number(row["seconds"])
    if seconds is None or seconds < 0:
        _complain(notes, line, f"{excerpt(row['seconds'], 40)!r} seconds", "a number, 0 or more")
        return
    series.sample_own(metric, seconds)


def _metric(notes: Notes, row: Mapping[str, str], line: int) -> Metric | None:
    name, unit, better = excerpt(row["metric"]), row["unit"], row.get("better", "")
    value = _number(row["value"])
    known = unit_of(name)
    if not name:
        _complain(notes, line, "no metric", "its name")
    elif value is None:
        expected = "a number, with a decimal point where it has decimals"
        _complain(notes, line, f"the value {excerpt(row['value'], 40)!r}", expected)
    elif better not in DIRECTIONS:
        _complain(notes, line, f"better {excerpt(better, 40)!r}", "higher, lower or nothing")
    elif known not in (None, unit):
        found = f"{name} in {excerpt(unit, 40)!r}"
        _complain(notes, line, found, f"{known}, or another name for the metric")
    else:
        direction = DIRECTIONS[better] if known is None else meaning_of(name).better
        return Metric(name=name, value=value, unit=excerpt(unit, 40), better=direction, line=line)
    return None


def _number(text: str) -> float | None:
    """Return a number, or None; `1_000` and `infinity`, which Python takes, are none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) and "_" not in text else None


def _complain(notes: Notes, line: int, found: str, expected: str) -> None:
    notes.complain(line=line, found=found, expected=expected, do="fix the row; the others are read")


def _header(row: Sequence[str]) -> list[str]:
    return [name.strip().lower() for name in row]


HEADING = re.compile(r'[\s"]*(?:benchmark|metric|value|unit|better|seconds)[\s"]*[,;\t]')


def recognise(lines: Sequence[str]) -> Recognition:
    """Recognize a heading of the columns above, in any order; also separated by `;`."""
    first = next((line for line in lines if line.strip()), "")
    if not first:
        return "more" if len(lines) < GIVE_UP_AFTER else "no"
    names = {name.strip(' "').lower() for name in re.split("[,;\t]", first)}
    return "yes" if HEADING.match(first.lower()) and names >= NEEDED and names <= ALL else "no"


PARSER = Parser("csv", recognise, parse)

"""Reads throughput by interval, as CockroachDB's block_writer example prints it.

It never ends by itself and states no summary: the throughput is the mean of its intervals.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from statistics import fmean, median

from perfpress.input.logs.parser import Notes, Parser, excerpt, recognise_by
from perfpress.input.logs.readings import LogReading

#     1s: 1944.7/sec
#   1m0s:  105.2/sec (3 total errors)
INTERVAL = re.compile(
    r"\s*(?:(\d{1,6})h)?(?:(\d{1,6})m)?(\d{1,9})s:\s+(\d{1,18}(?:\.\d+)?)/sec"
    r"(?: \((\d{1,18}) total errors\))?\s*$"
)


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the intervals, of the first run where there are several."""
    notes = Notes("interval-throughput", file)
    seconds: list[float] = []
    rates: list[float] = []
    errors, errors_line = 0.0, 0
    is_over = False
    for number, line in enumerate(lines, start=1):
        found = INTERVAL.match(line)
        if found is None:
            notes.skip("line that is no interval" if line.strip() else "empty line", number)
            continue
        hours, minutes, rest = (float(part or 0) for part in found.groups()[:3])
        end = hours * 3600 + minutes * 60 + rest
        if not is_over and seconds and end <= seconds[-1]:
            is_over = True
            notes.complain_of_another_run("the first one is read", number)
        if is_over:
            notes.skip("line of a later run", number)
            continue
        seconds.append(end)
        rates.append(float(found[4]))
        notes.sample("throughput", end, rates[-1], number)
        if found[5]:
            errors, errors_line = float(found[5]), number
    if rates:
        note = f"mean of {len(rates)} intervals" if len(rates) > 1 else ""
        notes.measure("throughput", fmean(rates), 0, note)
        notes.measure("failed_operations", errors, errors_line)
    _complain_of_gaps(notes, seconds)
    return notes.reading()


def _complain_of_gaps(notes: Notes, seconds: list[float]) -> None:
    """Report where intervals are missing: the mean is of those that are there."""
    steps = [after - before for before, after in pairwise(seconds)]
    usual = median(steps) if steps else 0.0
    gaps = [
        f"{before:g} s and {after:g} s"
        for before, after in pairwise(seconds)
        if after - before > 2 * usual
    ]
    if gaps:
        notes.complain(
            found=f"no intervals between {excerpt(', '.join(gaps))}",
            expected=f"one every {usual:g} s",
            do="keep the whole output; the mean covers the intervals that are there",
            severity="warning",
        )


PARSER = Parser("interval-throughput", recognise_by(INTERVAL), parse)

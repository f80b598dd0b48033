"""Reads one row of the tables in which a lab host's scripts keep the averages of vmstat and iostat.

They are in `sb.met.*` of sysbench's scripts and in `o.res.*` of the Insert Benchmark's, over
operations, inserts or queries.
"""

import re
from collections.abc import Sequence

from perfpress.input.logs.parser import Measures

# samp	r/s	rMB/s	w/s	wMB/s	r/o	rKB/o	wKB/o	o/s                 sysbench
# nsamp	r/s	rMB/s	w/s	wMB/s	r/i	rKB/i	w/i	wKB/i	ips             Insert Benchmark
# samp	r/s	rkb/s	wkb/s	r/q	rkb/q	wkb/q	ips		spi                its first years
# samp	cs/s	cpu/s	cs/o	cpu/o
RATES = re.compile(r"n?samp\s+(?:r/s|cs/s)\s")

COLUMNS: dict[str, tuple[str, float]] = {
    "r/s": ("reads", 1.0),
    "w/s": ("writes", 1.0),
    "rmb/s": ("read_volume", 1024.0),
    "wmb/s": ("write_volume", 1024.0),
    "rkb/s": ("read_volume", 1.0),
    "wkb/s": ("write_volume", 1.0),
    "cs/s": ("context_switches", 1.0),
    "cpu/s": ("cpu_busy", 1.0),
    "r/o": ("reads_per_operation", 1.0),
    "w/o": ("writes_per_operation", 1.0),
    "rkb/o": ("read_volume_per_operation", 1.0),
    "wkb/o": ("write_volume_per_operation", 1.0),
    "cs/o": ("context_switches_per_operation", 1.0),
    "cpu/o": ("cpu_share_per_operation", 1.0),
    "o/s": ("counted_operations_per_second", 1.0),
}
"""The metric of a column in small letters, inserts and queries called operations, and what one of
its unit is in that of the metric."""

RATE = {"ips": "o/s", "qps": "o/s"}
PER = re.compile(r"/[iq]$")

# 635 · 4671.0 · 0,000 from a locale that writes so
NUMBER = re.compile(r"\d+(?:[.,]\d+)?$")


def read_row(notes: Measures, columns: Sequence[str], line: str, number: int) -> bool:
    """Note the numbers of a row; return whether it is one.

    Args:
        notes: of the benchmark that the table is of.
        columns: the words of its heading.
        line: the line below it.
        number: of that line.
    """
    cells = line.split()
    if len(cells) != len(columns) or not all(map(NUMBER.match, cells)):
        return False
    for column, cell in zip(columns, cells, strict=True):
        name = column.lower()
        name = RATE.get(name, PER.sub("/o", name))
        if name in COLUMNS:
            metric, factor = COLUMNS[name]
            notes.measure(metric, float(cell.replace(",", ".")) * factor, number)
    return True

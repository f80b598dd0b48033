"""Reads the summaries of RocksDB's `tools/benchmark.sh`: a line for each test and version.

    ops_sec	mb_sec	…	usec_op	p50	p99	…	test	date	version	job_id	githash
    147184	563.0	…	6.8	7.5	10	…	revrange.t1	2025-05-05T02:52:32	8.11.4		5c2be544f5

The version is the release. What the file is called, such as a cache or a workload, is of all lines.
Several lines of a test and version are repeats: they were measured at different dates.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from perfpress.host.drafting.pairing import stem
from perfpress.host.importing.result_tables import (
    FAILED,
    NUMBER,
    Number,
    ResultTable,
    TableText,
    read_as_table,
    rounding,
)
from perfpress.input.bundles.safety import unfit_name

BEGINS = re.compile(r"ops_sec\tmb_sec\t.*\ttest\t.*\tversion(?:\t|$)", re.MULTILINE)

COLUMNS = {
    "ops_sec": ("throughput", 1.0),
    "mb_sec": ("bytes_per_second", 2.0**20),
    "usec_op": ("latency_average", 1e-3),
    "p50": ("latency_p50", 1e-3),
    "p99": ("latency_p99", 1e-3),
    "p99.9": ("latency_p99.9", 1e-3),
    "p99.99": ("latency_p99.99", 1e-3),
    "pmax": ("latency_maximum", 1e-3),
}
"""The metric of a column, and what one of its unit is in that of the metric."""


def read_summaries(path: Path, file: str) -> ResultTable | None:
    """Return what a summary holds; `None` where a file is none."""
    return read_as_table(path, file, BEGINS, _numbers)


def _name_of(table: TableText) -> str:
    """Return what a table is called; `sum.byrx.txt.sdev` has the lines of `sum.byrx.txt`."""
    return stem(table.file.removesuffix(".sdev"))


def _repeated(version: str, repeat: int) -> str:
    return version if repeat == 1 else f"{version} (line {repeat})"


def of_repeated_rows(directory: str) -> tuple[str, int]:
    """Return the version that a directory is called after, and which of its repeats it is."""
    match = re.fullmatch(r"(.+) \(line (\d{1,4})\)", directory, re.ASCII)
    return (match[1], int(match[2])) if match else (directory, 1)


def _numbers(table: TableText) -> Iterator[Number]:
    columns: list[str] = []
    rows: list[tuple[int, dict[str, str]]] = []
    for number, line in enumerate(table.lines, start=1):
        cells = line.split("\t")
        if BEGINS.match(line):
            columns = cells
        elif line and len(cells) != len(columns):
            reason = "a line with another number of cells than the heading"
            table.leave_out(number, reason)
        elif line:
            rows.append((number, dict(zip(columns, cells, strict=True))))
    dates: dict[tuple[str, str], list[str]] = defaultdict(list)
    for _, row in rows:
        dates[row["test"], row["version"]].append(row.get("date", ""))
    for number, row in rows:
        test, version = row["test"], row["version"]
        own = dates[test, version]
        if unfit := unfit_name(version) or ("" if test else "no name of a test"):
            table.leave_out(number, f"a line with {unfit}")
        elif len(set(own)) < len(own):
            table.leave_out(number, "one of several lines of a test, version and date")
        elif not (NUMBER.fullmatch(row["ops_sec"]) and float(row["ops_sec"])):
            table.leave_out(number, FAILED)
        else:
            repeat = sorted(own).index(row.get("date", "")) + 1
            home = table.beside(f"{_name_of(table)}/{_repeated(version, repeat)}")
            measured = table.lines[number - 1] if row.get("date") else ""
            yield from (
                Number(
                    path=table.path,
                    file=table.file,
                    line=number,
                    column=column,
                    directory=home,
                    values={"step": test},
                    metric=metric,
                    value=float(row[column]) * factor,
                    slack=rounding(row[column]) * factor,
                    measured=measured,
                )
                for column, (metric, factor) in COLUMNS.items()
                if NUMBER.fullmatch(row.get(column, ""))
            )

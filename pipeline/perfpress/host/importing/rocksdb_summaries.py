"""Reads the summaries of RocksDB's `tools/benchmark.sh`: a line for each test and version.

    ops_sec	mb_sec	…	usec_op	p50	p99	…	test	date	version	job_id	githash
    147184	563.0	…	6.8	7.5	10	…	revrange.t1	2025-05-05T02:52:32	8.11.4		5c2be544f5

The version is the release. What the file is called, such as a cache or a workload, is of all lines.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from perfpress.host.drafting.pairing import stem
from perfpress.host.importing.left_out import LeftOut
from perfpress.host.importing.result_tables import (
    FAILED,
    NUMBER,
    NoTable,
    Number,
    ResultTable,
    beside,
    rounding,
    text_of,
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
    left_out: list[LeftOut] = []
    try:
        text = text_of(path, BEGINS)
        if text is None:
            return None
        numbers = tuple(_numbers(path, file, text.split("\n"), left_out))
    except NoTable as problem:
        return ResultTable(left_out=(LeftOut(file, str(problem)),))
    return ResultTable(numbers, tuple(left_out))


def _numbers(
    path: Path, file: str, lines: Sequence[str], left_out: list[LeftOut]
) -> Iterator[Number]:
    columns: list[str] = []
    rows: list[tuple[int, dict[str, str]]] = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if BEGINS.match(line):
            columns = cells
        elif line and len(cells) != len(columns):
            reason = "a line with another number of cells than the heading"
            left_out.append(LeftOut(f"{file}:{number}", reason))
        elif line:
            rows.append((number, dict(zip(columns, cells, strict=True))))
    lines_of = Counter((row["test"], row["version"]) for _, row in rows)
    for number, row in rows:
        test, version = row["test"], row["version"]
        place = f"{file}:{number}"
        if unfit := unfit_name(version) or ("" if test else "no name of a test"):
            left_out.append(LeftOut(place, f"a line with {unfit}"))
        elif lines_of[test, version] > 1:
            left_out.append(LeftOut(place, "one of several lines of a test and version"))
        elif not (NUMBER.fullmatch(row["ops_sec"]) and float(row["ops_sec"])):
            left_out.append(LeftOut(place, FAILED))
        else:
            home = beside(file, f"{stem(file)}/{version}")
            yield from (
                Number(
                    path=path,
                    file=file,
                    line=number,
                    column=column,
                    directory=home,
                    values={"step": test},
                    metric=metric,
                    value=float(row[column]) * factor,
                    slack=rounding(row[column]) * factor,
                )
                for column, (metric, factor) in COLUMNS.items()
                if NUMBER.fullmatch(row.get(column, ""))
            )

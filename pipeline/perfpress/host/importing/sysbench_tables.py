"""Reads the tables of the sysbench scripts: a release a column, or one a row.

    qps.abs.<tag>.tsv   queries per second       qps.rel.<tag>.tsv   the same, over those of a base
    o.met.<tag>         CPU, IO and context switches per operation, a block for each test

All are made by the sysbench scripts of github.com/mdcallag/mytools. Columns were pasted side by
side: where a line lacks one number, all below it may have slipped, and no number is taken.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from perfpress.host.importing.result_tables import (
    FAILED,
    LONGEST_DIRECTORY,
    NUMBER,
    QUERIES,
    RATIO_OF,
    NoTable,
    Number,
    ResultTable,
    TableText,
    read_as_table,
    rounding,
)
from perfpress.input.bundles.safety import unfit_name
from perfpress.input.logs.rate_table import COLUMNS

LEGEND = re.compile(r"(col-\d+) : (\S+)\s*")
BASE = re.compile(r"Relative to: (\S+)\s*")
# hot-points_range=100
TEST = re.compile(r"(?P<test>[\w.-]+)_range=(?P<range>\d+)", re.ASCII)
# sb.met.hot-points.range100.pk1.dop40
BLOCK = re.compile(
    r"sb\.met\.(?P<test>[\w.-]+?)\.range(?P<range>\d+)\.pk\d\.dop(?P<clients>[1-9]\d{0,5})",
    re.ASCII,
)
BEGINS = re.compile(
    rf"{LEGEND.pattern}\n|{BASE.pattern}\n|sb\.(?:prepare\.)?met\.|sb\.(?:prepare\.o|r\.qps)\."
)
ABSOLUTE = "--- absolute"
RELATIVE = "--- relative to first result"

BLOCK_COLUMNS = {**COLUMNS, "o/s": (QUERIES, 1.0)}
"""An operation of these scripts is a query, but for scans."""


def read_sysbench_table(path: Path, file: str) -> ResultTable | None:
    """Return what a table of the sysbench scripts holds; `None` where a file is no such table."""
    return read_as_table(path, file, BEGINS, _numbers)


def _numbers(table: TableText) -> Iterator[Number]:
    first = next(filter(None, table.lines), "")
    return _blocks(table) if first.startswith("sb.") else _columns(table)


def _columns(table: TableText) -> Iterator[Number]:
    """Yield the numbers of a table with a legend: a directory a column, a test a line."""
    legend: dict[str, str] = {}
    base, base_line = "", 0
    columns: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(table.lines, start=1):
        cells = line.split()
        if of_base := BASE.fullmatch(line):
            base, base_line = of_base[1].rstrip("/"), number
            if unfit := _unfit(base):
                raise NoTable(f"relative to a directory with {unfit}")
        elif of_column := LEGEND.fullmatch(line):
            if legend.setdefault(of_column[1], of_column[2]) != of_column[2]:
                raise NoTable(f"{of_column[1]} is two directories")
        elif cells[:1] == ["."]:
            raise NoTable("averages over groups of tests")
        elif cells and all(cell.startswith("col-") for cell in cells):
            columns = cells
        elif any(map(NUMBER.fullmatch, cells)) or TEST.fullmatch(line.strip()):
            rows.append((number, cells))
    if columns != list(legend) or not columns:
        raise NoTable(f"{len(columns)} columns below a legend of {len(legend)}")
    named = Counter(cells[-1] for _, cells in rows)
    metric = f"{RATIO_OF}{base}" if base else QUERIES
    for number, cells in rows:
        if len(cells) != len(columns) + 1:
            found = f"line {number} has {len(cells) - 1} numbers for {len(columns)} columns"
            raise NoTable(f"{found}: those below may have slipped")
        test = TEST.fullmatch(cells[-1])
        if test is None or named[cells[-1]] > 1:
            reason = "no name of a test" if test is None else "a test that has two lines"
            table.leave_out(number, reason)
            continue
        values: Mapping[str, str] = test.groupdict()
        if base:
            yield Number(
                *(table.path, table.file, base_line, base, table.beside(base)),
                *(values, metric, 1.0),
            )
        for column, cell in zip(columns, cells, strict=False):
            yield from _number(table, number, legend[column], values, metric, cell)


def _blocks(table: TableText) -> Iterator[Number]:
    """Yield the numbers of a table with a block for each test, a line in it for each directory."""
    values: Mapping[str, str] | None = None
    columns: list[str] = []
    for number, line in enumerate(table.lines, start=1):
        cells = line.split()
        if line.startswith("sb.r.qps."):
            raise NoTable("a column for each number of clients, which it does not name")
        if line.startswith("sb."):
            found = BLOCK.fullmatch(line.strip())
            values, columns = (found.groupdict() if found else None), []
            if not found:
                table.leave_out(number, "of loading, which is no test")
        elif line.startswith(RELATIVE) or not cells:
            columns = []
        elif cells[-1] == "dbms":
            columns = cells[:-1]
        elif columns and values is not None and not line.startswith(ABSOLUTE):
            if len(cells) != len(columns) + 1:
                reason = "a line with another number of cells than the heading"
                table.leave_out(number, reason)
                continue
            named = dict(zip(columns, cells, strict=False))
            if named.get("o/s", "") in ("0", "0.00"):
                table.leave_out(number, FAILED)
                continue
            for column, cell in named.items():
                metric, factor = BLOCK_COLUMNS.get(column.lower(), ("", 0.0))
                if factor == 1.0:
                    yield from _number(table, number, cells[-1], values, metric, cell)
                else:
                    table.leave_out(number, f"{column}, of no known meaning")


def _number(
    table: TableText, line: int, column: str, values: Mapping[str, str], metric: str, cell: str
) -> Iterator[Number]:
    """Yield the number of a cell, if it is one."""
    column = column.rstrip("/")
    if unfit := _unfit(column):
        table.leave_out(line, f"a directory with {unfit}")
    elif NUMBER.fullmatch(cell) is None:
        table.leave_out(line, "no number")
    elif float(cell) == 0 and (metric == QUERIES or metric.startswith(RATIO_OF)):
        table.leave_out(line, FAILED)
    else:
        yield Number(
            path=table.path,
            file=table.file,
            line=line,
            column=column,
            directory=table.beside(column),
            values=values,
            metric=metric,
            value=float(cell),
            slack=rounding(cell),
        )


def _unfit(directory: str) -> str:
    parts = directory.split("/")
    if "" in parts or ".." in parts:
        return "a path that leads elsewhere"
    if len(directory) > LONGEST_DIRECTORY:
        return f"a path of {len(directory)} characters"
    return next((unfit for part in parts if (unfit := unfit_name(part))), "")

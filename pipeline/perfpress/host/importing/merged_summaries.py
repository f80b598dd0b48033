"""Reads the tables that merge summaries of the Insert Benchmark: a line for each server of a step.

`mrg.<step>` has the lines of one step, `mrg.some` those of several below their names. `rel.*` has
the ratios to a line that it does not name.
"""

import re
from collections.abc import Iterator, Sequence
from math import isclose
from pathlib import Path, PurePosixPath

from perfpress.host.importing.result_tables import (
    LONGEST_DIRECTORY,
    NUMBER,
    NoTable,
    Number,
    ResultTable,
    TableText,
    read_as_table,
    rounding,
)
from perfpress.input.bundles.safety import unfit_name
from perfpress.input.logs.formats.insert_benchmark_summary import HEADING
from perfpress.input.logs.insert_benchmark_steps import step_called
from perfpress.input.logs.read import read_log

BEGINS = re.compile(rf"(?:[\w.]+\n)?{HEADING.pattern.rstrip('$')}", re.MULTILINE)
FACTORS = (1.0, 1024.0, 1000.0, 1e-6)
"""What one of the units of columns is in that of their metrics."""
SIZE = re.compile(r"\d+[kmb]")
"""Rows of the tables: tags of some archives begin with it, others have it in a directory's name."""


def read_merged(path: Path, file: str) -> ResultTable | None:
    """Return what a merged summary holds; `None` where a file is none."""
    return read_as_table(path, file, BEGINS, _numbers)


def _numbers(table: TableText) -> Iterator[Number]:
    reading = read_log(table.path, table.file)
    if any("ratios" in problem.found for problem in reading.problems):
        raise NoTable("ratios to a line that the table does not name")
    for benchmark in reading.benchmarks:
        name, _, tag = benchmark.name.partition(" ")
        tag = tag or dict(reading.facts).get("tag", "")
        directory = _directory(table, tag)
        step = step_called(name)
        if step is None or not directory:
            reason = "a line without a step" if step is None else "no size of the tables"
            table.leave_out(benchmark.first_line, reason)
            continue
        cells = table.lines[benchmark.first_line - 1].split()
        for each in benchmark.metrics:
            yield Number(
                path=table.path,
                file=table.file,
                line=each.line,
                column=tag,
                directory=directory,
                values={"step": name},
                metric=each.name,
                value=each.value,
                slack=_rounding(cells, each.value),
            )


def _rounding(cells: Sequence[str], value: float) -> float:
    """Return by how much rounding may have changed a value, whichever unit its cell is in."""
    return max(
        (
            rounding(cell) * factor
            for cell in cells
            if NUMBER.fullmatch(cell)
            for factor in FACTORS
            if isclose(float(cell) * factor, value)
        ),
        default=0.0,
    )


def _directory(table: TableText, tag: str) -> str:
    """Return what a directory of results of that tag is called; empty where its size is unknown.

    Tables lie in directories of comparisons, in that of their size.
    """
    if unfit_name(tag) or "/" in tag or len(tag) > LONGEST_DIRECTORY:
        return ""
    above = PurePosixPath(table.file).parts[:-1]
    at = max((place for place, part in enumerate(above) if SIZE.fullmatch(part)), default=None)
    if not SIZE.fullmatch(tag.partition(".")[0]):
        if at is None:
            return ""
        tag = f"{above[at]}.{tag}"
    return table.beside(tag) if at is None else "/".join((*above[: at + 1], tag))

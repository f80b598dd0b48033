"""Reads the summaries of the Insert Benchmark: `o.sum.t.*`, a line a step, and `mrg.*`, a line a
server of one step; by their headings, as columns have come, gone and moved.

The percentiles are those of the rates in a client's intervals, the worst last: no latencies.
`rel.*` tables have the same heading and hold ratios; they are recognized by their context switches,
which are whole numbers only where they are rates.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from perfpress.input.logs.insert_benchmark_steps import (
    InsertBenchmarkStep,
    step_called,
    step_of_file,
    steps_in_order,
)
from perfpress.input.logs.parser import BenchmarkNotes, Notes, Parser, excerpt, recognise_by
from perfpress.input.logs.readings import LogReading

# ips qps rps rmbps wps wmbps rpq rkbpq wpi wkbpi csps cpups cspq cpupq dbgb1 dbgb2 rss maxop … tag
# ips qps rps rkbps wkbps rpq rkbpq wkbpq csps cpups cspq cpupq dbgb maxop p50 p99 tag      older
HEADING = re.compile(r"ips[\t ,]+qps[\t ,]+rps[\t ,].*\btag\s*$")

IN_ALL_STEPS: dict[str, tuple[str, float]] = {
    "rps": ("reads", 1.0),
    "rmbps": ("read_volume", 1024.0),
    "rkbps": ("read_volume", 1.0),
    "wps": ("writes", 1.0),
    "wmbps": ("write_volume", 1024.0),
    "wkbps": ("write_volume", 1.0),
    "rpq": ("reads_per_operation", 1.0),
    "rkbpq": ("read_volume_per_operation", 1.0),
    "wkbpq": ("write_volume_per_operation", 1.0),
    "csps": ("context_switches", 1.0),
    "cpups": ("cpu_busy", 1.0),
    "cspq": ("context_switches_per_operation", 1.0),
    "cpupq": ("cpu_per_operation", 1.0),
    "dbgb": ("database_size", 1.0),
    "dbgb1": ("database_size", 1.0),
    "dbgb2": ("database_directory_size", 1.0),
    "rss": ("server_memory", 1.0),
    "maxop": ("latency_maximum", 1000.0),
}
"""The metric of a column, and what one of its unit is in that of the metric."""
IN_LOADS = IN_ALL_STEPS | {
    "ips": ("throughput", 1.0),
    "wpi": ("writes_per_operation", 1.0),
    "wkbpi": ("write_volume_per_operation", 1.0),
}
BESIDE_QUERIES = IN_ALL_STEPS | {
    "ips": ("insert_rate", 1.0),
    "qps": ("throughput", 1.0),
    "wpi": ("writes_per_insert", 1.0),
    "wkbpi": ("write_volume_per_insert", 1.0),
}

PERCENTILE = re.compile(r"p(\d{1,2})", re.ASCII)
NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+", re.ASCII)
RATIO = re.compile(r"\d+\.\d\d|inf", re.ASCII)

MILLION = 1e6
TAG_LENGTH = 100


@dataclass(frozen=True)
class StepRow:
    """One line, of one step and one server."""

    line: int
    cells: Mapping[str, str]
    """By column."""
    table: int
    """Number of its table in the file."""
    heading: str
    """The line above that table, which may name the step."""

    def number(self, column: str) -> float | None:
        """Return the number in a column, None where there is none."""
        text = self.cells.get(column, "")
        return float(text) if NUMBER.fullmatch(text) else None

    @property
    def tag(self) -> str:
        """The server and its configuration."""
        return excerpt(self.cells.get("tag", ""), TAG_LENGTH)


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return a benchmark a line: called as its step is, and as its tag where a log has several."""
    notes = Notes("insert-benchmark-summary", file)
    rows = _rows(notes, lines)
    if any(RATIO.fullmatch(row.cells.get("csps", "")) for row in rows):
        notes.partial = True
        _complain(notes, rows[0].line, "ratios to another line", "use the mrg table next to it")
        return notes.reading()
    if not rows:
        notes.partial = True
        _complain(notes, 0, "a heading without a line below it", "copy the file again")
    several = len({row.tag for row in rows}) > 1
    for _, table in groupby(rows, key=lambda row: row.table):
        of_table = tuple(table)
        for row, (name, step) in zip(of_table, _names(notes, of_table), strict=True):
            _read(notes, f"{name} {row.tag}" if several else name, row, step)
    if rows and not several:
        notes.facts["tag"] = rows[0].tag
    return notes.reading()


def _read(notes: Notes, name: str, row: StepRow, step: InsertBenchmarkStep | None) -> None:
    if name in notes.benchmarks:
        found = f"{name} a second time; the first counts"
        _complain(notes, row.line, found, "keep each run in a file of its own")
        notes.skip("line of a step that was read before", row.line)
        return
    benchmark = notes.benchmark(name, row.line)
    _note(benchmark, row, step)
    done = benchmark.metrics.get("throughput")
    if done is None or done.value == 0:
        benchmark.partial = True
        _complain(notes, row.line, f"no operation of {name} was finished", "run it again")


def _rows(notes: Notes, lines: Iterable[str]) -> list[StepRow]:
    columns: list[str] = []
    rows: list[StepRow] = []
    heading = above = ""
    table = 0
    separator: str | None = None
    for number, line in enumerate(lines, start=1):
        if HEADING.match(line):
            separator = next((each for each in "\t," if each in line), None)
            columns, heading = [cell.strip() for cell in line.split(separator)], above
            table += 1
        elif not line.strip() or line.strip() == "-":
            notes.skip("line that parts groups", number)
        elif columns and len(cells := line.strip().split(separator)) == len(columns):
            stripped = [cell.strip() for cell in cells]
            by_column = dict(zip(columns, stripped, strict=True))
            rows.append(StepRow(number, by_column, table, heading))
        elif step_called(line.strip()):
            above = line.strip()
        elif columns and (separator is None or separator in line):
            found = f"a line of {len(cells)} cells below a heading of {len(columns)}"
            _complain(notes, number, found, "fix the heading or the line")
            notes.skip("line that does not fit its heading", number)
        else:
            notes.skip("line that is of no table", number)
    return rows


def _names(
    notes: Notes, rows: Sequence[StepRow]
) -> Sequence[tuple[str, InsertBenchmarkStep | None]]:
    """Return what each row's step is called, and the step itself where it is a known one."""
    above = [step_called(row.heading) for row in rows]
    if all(above):
        return [(step.name, step) for step in above if step]
    if step := step_of_file(notes.file):
        return [(step.name, step)] * len(rows)
    if len({row.tag for row in rows}) == 1:
        rates = [(row.number("ips") or 0.0, row.number("qps") or 0.0) for row in rows]
        if steps := steps_in_order(rates):
            return [(step.name, step) for step in steps]
    found = "no names of steps, and no order of steps that is known"
    names = [f"line {row.line}" for row in rows]
    _complain(notes, rows[0].line, found, f"name the steps in run.toml {names[0]!r} and so on")
    return [(name, None) for name in names]


def _note(notes: BenchmarkNotes, row: StepRow, step: InsertBenchmarkStep | None) -> None:
    is_load = step.insert_rate is None if step else row.number("qps") in (0, None)
    names = IN_LOADS if is_load else BESIDE_QUERIES
    for column, text in row.cells.items():
        value = row.number(column)
        if column == "tag" or (column == "qps" and is_load):
            continue
        if value is None:
            notes.skip(f"{column}: NA, not measured" if text == "NA" else "no number", row.line)
        elif column == "rss" and value == 0:
            # The scripts find no memory of a server with a process for each client.
            notes.skip("rss: 0.0, not measured", row.line)
        elif column == "cpupq" and _is_share(row):
            notes.measure("cpu_share_per_operation", value / MILLION, row.line)
        elif column in names:
            metric, factor = names[column]
            notes.measure(metric, value * factor, row.line)
        elif percentile := PERCENTILE.fullmatch(column):
            of = "insert_rate" if is_load else "query_rate"
            notes.measure(f"{of}_p{percentile[1]}", value, row.line)
        else:
            notes.skip(f"column {excerpt(column, 20)}, of which no meaning is known", row.line)
    if step and step.insert_rate:
        notes.measure("insert_rate_target_per_client", step.insert_rate, row.line)


def _is_share(row: StepRow) -> bool:
    """Return whether cpupq is a millionth of all CPUs' percent, as it once was, and no µs.

    Then it is 10⁶ × cpups ÷ rate, and not 10⁴ × CPUs × cpups ÷ rate.
    """
    if "wps" in row.cells:
        return False
    rate = row.number("qps") or row.number("ips")
    share, busy = row.number("cpupq"), row.number("cpups")
    if not (rate and share and busy):
        return False
    rounding = 0.5 / share + 0.05 / busy + 0.5 / rate
    return abs(share * rate / busy / MILLION - 1) <= rounding


def _complain(notes: Notes, line: int, found: str, do: str) -> None:
    expected = "lines of rates, a step each"
    notes.complain(line=line, found=found, expected=expected, do=do)


PARSER = Parser("insert-benchmark-summary", recognise_by(HEADING), parse)

"""Reads `o.res.*` of the Insert Benchmark: what its scripts noted of one step.

Written after the description of the format, without a real file at hand. The step is known from
the folder that the file is in; without one, a step with queries is one that measures them.
The percentiles are those of the first client's rates by interval, the worst last: no latencies.
"""

import re
from collections.abc import Iterable

from msgspec.structs import replace

from perfpress.input.logs.insert_benchmark_steps import MET, step_of_file
from perfpress.input.logs.parser import Measures, Notes, Parser, recognise_by
from perfpress.input.logs.rate_table import RATES, read_row
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.response_times import HEADING, ResponseTimes, histograms_of, read_times

# 8 processes, 2500000 rows-per-process, 160 seconds, 125000.0 rows-per-second, 15625.0 \
#   rows-per-second-per-user, 0 queries, 0 queries-per-second, 1 deletes
FIRST = re.compile(
    r"(\d{1,9}) processes, \d+ rows-per-process, (\d+(?:\.\d+)?) seconds, (\d*(?:\.\d+)?)"
    r" rows-per-second, \S+ rows-per-second-per-user, (\d+) queries,"
    r" (\d*(?:\.\d+)?) queries-per-second\b",
    re.ASCII,
)
# iostat, vmstat normalized by insert rate
NORMALISED = re.compile(r"iostat, vmstat normalized by (insert|query) rate\s*$")
# dbGB	1.302 · dbdirGB	41.802	/data/m/my
SIZE = re.compile(r"(dbGB|dbdirGB)\s+(\d+(?:\.\d+)?)(?:\s|$)", re.ASCII)
SIZES = {"dbGB": "database_size", "dbdirGB": "database_directory_size"}
# Max insert, and below it the three longest, in s
LONGEST = re.compile(r"Max (insert|delete|query)\s*$")
SECONDS = re.compile(r"\d+\.\d+\s*$", re.ASCII)
# 99th, 178 / 180 = 12036 insert, 0 delete, 0 query
PERCENTILE = re.compile(
    r"(\d\d)th, (\d+) / \d+ = (\S+) insert,(?: \S+ delete,)? (\S+) query", re.ASCII
)
# client: 103.50 user, 12.25 system, 115.8 total · dbms: 1234.5 · CPU seconds
CPU_SECONDS = re.compile(r"client: |dbms: |CPU seconds|insert,? .*rate at nth percentile")

BESIDE = {
    "writes_per_operation": "writes_per_insert",
    "write_volume_per_operation": "write_volume_per_insert",
}
"""Of the table over inserts, what is kept in a step that measures queries."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return the rates, host counters, sizes and response times of the step."""
    reader = _Reader(Notes("insert-benchmark-result", file))
    for number, line in enumerate(lines, start=1):
        reader.read(line, number)
    return reader.reading()


class _Ignored(Measures):
    """Measures that are of no use: a table over inserts where queries are measured."""

    def skip(self, reason: str, line: int) -> None:
        """Leave out what need not be reported."""


class _Reader:
    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.step = step_of_file(notes.file)
        self.times: dict[str, ResponseTimes] = {}
        self.measures = ""
        """insert or query, once the first line was read."""
        self._per = ""
        self._columns: list[str] = []
        self._longest = ""

    def read(self, line: str, number: int) -> None:
        notes = self.notes
        if first := FIRST.match(line):
            self._read_rates(first, number)
        elif over := NORMALISED.match(line):
            self._per = over[1]
        elif RATES.match(line):
            self._columns = line.split()
        elif self._columns and self._read_table(line, number):
            self._columns = []
        elif size := SIZE.match(line):
            notes.measure(SIZES[size[1]], float(size[2]), number)
        elif longest := LONGEST.match(line):
            self._longest = longest[1]
        elif self._longest and SECONDS.match(line):
            if self._longest == self.measures:
                notes.measure("latency_maximum", float(line) * 1000, number)
            self._longest = ""
        elif percentile := PERCENTILE.match(line):
            self._read_percentile(percentile, number)
        elif read_times(self.times, line, number) or HEADING.match(line):
            pass
        elif line.strip() and not SECONDS.match(line):
            is_known = CPU_SECONDS.match(line)
            notes.skip("CPU seconds, headings" if is_known else "line of a process list", number)

    def _read_rates(self, first: re.Match[str], number: int) -> None:
        notes = self.notes
        clients, inserts, queries = int(first[1]), float(first[3] or 0), float(first[5] or 0)
        notes.facts["clients"] = first[1]
        notes.measure("seconds", float(first[2]), number)
        target = self.step.insert_rate if self.step else None
        self.measures = "query" if (target or (self.step is None and queries)) else "insert"
        if self.measures == "insert":
            notes.measure("throughput", inserts, number)
            return
        notes.measure("throughput", queries, number)
        notes.measure("operations", float(first[4]), number)
        notes.measure("insert_rate", inserts, number)
        if target and clients:
            notes.measure("insert_rate_target_per_client", target, number)
            notes.measure("insert_rate_target", target * clients, number)
            is_met = inserts >= MET * target * clients
            notes.facts["insert rate"] = "met" if is_met else "missed"

    def _read_table(self, line: str, number: int) -> bool:
        if self._per == self.measures:
            return read_row(self.notes, self._columns, line, number)
        other = _Ignored()
        is_row = read_row(other, self._columns, line, number)
        if self._per == "insert":
            for name, kept in BESIDE.items():
                if name in other.metrics:
                    self.notes.measure(kept, other.metrics[name].value, number)
        return is_row

    def _read_percentile(self, found: re.Match[str], number: int) -> None:
        text = found[3] if self.measures == "insert" else found[4]
        name = f"{self.measures}_rate_p{found[1]}"
        if not self.measures:
            self.notes.skip("percentile above the line of rates", number)
        elif name in self.notes.metrics:
            self.notes.skip("percentile of another client", number)
        elif re.fullmatch(r"\d+(?:\.\d+)?", text, re.ASCII):
            self.notes.measure(name, float(text), number)
        else:
            self.notes.skip("percentile of too few intervals", number)

    def reading(self) -> LogReading:
        notes = self.notes
        throughput = notes.metrics.get("throughput")
        if throughput is None:
            self._complain(0, "no line with processes, rows-per-second, queries-per-second")
        elif throughput.value == 0:
            self._complain(throughput.line, "no operation was finished")
        elif "cpu_busy" not in notes.metrics:
            self._complain(0, "no whole table of vmstat: the log breaks off")
        return replace(notes.reading(), histograms=histograms_of(self.times))

    def _complain(self, line: int, found: str) -> None:
        self.notes.partial = True
        expected, do = "the result of a whole step", "copy the file again, or run the step again"
        self.notes.complain(line=line, found=found, expected=expected, do=do)


PARSER = Parser("insert-benchmark-result", recognise_by(FIRST), parse)

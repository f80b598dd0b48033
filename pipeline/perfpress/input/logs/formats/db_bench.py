"""Reads what RocksDB's db_bench prints: results, histograms and interval lines.

An operation is one of db_bench's (`ops`). `micros/op` is the time of one in its thread, not of one
among all threads: the rate is `ops/sec`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from perfpress.base.groups import grouped
from perfpress.input.logs.json_results import complain_of_second
from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import Measures, Notes, Parser, excerpt, recognise_by, why_skipped
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.repeats import Repeats

# fillseq      :      16.253 micros/op 114023 ops/sec 1.052 seconds 120000 operations;   12.6 MB/s
# readrandom   :      10.361 micros/op 188669 ops/sec 0.636 seconds 120000 operations;   20.9 MB/s \
#   (60000 of 60000 found)
# fillseq      :       2.123 micros/op 471000 ops/sec;   52.1 MB/s                     before 7.0
RESULT = re.compile(
    r"(\S{1,200})\s*:\s+(\d+\.\d+) micros/op (\d+) ops/sec"
    r"(?: (\d+\.\d+) seconds (\d+) operations)?;?(?:\s+(\d+\.\d+) MB/s)?"
)
# 2026/11/21-20:39:03  ... thread 1: (52000,52000) ops and (51932.0,51932.0) ops/second in \
#   (1.001309,1.001309) seconds
INTERVAL = re.compile(
    r"\S+\s+\.\.\. thread (\d+): \(\d+,\d+\) ops and \((\d+\.\d+),\d+\.\d+\) ops/second"
    r" in \(\d+\.\d+,(\d+\.\d+)\) seconds"
)
SIGNATURE = re.compile(
    rf"(?:RocksDB|LevelDB): +version \d|{INTERVAL.pattern}"
    r"|(?:.*\r)?(?:\.\.\. finished \d+ ops\s+)?\S{1,200}\s*:\s+\d+\.\d+ micros/op \d+ ops/sec"
)
# ... finished 20000 ops                              fillseq      :       3.582 micros/op …
FINISHED = re.compile(r"\.\.\. finished \d+ ops\s+")
# Warming up benchmark by running 1 times
# Running benchmark for 3 times
ANNOUNCED = re.compile(
    r"Warming up benchmark by running (\d{1,9}) times|Running benchmark for (\d{1,9}) times"
)

# Count: 120000 Average: 16.3819  StdDev: 378.52
AVERAGE = re.compile(r"Count: \d+ Average: \d+\.\d+\s+StdDev: (\d+\.\d+)$")
# Min: 2  Median: 3.5244  Max: 53783
EXTREMES = re.compile(r"Min: (\d+)\s+Median: \d+\.\d+\s+Max: (\d+)$")
# Percentiles: P50: 3.52 P75: 4.71 P99: 29.98 P99.9: 3673.44 P99.99: 13658.33
PERCENTILE = re.compile(r" P(\d+(?:\.\d+)?): (\d+\.\d+)")

MIB = 1 << 20
"""Bytes in what db_bench calls MB."""
TOGETHER = 0.1
"""Intervals of threads are the same one where their ends are apart by no more than this part."""


class _Interval(NamedTuple):
    """One interval line."""

    thread: str
    end: float
    """Seconds since the benchmark's start."""
    rate: float
    line: int


# RocksDB:    version 7.8.3
# Values:     100 bytes each (50 bytes after compression)
FACT = re.compile(
    r"(RocksDB|LevelDB|Date|CPU|CPUCache|Keys|Values|Entries|RawSize|FileSize|Compression"
    r"|Write rate|Read rate|Memtablerep|Perf Level): +(\S.*)$"
)
# open error: IO error: lock …/LOCK: Resource temporarily unavailable
FAILURE = re.compile(r"(?:open|put|get|delete|merge|write|iterator) error: |.*\bCorruption: ")

LEFT_OUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    # (       1,       2 ]     6428   5.357%   5.357% #
    ("bucket of a histogram", re.compile(r"[\[(]\s*\d+,\s*\d+ \]")),
    ("progress", re.compile(r"\.\.\. finished \d+ ops\s*$")),
    # readrandom [AVG 3 runs] : 903200 (± 451825) ops/sec;   99.9 (± 50.0) MB/sec
    ("number made of repeats", re.compile(r"\S+ \[[A-Z]+\s+\d+ runs\] : ")),
    (
        "heading",
        re.compile(
            r"$|-+$|DB path: |Initializing RocksDB|Integrated BlobDB|Prefix: |Keys per prefix: "
            r"|Compression sampling|Microseconds per \w+:|WARNING: |\(Estimated\)"
        ),
    ),
)


@dataclass
class _State:
    """Where in the log the reader is."""

    repeats: dict[str, Repeats] = field(default_factory=dict)
    warm_ups: int = 0
    """Results to come that do not count."""
    announced: int = 1
    """Repeats of the benchmark whose name comes next."""
    to_come: dict[str, int] = field(default_factory=dict)
    """Repeats of a benchmark that are still to come, by its name."""
    measured: Repeats | None = None
    """The benchmark that a histogram would belong to."""
    intervals: list[_Interval] = field(default_factory=list)
    """Of the benchmark whose result comes next."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks that came to their result."""
    notes = Notes("db-bench", file)
    state = _State()
    for number, line in enumerate(lines, start=1):
        # The progress before it ends in no line feed, but in carriage returns.
        text = FINISHED.sub("", line.rpartition("\r")[2], count=1)
        if result := RESULT.match(text):
            _read_result(notes, state, result, number)
        elif interval := INTERVAL.match(text):
            thread, rate, end = interval.groups()
            state.intervals.append(_Interval(thread, float(end), float(rate), number))
        elif announced := ANNOUNCED.match(text):
            warm_ups, repeats = announced.groups()
            state.warm_ups = int(warm_ups or 0)
            state.announced = int(repeats or 1)
        elif not _read_histogram(state, text, number):
            _read_other(notes, text, number)
    for name, one in state.repeats.items():
        one.note(notes.benchmark(name, one.line))
    if state.intervals or not state.repeats:
        _complain_of_end(notes, state)
    return notes.reading()


def _read_result(notes: Notes, state: _State, result: re.Match[str], line: int) -> None:
    name, micros, rate, seconds, operations, volume = result.groups()
    intervals, state.intervals, state.measured = state.intervals, [], None
    if state.warm_ups:
        state.warm_ups -= 1
        notes.skip("result of a warm-up", line)
        return
    if name not in state.repeats:
        state.repeats[name] = Repeats(line)
        state.to_come[name], state.announced = state.announced, 1
        _note_series(notes, notes.benchmark(name, line), intervals)
    if not state.to_come[name]:
        complain_of_second(notes, name, line)
        notes.skip("line of a later run", line)
        return
    state.to_come[name] -= 1
    state.measured = one = state.repeats[name]
    one.measure("throughput", float(rate), line)
    one.measure("latency_average", _milliseconds(micros), line)
    if seconds:
        one.measure("seconds", float(seconds), line)
        one.measure("operations", float(operations), line)
    if volume:
        one.measure("bytes_per_second", float(volume) * MIB, line)


def _milliseconds(microseconds: str) -> float:
    return scaled(float(microseconds), -3)


def _read_histogram(state: _State, text: str, line: int) -> bool:
    """Read the numbers above a histogram; a second one of the same benchmark is left out."""
    one = state.measured
    if one is None:
        return False
    if average := AVERAGE.match(text):
        one.measure("latency_stddev", _milliseconds(average[1]), line)
    elif extremes := EXTREMES.match(text):
        one.measure("latency_minimum", _milliseconds(extremes[1]), line)
        one.measure("latency_maximum", _milliseconds(extremes[2]), line)
    elif text.startswith("Percentiles: "):
        for percentile, value in PERCENTILE.findall(text):
            one.measure(f"latency_p{percentile}", _milliseconds(value), line)
        state.measured = None
    else:
        return False
    return True


def _note_series(notes: Notes, benchmark: Measures, intervals: Sequence[_Interval]) -> None:
    """Note the throughput over time: of all threads together where they print at the same time."""
    threads = grouped(intervals, lambda each: each.thread)
    for alike in zip(*threads.values(), strict=False):
        ends = [each.end for each in alike]
        if max(ends) - min(ends) > TOGETHER * min(ends):
            for each in alike:
                notes.skip("interval of one thread, which ends when no other's does", each.line)
            continue
        rate = sum(each.rate for each in alike)
        benchmark.sample("throughput", max(ends), rate, alike[0].line)
    shortest = min(map(len, threads.values()), default=0)
    for many in threads.values():
        for each in many[shortest:]:
            notes.skip("interval that not all threads came to", each.line)


def _read_other(notes: Notes, text: str, line: int) -> None:
    if fact := FACT.match(text):
        if fact[1] == "Date":
            notes.begin(fact[2])
        else:
            notes.facts.setdefault(fact[1], excerpt(fact[2]))
    elif FAILURE.match(text):
        notes.complain_of(text, line)
    else:
        notes.skip(why_skipped(LEFT_OUT, text) or "line that is not db_bench's", line)


def _complain_of_end(notes: Notes, state: _State) -> None:
    """Report that the last benchmark came to no result: what it did before is not a result."""
    notes.partial = not state.repeats
    for each in state.intervals:
        notes.skip("interval of a benchmark that came to no result", each.line)
    notes.complain(
        line=state.intervals[-1].line if state.intervals else 0,
        found="no line '… micros/op …' at the end: the log breaks off",
        expected="the result of every benchmark that began",
        do="run the step again; the results that are there count",
    )


PARSER = Parser("db-bench", recognise_by(SIGNATURE), parse, has_start=True)

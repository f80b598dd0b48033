"""Reads Google Benchmark's JSON (`--benchmark_format=json`).

An operation is one iteration of a benchmark's loop. The format:
https://github.com/google/benchmark/blob/main/docs/user_guide.md#output-formats
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from perfpress.input.logs.json_results import (
    complain_of_failure,
    number_of,
    recognise_json,
    typed_results,
)
from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import BenchmarkNotes, Notes, Parser, excerpt
from perfpress.input.logs.readings import LogReading, Metric
from perfpress.input.logs.repeats import Repeats, repeats_note

DIGITS = {"ns": 0, "us": 3, "ms": 6, "s": 9}
"""Of a nanosecond in each unit."""

RATES = ("items_per_second", "bytes_per_second")


class BenchmarkEntry(msgspec.Struct, frozen=True):
    """One entry of `benchmarks`: a repeat of a benchmark, or a number made of its repeats."""

    name: str
    run_name: str = ""
    """From 1.5 on: the name without the suffix of an aggregate."""
    run_type: str = "iteration"
    repetitions: int = 1
    threads: int = 1
    aggregate_name: str = ""
    error_occurred: bool = False
    error_message: str = ""
    skipped: bool = False
    iterations: float = 0
    real_time: float | None = None
    cpu_time: float | None = None
    time_unit: Literal["ns", "us", "ms", "s"] = "ns"
    items_per_second: float | None = None
    bytes_per_second: float | None = None


OWN_KEYS = frozenset(BenchmarkEntry.__struct_fields__) | {
    "family_index",
    "per_family_instance_index",
    "repetition_index",
    "aggregate_unit",
    "skip_message",
    "label",
    "cpu_coefficient",
    "real_coefficient",
    "big_o",
    "rms",
}
"""Keys that are the library's; any other one with a number is a counter of the benchmark."""

FACTS = ("host_name", "executable", "num_cpus", "mhz_per_cpu", "library_version")
"""Of the context."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks: the medians of their repeats, or the aggregates that are there."""
    notes = Notes("google-benchmark", file)
    results, read = typed_results(notes, lines, "benchmarks", BenchmarkEntry)
    repeats: dict[str, Repeats] = {}
    aggregates: list[tuple[int, BenchmarkEntry]] = []
    for line, result, entry in results:
        if result.run_type == "aggregate":
            aggregates.append((line, result))
            continue
        one = repeats.setdefault(result.run_name or result.name, Repeats(line))
        if result.error_occurred or result.skipped:
            one.failed = True
            complain_of_failure(notes, f"{result.name}: {result.error_message}", line)
        else:
            _read_repeat(one, result, entry, line)
    for name, one in repeats.items():
        one.note(notes.benchmark(name, one.line))
    for line, result in aggregates:
        _read_aggregate(notes, result, line, repeats)
    _note_facts(notes, read.rest)
    return notes.reading()


def _read_repeat(
    found: Repeats, result: BenchmarkEntry, entry: Mapping[str, Any], line: int
) -> None:
    digits = DIGITS[result.time_unit]
    if result.real_time is not None:
        if result.threads == 1:
            found.measure("time_per_operation", scaled(result.real_time, digits), line)
        else:
            # Releases differ in whether it is divided by the threads: no rate follows from it.
            name = f"real_time of {result.threads} threads"
            found.measure_own(_own(name, scaled(result.real_time, digits), "ns", "lower", line))
    if result.cpu_time is not None:
        found.measure("process_cpu_per_operation", scaled(result.cpu_time, digits), line)
    found.measure("iterations", result.iterations, line)
    for name in RATES:
        if (rate := getattr(result, name)) is not None:
            found.measure(name, rate, line)
    for key, value in entry.items():
        number = number_of(value)
        if key not in OWN_KEYS and number is not None:
            # The benchmark does not say in which unit it is, or whether higher is better.
            found.measure_own(_own(excerpt(key), number, "", None, line))


def _own(name: str, value: float, unit: str, better: Literal["lower"] | None, line: int) -> Metric:
    return Metric(name=name, value=value, unit=unit, better=better, line=line)


def _read_aggregate(
    notes: Notes, result: BenchmarkEntry, line: int, repeats: Mapping[str, Repeats]
) -> None:
    """Note a median, mean or deviation where the repeats themselves are not in the log."""
    name = result.run_name or result.name
    if name in repeats or result.aggregate_name not in AGGREGATES or result.real_time is None:
        notes.skip("number made of repeats", line)
        return
    _note_aggregate(notes.benchmark(name, line), result, line)


AGGREGATES = {
    "median": "time_per_operation",
    "mean": "time_per_operation_mean",
    "stddev": "time_per_operation_stddev",
}


def _note_aggregate(benchmark: BenchmarkNotes, result: BenchmarkEntry, line: int) -> None:
    digits = DIGITS[result.time_unit]
    note = repeats_note(result.repetitions, result.aggregate_name)
    if result.real_time is not None and result.threads == 1:
        time = scaled(result.real_time, digits)
        benchmark.measure(AGGREGATES[result.aggregate_name], time, line, note)
    if result.aggregate_name != "median":
        return
    if result.cpu_time is not None:
        benchmark.measure("process_cpu_per_operation", scaled(result.cpu_time, digits), line, note)
    for name in RATES:
        if (rate := getattr(result, name)) is not None:
            benchmark.measure(name, rate, line, note)


def _note_facts(notes: Notes, rest: Mapping[str, Any]) -> None:
    context = rest.get("context")
    if isinstance(context, dict):
        notes.facts |= {key: excerpt(str(context[key])) for key in FACTS if key in context}
        if "date" in context:
            notes.begin(context["date"])


PARSER = Parser(
    "google-benchmark", recognise_json("context", "num_cpus", "benchmarks"), parse, has_start=True
)

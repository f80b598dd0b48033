"""Reads pyperf's JSON.

An operation is one call; a value is the mean of the loops of one measurement. pyperf begins many
worker processes, each with a few values: processes are as independent as runs, their values are
not.
"""

from collections.abc import Iterable
from statistics import fmean, median, stdev
from typing import Any

import msgspec

from perfpress.input.logs.json_results import (
    complain_of_second,
    recognise_json,
    typed_results,
)
from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import Notes, Parser, excerpt
from perfpress.input.logs.readings import LogReading, Metric

DIGITS = 9
"""Of a nanosecond in a second."""

TIME = "time_per_operation"

FACTS = ("python_version", "cpu_model_name", "hostname", "platform")


class WorkerRun(msgspec.Struct, frozen=True):
    """What one worker process measured; one that only calibrated has no values."""

    values: tuple[float, ...] = ()
    metadata: dict[str, Any] = {}


class BenchmarkRuns(msgspec.Struct, frozen=True):
    """One entry of `benchmarks`."""

    runs: tuple[WorkerRun, ...]
    metadata: dict[str, Any] = {}


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks, of each the median of its processes' means."""
    notes = Notes("pyperf", file)
    results, read = typed_results(notes, lines, "benchmarks", BenchmarkRuns)
    found = list(results)
    common = read.rest.get("metadata")
    common = common if isinstance(common, dict) else {}
    for line, result, _ in found:
        metadata = common | result.metadata
        name = str(metadata.get("name", ""))
        if not name or name in notes.benchmarks:
            complain_of_second(notes, name or "a benchmark without a name", line)
        else:
            _note(notes, name, result, str(metadata.get("unit", "second")), line)
    notes.facts |= {key: excerpt(str(common[key])) for key in FACTS if key in common}
    dates = [
        str(run.metadata["date"])
        for _, result, _ in found
        for run in result.runs
        if "date" in run.metadata
    ]
    if dates:
        notes.begin(min(dates))
    return notes.reading()


def _note(notes: Notes, name: str, result: BenchmarkRuns, unit: str, line: int) -> None:
    benchmark = notes.benchmark(name, line)
    digits = DIGITS if unit == "second" else 0
    runs = [[scaled(value, digits) for value in run.values] for run in result.runs if run.values]
    values = [value for run in runs for value in run]
    if not values:
        notes.skip("benchmark without values", line)
        return
    means = [fmean(run) for run in runs]
    note = f"median of {len(means)} processes" if len(means) > 1 else ""
    if unit != "second":
        value = median(means)
        benchmark.measure_own(
            Metric(
                name=f"{unit}s",
                value=value,
                unit=f"{unit}s",
                better="lower" if unit == "byte" else None,
                line=line,
                note=note,
            )
        )
        return
    benchmark.measure(TIME, median(means), line, note, means)
    benchmark.measure(f"{TIME}_mean", fmean(values), line)
    benchmark.measure(f"{TIME}_minimum", min(values), line)
    benchmark.measure(f"{TIME}_maximum", max(values), line)
    benchmark.measure("repeats", len(values), line)
    if len(values) > 1:
        benchmark.measure(f"{TIME}_stddev", stdev(values), line)


PARSER = Parser(
    "pyperf", recognise_json("benchmarks", "runs", "warmups", "metadata"), parse, has_start=True
)

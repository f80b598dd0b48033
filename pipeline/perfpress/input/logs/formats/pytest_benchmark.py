"""Reads pytest-benchmark's JSON (`--benchmark-json`, `--benchmark-save`).

An operation is one call of the function; a repeat is a round, of one or more calls.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from perfpress.input.logs.json_results import (
    complain_of_second,
    number_of,
    recognise_json,
    typed_results,
)
from perfpress.input.logs.metric_names import scaled
from perfpress.input.logs.parser import Notes, Parser, excerpt
from perfpress.input.logs.readings import LogReading, Metric
from perfpress.input.logs.repeats import METRICS_OF_TIMES, repeats_note

DIGITS = 9
"""Of a nanosecond in a second."""
MOST = 10**18


class Stats(msgspec.Struct, frozen=True):
    """Times of one call in seconds, over the rounds."""

    min: float
    max: float
    mean: float
    stddev: float
    median: float
    rounds: Annotated[int, msgspec.Meta(ge=0, le=MOST)]
    iterations: Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class BenchmarkResult(msgspec.Struct, frozen=True):
    """One entry of `benchmarks`."""

    name: str
    fullname: str
    stats: Stats
    extra_info: dict[str, Any] = {}


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks, of each the median of its rounds.

    They are named `test_sum[10]`; where files have tests of the same name, as
    `tests/test_sums.py::test_sum[10]`.
    """
    notes = Notes("pytest-benchmark", file)
    results, read = typed_results(notes, lines, "benchmarks", BenchmarkResult)
    found = [(line, result) for line, result, _ in results]
    fullnames = {result.fullname for _, result in found}
    alike = Counter(name.rpartition("::")[2] for name in fullnames)
    seen: set[str] = set()
    for line, result in found:
        if result.fullname in seen:
            complain_of_second(notes, result.fullname, line)
            continue
        seen.add(result.fullname)
        is_unique = alike[result.fullname.rpartition("::")[2]] == 1
        _note(notes, result.name if is_unique else result.fullname, result, line)
    _note_facts(notes, read.rest)
    return notes.reading()


def _note(notes: Notes, name: str, result: BenchmarkResult, line: int) -> None:
    benchmark = notes.benchmark(name, line)
    for metric, key in METRICS_OF_TIMES:
        note = repeats_note(result.stats.rounds) if key == "median" else ""
        benchmark.measure(metric, scaled(getattr(result.stats, key), DIGITS), line, note)
    benchmark.measure("repeats", result.stats.rounds, line)
    benchmark.measure("iterations", result.stats.iterations, line)
    for key, value in result.extra_info.items():
        number = number_of(value)
        if number is not None:
            benchmark.measure_own(Metric(name=excerpt(key), value=number, unit="", line=line))


def _note_facts(notes: Notes, rest: Mapping[str, Any]) -> None:
    if "datetime" in rest:  # when the file was written
        notes.begin(rest["datetime"])
    machine, commit = rest.get("machine_info"), rest.get("commit_info")
    for facts, keys in (
        (rest, ("version",)),
        (machine, ("node", "python_implementation", "python_version", "system", "release")),
        (commit, ("id", "branch", "dirty")),
    ):
        if isinstance(facts, dict):
            notes.facts |= {key: excerpt(str(facts[key])) for key in keys if key in facts}


PARSER = Parser(
    "pytest-benchmark", recognise_json("machine_info", "benchmarks"), parse, has_start=True
)

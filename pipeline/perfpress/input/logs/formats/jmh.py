"""Reads JMH's JSON (`-rf json`).

An operation is one call of the method. A fork is a JVM of its own, and as independent as a run of
its own; the iterations of one fork are not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median

import msgspec

from perfpress.input.logs.json_results import (
    complain_of_second,
    reason_of,
    recognise_json,
    whole_text,
)
from perfpress.input.logs.parser import Measures, Notes, Parser, excerpt
from perfpress.input.logs.readings import LogReading, Metric
from perfpress.input.logs.units import factor_between

PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9, "min": 1 / 60, "hr": 1 / 3600}
"""By the unit of time of a rate: `ops/ms`."""

Histogram = tuple[tuple[float, int], ...]


class Score(msgspec.Struct, frozen=True):
    """One metric of a benchmark."""

    score: float | str
    """The mean of all iterations; "NaN" where there is none."""
    scoreUnit: str
    scorePercentiles: dict[str, float | str] = {}
    rawData: tuple[tuple[float | str, ...], ...] = ()
    """By fork and iteration."""
    rawDataHistogram: tuple[tuple[Histogram, ...], ...] = ()
    """Of sampled times, by fork and iteration: a value, and how often it was measured."""


class JmhResult(msgspec.Struct, frozen=True):
    """One entry of the list: a benchmark in one mode, with one set of parameters."""

    benchmark: str
    mode: str
    primaryMetric: Score
    threads: int = 1
    params: dict[str, str] = {}
    secondaryMetrics: dict[str, Score] = {}
    jdkVersion: str = ""
    vmName: str = ""


SAMPLED = "sample"
PERCENTILES = {
    "0.0": "latency_minimum",
    "50.0": "latency_p50",
    "90.0": "latency_p90",
    "95.0": "latency_p95",
    "99.0": "latency_p99",
    "99.9": "latency_p99.9",
    "99.99": "latency_p99.99",
    "100.0": "latency_maximum",
}
"""Of single calls, in mode `sample`; of other modes they are percentiles of iterations."""

SECONDARY = {"gc.alloc.rate.norm": "allocated_per_operation"}
"""By the name of a profiler's metric without the dot that older versions begin it with."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks, named as JMH prints them, with their parameters."""
    notes = Notes("jmh", file)
    results = _results(notes, lines)
    full = {result.benchmark for result in results}
    alike = Counter(map(_short, full))
    seen: set[tuple[str, str]] = set()
    for result in results:
        name = _short(result.benchmark)
        shown = name if alike[name] == 1 else result.benchmark
        params = ", ".join(f"{key}={value}" for key, value in result.params.items())
        shown += f" ({params})" if params else ""
        if (shown, result.mode) in seen:
            complain_of_second(notes, f"{shown}, {result.mode}", 0)
            continue
        seen.add((shown, result.mode))
        _note(notes.benchmark(shown, 0), result)
        notes.facts.setdefault("JDK", excerpt(f"{result.vmName} {result.jdkVersion}".strip()))
    return notes.reading()


def _results(notes: Notes, lines: Iterable[str]) -> list[JmhResult]:
    text = whole_text(lines)
    try:
        return msgspec.json.decode(text or "", type=list[JmhResult])
    except (ValueError, RecursionError) as error:
        is_shape = isinstance(error, msgspec.ValidationError)
        found = excerpt(f"a result that cannot be read: {error}") if is_shape else reason_of(error)
        do = "copy the file again from where JMH wrote it, or run the step again"
        notes.break_off(found=found, expected="what JMH writes with -rf json", do=do)
        return []


def _short(benchmark: str) -> str:
    """Return the class and the method, as JMH's table has them: `Sums.sort`."""
    return ".".join(benchmark.split(".")[-2:])


def _note(measures: Measures, result: JmhResult) -> None:
    score = result.primaryMetric
    forks = _forks(score)
    unit = score.scoreUnit
    if unit.startswith("ops/"):
        factor = PER_SECOND.get(unit.removeprefix("ops/"), 0.0)
        _measure(measures, "throughput", forks, factor)
    elif result.threads > 1:  # each thread's time: no rate follows from it
        _measure(measures, "latency_average", forks, _time(unit, "ms"))
    else:
        _measure(measures, "time_per_operation", forks, _time(unit, "ns"))
    iterations = [value for fork in score.rawData for value in fork if isinstance(value, float)]
    if len(iterations) > 1 and not unit.startswith("ops/") and result.threads == 1:
        factor = _time(unit, "ns")
        _measure(measures, "time_per_operation_minimum", [min(iterations)], factor)
        _measure(measures, "time_per_operation_maximum", [max(iterations)], factor)
    if result.mode == SAMPLED:
        for key, name in PERCENTILES.items():
            if isinstance(value := score.scorePercentiles.get(key), float):
                _measure(measures, name, [value], _time(unit, "ms"))
    for key, each in result.secondaryMetrics.items():
        _note_secondary(measures, key.removeprefix("\N{MIDDLE DOT}"), each, result.mode)


def _note_secondary(measures: Measures, key: str, score: Score, mode: str) -> None:
    if mode == SAMPLED and score.scoreUnit.endswith("/op") and key.startswith(("p0.", "p1.")):
        return  # percentiles, which the primary metric has too
    if (name := SECONDARY.get(key)) and score.scoreUnit == "B/op":
        _measure(measures, name, _forks(score), 1.0)
    elif isinstance(score.score, float):
        shown, unit = excerpt(key), excerpt(score.scoreUnit)
        measures.measure_own(Metric(name=shown, value=score.score, unit=unit))


def _forks(score: Score) -> list[float]:
    """Return one mean a fork, or JMH's own of all where it keeps no more."""
    forks = [[value for value in fork if isinstance(value, float)] for fork in score.rawData]
    means = [fmean(values) for values in forks if values]
    for fork in score.rawDataHistogram:
        pairs = [pair for iteration in fork for pair in iteration]
        if count := sum(number for _, number in pairs):
            means.append(sum(value * number for value, number in pairs) / count)
    if not means and isinstance(score.score, float):
        return [score.score]
    return means


def _time(unit: str, wanted: str) -> float:
    return float(factor_between(unit, wanted) or 0)


def _measure(measures: Measures, name: str, forks: Sequence[float], factor: float) -> None:
    """Note the median of the forks, and each as a process; nothing in a unit that is not known."""
    if not forks or not factor:
        return
    values = [value * factor for value in forks]
    note = f"median of {len(values)} forks" if len(values) > 1 else ""
    measures.measure(name, median(values), 0, note, values)


PARSER = Parser("jmh", recognise_json("benchmark", "mode", "primaryMetric"), parse)

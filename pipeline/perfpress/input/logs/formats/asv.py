"""Reads a result file of asv, `results/<machine>/<commit>-<environment>.json`, of its version 2.

What a benchmark measures is known by the beginning of its name, as asv knows it: `time_`, `mem_`,
`peakmem_` and `track_`. A parameter is part of the name: `sums.Sums.time_sum(100)`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from perfpress.input.logs.json_results import number_of, reason_of, recognise_json, whole_text
from perfpress.input.logs.parser import Notes, Parser, excerpt
from perfpress.input.logs.readings import LogReading, Metric

NANO = 1e9
KINDS: Mapping[str, tuple[str, float]] = {
    "time": ("time_per_operation", NANO),
    "timeraw": ("time_per_operation", NANO),
    "mem": ("memory of the object", 1.0),
    "peakmem": ("command_memory", 1 / 1024),
}
"""The metric, and what makes it its unit: asv's are s and bytes."""

MOST = 20_000
"""Combinations of parameters of one benchmark."""


def parse(lines: Iterable[str], file: str) -> LogReading:
    """Return all benchmarks with each of their parameters."""
    notes = Notes("asv", file)
    document = _document(notes, lines)
    columns, results = document.get("result_columns"), document.get("results")
    if not isinstance(columns, list) or not isinstance(results, dict):
        if not notes.partial:
            _complain(notes, "no `results` with `result_columns`")
        return notes.reading()
    for name, row in results.items():
        if isinstance(row, list):
            cells = dict(zip(map(str, columns), row, strict=False))
            for shown, value in _values(name, cells):
                _note(notes, name, shown, value)
    # `date` is that of the commit.
    if starts := list(_starts(columns, results)):
        notes.begin(min(starts))
    for key in ("commit_hash", "env_name", "python"):
        if key in document:
            notes.facts[key] = excerpt(str(document[key]))
    return notes.reading()


def _starts(columns: Sequence[Any], results: Mapping[str, Any]) -> Iterator[int]:
    for row in results.values():
        start = isinstance(row, list) and dict(zip(columns, row, strict=False)).get("started_at")
        if isinstance(start, int) and start:
            yield start


def _document(notes: Notes, lines: Iterable[str]) -> dict[str, Any]:
    text = whole_text(lines)
    try:
        document = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        _complain(notes, reason_of(error))
        return {}
    return document if isinstance(document, dict) else {}


def _complain(notes: Notes, found: str) -> None:
    expected = "a result file of asv, of its version 2"
    notes.break_off(found=found, expected=expected, do="copy the file again")


def _values(name: str, cells: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each value of a benchmark, with the name that its parameters give it."""
    values, params = cells.get("result"), cells.get("params")
    if not isinstance(values, list):
        return
    lists = [each for each in params if isinstance(each, list)] if isinstance(params, list) else []
    for value, combination in zip(values[:MOST], product(*lists), strict=False):
        yield f"{name}({', '.join(map(str, combination))})" if combination else name, value


def _note(notes: Notes, name: str, shown: str, value: Any) -> None:
    number = number_of(value)
    if number is None:
        notes.skip("benchmark that failed or was skipped", 0)
        return
    kind = name.rpartition(".")[2].partition("_")[0]
    benchmark = notes.benchmark(shown, 0)
    metric, factor = KINDS.get(kind, ("value", 1.0))
    if kind == "mem":
        benchmark.measure_own(Metric(name=metric, value=number, unit="B", better="lower"))
    elif kind not in KINDS:  # of what track_ measures only benchmarks.json has unit and direction
        benchmark.measure_own(Metric(name=metric, value=number, unit=""))
    else:
        benchmark.measure(metric, number * factor, 0)


PARSER = Parser(
    "asv", recognise_json("result_columns", "results", "commit_hash"), parse, has_start=True
)

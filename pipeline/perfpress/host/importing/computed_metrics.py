"""Writes numbers of tables as metrics of steps where no log has them, and compares the others.

The log's number counts. One that a table has otherwise, beyond rounding, is a problem.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.base.problems import Problem
from perfpress.base.toml.read import Document
from perfpress.base.toml.words import shown_value
from perfpress.host.importing.plan import ComputedStep, PlannedRun
from perfpress.host.importing.result_tables import QUERIES, Number
from perfpress.input.bundles.safety import safe_files
from perfpress.input.bundles.schema import FILE_NAME, Metric, Run, Step
from perfpress.input.bundles.steps import resolve_steps
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.logs.named_benchmarks import of_step
from perfpress.input.logs.read import read_log

LOG_SLACK = 0.006
"""Logs state rates with two decimals."""

SCANNED = (QUERIES, "rows_scanned_per_client")
"""What a table may hold for a scan: it does not say which."""

FOLDER = "tables"
"""Where a bundle has them."""


class WithComputed(NamedTuple):
    """A run with what tables state of it."""

    run: Run
    tables: Mapping[str, Path]
    """By their name in the bundle: those from which a number was taken."""
    confirmed: int
    """Numbers of tables that a log has too."""
    problems: tuple[Problem, ...]


def with_computed(run: Run, planned: PlannedRun, directory: Path) -> WithComputed:
    """Return a run with the metrics of its tables that its logs lack.

    Args:
        run: its steps, which may be patterns.
        planned: the same, with the numbers of tables.
        directory: that holds its logs, as they are called in the bundle.
    """
    names, problems = safe_files(directory, planned.source.name)
    steps, unresolved = resolve_steps(run, names, Document("", "", {}))
    if problems or unresolved:
        return WithComputed(run, {}, 0, ())  # read_bundle says why, with the lines
    by_name = {step.name: step for step in steps}
    tables: dict[str, Path] = {}
    found: list[Problem] = []
    confirmed = 0
    logged = _logs_of(steps, directory, planned.source.name)
    for computed in planned.computed:
        in_log = logged(computed.name)
        metrics: dict[str, Metric] = {}
        for each in computed.numbers:
            same = SCANNED if each.is_of_scans else (each.metric,)
            if others := [in_log[name] for name in same if name in in_log]:
                problem = _disagreement(computed.name, each, others)
                found += [problem] if problem else []
                confirmed += problem is None
            elif not each.is_of_scans and not (each.is_ratio and "throughput" in in_log):
                file = f"{FOLDER}/{each.file}"
                tables[file] = each.path
                metrics |= _metric(each, computed, file)
        if metrics:
            step = by_name.get(computed.name) or Step(
                name=computed.name, operation=computed.operation, work=computed.work
            )
            by_name[step.name] = replace(step, metrics={**metrics, **step.metrics})
    if not tables:
        return WithComputed(run, {}, confirmed, tuple(found))
    run = replace(run, steps=tuple(by_name.values()))
    return WithComputed(run, tables, confirmed, tuple(found))


class _InLog(NamedTuple):
    value: float
    place: str


def _logs_of(
    steps: Sequence[Step], directory: Path, source: str
) -> Callable[[str], Mapping[str, _InLog]]:
    """Return what gives, by the name of a step, the metrics of its logs; an earlier log's first."""
    read = lru_cache(maxsize=8)(lambda name: read_log(directory / name, f"{source}/{name}"))
    by_name = {step.name: step for step in steps}

    def logged(name: str) -> Mapping[str, _InLog]:
        found: dict[str, _InLog] = {}
        for log in by_name[name].logs if name in by_name else ():
            reading = of_step(read(log), name, FILE_NAME, only_step=len(steps) == 1)
            for metric in reading.metrics:
                place = f"{reading.file}:{metric.line}" if metric.line else reading.file
                found.setdefault(metric.name, _InLog(metric.value, place))
        return found

    return logged


def _metric(number: Number, computed: ComputedStep, file: str) -> Mapping[str, Metric]:
    is_throughput = number.metric == QUERIES and computed.is_throughput
    name = "throughput" if is_throughput else number.metric
    unit, better, *_ = meaning_of(name)
    return {
        name: Metric(
            value=number.value,
            unit=unit,
            better=better,
            file=file,
            line=number.line or None,
            column=number.column,
        )
    }


def _disagreement(step: str, number: Number, logged: Sequence[_InLog]) -> Problem | None:
    """Return that a table has another number than the log, unless rounding explains it."""
    for each in logged:
        slack = number.slack + (LOG_SLACK if number.metric == QUERIES else 0)
        if abs(each.value - number.value) <= slack + 1e-9 * abs(each.value):
            return None
    log = logged[-1]
    return Problem(
        path=number.file,
        line=number.line,
        found=f"{shown_value(step)} of {shown_value(number.column)} is {number.value:g}, "
        f"and {log.place} has {log.value:.6g}",
        expected="what the log has; it counts",
        do="correct the table, or leave out the log if it is of another run",
        severity="warning",
    )

"""Step runs made from bundles on disk, for the tests of what is made from them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bundle_samples import folded, good_bundle, pgbench_log
from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.measured import logs_of, readings_of
from perfpress.analysis.study.outline import outline_of, outlined
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.corrected import CorrectedRun, Exclusion
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading

VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 238033   7124 738656    0    0  1019   867  244  828  4  3 93  0  0
 1  0      0 238033   7124 738656    0    0     0     0  103 3000 30 10 60  0  0
 1  0      0 238033   7124 738656    0    0     0     4   75 5000 40 20 40  0  0
"""


def step_run(
    directory: Path,
    rate: float = 1000.0,
    step: Mapping[str, Any] | None = None,
    changes: Mapping[str, Any] | None = None,
    files: Mapping[str, str | bytes] | None = None,
    exclusion: Exclusion | None = None,
) -> StepRun:
    """Write a bundle of one step with a pgbench log, and return that step."""
    stated = {"name": "select", "operation": "transaction", "logs": ["select.txt"]}
    stated |= dict(step or {})
    stated = {key: value for key, value in stated.items() if value is not None}
    bundle = good_bundle(
        directory,
        {"step": [stated], **(changes or {})},
        {"select.txt": pgbench_log(rate), **(files or {})},
    )
    (only,) = step_runs_of(bundle, *([exclusion] if exclusion else []))
    return only


def step_runs_of(bundle: Bundle, *exclusions: Exclusion) -> list[StepRun]:
    """Return all steps of a bundle, their logs read here: a process for each takes far longer."""
    run = CorrectedRun(bundle, exclusions)
    whole = {
        log: read_log(log.path, log.shown_as, log.format_hint)
        for log in logs_of(bundle, bundle.steps)
    }
    found = []
    for step, readings in zip(bundle.steps, readings_of(bundle, bundle.steps, whole), strict=True):
        found.append(
            StepRun(
                cell=CellKey(bundle.run.release, bundle.variant.slug, step.name),
                run=run,
                step=step,
                readings=readings,
                **outlined(step, readings)._asdict(),
            )
        )
    return found


def with_readings(made: StepRun, *readings: LogReading) -> StepRun:
    """Return a step of a run as if its logs said something else over time."""
    outline = outline_of(made.step.logs, readings, made.measured)
    return replace(made, readings=readings, outline=outline)


def captures(count: int) -> dict[str, bytes]:
    """Return the files of some captures."""
    return {f"perf.{number}.folded.gz": folded(number + 1) for number in range(count)}


def valid_metrics(run: StepRun) -> set[str]:
    """Return the metrics of a run that count."""
    return {name for name in run.measured if not why_not(run, name)}

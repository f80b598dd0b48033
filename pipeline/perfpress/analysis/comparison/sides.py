"""Makes a study of two sides, each the runs that one file or directory holds.

The sides are releases of a report that nobody wrote, so that all that judges releases judges them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as replace_fields

from perfpress.analysis.comparison.labels import without_common_ends
from perfpress.analysis.study.measured import logs_of, readings_of
from perfpress.analysis.study.outline import outlined
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.variant import Variant
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.logs.named_benchmarks import step_name
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.workers import LogFile, read_each
from perfpress.input.report.front_matter import Release
from perfpress.input.report.report import Report

REPORT = "comparison"

VARIANT = Variant(host="")
"""Of all runs: what a person compares is taken for comparable, and differences are named."""


APART = "apart"
"""The branch of the other side: two files are no neighbours of a series, which differ by little but
noise."""


@dataclass(frozen=True)
class Side:
    """The runs of one file or directory."""

    label: str
    """As it is called in the answer."""
    bundles: Sequence[Bundle]
    read: Mapping[LogFile, LogReading]
    """What was read already of their logs."""


def study_of_sides(base: Side, after: Side) -> Study:
    """Return the study of both sides; steps that have a counterpart are called as in the base."""
    runs = {side.label: list(_runs(side)) for side in (base, after)}
    for side, other in ((base, after), (after, base)):
        runs[side.label] = _called_as_its_benchmark(runs[side.label], _names(runs[other.label]))
    names = [_names(runs[side.label]) for side in (base, after)]
    renamed = paired_steps(*names)
    step_runs = [
        *runs[base.label],
        *(_called(each, renamed.get(each.step.name, each.step.name)) for each in runs[after.label]),
    ]
    steps = dict.fromkeys(each.step.name for each in step_runs)
    report = Report(
        id=REPORT,
        title="",
        base=base.label,
        default_variant=VARIANT.slug,
        releases=(Release(id=base.label), Release(id=after.label, branch=APART)),
        variants={VARIANT.slug: ""},
        steps=tuple(steps),
    )
    corrected = {id(each.run): each.run for each in step_runs}
    return Study(
        report=report,
        runs=tuple(corrected.values()),
        step_runs=tuple(step_runs),
        profiles={},
        corrections=(),
    )


def _names(runs: Sequence[StepRun]) -> list[str]:
    return list(dict.fromkeys(each.step.name for each in runs))


def _called_as_its_benchmark(runs: list[StepRun], others: Sequence[str]) -> list[StepRun]:
    """Return the runs of a single step named as the other side names its benchmark.

    Where a log holds one benchmark, the step is called as the file; where several, as they are.
    """
    if len(_names(runs)) != 1 or len(others) < 2:
        return runs
    benchmarks = {
        step_name(benchmark.name)
        for each in runs
        for reading in each.readings
        for benchmark in reading.benchmarks
    }
    if len(benchmarks) != 1 or not benchmarks <= {*others}:
        return runs
    return [_called(each, *benchmarks) for each in runs]


def paired_steps(base: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """Return what steps of the other side are called in the base, where names differ.

    One step on each side is the same step, whatever files are called. Otherwise names count; where
    none is on both sides, without what all names of a side share: `8.0-scan` is `8.4-scan`.
    """
    if len(base) == len(after) == 1:
        return {after[0]: base[0]}
    if set(base) & set(after):
        return {}
    own = _by_own_words(base)
    return {name: own[short] for short, name in _by_own_words(after).items() if short in own}


def _by_own_words(names: Sequence[str]) -> dict[str, str]:
    """Return names by what differs of each: `scan` of `8.0-scan`, beside `8.0-insert`."""
    if len(names) < 2:
        return {name: name for name in names}
    return dict(zip(without_common_ends(names), names, strict=True))


def _runs(side: Side) -> Iterator[StepRun]:
    """Yield the steps of all runs of a side."""
    unread = [
        log
        for bundle in side.bundles
        for log in logs_of(bundle, bundle.steps)
        if log not in side.read
    ]
    whole = {**side.read, **dict(zip(unread, read_each(unread), strict=True))}
    variants = Counter(bundle.variant for bundle in side.bundles)
    ids: Counter[str] = Counter()
    for bundle in side.bundles:
        ids[bundle.run_id] += 1
        count = ids[bundle.run_id]
        # Two directories may hold the same run twice.
        run_id = bundle.run_id if count == 1 else f"{bundle.run_id} ({count})"
        stated = replace_fields(bundle.run, report=REPORT, release=side.label)
        run = CorrectedRun(replace(bundle, run=stated, run_id=run_id, variant=VARIANT))
        readings = readings_of(bundle, bundle.steps, whole)
        for step, own in zip(bundle.steps, readings, strict=True):
            name = step.name if len(variants) == 1 else f"{step.name} @{bundle.variant.label}"
            yield StepRun(
                cell=CellKey(side.label, VARIANT.slug, name),
                run=run,
                step=replace_fields(step, name=name),
                readings=own,
                **outlined(step, own)._asdict(),
            )


def _called(step_run: StepRun, name: str) -> StepRun:
    cell = step_run.cell._replace(step=name)
    return replace(step_run, cell=cell, step=replace_fields(step_run.step, name=name))

"""The tables of runs: every bundle, valid or not, with where its numbers stand."""

from collections.abc import Sequence

from pipeline.corrected import CorrectedRun
from pipeline.site_data.display import NO_VALUE, decimals_for, fixed, plural_of
from pipeline.site_data.shapes import Cell, Column, Notice, Row, Table
from pipeline.study import StepRun, Study


def step_runs_table(step_runs: Sequence[StepRun], operation: str) -> Table:
    """Return the runs of one cell, each with its rate, latency, file and line."""
    rates = [
        rate.value for each in step_runs if (rate := each.measured.get("throughput")) is not None
    ]
    latencies = [
        latency.value
        for each in step_runs
        if (latency := each.measured.get("latency_average")) is not None
    ]
    return Table(
        id="runs",
        caption="All runs, those that do not count too",
        row_head="Run",
        columns=(
            Column(key="throughput", label="Throughput", unit=f"{plural_of(operation)}/s"),
            Column(key="latency", label="Average latency", unit="ms"),
            Column(key="failed", label="Failed", unit="operations"),
            Column(key="counts", label="Counts", numeric=False),
            Column(key="source", label="Source", numeric=False),
        ),
        rows=tuple(
            Row(
                key=each.bundle.run_id,
                label=each.bundle.run_id,
                cells=(
                    _measured(each, "throughput", decimals_for(rates)),
                    _measured(each, "latency_average", decimals_for(latencies)),
                    _measured(each, "failed_operations", 0),
                    _counts(each),
                    _source(each),
                ),
            )
            for each in step_runs
        ),
    )


def _measured(step_run: StepRun, metric: str, decimals: int) -> Cell:
    measured = step_run.measured.get(metric)
    if measured is None:
        return Cell(text=NO_VALUE, note="no log tells")
    line = f":{measured.line}" if measured.line else ""
    return Cell(
        text=fixed(measured.value, decimals), note=f"{measured.file}{line}", sort=measured.value
    )


def _counts(step_run: StepRun) -> Cell:
    if step_run.exclusion is not None:
        exclusion = step_run.exclusion
        by = f" by {exclusion.replacement}" if exclusion.replacement else ""
        return Cell(text=f"{exclusion.status}{by}: {exclusion.reason}")
    if not step_run.is_repeat:
        return Cell(text="for the profile only", note="the profiler disturbs the rate")
    return Cell(text="yes")


def _source(step_run: StepRun) -> Cell:
    measured = step_run.measured.get("throughput")
    if measured is None:
        return Cell(text=NO_VALUE)
    line = f":{measured.line}" if measured.line else ""
    return Cell(text=f"{measured.file}{line}", note=step_run.bundle.shown(measured.file))


def bundles_table(study: Study, release: str) -> Table:
    """Return every bundle of a release: provenance."""
    runs = [run for run in study.runs if run.bundle.run.release == release]
    return Table(
        id="runs",
        caption="All bundles, those that do not count too",
        row_head="Run",
        columns=(
            Column(key="started", label="Started", unit="UTC", numeric=False),
            Column(key="variant", label="Variant", numeric=False),
            Column(key="steps", label="Steps", numeric=False),
            Column(key="files", label="Files"),
            Column(key="checksum", label="Checksum", unit="SHA-256", numeric=False),
            Column(key="counts", label="Counts", numeric=False),
        ),
        rows=tuple(_bundle_row(study, run) for run in runs),
    )


def _bundle_row(study: Study, run: CorrectedRun) -> Row:
    bundle = run.bundle
    started = bundle.run.started
    counted = "; ".join(
        f"{each.step or 'all steps'} {each.status}: {each.reason}" for each in run.exclusions
    )
    profiled = all(step.capture.separate_run for step in bundle.steps)
    return Row(
        key=bundle.run_id,
        label=bundle.run_id,
        cells=(
            Cell(text=f"{started:%Y-%m-%d %H:%M}" if started else NO_VALUE),
            Cell(text=study.report.variants[bundle.variant.slug]),
            Cell(text=", ".join(step.name for step in bundle.steps)),
            Cell(text=str(len(bundle.files)), sort=len(bundle.files)),
            Cell(text=bundle.content_hash[:16], note=bundle.content_hash),
            Cell(text=counted or ("for the profile only" if profiled else "yes")),
        ),
    )


def correction_notices(runs: Sequence[CorrectedRun]) -> tuple[Notice, ...]:
    """Return a notice for each correction that touches one of the runs, and each exclusion."""
    texts: dict[str, None] = {}
    for run in runs:
        for each in run.exclusions:
            by = f" by {each.replacement}" if each.replacement else ""
            step = f", step {each.step}" if each.step else ""
            texts[f"Run {run.bundle.run_id}{step} is {each.status}{by}: {each.reason}"] = None
        excluding = {id(each.correction) for each in run.exclusions}
        for correction in run.corrections:
            if id(correction) not in excluding:
                kind = correction.change.__struct_config__.tag
                texts[f"Corrected ({kind}): {correction.change.reason}"] = None
    return tuple(Notice(kind="correction", text=text) for text in texts)

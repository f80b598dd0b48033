"""The tables of runs: every bundle, valid or not, with where its numbers stand."""

from collections.abc import Mapping, Sequence
from datetime import UTC

from pipeline.analysis.counted import why_not
from pipeline.bundle.read import Bundle
from pipeline.corrections.corrected import CorrectedRun
from pipeline.display import NO_VALUE, byte_size, decimals_for, fixed, plural, plural_of, short_name
from pipeline.site_data.addresses import host_address
from pipeline.site_data.run_archives import Archive
from pipeline.site_data.shapes import Cell, Column, Notice, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import StepRun, Study

COUNTS = "yes"

MOST_STEPS = 4
"""Names in a row of a run; of more there is their count, with the names in a note."""
MOST_NOTED = 40
"""Names in the note; the archive has all."""
MOST_FILES = 40
"""With their checksums, in a note."""

MOST_RUNS = 200
"""Rows of a table of runs: those that come last by their ids, which begin with their start."""


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
            Column(
                key="counts",
                label="Counts",
                meaning="whether the throughput is in medians and comparisons",
                numeric=False,
            ),
            Column(key="source", label="Source", numeric=False),
            Column(
                key="skipped",
                label="Not read",
                unit="lines",
                meaning="of logs: left out as not understood, or as said before",
            ),
        ),
        notes=(
            (
                f"The newest {MOST_RUNS} of {len(step_runs):,} runs; metrics.csv below has the "
                "numbers of all.",
            )
            if len(step_runs) > MOST_RUNS
            else ()
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
                    _skipped(each),
                ),
            )
            for each in step_runs[-MOST_RUNS:]
        ),
    )


def _measured(step_run: StepRun, metric: str, decimals: int) -> Cell:
    measured = step_run.measured.get(metric)
    reason = why_not(step_run, metric)
    if measured is None:
        return Cell(text=NO_VALUE, note=reason)
    place = measured.place
    if measured.note:
        place = f"{place}, {measured.note}"
    return Cell(
        text=fixed(measured.value, decimals),
        note=f"{place}; does not count: {reason}" if reason else place,
        sort=measured.value,
    )


def _counts(step_run: StepRun) -> Cell:
    return Cell(text=why_not(step_run, "throughput") or COUNTS)


def _source(step_run: StepRun) -> Cell:
    measured = step_run.measured.get("throughput")
    if measured is None:
        return Cell(text=NO_VALUE)
    return Cell(text=measured.place, note=step_run.bundle.shown(measured.file))


def _skipped(step_run: StepRun) -> Cell:
    """Return how many lines of the run's logs were left out, and why."""
    found = [
        (file, each)
        for file, reading in zip(step_run.step.logs, step_run.readings, strict=True)
        for each in reading.skipped
    ]
    count = sum(each.count for _, each in found)
    reasons = [
        f"{file}: {plural(each.count, 'line')}, first {each.first_line}: {each.reason}"
        for file, each in found
    ]
    return Cell(text=f"{count:,}", note="; ".join(reasons), sort=count)


def bundles_table(study: Study, release: str, archives: Mapping[str, Archive]) -> Table:
    """Return every bundle of a release: provenance.

    Args:
        study: the report.
        release: its id.
        archives: by the run's id.
    """
    runs = study.runs_of(release)
    return Table(
        id="runs",
        caption="All bundles, those that do not count too",
        row_head="Run",
        columns=(
            Column(key="started", label="Started", unit="UTC", numeric=False),
            Column(key="counts", label="Counts", numeric=False),
            Column(
                key="archive",
                label="Download",
                numeric=False,
                meaning="run.toml, logs and attachments of the run, as tar.gz",
            ),
            Column(key="checksum", label="Checksum", unit="SHA-256 of all files", numeric=False),
            Column(key="files", label="Files"),
            Column(key="host", label="Host", numeric=False),
            Column(key="variant", label="Variant", numeric=False),
            Column(key="steps", label="Steps", numeric=False),
        ),
        rows=tuple(_bundle_row(study, run, archives.get(run.bundle.run_id)) for run in runs),
    )


def commands_table(study: Study, release: str) -> Table | None:
    """Return what was run for each step, or None where no bundle tells; secrets are redacted."""
    found: dict[CellKey, list[str]] = {}
    for each in study.step_runs:
        if each.cell.release == release and each.step.command:
            found.setdefault(each.cell, []).append(each.step.command)
    if not found:
        return None
    return Table(
        id="commands",
        caption="What was run in the last run of each step; secrets are redacted",
        row_head="Step",
        columns=(
            Column(key="command", label="Command", numeric=False),
            Column(key="differ", label="Runs with another command"),
        ),
        rows=tuple(_commands_row(study, cell, commands) for cell, commands in found.items()),
    )


def _commands_row(study: Study, cell: CellKey, commands: Sequence[str]) -> Row:
    report, last = study.report, commands[-1]
    others = sum(command != last for command in commands)
    is_default = cell.variant == report.default_variant
    return Row(
        key=slug(cell.step) if is_default else f"{slug(cell.step)}-{cell.variant}",
        label=cell.step if is_default else f"{cell.step}, {report.variants[cell.variant]}",
        cells=(
            Cell(text=short_name(last), note=last if short_name(last) != last else ""),
            Cell(text=f"{others} of {len(commands)}", sort=others),
        ),
    )


def _bundle_row(study: Study, run: CorrectedRun, archive: Archive | None) -> Row:
    bundle = run.bundle
    started = bundle.run.started
    return Row(
        key=bundle.run_id,
        label=bundle.run_id,
        cells=(
            Cell(text=f"{started.astimezone(UTC):%Y-%m-%d %H:%M}" if started else NO_VALUE),
            Cell(text=_counted_steps([each for each in study.step_runs if each.run is run])),
            Cell(text=archive.text, url=archive.url) if archive else Cell(text=NO_VALUE),
            Cell(text=bundle.content_hash[:16], note=bundle.content_hash),
            _files(bundle),
            Cell(text=short_name(bundle.run.host), url=host_address(bundle.run.host)),
            Cell(text=study.report.variants[bundle.variant.slug]),
            _steps(bundle),
        ),
    )


def _steps(bundle: Bundle) -> Cell:
    names = ", ".join(short_name(step.name) for step in bundle.steps[:MOST_NOTED])
    if len(bundle.steps) <= MOST_STEPS:
        return Cell(text=names)
    more = len(bundle.steps) - MOST_NOTED
    return Cell(
        text=plural(len(bundle.steps), "step"),
        note=f"{names} and {more} more" if more > 0 else names,
    )


def _files(bundle: Bundle) -> Cell:
    """Return how many files there are, with the checksums of the first."""
    more = len(bundle.files) - MOST_FILES
    told = [
        f"{short_name(file.name)}, {byte_size(file.size)}, {file.sha256[:16]}"
        for file in bundle.files[:MOST_FILES]
    ]
    note = "; ".join([*told, *([f"and {more} more"] if more > 0 else [])])
    return Cell(text=str(len(bundle.files)), note=note, sort=len(bundle.files))


def _counted_steps(step_runs: Sequence[StepRun]) -> str:
    """Return what keeps the steps of a run from counting, one reason once where all share it."""
    reasons = {each.step.name: why_not(each, "throughput") for each in step_runs}
    if len(set(reasons.values())) == 1:
        return next(iter(reasons.values())) or COUNTS
    return "; ".join(f"{step}: {reason or COUNTS}" for step, reason in reasons.items())


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

"""The tables of runs: every bundle, valid or not, with the file and line of its numbers."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.measured import ELSEWHERE
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.display import (
    NO_VALUE,
    byte_size,
    decimals_for,
    fixed,
    plural,
    plural_of,
    short_name,
)
from perfpress.base.slugs import slug
from perfpress.input.bundles.variant import variant_of
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.corrections.files import AnyCorrection, Rename
from perfpress.input.corrections.sentences import replaced_sentence, sentence_of
from perfpress.site.addresses import host_address
from perfpress.site.shapes.blocks import Cell, Notice, Row, Table
from perfpress.site.tables.columns import Column, filled

COUNTS = "yes"

MOST_STEPS = 4
"""Names in a row of a run; of more there is their count, with the names in a note."""
MOST_NOTED = 40
"""Names in the note; the archive has all."""
MOST_FILES = 40
"""With their checksums, in a note."""

MOST_RUNS = 200
"""Rows of a table of runs: those that come last by their ids, which begin with their start."""


class Archive(NamedTuple):
    """The archive of a run, or why there is none."""

    url: str
    text: str
    """Its size; without an address the size of what it would hold."""


def step_runs_table(step_runs: Sequence[StepRun], operation: str) -> Table:
    """Return the runs of one cell, each with its rate, latency, file and line."""
    columns = _step_run_columns(step_runs, operation)
    more = len(step_runs) > MOST_RUNS
    return filled(
        Table(
            id="runs",
            caption="All runs, including those that do not count",
            row_head="Run",
            notes=(
                f"The newest {MOST_RUNS} of {len(step_runs):,} runs; metrics.csv below has the "
                "numbers of all.",
            )
            if more
            else (),
        ),
        columns,
        (
            (Row(key=each.bundle.run_id, label=each.bundle.run_id), each)
            for each in step_runs[-MOST_RUNS:]
        ),
    )


def _step_run_columns(step_runs: Sequence[StepRun], operation: str) -> tuple[Column[StepRun], ...]:
    def decimals(metric: str) -> int:
        found = (each.measured.get(metric) for each in step_runs)
        return decimals_for(measured.value for measured in found if measured is not None)

    of_rates, of_latencies = decimals("throughput"), decimals("latency_average")
    return (
        Column(
            "throughput",
            "Throughput",
            lambda each: _measured(each, "throughput", of_rates),
            unit=f"{plural_of(operation)}/s",
        ),
        Column(
            "latency",
            "Average latency",
            lambda each: _measured(each, "latency_average", of_latencies),
            unit="ms",
        ),
        Column(
            "failed",
            "Failed",
            lambda each: _measured(each, "failed_operations", 0),
            unit="operations",
        ),
        Column(
            "counts",
            "Counts",
            lambda each: Cell(text=why_not(each, "throughput") or COUNTS),
            meaning="whether the throughput is in medians and comparisons",
            numeric=False,
        ),
        Column("source", "Source", _source, numeric=False),
        Column(
            "skipped",
            "Not read",
            _skipped,
            unit="lines",
            meaning="log lines skipped: not understood, or repeated",
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


def _source(step_run: StepRun) -> Cell:
    measured = step_run.measured.get("throughput")
    if measured is None:
        return Cell(text=NO_VALUE)
    elsewhere = f", {ELSEWHERE}" if measured.is_computed_elsewhere else ""
    return Cell(text=f"{measured.place}{elsewhere}", note=step_run.bundle.shown(measured.file))


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
    columns = _bundle_columns(study, archives)
    return filled(
        Table(id="runs", caption="All bundles, including those that do not count", row_head="Run"),
        columns,
        (
            (Row(key=run.bundle.run_id, label=run.bundle.run_id), run)
            for run in study.runs_of(release)
        ),
    )


def _bundle_columns(
    study: Study, archives: Mapping[str, Archive]
) -> tuple[Column[CorrectedRun], ...]:
    def counts(run: CorrectedRun) -> Cell:
        return Cell(
            text=_why_steps_do_not_count(
                [each for each in study.step_runs_of(run.bundle.run.release) if each.run is run]
            )
        )

    def archive(run: CorrectedRun) -> Cell:
        found = archives.get(run.bundle.run_id)
        return Cell(text=found.text, url=found.url) if found else Cell(text=NO_VALUE)

    def host(run: CorrectedRun) -> Cell:
        name = run.bundle.run.host
        return Cell(text=short_name(name), url=host_address(name))

    def variant(run: CorrectedRun) -> Cell:
        return variant_cell(study, run)

    return (
        Column("started", "Started", _started, unit="UTC", numeric=False),
        Column("counts", "Counts", counts, numeric=False),
        Column(
            "archive",
            "Download",
            archive,
            numeric=False,
            meaning="run.toml, logs and attachments of the run, as tar.gz",
        ),
        Column("checksum", "Checksum", _checksum, unit="SHA-256 of all files", numeric=False),
        Column("files", "Files", _files),
        Column("host", "Host", host, numeric=False),
        Column("variant", "Variant", variant, numeric=False),
        Column("steps", "Steps", _steps, numeric=False),
    )


def variant_cell(study: Study, run: CorrectedRun) -> Cell:
    """Return the variant that a run counts for; a note has its configuration if that differs."""
    report, config = study.report, run.bundle.run.config
    is_one_of_several = variant_of(run.bundle.run).slug in report.same_configs.variants
    return Cell(
        text=report.variants[run.bundle.variant.slug],
        note=f"run.toml: config = {short_name(config)}" if is_one_of_several and config else "",
    )


def commands_table(study: Study, release: str) -> Table | None:
    """Return the command of each step, secrets redacted; None if no bundle has one."""
    found: dict[CellKey, list[str]] = {}
    for each in study.step_runs_of(release):
        if each.step.command:
            found.setdefault(each.cell, []).append(each.step.command)
    if not found:
        return None
    columns = (
        Column("command", "Command", _last_command, numeric=False),
        Column("differ", "Runs with another command", _other_commands),
    )
    report = study.report
    rows = (
        Row(
            key=slug(cell.step) if is_default else f"{slug(cell.step)}-{cell.variant}",
            label=cell.step if is_default else f"{cell.step}, {report.variants[cell.variant]}",
        )
        for cell in found
        for is_default in [cell.variant == report.default_variant]
    )
    return filled(
        Table(
            id="commands",
            caption="What was run in the last run of each step; secrets are redacted",
            row_head="Step",
        ),
        columns,
        zip(rows, found.values(), strict=True),
    )


def _last_command(commands: Sequence[str]) -> Cell:
    last, shown = commands[-1], short_name(commands[-1])
    return Cell(text=shown, note=last if shown != last else "")


def _other_commands(commands: Sequence[str]) -> Cell:
    others = sum(command != commands[-1] for command in commands)
    return Cell(text=f"{others} of {len(commands)}", sort=others)


def _started(run: CorrectedRun) -> Cell:
    return start_cell(run.bundle.run.started)


def start_cell(started: datetime | None) -> Cell:
    """Return when a run started, in UTC."""
    if started is None:
        return Cell(text=NO_VALUE, note="not recorded")
    return Cell(text=f"{started.astimezone(UTC):%Y-%m-%d %H:%M}", sort=started.timestamp())


def _checksum(run: CorrectedRun) -> Cell:
    checksum = run.bundle.content_hash
    return Cell(text=checksum[:16], note=checksum)


def _steps(run: CorrectedRun) -> Cell:
    bundle = run.bundle
    names = ", ".join(short_name(step.name) for step in bundle.steps[:MOST_NOTED])
    if len(bundle.steps) <= MOST_STEPS:
        return Cell(text=names)
    more = len(bundle.steps) - MOST_NOTED
    return Cell(
        text=plural(len(bundle.steps), "step"),
        note=f"{names} and {more} more" if more > 0 else names,
    )


def _files(run: CorrectedRun) -> Cell:
    """Return how many files there are, with the checksums of the first."""
    bundle = run.bundle
    more = len(bundle.files) - MOST_FILES
    listed = [
        f"{short_name(file.name)}, {byte_size(file.size)}, {file.sha256[:16]}"
        for file in bundle.files[:MOST_FILES]
    ]
    note = "; ".join([*listed, *([f"and {more} more"] if more > 0 else [])])
    return Cell(text=str(len(bundle.files)), note=note, sort=len(bundle.files))


def _why_steps_do_not_count(step_runs: Sequence[StepRun]) -> str:
    """Return what keeps the steps of a run from counting, one reason once where all share it."""
    reasons = {each.step.name: why_not(each, "throughput") for each in step_runs}
    if len(set(reasons.values())) == 1:
        return next(iter(reasons.values())) or COUNTS
    return "; ".join(f"{step}: {reason or COUNTS}" for step, reason in reasons.items())


def correction_notices(runs: Sequence[CorrectedRun], step: str | None = None) -> tuple[Notice, ...]:
    """Return a notice for each correction that touches one of the runs.

    Args:
        runs: those that a page is about.
        step: the only one that it is about; None for all.
    """
    texts: dict[str, None] = {}
    several = len({run.bundle.run.release for run in runs}) > 1
    for run in runs:
        release = run.bundle.run.release if several else ""
        for each in run.exclusions:
            if each.correction is None and each.replacement:
                texts[replaced_sentence(run.bundle.run_id, each.replacement, release)] = None
        for correction in run.corrections:
            if step is None or _is_about(run, correction.change, step):
                texts[sentence_of(correction.change, release)] = None
    return tuple(Notice(kind="correction", text=text) for text in texts)


def _is_about(run: CorrectedRun, change: AnyCorrection, step: str) -> bool:
    """Return whether a correction of a run changes something about one of its steps."""
    if isinstance(change, Rename):
        return change.what == "release" or run.name_now("step", change.new) == step
    return change.step is None or run.name_now("step", change.step) == step

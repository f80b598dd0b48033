"""Describes what was measured, and why a value is missing."""

from collections.abc import Iterable

from perfpress.analysis.metrics.validity import is_expected, validity_of
from perfpress.analysis.paths.absence import NO_PROFILE
from perfpress.analysis.profiles.cost import Unknown
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.display import number, plural
from perfpress.site.report_figures import Figures

RATIO_DECIMALS = 3

MOST_REASONS = 3
"""Why runs do not count, in one sentence."""

NO_RATES_NOTE = "Profiles only: no log of these runs has a throughput."


def summary_of(study: Study) -> str:
    """Return the report in one line: `4 releases, 3 steps, 28 runs; newest run 2026-11-21`."""
    started = [run.bundle.run.started for run in study.runs if run.bundle.run.started]
    counts = ", ".join(
        (
            plural(len(study.measured), "release"),
            plural(len(study.report.steps), "step"),
            plural(len(study.runs), "run"),
        )
    )
    return f"{counts}; newest run {max(started):%Y-%m-%d}" if started else counts


def cells_have_rates(figures: Figures, cells: Iterable[CellKey]) -> bool:
    """Return whether any run of the cells has or should have a throughput."""
    return any(
        is_expected(each, "throughput") for cell in cells for each in figures.study.of_cell(cell)
    )


def variant_has_rates(figures: Figures, variant: str) -> bool:
    """Return whether any run of a variant has or should have a throughput."""
    study = figures.study
    return any(
        is_expected(each, "throughput") for each in study.step_runs if each.cell.variant == variant
    )


def why_missing(study: Study, cell: CellKey, metric: str = "throughput") -> str:
    """Return why a cell has no value of a metric: the reasons that exclude its runs."""
    reasons = dict.fromkeys(validity_of(each, metric).reason for each in study.of_cell(cell))
    return "; ".join(reasons) if reasons else "no run"


def why_none_counts(step_runs: Iterable[StepRun]) -> str:
    """Return why none of some runs counts, as the end of a sentence; empty where one does.

    `: superseded by 20261124-100000-1a2b3c4d: replaced by a later run`
    """
    runs = list(step_runs)
    if any(each.exclusion is None for each in runs):
        return ""
    reasons = list(dict.fromkeys(validity_of(each, "throughput").reason for each in runs))
    more = f"; and {plural(len(reasons) - MOST_REASONS, 'more reason')}"
    shown = "; ".join(reasons[:MOST_REASONS]) + (more if len(reasons) > MOST_REASONS else "")
    return f": {shown}" if shown else ""


def why_one_lacks(study: Study, *cells: CellKey) -> str:
    """Return why no run of one of some cells counts; empty where each has one that does."""
    return next(filter(None, (why_none_counts(study.of_cell(cell)) for cell in cells)), "")


def work_text(figures: Figures, cell: CellKey, event: str | None = None) -> str:
    """Return the source of the operation count behind a cost, or why it is unknown.

    Args:
        figures: of the report.
        cell: whose cost it is.
        event: of its profile; None for the one that tables are of.
    """
    work = figures.work.get(cell) if event is None else figures.works[cell, event]
    if work is None:
        return NO_PROFILE
    if isinstance(work, Unknown):
        return work.reason
    if work.base:
        return work.method
    return f"{number(work.operations)} operations: {work.method}; scope: {work.scope}"

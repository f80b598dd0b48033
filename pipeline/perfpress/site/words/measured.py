"""Describes what was measured, and why a value is missing."""

from collections.abc import Iterable

from perfpress.analysis.metrics.validity import is_expected, validity_of
from perfpress.analysis.paths.absence import NO_PROFILE
from perfpress.analysis.profiles.cost import Unknown
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import number, plural
from perfpress.site.report_figures import Figures

RATIO_DECIMALS = 3

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

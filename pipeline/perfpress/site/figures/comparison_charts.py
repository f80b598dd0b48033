"""Charts of releases against their base."""

import dataclasses
from functools import partial

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.node.messages.charts import RelativeRequest, RelativeRow
from perfpress.site.addresses import all_releases_address
from perfpress.site.cell_pages import shows_all
from perfpress.site.figures.planned_chart import PlannedChart, chart_files, page_of
from perfpress.site.nearby_releases import MOST, cells_of_step, newest_cells
from perfpress.site.report_figures import Figures
from perfpress.site.words.level_changes import mark


def comparison_chart(figures: Figures, cell: CellKey) -> PlannedChart | None:
    """Return the chart of ratios to the base, where the page of a cell shows all releases."""
    if not shows_all(figures.study, cell):
        return None
    planned = step_comparison_chart(figures, cell.variant, cell.step)
    page = page_of(figures, cell)
    return planned and dataclasses.replace(
        planned,
        page=page,
        request=partial(_request, figures, cell.variant, cell.step, page, cell),
        cell=cell,
        has_embed=True,
    )


def step_comparison_chart(figures: Figures, variant: str, step: str) -> PlannedChart | None:
    """Return the chart of all releases of a step; None where there is nothing to compare."""
    study = figures.study
    base = figures.summaries["throughput"].get(CellKey(study.base_of(variant), variant, step))
    if base is None or base.median <= 0 or len(cells_of_step(study, variant, step)) < 2:
        return None
    page = all_releases_address(study.report, step, variant)
    return PlannedChart(
        page=page,
        name="comparison",
        caption=comparison_caption(study, variant, step),
        request=partial(_request, figures, variant, step, page),
        has_embed=False,
    )


def comparison_caption(study: Study, variant: str, step: str) -> str:
    """Return `Throughput of select relative to 17, every run a dot`."""
    base = study.label(study.base_of(variant))
    return f"Throughput of {step} relative to {base}, every run a dot"


def _request(
    figures: Figures, variant: str, step: str, page: str, current: CellKey | None = None
) -> RelativeRequest:
    study = figures.study
    base = figures.summaries["throughput"][CellKey(study.base_of(variant), variant, step)]
    levels = figures.levels["throughput"].get((variant, step))
    marks = {each.release: mark(each) for each in levels.changes} if levels else {}
    rows = [
        _row(figures, cell, base, marks.get(cell.release, ""), current=cell == current)
        for cell in newest_cells(study, cells_of_step(study, variant, step), MOST)
    ]
    return RelativeRequest(
        releases=rows,
        base=study.label(study.base_of(variant)),
        title=comparison_caption(study, variant, step),
        description=(
            "One row a release: the ratio of the medians, its interval where there are runs enough "
            "for one, and the ratio of every run to the base's median. The table above has them."
            + "".join(f" {row.label}: {row.mark}." for row in rows if row.mark)
        ),
        **chart_files(page),
    )


def _row(
    figures: Figures, cell: CellKey, base: Summary, marked: str, *, current: bool
) -> RelativeRow:
    study = figures.study
    summaries = figures.summaries["throughput"]
    summary = summaries.get(cell)
    verdict = figures.verdicts.get((cell, study.base_of(cell.variant)))
    interval = verdict.interval if verdict else None
    return RelativeRow(
        label=study.label(cell.release),
        current=current,
        ratio=summary.median / base.median if summary else None,
        interval=(interval.low, interval.high) if interval else None,
        runs=[value / base.median for value in summary.values] if summary else [],
        mark=marked,
    )

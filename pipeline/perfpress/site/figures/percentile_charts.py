"""Charts of percentile curves, and their tables."""

from bisect import bisect_left
from functools import partial

from perfpress.analysis.metrics.percentile_curves import Curves, Point
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, PERCENT, fixed, number
from perfpress.base.node.messages.charts import Curve, PercentilesRequest
from perfpress.base.slugs import slug
from perfpress.site.addresses import all_releases_address
from perfpress.site.figures.planned_chart import PlannedChart, chart_files, page_of
from perfpress.site.nearby_releases import (
    NEWEST_IN_CHART,
    near_cells,
    newest_releases,
    shown_note,
    with_note,
)
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled

SHOWN_PARTS = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999)
"""What the table has of each curve."""


def percentiles_chart(figures: Figures, cell: CellKey) -> PlannedChart | None:
    """Return the chart on the page of a cell that has a curve: its own release in front."""
    if cell.release not in figures.curves.get(cell.step_key, {}):
        return None
    page, curves = page_of(figures, cell), near_curves(figures, cell)
    return PlannedChart(
        page=page,
        name="percentiles",
        caption=caption(cell.step),
        request=partial(_request, figures, cell.step, curves, page, cell.release),
        table=partial(percentiles_table, figures, cell.step, curves),
        cell=cell,
    )


def step_percentiles_chart(figures: Figures, variant: str, step: str) -> PlannedChart | None:
    """Return the chart of all releases of a step; None where none has a curve."""
    if (variant, step) not in figures.curves:
        return None
    page = all_releases_address(figures.study.report, step, variant)
    curves = newest_curves(figures, variant, step)
    note = shown_note(len(curves), len(figures.curves[variant, step]), NEWEST_IN_CHART)
    return PlannedChart(
        page=page,
        name="percentiles",
        caption=caption(step),
        request=partial(_request, figures, step, curves, page),
        table=lambda: with_note(percentiles_table(figures, step, curves), note),
        has_embed=False,
    )


def near_curves(figures: Figures, cell: CellKey) -> Curves:
    """Return the curves that the page of a cell shows."""
    curves = figures.curves.get(cell.step_key, {})
    near = {each.release for each in near_cells(figures.study, cell)}
    return {release: curve for release, curve in curves.items() if release in near}


def newest_curves(figures: Figures, variant: str, step: str) -> Curves:
    """Return the curves that a chart of all releases shows."""
    curves = figures.curves[variant, step]
    newest = newest_releases(tuple(curves), figures.study.report.base)
    return {release: curves[release] for release in newest}


def caption(step: str) -> str:
    """Return `Percentiles of the latency of select`."""
    return f"Percentiles of the latency of {step}"


def percentiles_table(figures: Figures, step: str, curves: Curves) -> Table:
    """Return what the curves show: rows are percentiles, columns releases."""
    furthest = max(curve[-1].part for curve in curves.values())

    def column(release: str) -> Column[float]:
        label = figures.study.label(release)
        return Column(slug(release), label, lambda part: _cell(curves[release], part), unit="ms")

    percents = {
        part: fixed(100 * part, 3).rstrip("0").rstrip(".")
        for part in SHOWN_PARTS
        if part <= furthest
    }
    note = (
        "Of all operations of the runs that count where logs have histograms, and exact to the "
        "width of a bucket then; else the medians of what logs state."
    )
    return filled(
        Table(
            id=slug(f"percentiles-{step}-table"),
            caption=caption(step),
            row_head="Percentile",
            notes=(note,),
        ),
        tuple(map(column, curves)),
        (
            (Row(key=f"p{percent}", label=f"{percent}{PERCENT}"), part)
            for part, percent in percents.items()
        ),
    )


def _cell(curve: tuple[Point, ...], part: float) -> Cell:
    """Return the time that a part of the operations took at most."""
    at = bisect_left(curve, part - 1e-12, key=lambda point: point.part)
    if at == len(curve):
        return Cell(text=NO_VALUE, note="too few operations, or no log has it")
    return Cell(text=number(curve[at].value, 3), sort=curve[at].value)


def _request(
    figures: Figures, step: str, curves: Curves, page: str, current: str | None = None
) -> PercentilesRequest:
    study = figures.study
    labels = ", ".join(study.label(release) for release in curves)
    return PercentilesRequest(
        series=[
            Curve(label=study.label(release), current=release == current, points=curve)
            for release, curve in curves.items()
        ],
        unit="ms",
        title=caption(step),
        description=(
            f"One curve a release: {labels}. Across: the part of the operations, up: the time "
            "that they took at most. The table has the common percentiles."
        ),
        **chart_files(page),
    )

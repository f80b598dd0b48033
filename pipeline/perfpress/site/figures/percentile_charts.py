"""Charts of percentile curves: the jobs that draw them, and their tables."""

from bisect import bisect_left
from collections.abc import Iterator

from perfpress.analysis.metrics.percentile_curves import Curves, Point
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.base.display import NO_VALUE, PERCENT, fixed, number
from perfpress.base.node.jobs import Job
from perfpress.base.node.messages.charts import Curve, PercentilesRequest
from perfpress.base.slugs import slug
from perfpress.site.addresses import all_releases_address, step_address
from perfpress.site.figures.chart_files import chart_files
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, cells_of, heads
from perfpress.site.tables.nearby_releases import near_cells, newest_releases

SHOWN_PARTS = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999)
"""What the table has of each curve."""


def percentile_jobs(figures: Figures) -> Iterator[tuple[CellKey, Job[PercentilesRequest]]]:
    """Yield the charts of all cells that have a curve, each with its release in front."""
    for (variant, step), curves in figures.curves.items():
        for release in curves:
            cell = CellKey(release, variant, step)
            page = step_address(figures.study.report, release, step, variant)
            yield cell, _job(figures, step, near_curves(figures, cell), release, page)


def percentile_step_jobs(
    figures: Figures,
) -> Iterator[tuple[StepKey, Job[PercentilesRequest]]]:
    """Yield the charts by variant and step, all releases alike."""
    for variant, step in figures.curves:
        newest = newest_curves(figures, variant, step)
        page = all_releases_address(figures.study.report, step, variant)
        yield (variant, step), _job(figures, step, newest, None, page)


def near_curves(figures: Figures, cell: CellKey) -> Curves:
    """Return the curves that the page of a cell shows."""
    curves = figures.curves.get((cell.variant, cell.step), {})
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

    columns = tuple(map(column, curves))
    percents = {
        part: fixed(100 * part, 3).rstrip("0").rstrip(".")
        for part in SHOWN_PARTS
        if part <= furthest
    }
    return Table(
        id=slug(f"percentiles-{step}-table"),
        caption=caption(step),
        row_head="Percentile",
        columns=heads(columns),
        rows=tuple(
            Row(key=f"p{percent}", label=f"{percent}{PERCENT}", cells=cells_of(columns, part))
            for part, percent in percents.items()
        ),
        notes=(
            "Of all operations of the runs that count where logs have histograms, and exact to "
            "the width of a bucket then; else the medians of what logs state.",
        ),
    )


def _cell(curve: tuple[Point, ...], part: float) -> Cell:
    """Return the time that a part of the operations took at most."""
    at = bisect_left(curve, part - 1e-12, key=lambda point: point.part)
    if at == len(curve):
        return Cell(text=NO_VALUE, note="too few operations, or no log has it")
    return Cell(text=number(curve[at].value, 3), sort=curve[at].value)


def _job(
    figures: Figures, step: str, curves: Curves, current: str | None, page: str
) -> Job[PercentilesRequest]:
    study = figures.study
    title = caption(step)
    labels = ", ".join(study.label(release) for release in curves)
    request = PercentilesRequest(
        series=[
            Curve(label=study.label(release), current=release == current, points=curve)
            for release, curve in curves.items()
        ],
        unit="ms",
        title=title,
        description=(
            f"One curve a release: {labels}. Across: the part of the operations, up: the time "
            "that they took at most. The table has the common percentiles."
        ),
        **chart_files(page),
    )
    return Job(title, request)

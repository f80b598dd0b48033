"""Tables of measured values: a step over all releases, and a release over all steps."""

from collections.abc import Sequence

from pipeline.site_data.addresses import step_address
from pipeline.site_data.cost_cells import cost_cells, cost_columns
from pipeline.site_data.figures import Figures
from pipeline.site_data.rate_cells import (
    MEDIAN_NOTE,
    RATIO_NOTE,
    comparison_cells,
    comparison_columns,
    value_cells,
    value_columns,
)
from pipeline.site_data.shapes import Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey


def results_table(figures: Figures, cells: Sequence[CellKey], current: str | None) -> Table:
    """Return a step over its releases: the table that its pages open with.

    Args:
        figures: of the report.
        cells: one a release, at least one.
        current: the release whose page it is on.
    """
    study = figures.study
    return Table(
        id="results",
        caption=f"Throughput and cost of {cells[0].step} by release",
        row_head="Release",
        columns=(
            *comparison_columns(study),
            *value_columns(figures, cells),
            *cost_columns(figures, cells),
        ),
        rows=tuple(
            Row(
                key=slug(cell.release),
                label=study.label(cell.release),
                url=step_address(study.report, cell.release, cell.step, cell.variant),
                current=cell.release == current,
                cells=(
                    *comparison_cells(figures, cell),
                    *value_cells(figures, cells, cell),
                    *cost_cells(figures, cells, cell),
                ),
            )
            for cell in cells
        ),
        notes=(MEDIAN_NOTE, RATIO_NOTE),
    )


def steps_table(figures: Figures, release: str, variant: str) -> Table:
    """Return all steps of a release and variant."""
    study = figures.study
    report = study.report
    name = report.variants[variant]
    rows = []
    for step in report.steps:
        cell = CellKey(release, variant, step)
        if not study.of_cell(cell):
            continue
        rows.append(
            Row(
                key=slug(step),
                label=step,
                url=step_address(report, release, step, variant),
                cells=(*comparison_cells(figures, cell), *value_cells(figures, [cell], cell)),
            )
        )
    return Table(
        id=f"steps-{variant}",
        caption=f"Throughput of {study.label(release)} on {name}",
        row_head="Step",
        columns=(*comparison_columns(study), *value_columns(figures, [])),
        rows=tuple(rows),
        notes=(MEDIAN_NOTE, RATIO_NOTE),
    )

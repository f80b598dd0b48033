"""Tables of measured values: a step over all releases, and a release over all steps."""

from collections.abc import Sequence

from pipeline.site_data.addresses import step_address
from pipeline.site_data.cost_cells import cost_cells, cost_columns
from pipeline.site_data.figures import Figures
from pipeline.site_data.profile_cells import (
    NO_RATES_NOTE,
    PROFILE_COLUMNS,
    profile_cells,
    tells_rates,
)
from pipeline.site_data.rate_cells import (
    MEDIAN_NOTE,
    RATIO_NOTE,
    comparison_cells,
    comparison_columns,
    value_cells,
    value_columns,
)
from pipeline.site_data.shapes import Cell, Column, Row, Table
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
    has_rates = tells_rates(figures, cells)
    told = "Throughput and cost" if has_rates else "Profiles"
    return Table(
        id="results",
        caption=f"{told} of {cells[0].step} by release",
        row_head="Release",
        columns=(
            *(_rate_columns(figures, cells) if has_rates else PROFILE_COLUMNS),
            *cost_columns(figures, cells),
        ),
        rows=tuple(
            Row(
                key=slug(cell.release),
                label=study.label(cell.release),
                url=step_address(study.report, cell.release, cell.step, cell.variant),
                current=cell.release == current,
                cells=(
                    *(
                        _rate_cells(figures, cells, cell)
                        if has_rates
                        else profile_cells(figures, cell)
                    ),
                    *cost_cells(figures, cells, cell),
                ),
            )
            for cell in cells
        ),
        notes=(MEDIAN_NOTE, RATIO_NOTE) if has_rates else (NO_RATES_NOTE,),
    )


def steps_table(figures: Figures, release: str, variant: str) -> Table:
    """Return all steps of a release and variant."""
    study = figures.study
    report = study.report
    cells = [
        cell for step in report.steps if study.of_cell(cell := CellKey(release, variant, step))
    ]
    has_rates = tells_rates(figures, cells)
    told = "Throughput" if has_rates else "Profiles"
    return Table(
        id=f"steps-{variant}",
        caption=f"{told} of {study.label(release)} on {report.variants[variant]}",
        row_head="Step",
        columns=_rate_columns(figures, []) if has_rates else PROFILE_COLUMNS,
        rows=tuple(
            Row(
                key=slug(cell.step),
                label=cell.step,
                url=step_address(report, release, cell.step, variant),
                cells=_rate_cells(figures, [cell], cell)
                if has_rates
                else profile_cells(figures, cell),
            )
            for cell in cells
        ),
        notes=(MEDIAN_NOTE, RATIO_NOTE) if has_rates else (NO_RATES_NOTE,),
    )


def _rate_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column, ...]:
    return (*comparison_columns(figures.study), *value_columns(figures, cells))


def _rate_cells(figures: Figures, cells: Sequence[CellKey], cell: CellKey) -> tuple[Cell, ...]:
    return (*comparison_cells(figures, cell), *value_cells(figures, cells, cell))

"""Tables of what was measured: a step over its releases, a release over its steps."""

from collections.abc import Sequence

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, decimals_for, fixed
from perfpress.base.slugs import slug
from perfpress.base.units import shown_time
from perfpress.site.addresses import all_releases_address
from perfpress.site.cell_pages import cell_url, has_page, steps_table_id
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.rate_cells import (
    RATIO_NOTE,
    comparison_columns,
    median_notes,
    runs_words,
    value_columns,
)
from perfpress.site.words.author_rates import author_rates_notes
from perfpress.site.words.measured import work_text

HOST_CPU = "cpu_per_operation"
NANOSECONDS = 1000
"""In a microsecond, the unit of the host's CPU time."""


def results_table(figures: Figures, cells: Sequence[CellKey], current: str | None) -> Table:
    """Return a step over its releases: the table that its pages open with.

    Args:
        figures: of the report.
        cells: one a release, at least one.
        current: the release whose page it is on.
    """
    study = figures.study
    columns = (
        *comparison_columns(figures, cells),
        *value_columns(figures, cells),
        *cost_columns(figures, cells),
    )
    return filled(
        Table(
            id="results",
            caption=f"Throughput and cost of {cells[0].step} by release",
            row_head="Release",
            once=runs_words(figures, cells),
            notes=(
                *median_notes(figures, cells),
                RATIO_NOTE,
                *author_rates_notes(figures, cells[0].variant, [cells[0].step]),
            ),
        ),
        columns,
        (
            (
                Row(
                    key=slug(cell.release),
                    label=study.label(cell.release),
                    url=cell_url(study, cell),
                    current=cell.release == current,
                ),
                cell,
            )
            for cell in cells
        ),
    )


def steps_table(figures: Figures, cells: Sequence[CellKey]) -> Table:
    """Return steps of a release and variant.

    Args:
        figures: of the report.
        cells: one a step, at least one.
    """
    study = figures.study
    report = study.report
    release, variant = cells[0].release, cells[0].variant
    compared = comparison_columns(figures, cells)
    return filled(
        Table(
            id=steps_table_id(variant),
            caption=f"Throughput of {study.label(release)} on {report.variants[variant]}",
            row_head="Step",
            once=(*runs_words(figures, cells), *(() if compared else (_is_base(figures, cells),))),
            notes=(*median_notes(figures, cells), *((RATIO_NOTE,) if compared else ())),
        ),
        (*compared, *value_columns(figures, cells)),
        (
            (
                Row(
                    key=slug(cell.step),
                    label=cell.step,
                    url=cell_url(study, cell)
                    if has_page(study, cell)
                    else all_releases_address(report, cell.step, variant),
                ),
                cell,
            )
            for cell in cells
        ),
    )


def _is_base(figures: Figures, cells: Sequence[CellKey]) -> str:
    """Return why a release is compared with none."""
    study, of = figures.study, cells[0]
    label = study.label(of.release)
    others = {
        release for cell in cells for release in study.releases_with(of.variant, cell.step)
    } - {of.release}
    if others:
        return f"{label} is the base that other releases are compared with."
    return "Nothing to compare with: no other release ran on this variant."


def cost_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column[CellKey], ...]:
    """Return the costs that any of the cells has; the numbers of each share unit and decimals."""
    cpu = [figures.efficiency[cell][HOST_CPU].value for cell in cells]
    known_cpu = [value for value in cpu if value is not None]
    return (
        *((_profile_cost(figures, cells),) if any(map(figures.main, cells)) else ()),
        *((_host_cpu(figures, cells[0].step, known_cpu),) if known_cpu else ()),
    )


def _profile_cost(figures: Figures, cells: Sequence[CellKey]) -> Column[CellKey]:
    costs = [cost for each in cells if (cost := figures.cost(each)) is not None]
    factor, unit = figures.main_cost_unit(cells[0].variant, cells[0].step).shown(costs)
    decimals = decimals_for(each * factor for each in costs)

    def shown(cell: CellKey) -> Cell:
        cost, note = figures.cost(cell), work_text(figures, cell)
        if cost is None:
            return Cell(text=NO_VALUE, note=note)
        return Cell(text=fixed(cost * factor, decimals), note=note, sort=cost)

    if cells[0].step_key in figures.author_rates:
        meaning = "share of the profile ÷ the author’s rate of the release"
    else:
        meaning = "profile weight ÷ operations during the capture"
    return Column("cost", "Cost", shown, unit=unit, meaning=meaning)


def _host_cpu(figures: Figures, step: str, known: Sequence[float]) -> Column[CellKey]:
    factor, time = shown_time(max(known) * NANOSECONDS)
    factor *= NANOSECONDS
    decimals = decimals_for(factor * each for each in known)

    def shown(cell: CellKey) -> Cell:
        cpu = figures.efficiency[cell][HOST_CPU]
        if cpu.value is None:
            return Cell(text=NO_VALUE, note=cpu.reason)
        note = "; ".join(filter(None, (cpu.source, cpu.differs)))
        return Cell(text=fixed(factor * cpu.value, decimals), note=note, sort=cpu.value)

    meaning = "user and system time of the whole host, including the client"
    unit = f"{time}/{figures.study.operation(step)}"
    return Column("host-cpu", "Host CPU", shown, unit=unit, meaning=meaning)

"""Tables of what was measured: a step over its releases, a release over its steps.

Where there are profiles alone, they show how much was sampled instead of throughput.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from perfpress.analysis.paths.absence import NO_PROFILE
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, decimals_for, fixed, number
from perfpress.base.slugs import slug
from perfpress.site.addresses import step_address
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, cells_of, heads
from perfpress.site.tables.overview import Overview
from perfpress.site.tables.rate_cells import (
    MEDIAN_NOTE,
    RATIO_NOTE,
    comparison_columns,
    value_columns,
)
from perfpress.site.words.measured import NO_RATES_NOTE, cells_have_rates, work_text

HOST_CPU = "cpu_per_operation"

UNCOUNTED = "profile"
"""Shown for the samples of a profile that does not count them."""


def results_table(figures: Figures, cells: Sequence[CellKey], current: str | None) -> Table:
    """Return a step over its releases: the table that its pages open with.

    Args:
        figures: of the report.
        cells: one a release, at least one.
        current: the release whose page it is on.
    """
    study = figures.study
    has_rates = cells_have_rates(figures, cells)
    columns = (*_columns(figures, cells, has_rates=has_rates), *cost_columns(figures, cells))
    return Table(
        id="results",
        caption=f"{'Throughput and cost' if has_rates else 'Profiles'} of {cells[0].step} "
        "by release",
        row_head="Release",
        columns=heads(columns),
        rows=tuple(
            Row(
                key=slug(cell.release),
                label=study.label(cell.release),
                url=step_address(study.report, cell.release, cell.step, cell.variant),
                current=cell.release == current,
                cells=cells_of(columns, cell),
            )
            for cell in cells
        ),
        notes=(*_notes(has_rates=has_rates), *_author_rates(figures, cells[0])),
    )


def _author_rates(figures: Figures, cell: CellKey) -> tuple[str, ...]:
    """Return the rates by which a step's costs are known, where no log has them."""
    rates = figures.author_rates.get((cell.variant, cell.step), {})
    listed = ", ".join(
        f"{figures.study.label(release)} {number(rates[release], 2)}"
        for release in figures.study.releases_with(cell.variant, cell.step)
        if release in rates
    )
    return (f"The author’s relative rates: {listed}.",) if listed else ()


def steps_table(figures: Figures, release: str, variant: str) -> Table:
    """Return all steps of a release and variant."""
    study = figures.study
    report = study.report
    cells = [
        cell for step in report.steps if study.of_cell(cell := CellKey(release, variant, step))
    ]
    has_rates = cells_have_rates(figures, cells)
    columns = _columns(figures, [], has_rates=has_rates)
    return Table(
        id=f"steps-{variant}",
        caption=f"{'Throughput' if has_rates else 'Profiles'} of {study.label(release)} on "
        f"{report.variants[variant]}",
        row_head="Step",
        columns=heads(columns),
        rows=tuple(
            Row(
                key=slug(cell.step),
                label=cell.step,
                url=step_address(report, release, cell.step, variant),
                cells=cells_of(columns, cell),
            )
            for cell in cells
        ),
        notes=_notes(has_rates=has_rates),
    )


def _columns(
    figures: Figures, cells: Sequence[CellKey], *, has_rates: bool
) -> tuple[Column[CellKey], ...]:
    if has_rates:
        return (*comparison_columns(figures), *value_columns(figures, cells))
    return profile_columns(figures)


def _notes(*, has_rates: bool) -> tuple[str, ...]:
    return (MEDIAN_NOTE, RATIO_NOTE) if has_rates else (NO_RATES_NOTE,)


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

    if (cells[0].variant, cells[0].step) in figures.author_rates:
        meaning = "share of the profile ÷ the author’s rate of the release"
    else:
        meaning = "profile weight ÷ operations during the capture"
    return Column("cost", "Cost", shown, unit=unit, meaning=meaning)


def _host_cpu(figures: Figures, step: str, known: Sequence[float]) -> Column[CellKey]:
    decimals = decimals_for(known)

    def shown(cell: CellKey) -> Cell:
        cpu = figures.efficiency[cell][HOST_CPU]
        if cpu.value is None:
            return Cell(text=NO_VALUE, note=cpu.reason)
        note = "; ".join(filter(None, (cpu.source, cpu.differs)))
        return Cell(text=fixed(cpu.value, decimals), note=note, sort=cpu.value)

    meaning = "user and system time of the whole host, including the client"
    unit = f"µs/{figures.study.operation(step)}"
    return Column("host-cpu", "Host CPU", shown, unit=unit, meaning=meaning)


def profile_columns(figures: Figures) -> tuple[Column[CellKey], ...]:
    """Return what was sampled for the profiles that tables are of."""
    return (
        Column("samples", "Samples", lambda cell: _samples(figures, cell)),
        Column("captures", "Captures", lambda cell: _captures(figures, cell)),
    )


def _samples(figures: Figures, cell: CellKey) -> Cell:
    made = figures.main(cell)
    if made is None:
        return Cell(text=NO_VALUE, note=NO_PROFILE)
    samples = figures.qualities[cell, made.event].samples
    if samples is None:
        # What an SVG calls samples are most often its weights: 6,479,335,500,000 cycles.
        return Cell(text=UNCOUNTED, note="number of samples unknown")
    return Cell(text=f"{samples:,}", sort=samples)


def _captures(figures: Figures, cell: CellKey) -> Cell:
    made = figures.main(cell)
    if made is None:
        return Cell(text=NO_VALUE, note=NO_PROFILE)
    captures = figures.qualities[cell, made.event].captures
    return Cell(text=f"{captures:,}", sort=captures)


def profiles_overview(figures: Figures, variant: str) -> Table:
    """Return the samples of all releases and steps of a variant; each leads to its flame graph."""
    study = figures.study
    overview = Overview(study, variant)

    def cell_of(cell: CellKey) -> Cell:
        samples = _samples(figures, cell)
        if not study.of_cell(cell):
            return samples
        url = step_address(study.report, cell.release, cell.step, cell.variant)
        return replace(samples, url=url)

    columns = overview.columns(cell_of)
    return Table(
        id=f"profiles-{variant}",
        caption=f"Samples of the profiles on {study.report.variants[variant]}",
        row_head="Step",
        columns=heads(columns),
        rows=overview.rows(columns, dict.fromkeys(overview.steps, "samples")),
        by_release=True,
        notes=(NO_RATES_NOTE,),
    )

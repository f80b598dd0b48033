"""Tables of response times: percentiles, and histograms of releases side by side."""

from collections.abc import Mapping, Sequence

from perfpress.analysis.metrics.response_times import (
    PERCENTILES,
    edges_of,
    histograms,
    names_of_histograms,
    operations_covered,
    percentiles,
    shares,
)
from perfpress.analysis.metrics.throughput import summarise
from perfpress.analysis.metrics.validity import values_of
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import NO_VALUE, PERCENT, decimals_for, fixed, number
from perfpress.base.slugs import slug
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.overview import Overview
from perfpress.site.tables.rate_cells import missing_cell


def response_time_tables(figures: Figures, cells: Sequence[CellKey]) -> tuple[Table, ...]:
    """Return percentiles and histograms of a step by release; none where no log has any."""
    return (*_percentiles(figures, cells), *_histograms(figures, cells))


def percentile_tables(
    figures: Figures, variant: str, only: tuple[str, ...] = ()
) -> tuple[Table, ...]:
    """Return a table for each percentile that logs of the variant state: steps by releases.

    Args:
        figures: of the report.
        variant: its slug.
        only: the releases; empty for the base and the newest ones.
    """
    overview = Overview(figures.study, variant, only)
    cells = [cell for step in overview.steps for cell in overview.cells(step)]
    runs = [each for cell in cells for each in figures.study.of_cell(cell)]
    found = []
    for name, (metric, _) in PERCENTILES.items():
        values = values_of(runs, metric)
        medians = {cell: summarise(each).median for cell, each in values.items()}
        if medians:
            found.append(_of_metric(figures, overview, name, metric, medians))
    return tuple(found)


def _of_metric(
    figures: Figures,
    overview: Overview,
    name: str,
    metric: str,
    medians: Mapping[CellKey, float],
) -> Table:
    decimals = {
        step: decimals_for(medians[each] for each in overview.cells(step) if each in medians)
        for step in overview.steps
    }

    def median(cell: CellKey) -> Cell:
        if cell not in medians:
            return missing_cell(figures.study, cell, metric)
        return Cell(
            text=fixed(medians[cell], decimals[cell.step]),
            url=cell_url(figures.study, cell, "response-times"),
            sort=medians[cell],
        )

    columns = overview.columns(median)
    what = "Longest operation" if name == "max" else f"Response time, {name}"
    return overview.table(
        Table(
            id=f"{slug(metric)}-{overview.variant}",
            caption=f"{what}, ms",
            notes=("As the logs state them, per run; medians of the runs that count.",),
        ),
        columns,
    )


def _percentiles(figures: Figures, cells: Sequence[CellKey]) -> tuple[Table, ...]:
    study = figures.study
    found = {cell: percentiles(study.of_cell(cell)) for cell in cells}
    if not any(found.values()):
        return ()

    def column(name: str) -> Column[CellKey]:
        decimals = decimals_for(each[name].value for each in found.values() if name in each)

        def shown(cell: CellKey) -> Cell:
            each = found[cell].get(name)
            if each is None:
                return Cell(text=NO_VALUE, note="no log has it")
            return Cell(text=fixed(each.value, decimals), note=each.source, sort=each.value)

        meaning = (
            "the longest operation"
            if name == "max"
            else f"{name[1:]}{PERCENT} of the operations took at most this long"
        )
        return Column(slug(name), name, shown, unit="ms", meaning=meaning)

    def operations(cell: CellKey) -> Cell:
        text = operations_covered(study.of_cell(cell), study.operation(cell.step))
        return Cell(text=text) if text else Cell(text=NO_VALUE, note="no log counts them")

    names = [name for name in PERCENTILES if any(name in each for each in found.values())]
    columns = (*map(column, names), Column("of", "Of", operations, numeric=False))
    return (
        filled(
            Table(
                id="response-times",
                caption=f"Response times of {cells[0].step} by release",
                row_head="Release",
                notes=("Medians over the runs that count; times are as the client measured them.",),
            ),
            columns,
            (
                (Row(key=slug(cell.release), label=study.label(cell.release)), cell)
                for cell in cells
            ),
        ),
    )


def _histograms(figures: Figures, cells: Sequence[CellKey]) -> tuple[Table, ...]:
    study = figures.study
    runs = [each for cell in cells for each in study.of_cell(cell)]
    tables = (_histogram(study, cells, name) for name in names_of_histograms(runs))
    return tuple(table for table in tables if table)


def _histogram(study: Study, cells: Sequence[CellKey], name: str) -> Table | None:
    of_cells = {cell: histograms(study.of_cell(cell), name) for cell in cells}
    found = {cell.release: each for cell, each in of_cells.items() if each}
    if not found:
        return None
    edges = edges_of(found)

    def column(release: str) -> Column[int]:
        parts = shares(found[release], edges)
        label = study.label(release)
        return Column(slug(release), label, lambda at: _share(parts[at]), unit=PERCENT.strip())

    return filled(
        Table(
            id=slug(f"histogram-{name}"),
            caption=f"Histogram of the {name} of {cells[0].step}",
            row_head=f"Up to, {next(iter(found.values()))[0].unit}",
            notes=("Share of all operations of the runs that count, per bucket.",),
        ),
        tuple(map(column, found)),
        ((Row(key=f"b{at}", label=number(edge, 3)), at) for at, edge in enumerate(edges)),
    )


def _share(part: float) -> Cell:
    return Cell(text=fixed(100 * part, 2), sort=100 * part) if part else Cell(text="0", sort=0)

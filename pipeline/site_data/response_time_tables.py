"""Tables of response times: percentiles, and histograms of releases side by side."""

from collections.abc import Sequence

from pipeline.analysis.metrics import cell_values
from pipeline.analysis.response_times import (
    PERCENTILES,
    counted,
    edges_of,
    histograms,
    names_of_histograms,
    percentiles,
    shares,
)
from pipeline.analysis.throughput import summarise
from pipeline.display import NO_VALUE, PERCENT, decimals_for, fixed, number
from pipeline.site_data.addresses import step_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.overview import Overview
from pipeline.site_data.rate_cells import missing_cell
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study


def response_time_tables(figures: Figures, cells: Sequence[CellKey]) -> tuple[Table, ...]:
    """Return percentiles and histograms of a step by release; none where no log has any."""
    return (*_percentiles(figures, cells), *_histograms(figures, cells))


def percentile_tables(figures: Figures, variant: str) -> tuple[Table, ...]:
    """Return a table for each percentile that logs of the variant state: steps by releases."""
    overview = Overview(figures.study, variant)
    found = []
    for name, (metric, _) in PERCENTILES.items():
        values = cell_values(figures.frame, metric)
        if any(cell in values for step in overview.steps for cell in overview.cells(step)):
            found.append(_of_metric(figures, overview, name, metric))
    return tuple(found)


def _of_metric(figures: Figures, overview: Overview, name: str, metric: str) -> Table:
    values = cell_values(figures.frame, metric)
    medians = {cell: summarise(each).median for cell, each in values.items()}
    report = figures.study.report

    def cells_of(step: str) -> tuple[Cell, ...]:
        cells = overview.cells(step)
        decimals = decimals_for(medians[each] for each in cells if each in medians)
        return tuple(
            Cell(
                text=fixed(medians[each], decimals),
                url=f"{step_address(report, each.release, step, each.variant)}#response-times",
                sort=medians[each],
            )
            if each in medians
            else missing_cell(figures.study, each, metric)
            for each in cells
        )

    what = "Longest operation" if name == "max" else f"Response time, {name}"
    return Table(
        id=f"{slug(metric)}-{overview.variant}",
        caption=f"{what}, ms",
        row_head="Step",
        columns=overview.columns(),
        by_release=True,
        rows=overview.rows(cells_of, dict.fromkeys(overview.steps, "ms")),
        notes=("As logs state them, of the operations of a run; medians of the runs that count.",),
    )


def _percentiles(figures: Figures, cells: Sequence[CellKey]) -> tuple[Table, ...]:
    study = figures.study
    found = {cell: percentiles(study.of_cell(cell)) for cell in cells}
    if not any(found.values()):
        return ()
    decimals = {
        name: decimals_for(each[name].value for each in found.values() if name in each)
        for name in PERCENTILES
    }
    there = [name for name in PERCENTILES if any(name in each for each in found.values())]

    def cell_of(cell: CellKey, name: str) -> Cell:
        each = found[cell].get(name)
        if each is None:
            return Cell(text=NO_VALUE, note="no log tells it")
        return Cell(text=fixed(each.value, decimals[name]), note=each.source, sort=each.value)

    return (
        Table(
            id="response-times",
            caption=f"Response times of {cells[0].step} by release",
            row_head="Release",
            columns=(
                *(
                    Column(
                        key=slug(name),
                        label=name,
                        unit="ms",
                        meaning="the longest operation"
                        if name == "max"
                        else f"{name[1:]}{PERCENT} of the operations took at most this long",
                    )
                    for name in there
                ),
                Column(key="of", label="Of", numeric=False),
            ),
            rows=tuple(
                Row(
                    key=slug(cell.release),
                    label=study.label(cell.release),
                    cells=(*(cell_of(cell, name) for name in there), _counted(study, cell)),
                )
                for cell in cells
            ),
            notes=("Medians over the runs that count; times are those that the client saw.",),
        ),
    )


def _counted(study: Study, cell: CellKey) -> Cell:
    text = counted(study.of_cell(cell), study.operation(cell.step))
    return Cell(text=text) if text else Cell(text=NO_VALUE, note="no log counts them")


def _histograms(figures: Figures, cells: Sequence[CellKey]) -> tuple[Table, ...]:
    study = figures.study
    runs = [each for cell in cells for each in study.of_cell(cell)]
    tables = []
    for name in names_of_histograms(runs):
        of_cells = {cell: histograms(study.of_cell(cell), name) for cell in cells}
        found = {cell.release: each for cell, each in of_cells.items() if each}
        if not found:
            continue
        edges = edges_of(found)
        unit = next(iter(found.values()))[0].unit
        columns = {release: shares(each, edges) for release, each in found.items()}
        tables.append(
            Table(
                id=slug(f"histogram-{name}"),
                caption=f"Histogram of the {name} of {cells[0].step}",
                row_head=f"Up to, {unit}",
                columns=tuple(
                    Column(key=slug(release), label=study.label(release), unit=PERCENT.strip())
                    for release in found
                ),
                rows=tuple(
                    Row(
                        key=f"b{at}",
                        label=number(edge, 3),
                        cells=tuple(_share(each[at]) for each in columns.values()),
                    )
                    for at, edge in enumerate(edges)
                ),
                notes=("Part of all operations of the runs that count, in each bucket.",),
            )
        )
    return tuple(tables)


def _share(part: float) -> Cell:
    return Cell(text=fixed(100 * part, 2), sort=100 * part) if part else Cell(text="0", sort=0)

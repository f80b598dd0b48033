"""Cells of what an operation costs: of the profile, and of the whole host."""

from collections.abc import Sequence

from pipeline.analysis.cost import Unknown
from pipeline.display import NO_VALUE, decimals_for, fixed, number
from pipeline.paths.absence import NO_PROFILE
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column
from pipeline.study.profiles import CellKey
from pipeline.units import shown_in

HOST_CPU = "cpu_per_operation"


def cost_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column, ...]:
    """Return the heads of the costs that any of the cells has."""
    columns = []
    unit = _unit(figures, cells)
    operation = figures.study.operation(cells[0].step) if cells else "operation"
    if unit is not None:
        columns.append(
            Column(
                key="cost",
                label="Cost",
                unit=f"{shown_in(unit, _costs(figures, cells))[1]}/{operation}",
                meaning="what the profile weighs ÷ the operations done while it was captured",
            )
        )
    if _host_cpu(figures, cells):
        columns.append(
            Column(
                key="host-cpu",
                label="Host CPU",
                unit=f"µs/{operation}",
                meaning="user and system time of the whole host, the client included",
            )
        )
    return tuple(columns)


def cost_cells(figures: Figures, cells: Sequence[CellKey], cell: CellKey) -> tuple[Cell, ...]:
    """Return the costs of a cell under `cost_columns`; `cells` share unit and decimals."""
    found: list[Cell] = []
    unit = _unit(figures, cells)
    if unit is not None:
        costs = _costs(figures, cells)
        factor, _ = shown_in(unit, costs)
        decimals = decimals_for(each * factor for each in costs)
        cost = figures.cost(cell)
        found.append(
            Cell(text=NO_VALUE, note=work_text(figures, cell))
            if cost is None
            else Cell(text=fixed(cost * factor, decimals), note=work_text(figures, cell), sort=cost)
        )
    host = _host_cpu(figures, cells)
    if host:
        cpu = figures.efficiency[cell][HOST_CPU]
        found.append(
            Cell(text=NO_VALUE, note=cpu.reason)
            if cpu.value is None
            else Cell(
                text=fixed(cpu.value, decimals_for(host.values())),
                note="; ".join(filter(None, (cpu.source, cpu.differs))),
                sort=cpu.value,
            )
        )
    return tuple(found)


def work_text(figures: Figures, cell: CellKey, event: str | None = None) -> str:
    """Return how the operations behind a cost are known, or why they are not.

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
    return f"{number(work.operations)} operations: {work.method}; scope: {work.scope}"


def _unit(figures: Figures, cells: Sequence[CellKey]) -> str | None:
    return next((each.unit for cell in cells if (each := figures.main(cell))), None)


def _costs(figures: Figures, cells: Sequence[CellKey]) -> list[float]:
    return [cost for each in cells if (cost := figures.cost(each)) is not None]


def _host_cpu(figures: Figures, cells: Sequence[CellKey]) -> dict[CellKey, float]:
    return {
        cell: cpu for cell in cells if (cpu := figures.efficiency[cell][HOST_CPU].value) is not None
    }

"""What an operation took of its host, of all steps and releases: absolute, and relative."""

from collections.abc import Mapping

from pipeline.analysis.efficiency import NO_COUNTER, PerOperation
from pipeline.display import NO_VALUE, decimals_for, fixed, percent_change, sortable
from pipeline.logs.metric_names import meaning_of
from pipeline.logs.readings import Better
from pipeline.site_data.figures import Figures
from pipeline.site_data.overview import Overview
from pipeline.site_data.rate_cells import RATIO_DECIMALS
from pipeline.site_data.shapes import Cell, Table, Tone
from pipeline.slug import slug
from pipeline.study.profiles import CellKey

COLOURED = 0.05
"""Nothing tells how far equal runs differ in these numbers, so that no change has a verdict."""

NOTE = (
    "Ratios are this ÷ the base. Those more than 5 % away from 1 have a colour, by what is better "
    "for this number: ▲ less or more of it is better, ▼ worse. None of them is a verdict."
)
HOST_NOTE = "Counted on the whole host, the client of the benchmark included."


def efficiency_tables(figures: Figures, variant: str) -> tuple[Table, ...]:
    """Return two tables for each number that any of the variant's cells has: itself, and ratios."""
    overview = Overview(figures.study, variant)
    cells = [cell for step in overview.steps for cell in overview.cells(step)]
    known = [
        name
        for name in NO_COUNTER
        if any(_number(figures, cell, name).value is not None for cell in cells)
    ]
    return tuple(
        table
        for name in known
        for table in (_absolute(figures, overview, name), _relative(figures, overview, name))
    )


def _absolute(figures: Figures, overview: Overview, name: str) -> Table:
    unit, _, meaning = meaning_of(name)

    def cells_of(step: str) -> tuple[Cell, ...]:
        numbers = {cell: _number(figures, cell, name) for cell in overview.cells(step)}
        decimals = decimals_for(each.value for each in numbers.values() if each.value is not None)
        return tuple(_cell(each, decimals) for each in numbers.values())

    return Table(
        id=f"{slug(name)}-{overview.variant}",
        caption=f"{_title(name)}, {unit}",
        row_head="Step",
        columns=overview.columns(),
        by_release=True,
        rows=overview.rows(cells_of, dict.fromkeys(overview.steps, unit)),
        notes=(_sentence(meaning), *((HOST_NOTE,) if _is_of_host(figures, overview, name) else ())),
    )


def _relative(figures: Figures, overview: Overview, name: str) -> Table:
    study = figures.study
    base = study.report.base

    def cell_of(cell: CellKey) -> Cell:
        number = _number(figures, cell, name)
        other = overview.other(base, cell)
        if other == cell and number.value is not None:
            return Cell(text="base", sort=1.0)
        before = _number(figures, other, name).value if other else None
        if number.value is None or not before or number.value <= 0:
            reason = number.reason or f"{study.label(base)} has no number above 0 here"
            return Cell(text=NO_VALUE, note=reason)
        return _ratio(number.value / before, number.better)

    return Table(
        id=f"{slug(name)}-against-base-{overview.variant}",
        caption=f"{_title(name)} relative to {study.label(base)}",
        row_head="Step",
        columns=overview.columns(lambda _: base),
        by_release=True,
        rows=overview.rows(
            lambda step: tuple(cell_of(cell) for cell in overview.cells(step)),
            dict.fromkeys(overview.steps, "ratio"),
        ),
        notes=(NOTE,),
    )


def _ratio(ratio: float, better: Better) -> Cell:
    tone: Tone = ""
    if better is not None and abs(ratio - 1) > COLOURED:
        tone = "better" if (ratio > 1) == (better == "higher") else "worse"
    return Cell(
        text=fixed(ratio, RATIO_DECIMALS),
        tone=tone,
        mark={"better": "▲", "worse": "▼"}.get(tone, ""),
        said=tone,
        note=percent_change(ratio),
        sort=sortable(ratio),
    )


def _cell(number: PerOperation, decimals: int) -> Cell:
    if number.value is None:
        return Cell(text=NO_VALUE, note=number.reason)
    place = f"{number.file}:{number.line}" if number.line else number.file
    return Cell(
        text=fixed(number.value, decimals),
        note="; ".join(dict.fromkeys(filter(None, (number.source, place, number.differs)))),
        sort=number.value,
    )


def _number(figures: Figures, cell: CellKey, name: str) -> PerOperation:
    numbers: Mapping[str, PerOperation] = figures.efficiency.get(cell, {})
    if name in numbers:
        return numbers[name]
    unit, better, _ = meaning_of(name)
    return PerOperation(name, None, unit, better, reason="no run")


def _is_of_host(figures: Figures, overview: Overview, name: str) -> bool:
    cells = (cell for step in overview.steps for cell in overview.cells(step))
    return any(_number(figures, cell, name).includes_client for cell in cells)


def _title(name: str) -> str:
    return _sentence(name.replace("_", " ").replace("cpu", "CPU")).rstrip(".")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}." if text else ""

"""Cost of an operation on its host, all steps by releases: absolute and relative."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from perfpress.analysis.metrics.efficiency import NO_COUNTER, PerOperation
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.states import Tone
from perfpress.base.display import NO_VALUE, decimals_for, fixed, percent_change, sortable
from perfpress.base.slugs import slug
from perfpress.base.units import shown_time
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.logs.readings import Better
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Table
from perfpress.site.tables.overview import Overview
from perfpress.site.tables.results import NANOSECONDS
from perfpress.site.words.measured import RATIO_DECIMALS

COLOURED = 0.05
"""Noise of these numbers is unknown, so that no change has a verdict."""

NOTE = (
    "Ratios are this ÷ the base. Those more than 5 % away from 1 have a colour, by what is better "
    "for this number: ▲ less or more of it is better, ▼ worse. None of them is a verdict."
)
HOST_NOTE = "Measured on the whole host, including the benchmark client."


def efficiency_tables(
    figures: Figures, variant: str, only: tuple[str, ...] = ()
) -> tuple[Table, ...]:
    """Return two tables for each number that any of the cells has: itself, and ratios.

    Args:
        figures: of the report.
        variant: its slug.
        only: the releases; empty for the base and the newest ones.
    """
    overview = Overview(figures.study, variant, only)
    known = [
        name
        for name in NO_COUNTER
        if any(_known(figures, overview, step, name) for step in overview.steps)
    ]
    return tuple(
        table
        for name in known
        for table in (_absolute(figures, overview, name), _relative(figures, overview, name))
    )


def _absolute(figures: Figures, overview: Overview, name: str) -> Table:
    _, _, meaning, _ = meaning_of(name)
    shown = {step: _shown(name, _known(figures, overview, step, name)) for step in overview.steps}
    columns = overview.columns(lambda cell: _cell(_number(figures, cell, name), shown[cell.step]))
    units = {step: each.unit for step, each in shown.items()}
    unit, *others = {*units.values()} - {""}
    of_host = (HOST_NOTE,) if _is_of_host(figures, overview, name) else ()
    return overview.table(
        Table(
            id=f"{slug(name)}-{overview.variant}",
            caption=_title(name) if others else f"{_title(name)}, {unit}",
            notes=(_sentence(meaning), *of_host),
        ),
        columns,
        units if others else None,
    )


class _Shown(NamedTuple):
    """How the numbers of a row are shown; those of another may be a thousandth of them."""

    factor: float
    unit: str
    decimals: int


def _shown(name: str, known: Sequence[float]) -> _Shown:
    if not known:
        return _Shown(1, "", 0)
    factor, unit = 1.0, meaning_of(name).unit
    if unit.startswith("µs/"):
        factor, time = shown_time(max(known) * NANOSECONDS)
        factor, unit = factor * NANOSECONDS, unit.replace("µs", time)
    return _Shown(factor, unit, decimals_for(factor * each for each in known))


def _relative(figures: Figures, overview: Overview, name: str) -> Table:
    study = figures.study
    base = overview.base

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

    columns = overview.columns(cell_of, lambda _: base)
    return overview.table(
        Table(
            id=f"{slug(name)}-against-base-{overview.variant}",
            caption=f"{_title(name)} relative to {study.label(base)}",
            notes=(NOTE,),
        ),
        columns,
    )


def _ratio(ratio: float, better: Better) -> Cell:
    tone: Tone = ""
    if better is not None and abs(ratio - 1) > COLOURED:
        tone = "better" if (ratio > 1) == (better == "higher") else "worse"
    return Cell(
        text=fixed(ratio, RATIO_DECIMALS),
        tone=tone,
        mark={"better": "▲", "worse": "▼"}.get(tone, ""),
        spoken=tone,
        note=percent_change(ratio),
        sort=sortable(ratio),
    )


def _cell(number: PerOperation, shown: _Shown) -> Cell:
    if number.value is None:
        return Cell(text=NO_VALUE, note=number.reason)
    place = f"{number.file}:{number.line}" if number.line else number.file
    return Cell(
        text=fixed(shown.factor * number.value, shown.decimals),
        note="; ".join(dict.fromkeys(filter(None, (number.source, place, number.differs)))),
        sort=number.value,
    )


def _number(figures: Figures, cell: CellKey, name: str) -> PerOperation:
    numbers: Mapping[str, PerOperation] = figures.efficiency.get(cell, {})
    if name in numbers:
        return numbers[name]
    unit, better, *_ = meaning_of(name)
    return PerOperation(name, None, unit, better, reason="no run")


def _known(figures: Figures, overview: Overview, step: str, name: str) -> list[float]:
    """Return the numbers that a row has."""
    numbers = (_number(figures, cell, name).value for cell in overview.cells(step))
    return [value for value in numbers if value is not None]


def _is_of_host(figures: Figures, overview: Overview, name: str) -> bool:
    cells = (cell for step in overview.steps for cell in overview.cells(step))
    return any(_number(figures, cell, name).includes_client for cell in cells)


def _title(name: str) -> str:
    return _sentence(name.replace("_", " ").replace("cpu", "CPU")).rstrip(".")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}." if text else ""

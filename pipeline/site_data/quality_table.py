"""The tables of what was captured and how well, and of the kinds of code."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pipeline.analysis.function_kinds import FUNCTION_KINDS, OTHER
from pipeline.analysis.quality import Quality
from pipeline.display import NO_VALUE, fixed
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.figures import Figures
from pipeline.site_data.quality_facts import (
    CLASS_NAMES,
    KIND_NAMES,
    skipped_text,
    spread_text,
)
from pipeline.site_data.quality_warnings import warnings_of
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.units import WAITS

COLUMNS = (
    Column(key="warnings", label="Warnings", numeric=False),
    Column(key="captures", label="Captures"),
    Column(key="seconds", label="Captured", unit="s"),
    Column(key="frequency", label="Frequency", unit="Hz", meaning="asked for"),
    Column(key="samples", label="Samples"),
    Column(key="lost", label="Lost", meaning="samples that the recorder says it lost"),
    Column(key="unknown", label="Unknown", unit="%", meaning="code without a symbol, by itself"),
    Column(
        key="no-start",
        label="No start",
        unit="%",
        meaning="stacks that do not reach the start of their thread",
    ),
    Column(
        key="cut-off", label="Cut off", unit="%", meaning="stacks cut at the limit of their depth"
    ),
    Column(
        key="exited",
        label="Unnamed",
        unit="%",
        meaning="threads that ended before their names were seen",
    ),
    Column(
        key="spread",
        label="Spread",
        unit="%",
        meaning="between the captures: what they weigh per captured second, highest less lowest, "
        "over the median",
    ),
)


class _Profile(NamedTuple):
    """One row: a profile's quality under a name."""

    key: str
    label: str
    quality: Quality
    current: bool = False
    note: str = ""


def quality_table(figures: Figures, cells: Sequence[CellKey], current: str | None) -> Table | None:
    """Return how good the profiles of a step are, a row a release and event."""
    rows = _of_step(figures, cells, current)
    return _quality_table(f"What was captured of {cells[0].step}", "Release, event", rows)


def profiles_of_release(figures: Figures, release: str) -> Table | None:
    """Return how good the profiles of a release are, a row a step and event."""
    variants = figures.study.report.variants
    cells = [
        CellKey(release, variant, step)
        for variant in variants
        for step in figures.study.report.steps
    ]
    rows = [
        _Profile(
            key=slug(f"{cell.step}-{made.event}-{cell.variant}"),
            label=", ".join(
                (cell.step, made.event, *([variants[cell.variant]] if len(variants) > 1 else []))
            ),
            quality=figures.qualities[cell, made.event],
            note=work_text(figures, cell, made.event),
        )
        for cell in cells
        for made in figures.study.profiles.get(cell, ())
    ]
    return _quality_table("All profiles, and what they were captured from", "Step, event", rows)


def code_tables(
    figures: Figures, cells: Sequence[CellKey], current: str | None
) -> tuple[Table, ...]:
    """Return where the code is that a step runs, and what it does, a row a release and event.

    What is waited for is no code.
    """
    rows = [row for row in _of_step(figures, cells, current) if row.quality.unit != WAITS]
    if not rows:
        return ()
    step = cells[0].step
    classes = [
        each for each in CLASS_NAMES if any(each in dict(row.quality.by_class) for row in rows)
    ]
    return (
        Table(
            id="code-classes",
            caption=f"Where the code is that {step} runs",
            row_head="Release, event",
            columns=tuple(
                Column(key=each, label=CLASS_NAMES[each].capitalize(), unit="%") for each in classes
            ),
            rows=tuple(_share_row(row, row.quality.by_class, classes) for row in rows),
            notes=("Percent of the profile's weight, of functions by themselves.",),
        ),
        Table(
            id="code-kinds",
            caption=f"What the code does that {step} runs",
            row_head="Release, event",
            columns=tuple(
                Column(key=each, label=KIND_NAMES[each].capitalize(), unit="%")
                for each in (*FUNCTION_KINDS, OTHER)
            ),
            rows=tuple(
                _share_row(row, row.quality.by_kind, (*FUNCTION_KINDS, OTHER)) for row in rows
            ),
            notes=(
                "The same weight, sorted by the names of functions, wherever they are: the "
                "kernel's own allocator is in the first column too.",
            ),
        ),
    )


def _of_step(figures: Figures, cells: Sequence[CellKey], current: str | None) -> list[_Profile]:
    study = figures.study
    return [
        _Profile(
            key=slug(f"{cell.release}-{made.event}"),
            label=f"{study.label(cell.release)}, {made.event}",
            quality=figures.qualities[cell, made.event],
            current=cell.release == current,
            note=work_text(figures, cell, made.event),
        )
        for cell in cells
        for made in study.profiles.get(cell, ())
    ]


def _quality_table(caption: str, row_head: str, rows: Sequence[_Profile]) -> Table | None:
    if not rows:
        return None
    return Table(
        id="quality",
        caption=caption,
        row_head=row_head,
        columns=COLUMNS,
        rows=tuple(
            Row(
                key=row.key,
                label=row.label,
                current=row.current,
                note=row.note,
                cells=_quality_cells(row.quality),
            )
            for row in rows
        ),
        notes=("Percent of the profile's weight, except for the spread.",),
    )


def _quality_cells(quality: Quality) -> tuple[Cell, ...]:
    partial = quality.partial_captures
    frequency = ", ".join(f"{each:g}" for each in quality.frequencies)
    skipped = skipped_text(quality)
    spread = quality.spread
    warnings = warnings_of(quality)
    return (
        Cell(
            text=", ".join(each.short for each in warnings) or "none",
            note=" ".join(each.text for each in warnings),
        ),
        Cell(
            text=str(quality.captures),
            note=f"{partial} of them ended too early" if partial else "",
            sort=quality.captures,
        ),
        _count(quality.seconds),
        Cell(text=frequency or NO_VALUE, note="" if frequency else "not known"),
        _count(quality.samples),
        Cell(
            text=f"{quality.lost:,}",
            note=f"not read: {skipped}" if skipped else "",
            sort=quality.lost,
        ),
        _percent(quality.unknown),
        _percent(quality.no_start),
        _percent(quality.cut_off),
        _percent(quality.exited),
        Cell(
            text=NO_VALUE if spread is None else fixed(100 * spread.relative, 1),
            note=spread_text(quality),
            sort=None if spread is None else spread.relative,
        ),
    )


def _share_row(row: _Profile, shares: Iterable[tuple[str, float]], keys: Iterable[str]) -> Row:
    share_of = dict(shares)
    return Row(
        key=row.key,
        label=row.label,
        current=row.current,
        cells=tuple(_percent(share_of.get(key, 0.0)) for key in keys),
    )


def _count(value: float | None) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note="not known")
    return Cell(text=f"{value:,.10g}", sort=value)


def _percent(share: float | None) -> Cell:
    if share is None:
        return Cell(text=NO_VALUE, note="not known")
    return Cell(text=fixed(100 * share, 1), sort=share)

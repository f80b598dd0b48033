"""The tables of what was captured and how well, and of the kinds of code."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from perfpress.analysis.profiles.function_kinds import FUNCTION_KINDS, OTHER
from perfpress.analysis.profiles.quality import Quality
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, fixed
from perfpress.base.slugs import slug
from perfpress.base.units import WAITS
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, cells_of, heads
from perfpress.site.words.measured import work_text
from perfpress.site.words.quality_facts import CLASS_NAMES, KIND_NAMES, skipped_text, spread_text
from perfpress.site.words.quality_warnings import warnings_of


class _Profile(NamedTuple):
    """One row: a profile's quality under a name."""

    key: str
    label: str
    event: str
    quality: Quality
    current: bool = False
    note: str = ""


def quality_table(figures: Figures, cells: Sequence[CellKey], current: str | None) -> Table | None:
    """Return how good the profiles of a step are, a row a release and event."""
    rows = _of_step(figures, cells, current)
    return _quality_table(f"Profile quality of {cells[0].step}", "Release", rows)


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
            label=", ".join((cell.step, *([variants[cell.variant]] if len(variants) > 1 else []))),
            event=made.event,
            quality=figures.qualities[cell, made.event],
            note=work_text(figures, cell, made.event),
        )
        for cell in cells
        for made in figures.study.profiles.get(cell, ())
    ]
    return _quality_table("Quality of all profiles", "Step", rows)


def code_tables(
    figures: Figures, cells: Sequence[CellKey], current: str | None
) -> tuple[Table, ...]:
    """Return where the code is that a step runs, and what it does, a row a release and event.

    What is waited for is not code.
    """
    rows = [
        row._replace(note="")
        for row in _of_step(figures, cells, current)
        if row.quality.unit != WAITS
    ]
    if not rows:
        return ()
    step = cells[0].step
    classes = [
        each for each in CLASS_NAMES if any(each in dict(row.quality.by_class) for row in rows)
    ]
    return (
        _shares_table(
            "code-classes",
            f"Profile of {step} by place of the code",
            [_share_column(each, CLASS_NAMES[each], lambda q: q.by_class) for each in classes],
            rows,
            "Percent of the profile's weight, by self.",
        ),
        _shares_table(
            "code-kinds",
            f"Profile of {step} by kind of code",
            [
                _share_column(each, KIND_NAMES[each], lambda q: q.by_kind)
                for each in (*FUNCTION_KINDS, OTHER)
            ],
            rows,
            "The same weight, sorted by the names of functions, wherever they are: the kernel's "
            "own allocator is in the first column too.",
        ),
    )


def _share_column(
    key: str, name: str, shares: Callable[[Quality], Iterable[tuple[str, float]]]
) -> Column[Quality]:
    def share(quality: Quality) -> Cell:
        return _percent(dict(shares(quality)).get(key, 0.0))

    return Column(key, name.capitalize(), share, unit="%")


def _rows(
    head: str, rows: Sequence[_Profile], columns: Sequence[Column[Quality]]
) -> tuple[str, str, tuple[Row, ...]]:
    """Return what heads the rows, the event that all are of, and the rows; some name theirs."""
    events = {row.event for row in rows}
    is_one = len(events) == 1
    return (
        head if is_one else f"{head}, event",
        f", event {events.pop()}" if is_one else "",
        tuple(
            Row(
                key=row.key,
                label=row.label if is_one else f"{row.label}, {row.event}",
                current=row.current,
                note=row.note,
                cells=cells_of(columns, row.quality),
            )
            for row in rows
        ),
    )


def _shares_table(
    table_id: str,
    caption: str,
    columns: Sequence[Column[Quality]],
    rows: Sequence[_Profile],
    note: str,
) -> Table:
    row_head, event, shown = _rows("Release", rows, columns)
    return Table(
        id=table_id,
        caption=f"{caption}{event}",
        row_head=row_head,
        columns=heads(columns),
        rows=shown,
        notes=(note,),
    )


def _of_step(figures: Figures, cells: Sequence[CellKey], current: str | None) -> list[_Profile]:
    study = figures.study
    return [
        _Profile(
            key=slug(f"{cell.release}-{made.event}"),
            label=study.label(cell.release),
            event=made.event,
            quality=figures.qualities[cell, made.event],
            current=cell.release == current,
            note=work_text(figures, cell, made.event),
        )
        for cell in cells
        for made in study.profiles.get(cell, ())
    ]


def _quality_table(caption: str, head: str, rows: Sequence[_Profile]) -> Table | None:
    if not rows:
        return None
    row_head, event, shown = _rows(head, rows, QUALITY_COLUMNS)
    return Table(
        id="quality",
        caption=f"{caption}{event}",
        row_head=row_head,
        columns=heads(QUALITY_COLUMNS),
        rows=shown,
        notes=("Percent of the profile's weight, except for the spread.",),
    )


def _warnings(quality: Quality) -> Cell:
    warnings = warnings_of(quality)
    return Cell(
        text=", ".join(each.short for each in warnings) or "none",
        note=" ".join(each.text for each in warnings),
    )


def _captures(quality: Quality) -> Cell:
    partial = quality.partial_captures
    return Cell(
        text=str(quality.captures),
        note=f"{partial} of them ended too early" if partial else "",
        sort=quality.captures,
    )


def _frequency(quality: Quality) -> Cell:
    frequency = ", ".join(f"{each:g}" for each in quality.frequencies)
    return Cell(text=frequency or NO_VALUE, note="" if frequency else "unknown")


def _lost(quality: Quality) -> Cell:
    skipped = skipped_text(quality)
    note = f"not read: {skipped}" if skipped else ""
    return Cell(text=f"{quality.lost:,}", note=note, sort=quality.lost)


def _spread(quality: Quality) -> Cell:
    spread = quality.spread
    return Cell(
        text=NO_VALUE if spread is None else fixed(100 * spread.relative, 1),
        note=spread_text(quality),
        sort=None if spread is None else spread.relative,
    )


def _count(value: float | None) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note="unknown")
    return Cell(text=f"{value:,.10g}", sort=value)


def _percent(share: float | None) -> Cell:
    if share is None:
        return Cell(text=NO_VALUE, note="unknown")
    return Cell(text=fixed(100 * share, 1), sort=share)


QUALITY_COLUMNS: tuple[Column[Quality], ...] = (
    Column("warnings", "Warnings", _warnings, numeric=False),
    Column("captures", "Captures", _captures),
    Column("seconds", "Captured", lambda quality: _count(quality.seconds), unit="s"),
    Column("frequency", "Frequency", _frequency, unit="Hz", meaning="requested"),
    Column("samples", "Samples", lambda quality: _count(quality.samples)),
    Column("lost", "Lost", _lost, meaning="samples that the profiler reports as lost"),
    Column(
        "unknown",
        "Unknown",
        lambda quality: _percent(quality.unknown),
        unit="%",
        meaning="code without a symbol, self",
    ),
    Column(
        "no-start",
        "No start",
        lambda quality: _percent(quality.no_start),
        unit="%",
        meaning="stacks that do not reach the start of their thread",
    ),
    Column(
        "cut-off",
        "Cut off",
        lambda quality: _percent(quality.cut_off),
        unit="%",
        meaning="stacks cut at the limit of their depth",
    ),
    Column(
        "exited",
        "Unnamed",
        lambda quality: _percent(quality.exited),
        unit="%",
        meaning="threads that ended before their names were seen",
    ),
    Column(
        "spread",
        "Spread",
        _spread,
        unit="%",
        meaning="between captures: weight per captured second, (highest − lowest) ÷ median",
    ),
)

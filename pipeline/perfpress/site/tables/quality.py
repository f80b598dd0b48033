"""The tables of what was captured and how well, and of the kinds of code."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.analysis.profiles.function_kinds import FUNCTION_KINDS, OTHER
from perfpress.analysis.profiles.quality import Quality
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, fixed
from perfpress.base.slugs import slug
from perfpress.base.units import WAITS
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
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
    by_class = [
        _share_column(each, CLASS_NAMES[each], lambda quality: quality.by_class)
        for each in CLASS_NAMES
        if any(each in dict(row.quality.by_class) for row in rows)
    ]
    by_kind = [
        _share_column(each, KIND_NAMES[each], lambda quality: quality.by_kind)
        for each in (*FUNCTION_KINDS, OTHER)
    ]
    classes = Table(
        id="code-classes",
        caption=f"Profile of {step} by place of the code",
        row_head="Release",
        notes=("Percent of the profile's weight, by self.",),
    )
    kinds = Table(
        id="code-kinds",
        caption=f"Profile of {step} by kind of code",
        row_head="Release",
        notes=(
            "The same weight, sorted by the names of functions, wherever they are: the kernel's "
            "own allocator is in the first column too.",
        ),
    )
    return (_of_profiles(classes, by_class, rows), _of_profiles(kinds, by_kind, rows))


def _share_column(
    key: str, name: str, shares: Callable[[Quality], Iterable[tuple[str, float]]]
) -> Column[Quality]:
    def share(quality: Quality) -> Cell:
        return _percent(dict(shares(quality)).get(key, 0.0))

    return Column(key, name.capitalize(), share, unit="%")


def _of_profiles(
    table: Table, columns: Sequence[Column[Quality]], profiles: Sequence[_Profile]
) -> Table:
    """Return a table with a row for each profile.

    Where all are of one event the caption says which, else each row does.
    """
    events = {each.event for each in profiles}
    is_one = len(events) == 1
    table = replace(
        table,
        caption=f"{table.caption}, event {events.pop()}" if is_one else table.caption,
        row_head=table.row_head if is_one else f"{table.row_head}, event",
    )
    rows = (
        Row(
            key=each.key,
            label=each.label if is_one else f"{each.label}, {each.event}",
            current=each.current,
            note=each.note,
        )
        for each in profiles
    )
    return filled(table, columns, zip(rows, (each.quality for each in profiles), strict=True))


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


def _quality_table(caption: str, head: str, profiles: Sequence[_Profile]) -> Table | None:
    note = "Percent of the profile's weight, except for the spread."
    table = Table(id="quality", caption=caption, row_head=head, notes=(note,))
    return _of_profiles(table, QUALITY_COLUMNS, profiles) if profiles else None


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
    note = f"left out: {skipped}" if skipped else ""
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

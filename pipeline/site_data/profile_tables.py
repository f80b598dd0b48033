"""Tables made from profiles: drilldowns, the largest functions, quality, and what changed."""

from collections.abc import Mapping, Sequence

from pipeline.analysis.drilldown import Cell as DrilldownCell
from pipeline.analysis.drilldown import Drilldown as DrilldownFigures
from pipeline.analysis.drilldown import Row as DrilldownRow
from pipeline.analysis.drilldown import columns_of, drilldown
from pipeline.analysis.quality import Quality, quality_of
from pipeline.problems import Problem
from pipeline.profile import FunctionWeight, Profile, function_weights
from pipeline.profiles import CellKey
from pipeline.site_data.display import NO_VALUE, decimals_for, fixed, number, signed
from pipeline.site_data.figures import Figures
from pipeline.site_data.results_tables import work_text
from pipeline.site_data.shapes import Cell, Column, Drilldown, Row, Table
from pipeline.slug import slug

SHARE_DECIMALS = 2
LARGEST = 40
"""Functions in the table beside a flame graph; the downloads hold all."""
LEAST_SHARE = 0.001
"""Of either side, for a function to be in the table of a diff."""
MOST_NAMES = 4
"""Matched names that a cell lists."""


def drilldowns(figures: Figures) -> tuple[dict[tuple[str, str], Drilldown], list[Problem]]:
    """Return the author's drilldowns, by name and step, over all releases of the default variant.

    Columns whose path cannot be read are left out, and told as problems.
    """
    found: dict[tuple[str, str], Drilldown] = {}
    problems: list[Problem] = []
    report = figures.study.report
    for index, definition in enumerate(report.drilldowns):
        columns, wrong = columns_of(definition, index, report)
        problems += wrong
        for step in definition.steps or report.steps:
            releases = figures.study.releases_with(report.default_variant, step)
            cells = {each: CellKey(each, report.default_variant, step) for each in releases}
            profiles = {each: figures.main_profile(cell) for each, cell in cells.items()}
            if not columns or not any(profiles.values()):
                continue
            work = {each: figures.work[cell] for each, cell in cells.items() if profiles[each]}
            made = drilldown(columns, profiles, work, definition.threshold)
            title = definition.title or definition.name
            found[definition.name, step] = Drilldown(
                id=slug(f"{definition.name}-{step}"),
                title=title if definition.steps else f"{title}: {step}",
                along_path=_drilldown_table(figures, definition.name, step, made, "along"),
                whole_profile=_drilldown_table(figures, definition.name, step, made, "whole"),
            )
    return found, problems


def _drilldown_table(
    figures: Figures, name: str, step: str, made: DrilldownFigures, view: str
) -> Table:
    along = view == "along"
    rows: Sequence[DrilldownRow] = made.along_path if along else made.whole_profile
    profile = next(
        each
        for row in rows
        if (each := figures.main_profile(_default_cell(figures, row.release, step)))
    )
    where = "along the call path" if along else "over the whole profile"
    return Table(
        id=slug(f"{name}-{step}-{view}"),
        caption=f"Share of {profile.unit} in {step}, {where}",
        row_head="Release",
        columns=tuple(
            Column(
                key=f"c{number_}",
                label=column.head,
                unit="%",
                meaning=column.text if along else f"the last function of {column.text}, anywhere",
            )
            for number_, column in enumerate(made.columns, start=1)
        ),
        rows=tuple(
            Row(
                key=slug(row.release),
                label=figures.study.label(row.release),
                cells=tuple(_share_cell(profile.unit, cell) for cell in row.cells),
            )
            for row in rows
        ),
        notes=("Percent of the whole profile, everything called included.",),
    )


def _default_cell(figures: Figures, release: str, step: str) -> CellKey:
    return CellKey(release, figures.study.report.default_variant, step)


def _share_cell(unit: str, cell: DrilldownCell) -> Cell:
    if cell.share is None:
        return Cell(text=NO_VALUE, note=cell.absent)
    names = [each.name for each in cell.names[:MOST_NAMES]]
    more = len(cell.names) - len(names)
    matched = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    parts = [f"matched {matched}"]
    if cell.mixed_classes:
        parts.append(f"of different classes: {', '.join(cell.mixed_classes)}")
    if cell.cost is not None:
        parts.append(f"{number(cell.cost)} {unit} per operation")
    if cell.samples is not None:
        parts.append(f"{cell.samples:,} samples")
    return Cell(
        text=fixed(100 * cell.share, SHARE_DECIMALS), note="; ".join(parts), sort=cell.share
    )


def functions_table(profile: Profile, table_id: str) -> Table:
    """Return the largest functions of a profile: the flame graph's equal for those without it."""
    largest = function_weights(profile)[:LARGEST]
    return Table(
        id=table_id,
        caption=f"The {len(largest)} functions with the largest totals",
        row_head="Function",
        columns=(
            Column(key="total", label="Total", unit="%", meaning="everything called included"),
            Column(key="self", label="Self", unit="%", meaning="the function alone"),
            Column(key="class", label="Class", numeric=False),
        ),
        rows=tuple(
            Row(
                key=f"f{index}",
                label=each.names[0],
                cells=(
                    _percent_of(each.total_weight, profile.total),
                    _percent_of(each.self_weight, profile.total),
                    Cell(text=each.frame_class),
                ),
            )
            for index, each in enumerate(largest, start=1)
        ),
        notes=(f"Percent of all {profile.unit}. A sample counts once, however a function recurs.",),
    )


def changes_table(
    base: Profile,
    after: Profile,
    base_label: str,
    after_label: str,
    costs: tuple[float, float] | None,
) -> Table:
    """Return the functions of two profiles side by side, the largest change first.

    Args:
        base: the profile compared against.
        after: the profile compared.
        base_label: the base release's name.
        after_label: the other release's name.
        costs: whole-profile cost per operation of base and after; None compares shares.
    """
    functions = _by_function(base), _by_function(after)
    scale = costs or (100.0, 100.0)
    values = {
        function: tuple(
            side[function].total_weight / profile.total * whole if function in side else None
            for side, profile, whole in zip(functions, (base, after), scale, strict=True)
        )
        for function in functions[0].keys() | functions[1].keys()
    }
    kept = {
        function: pair
        for function, pair in values.items()
        if any(
            value is not None and value >= LEAST_SHARE * whole
            for value, whole in zip(pair, scale, strict=True)
        )
    }
    changes = {function: (pair[1] or 0) - (pair[0] or 0) for function, pair in kept.items()}
    ordered = sorted(kept, key=lambda function: (-abs(changes[function]), function))
    decimals = decimals_for(scale) if costs else SHARE_DECIMALS
    unit = f"{after.unit}/operation" if costs else "%"
    return Table(
        id="functions",
        caption=f"Functions of {base_label} and {after_label}, callees included",
        row_head="Function",
        columns=(
            Column(key="base", label=base_label, unit=unit),
            Column(key="after", label=after_label, unit=unit),
            Column(
                key="change", label="Change", unit=unit, meaning=f"{after_label} − {base_label}"
            ),
        ),
        rows=tuple(
            Row(
                key=f"f{index}",
                label=_name_of(function, functions),
                note=f"{function[1]} function",
                cells=(
                    _value_or_reason(kept[function][0], decimals, f"new in {after_label}"),
                    _value_or_reason(kept[function][1], decimals, f"gone in {after_label}"),
                    Cell(text=signed(changes[function], decimals), sort=changes[function]),
                ),
            )
            for index, function in enumerate(ordered, start=1)
        ),
        notes=(
            f"Functions with at least {100 * LEAST_SHARE:g} % of either profile. Functions are "
            "paired by name; a renamed or inlined function is gone on one side and new on the "
            "other.",
        ),
    )


def _by_function(profile: Profile) -> dict[tuple[str, str], FunctionWeight]:
    return {(each.key, each.frame_class): each for each in function_weights(profile)}


def _name_of(
    function: tuple[str, str], sides: Sequence[Mapping[tuple[str, str], FunctionWeight]]
) -> str:
    return next(side[function].names[0] for side in reversed(sides) if function in side)


def _value_or_reason(value: float | None, decimals: int, reason: str) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note=reason)
    return Cell(text=fixed(value, decimals), sort=value)


def _percent_of(weight: int, whole: int) -> Cell:
    share = weight / whole if whole else 0.0
    return Cell(text=fixed(100 * share, SHARE_DECIMALS), sort=share)


def quality_table(figures: Figures, variant: str, step: str, current: str | None) -> Table | None:
    """Return how good the profiles of a step are, a row a release and event."""
    study = figures.study
    rows = []
    for release in study.releases_with(variant, step):
        cell = CellKey(release, variant, step)
        for made, profile in figures.profiles.get(cell, ()):
            quality = quality_of(profile, study.of_cell(cell))
            rows.append(
                Row(
                    key=slug(f"{release}-{made.event}"),
                    label=f"{study.label(release)}, {made.event}",
                    current=release == current,
                    note=work_text(figures, cell),
                    cells=_quality_cells(quality),
                )
            )
    if not rows:
        return None
    return Table(
        id="quality",
        caption=f"What was captured of {step}",
        row_head="Release, event",
        columns=(
            Column(key="captures", label="Captures"),
            Column(key="seconds", label="Captured", unit="s"),
            Column(key="frequency", label="Frequency", unit="Hz", meaning="asked for"),
            Column(key="samples", label="Samples"),
            Column(key="lost", label="Lost", meaning="samples that the recorder says it lost"),
            Column(key="unknown", label="Unknown", unit="%", meaning="frames without a symbol"),
            Column(
                key="cut-off",
                label="Cut off",
                unit="%",
                meaning="stacks that do not reach the start of their thread",
            ),
            Column(key="kernel", label="Kernel", unit="%", meaning="self weight in the kernel"),
        ),
        rows=tuple(rows),
        notes=("Percent of the profile's weight.",),
    )


def _quality_cells(quality: Quality) -> tuple[Cell, ...]:
    def percent(share: float | None) -> Cell:
        if share is None:
            return Cell(text=NO_VALUE, note="not known")
        return Cell(text=fixed(100 * share, 1), sort=share)

    def count(value: float | None) -> Cell:
        if value is None:
            return Cell(text=NO_VALUE, note="not known")
        return Cell(text=f"{value:,.10g}", sort=value)

    partial = quality.partial_captures
    captures = Cell(
        text=str(quality.captures),
        note=f"{partial} of them end too early" if partial else "",
        sort=quality.captures,
    )
    frequency = ", ".join(f"{each:g}" for each in quality.frequencies)
    skipped = "; ".join(f"{times:,} × {reason}" for reason, times in quality.skipped)
    lost = count(quality.lost)
    return (
        captures,
        count(quality.seconds),
        Cell(text=frequency or NO_VALUE, note="" if frequency else "not known"),
        count(quality.samples),
        Cell(text=lost.text, note=f"not read: {skipped}" if skipped else "", sort=lost.sort),
        percent(quality.unknown),
        percent(quality.cut_off),
        percent(dict(quality.by_class).get("kernel", 0.0)),
    )

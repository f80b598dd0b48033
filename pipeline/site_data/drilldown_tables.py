"""Drilldowns as tables: the author's paths over all releases, in both views."""

from collections.abc import Sequence

from pipeline.analysis.drilldown import Cell as DrilldownCell
from pipeline.analysis.drilldown import Drilldown as DrilldownFigures
from pipeline.analysis.drilldown import Row as DrilldownRow
from pipeline.analysis.drilldown import columns_of, drilldown
from pipeline.problems import Problem
from pipeline.profiles import CellKey
from pipeline.site_data.display import NO_VALUE, fixed, number
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Drilldown, Row, Table
from pipeline.slug import slug

SHARE_DECIMALS = 2
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

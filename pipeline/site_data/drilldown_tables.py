"""Drilldowns as tables: the author's paths over all releases, in both views."""

from pipeline.analysis.drilldown import (
    DrilldownFigures,
    PathColumn,
    PathWeight,
    columns_of,
    drilldown,
)
from pipeline.display import NO_VALUE, PERCENT, fixed, number, short_name
from pipeline.front_matter import DrilldownDefinition
from pipeline.paths.parse import Self, Share
from pipeline.problems import Problem
from pipeline.profiles import CellKey
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Drilldown, Row, Table
from pipeline.slug import slug
from pipeline.units import shown_in

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
                along_path=_drilldown_table(figures, definition, step, made, along=True),
                whole_profile=_drilldown_table(figures, definition, step, made, along=False),
            )
    return found, problems


def _drilldown_table(
    figures: Figures,
    definition: DrilldownDefinition,
    step: str,
    made: DrilldownFigures,
    *,
    along: bool,
) -> Table:
    variant = figures.study.report.default_variant
    _, unit = figures.events[variant, step]
    where = "along the call path" if along else "over the whole profile"
    title = definition.title or definition.name
    return Table(
        id=slug(f"{definition.name}-{step}-{'along' if along else 'whole'}"),
        caption=f"{title}: share of {unit} in {step}, {where}",
        row_head="Release",
        columns=tuple(
            Column(
                key=f"c{at}",
                label=column.head,
                unit="%",
                meaning=_meaning(column, along=along),
            )
            for at, column in enumerate(made.columns, start=1)
        ),
        rows=tuple(
            Row(
                key=slug(row.release),
                label=figures.study.label(row.release),
                cells=tuple(
                    _share_cell(figures, CellKey(row.release, variant, step), unit, cell)
                    for cell in row.cells
                ),
            )
            for row in (made.along_path if along else made.whole_profile)
        ),
        notes=_left_out(definition.threshold, made),
    )


def _meaning(column: PathColumn, *, along: bool) -> str:
    """Return what a column's numbers are percent of, and whether callees are in them."""
    path = column.path
    of_part = isinstance(path, Share)
    alone = isinstance(path.part if isinstance(path, Share) else path, Self)
    callees = "without what it called" if alone else "with everything it called"
    if along:
        whole = "what stands behind “of”" if of_part else "the whole profile"
        return f"{column.text}: percent of {whole}, {callees}"
    whole = "the whole profile" + (", not of what stands behind “of”" if of_part else "")
    return f"the last function of {column.text}, anywhere: percent of {whole}, {callees}"


def _left_out(threshold: float, made: DrilldownFigures) -> tuple[str, ...]:
    if not made.left_out:
        return ()
    columns = "; ".join(f"{each.head} ({short_name(each.text)})" for each in made.left_out)
    return (
        f"Left out, as absent or below {threshold:g}{PERCENT} along the path in every release: "
        f"{columns}.",
    )


def _share_cell(figures: Figures, of: CellKey, unit: str, cell: PathWeight) -> Cell:
    if cell.share is None:
        return Cell(text=NO_VALUE, note=figures.why_no_profile(of) or cell.absent)
    names = [short_name(each.name) for each in cell.names[:MOST_NAMES]]
    more = len(cell.names) - len(names)
    matched = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    parts = [f"matched {matched}"]
    if cell.mixed_classes:
        parts.append(f"of different classes: {', '.join(cell.mixed_classes)}")
    if cell.cost is not None:
        factor, shown = shown_in(unit, [cell.cost])
        parts.append(f"{number(cell.cost * factor)} {shown} per operation")
    if cell.samples is not None:
        parts.append(f"{cell.samples:,} samples")
    return Cell(
        text=fixed(100 * cell.share, SHARE_DECIMALS), note="; ".join(parts), sort=cell.share
    )

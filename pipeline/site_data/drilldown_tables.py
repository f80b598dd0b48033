"""Drilldowns as tables: the author's paths over all releases, in both views."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from pipeline.analysis.cost import Unknown
from pipeline.analysis.drilldown import (
    VIEWS,
    DrilldownFigures,
    PathWeight,
    ReleaseRow,
    View,
    drilldown,
)
from pipeline.analysis.drilldown_columns import PathColumn, columns_of
from pipeline.display import NO_VALUE, PERCENT, decimals_for, fixed, number, short_name
from pipeline.drilldown_files.sheet import is_alone
from pipeline.paths.parse import Share
from pipeline.problems import Problem
from pipeline.profile import Profile
from pipeline.report.front_matter import DrilldownDefinition
from pipeline.site_data.drilldown_downloads import downloads_of
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Drilldown, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.units import shown_in

SHARE_DECIMALS = 2
MOST_NAMES = 4
"""Matched names that a cell lists."""
WARNING = "?"


def drilldowns(
    figures: Figures, links: FrameLinks
) -> tuple[dict[tuple[str, str], Drilldown], list[Problem]]:
    """Return the author's drilldowns, by name and step, over all releases of the default variant.

    Columns whose path cannot be read are left out, and told as problems.

    Args:
        figures: of the report.
        links: what of it was drawn, and where files go.
    """
    found: dict[tuple[str, str], Drilldown] = {}
    problems: dict[Problem, None] = {}
    report = figures.study.report
    for index, definition in enumerate(report.drilldowns):
        steps = definition.steps or report.steps
        profiles_of = {step: main_profiles(figures, step) for step in steps}
        of_all = [each for own in profiles_of.values() for each in own.values() if each]
        columns, wrong = columns_of(definition, index, report, of_all)
        problems |= dict.fromkeys(wrong)
        for step, profiles in profiles_of.items():
            if not any(not column.rest for column in columns) or not any(profiles.values()):
                continue
            work = {
                each: figures.work[CellKey(each, report.default_variant, step)]
                for each, profile in profiles.items()
                if profile
            }
            made = drilldown(columns, profiles, work, definition.threshold)
            found[definition.name, step] = _Shown(
                figures, definition, step, made, links
            ).drilldown()
    return found, list(problems)


def main_profiles(figures: Figures, step: str) -> dict[str, Profile | None]:
    """Return the profiles of the default variant that tables are of, by release."""
    variant = figures.study.report.default_variant
    return {
        each: figures.main_profile(CellKey(each, variant, step))
        for each in figures.study.releases_with(variant, step)
    }


@dataclass(frozen=True)
class _Shown:
    """One drilldown of one step."""

    figures: Figures
    definition: DrilldownDefinition
    step: str
    made: DrilldownFigures
    links: FrameLinks

    def drilldown(self) -> Drilldown:
        definition = self.definition
        title = definition.title or definition.name
        return Drilldown(
            id=slug(f"{definition.name}-{self.step}"),
            title=title if definition.steps else f"{title}: {self.step}",
            along_path=self.table("along_path", self.made.along_path),
            whole_profile=self.table("whole_profile", self.made.whole_profile),
            downloads=downloads_of(
                self.figures, definition, self.step, self.made, self.links.directory
            ),
        )

    @property
    def variant(self) -> str:
        return self.figures.study.report.default_variant

    @property
    def unit(self) -> str:
        return self.figures.events[self.variant, self.step][1]

    def table(self, view: View, rows: Sequence[ReleaseRow]) -> Table:
        definition = self.definition
        title = definition.title or definition.name
        what = {
            "share": f"share of {self.unit}",
            "cost": "cost per operation",
            "both": f"share of {self.unit} and cost per operation",
        }[definition.numbers]
        return Table(
            id=slug(
                f"{definition.name}-{self.step}-{'along' if view == 'along_path' else 'whole'}"
            ),
            caption=f"{title}: {what} in {self.step}, {VIEWS[view]}",
            row_head="Release",
            columns=tuple(self.columns(view, rows)),
            rows=tuple(self.row(row, rows) for row in rows),
            notes=_left_out(definition.threshold, self.made),
        )

    def columns(self, view: View, rows: Sequence[ReleaseRow]) -> list[Column]:
        found = []
        for at, column in enumerate(self.made.columns, start=1):
            head, means = column.head, _meaning(column, along=view == "along_path")
            if self.definition.numbers != "cost":
                found.append(Column(key=f"c{at}", label=head, unit="%", meaning=means))
            if self.definition.numbers != "share":
                unit = f"{shown_in(self.unit, _costs(rows, at - 1))[1]}/{self.operation}"
                meaning = f"{means}; times what the profile weighs for one {self.operation}"
                found.append(Column(key=f"cost{at}", label=head, unit=unit, meaning=meaning))
        return found

    @property
    def operation(self) -> str:
        return self.figures.study.operation(self.step)

    def row(self, row: ReleaseRow, rows: Sequence[ReleaseRow]) -> Row:
        of = CellKey(row.release, self.variant, self.step)
        cells = []
        for at, weight in enumerate(row.cells):
            share = self.share_cell(of, weight)
            if self.definition.numbers != "cost":
                cells.append(share)
            if self.definition.numbers != "share":
                cells.append(self.cost_cell(of, share, weight, _costs(rows, at)))
        return Row(
            key=slug(row.release), label=self.figures.study.label(row.release), cells=tuple(cells)
        )

    def share_cell(self, of: CellKey, cell: PathWeight) -> Cell:
        if cell.share is None:
            return Cell(text=NO_VALUE, note=self.figures.why_no_profile(of) or cell.absent)
        names = [short_name(each.name) for each in cell.names[:MOST_NAMES]]
        more = len(cell.names) - len(names)
        matched = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        parts = [*cell.warnings, f"matched {matched}"]
        if cell.cost is not None:
            factor, shown = shown_in(self.unit, [cell.cost])
            parts.append(f"{number(cell.cost * factor)} {shown} per operation")
        if cell.samples is not None:
            parts.append(f"{cell.samples:,} samples")
        url, others = self.links.of(of, cell.frame)
        return Cell(
            text=fixed(100 * cell.share, SHARE_DECIMALS),
            mark=WARNING if cell.warnings else "",
            note="; ".join(parts),
            url=url,
            links=others,
            sort=cell.share,
        )

    def cost_cell(self, of: CellKey, share: Cell, cell: PathWeight, costs: Sequence[float]) -> Cell:
        if cell.share is None:
            return share
        if cell.cost is None:
            work = self.figures.work[of]
            return Cell(text=NO_VALUE, note=work.reason if isinstance(work, Unknown) else "")
        factor, _ = shown_in(self.unit, costs)
        text = fixed(cell.cost * factor, decimals_for(cost * factor for cost in costs))
        return msgspec.structs.replace(share, text=text, sort=cell.cost)


def _costs(rows: Sequence[ReleaseRow], at: int) -> list[float]:
    """Return the costs that a column has: they share unit and decimals."""
    return [row.cells[at].cost or 0.0 for row in rows]


def _meaning(column: PathColumn, *, along: bool) -> str:
    """Return what a column's numbers are percent of, and whether callees are in them."""
    if column.rest:
        of = column.text if along else f"the last function of {column.text}, anywhere"
        return f"{of} without the other columns: percent of the whole profile"
    of_part = isinstance(column.path, Share)
    callees = "without what it called" if is_alone(column.path) else "with everything it called"
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

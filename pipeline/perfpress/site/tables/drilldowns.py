"""Drilldowns as tables and as files: the author's paths over all releases, in both views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from perfpress.analysis.drilldowns.columns import PathColumn, columns_of
from perfpress.analysis.drilldowns.drilldowns import (
    VIEWS,
    DrilldownFigures,
    PathWeight,
    ReleaseRow,
    View,
    drilldown,
)
from perfpress.analysis.paths.parse import ShareOfPath
from perfpress.analysis.profiles.cost import CostUnit, Unknown
from perfpress.analysis.profiles.profile import Profile
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.base.display import (
    NO_VALUE,
    PERCENT,
    decimals_for,
    fixed,
    number,
    row_name,
    short_name,
)
from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.base.units import noun
from perfpress.input.report.front_matter import DrilldownDefinition
from perfpress.input.report.report import Report
from perfpress.site.addresses import all_releases_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.formats.drilldown_formats import FORMATS, letters
from perfpress.site.formats.sheet import Sheet, SheetRow, is_alone
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Drilldown, Link, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.frame_links import FrameLinks

SHARE_DECIMALS = 2
MOST_NAMES = 4
"""Matched names that a cell lists."""
WARNING = "?"


WeighedDrilldowns = Mapping[tuple[str, StepKey], DrilldownFigures]
"""The author's drilldowns by name and step, over all releases of a variant."""


def steps_in_text(report: Report, written: Sequence[str]) -> list[StepKey]:
    """Return the steps that an author's table is of, in the variants that the text shows.

    Args:
        report: whose text it is.
        written: the author's choice; all steps if empty.
    """
    variants = dict.fromkeys((report.default_variant, *report.variants_in_text.values()))
    return [(variant, step) for variant in variants for step in written or report.steps]


def weighed_drilldowns(figures: Figures) -> tuple[WeighedDrilldowns, list[Problem]]:
    """Return what the author's paths weigh, and what is wrong with them.

    Columns whose path cannot be read are left out and reported as problems.
    """
    found: dict[tuple[str, StepKey], DrilldownFigures] = {}
    problems: dict[Problem, None] = {}
    report = figures.study.report
    for index, definition in enumerate(report.matter.drilldowns):
        steps = steps_in_text(report, definition.steps)
        profiles_of = {step: main_profiles(figures, step) for step in steps}
        of_all = [each for own in profiles_of.values() for each in own.values() if each]
        columns, wrong = columns_of(definition, index, report, of_all)
        problems |= dict.fromkeys(wrong)
        for step, profiles in profiles_of.items():
            if not any(not column.rest for column in columns) or not any(profiles.values()):
                continue
            work = {
                each: figures.work[CellKey(each, *step)]
                for each, profile in profiles.items()
                if profile
            }
            found[definition.name, step] = drilldown(columns, profiles, work, definition.threshold)
    return found, list(problems)


def drilldowns(
    figures: Figures, weighed: WeighedDrilldowns, links: FrameLinks
) -> dict[tuple[str, StepKey], Drilldown]:
    """Return the author's drilldowns as tables, by name and step.

    Args:
        figures: of the report.
        weighed: `weighed_drilldowns` of them.
        links: what of it was drawn, and where files go.
    """
    definitions = {each.name: each for each in figures.study.report.matter.drilldowns}
    return {
        (name, step): _DrilldownTables(figures, definitions[name], *step, made, links).drilldown()
        for (name, step), made in weighed.items()
    }


def along_path_id(name: str, step: str) -> str:
    """Return the anchor of a drilldown's table along the call path."""
    return slug(f"{name}-{step}-along")


def main_profiles(figures: Figures, step: StepKey) -> dict[str, Profile | None]:
    """Return the profiles that tables are of, by release."""
    return {
        each: figures.main_profile(CellKey(each, *step))
        for each in figures.study.releases_with(*step)
    }


@dataclass(frozen=True)
class _DrilldownTables:
    """One drilldown of one step."""

    figures: Figures
    definition: DrilldownDefinition
    variant: str
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
            whole_id=slug(f"{definition.name}-{self.step}-whole"),
            whole_profile=self.table("whole_profile", self.made.whole_profile),
            downloads=downloads_of(
                self.figures,
                definition,
                (self.variant, self.step),
                self.made,
                self.links.directory,
            ),
        )

    @property
    def has_shares(self) -> bool:
        return self.definition.numbers != "cost"

    @property
    def has_costs(self) -> bool:
        return self.definition.numbers != "share"

    @property
    def unit(self) -> str:
        return self.figures.events[self.variant, self.step][1]

    @property
    def cost_unit(self) -> CostUnit:
        return self.figures.main_cost_unit(self.variant, self.step)

    def table(self, view: View, rows: Sequence[ReleaseRow]) -> Table:
        definition = self.definition
        title = definition.title or definition.name
        what = {
            "share": f"share of {noun(self.unit)}",
            "cost": "cost per operation",
            "both": f"share of {noun(self.unit)} and cost per operation",
        }[definition.numbers]
        columns = self.columns(view, rows)
        return filled(
            Table(
                id=along_path_id(definition.name, self.step)
                if view == "along_path"
                else slug(f"{definition.name}-{self.step}-whole"),
                caption=f"{title}: {what} in {self.step}, {VIEWS[view]}",
                row_head="Release",
                notes=(
                    *_of_all(self.made.columns, view),
                    *_left_out(definition.threshold, self.made),
                ),
            ),
            columns,
            (
                (Row(key=slug(row.release), label=self.figures.study.label(row.release)), row)
                for row in rows
            ),
        )

    def columns(self, view: View, rows: Sequence[ReleaseRow]) -> list[Column[ReleaseRow]]:
        found = []
        is_said = view == "along_path" and bool(_of_all(self.made.columns, view))
        for at, path in enumerate(self.made.columns):
            meaning = _counted(path, view)
            if not is_said:
                meaning = f"{meaning}: {_percent_of(path, view)}"
            if self.has_shares:
                found.append(self.share_column(at, path.head, meaning))
            if self.has_costs:
                costs = [row.cells[at].cost or 0.0 for row in rows]
                found.append(self.cost_column(at, path.head, meaning, costs))
        return found

    def share_column(self, at: int, head: str, meaning: str) -> Column[ReleaseRow]:
        return Column(
            f"c{at + 1}",
            head,
            lambda row: self.share_cell(self.cell(row), row.cells[at]),
            unit="%",
            meaning=meaning,
            stays=True,
        )

    def cost_column(
        self, at: int, head: str, meaning: str, costs: Sequence[float]
    ) -> Column[ReleaseRow]:
        """Return the costs of a path: they share unit and decimals.

        Link and note are at the share beside them, if there is one.
        """
        factor, unit = self.cost_unit.shown(costs)
        decimals = decimals_for(cost * factor for cost in costs)
        times = f"times what the profile weighs for one {self.cost_unit.operation}"
        if self.cost_unit.base:
            times = "divided by the author’s rate of the release"

        def shown(row: ReleaseRow) -> Cell:
            weight = row.cells[at]
            share = Cell(text=NO_VALUE)
            if not self.has_shares:
                share = self.share_cell(self.cell(row), weight)
            if weight.share is None:
                return share
            if weight.cost is None:
                work = self.figures.work[self.cell(row)]
                return Cell(text=NO_VALUE, note=work.reason if isinstance(work, Unknown) else "")
            text = fixed(weight.cost * factor, decimals)
            return msgspec.structs.replace(share, text=text, sort=weight.cost)

        return Column(
            f"cost{at + 1}",
            head,
            shown,
            unit=unit,
            meaning=f"that share, {times}" if self.has_shares else f"{meaning}; {times}",
        )

    def cell(self, row: ReleaseRow) -> CellKey:
        return CellKey(row.release, self.variant, self.step)

    def share_cell(self, of: CellKey, cell: PathWeight) -> Cell:
        if cell.share is None:
            return Cell(text=NO_VALUE, note=self.figures.why_no_profile(of) or cell.absent)
        names = [row_name(each.name) for each in cell.names[:MOST_NAMES]]
        more = len(cell.names) - len(names)
        matched = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        parts = [*cell.warnings, f"matched {matched}"]
        if cell.cost is not None and not self.has_costs:
            factor, unit = self.cost_unit.shown([cell.cost])
            parts.append(f"{number(cell.cost * factor)} {unit}")
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


def _counted(column: PathColumn, view: View) -> str:
    """Return which frames a column is of."""
    of = column.text if view == "along_path" else f"the last function of {column.text}, anywhere"
    return f"{of} without the other columns" if column.rest else of


def _percent_of(column: PathColumn, view: View) -> str:
    """Return what a column's numbers are percent of, and whether callees are in them."""
    whole = "percent of the whole profile"
    if column.rest:
        return whole
    if isinstance(column.path, ShareOfPath):
        along = view == "along_path"
        part = "the path after “of”"
        whole = f"percent of {part}" if along else f"{whole}, not of {part}"
    callees = "without what it called" if is_alone(column.path) else "with everything it called"
    return f"{whole}, {callees}"


def _of_all(columns: Sequence[PathColumn], view: View) -> tuple[str, ...]:
    """Return what the numbers of all columns are percent of, as a note; empty where they differ."""
    if view == "whole_profile":
        return ("The last function of each path, anywhere: percent of the whole profile.",)
    of = {_percent_of(each, view) for each in columns}
    return tuple(f"{each[0].upper()}{each[1:]}." for each in of) if len(of) == 1 else ()


def _left_out(threshold: float, made: DrilldownFigures) -> tuple[str, ...]:
    if not made.left_out:
        return ()
    columns = "; ".join(f"{each.head} ({short_name(each.text)})" for each in made.left_out)
    return (
        f"Left out, as absent or below {threshold:g}{PERCENT} along the path in every release: "
        f"{columns}.",
    )


def downloads_of(
    figures: Figures,
    definition: DrilldownDefinition,
    key: StepKey,
    made: DrilldownFigures,
    directory: SiteDirectory,
) -> tuple[Link, ...]:
    """Write a drilldown in all formats, each with both views; return the links."""
    variant, step = key
    sheets = [
        Sheet(
            columns=made.columns,
            letters=letters(len(made.columns)),
            row_head="version",
            rows=tuple(_sheet_row(figures, key, row) for row in rows),
            view=f"{step} - {view}",
            numbers=definition.numbers,
            costs=figures.main_cost_unit(variant, step),
        )
        for view, rows in (
            (VIEWS["along_path"], made.along_path),
            (VIEWS["whole_profile"], made.whole_profile),
        )
    ]
    folder = all_releases_address(figures.study.report, step, variant)
    return tuple(
        directory.write_download(
            f"{folder}drilldown-{slug(definition.name)}.{each.suffix}",
            each.written(sheets).encode("utf-8", "replace"),
            each.label,
        )
        for each in FORMATS.values()
    )


def _sheet_row(figures: Figures, step: StepKey, row: ReleaseRow) -> SheetRow:
    report = figures.study.report
    profile = figures.main_profile(CellKey(row.release, *step))
    label = figures.study.label(row.release)
    version = report.release(row.release).version
    return SheetRow(
        label=f"{label}, {version}" if version and version != label else label,
        event=profile.event if profile else "",
        unit=profile.unit if profile else "",
        total=profile.total if profile else None,
        cells=row.cells,
    )

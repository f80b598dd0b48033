"""The page that compares any two releases of a report in the browser."""

from collections.abc import Mapping

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import NO_VALUE, PERCENT, fixed
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.graphs import DiffAnswer
from perfpress.base.slugs import slug
from perfpress.site.addresses import (
    compare_address,
    diff_address,
    report_address,
    step_address,
)
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.compare_data import compare_choices, publish_cells
from perfpress.site.figures.drawings import Drawings
from perfpress.site.figures.graph_jobs import CAPTURES, overdispersions
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Cell, ColumnHead, Link, Row, Table
from perfpress.site.shapes.compare import ComparePage
from perfpress.site.shapes.pages import Place
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.frame_links import event_suffix
from perfpress.site.tables.functions import KIND


def compare_page(parts: ReportParts) -> ComparePage:
    """Return the page, and publish the data of its script."""
    figures, study, report, directory = parts.figures, parts.study, parts.report, parts.directory
    address = compare_address(report)
    drawn = parts.drawings.diffs
    addresses = {key: diff_address(report, key.cell, key.base) for key in drawn}
    captures = _publish_captures(figures, parts.drawings, directory)
    publish_cells(figures, parts.graphs, captures, addresses, directory)
    choices = compare_choices(figures, overdispersions(parts.drawings.captures))
    data = f"{address}choices.json"
    directory.write_file(data, msgspec.json.encode(choices, order="deterministic"))
    return ComparePage(
        place=Place(
            path=address,
            title=f"Compare releases, {report.title}",
            heading="Compare any two releases",
            description=f"Any two releases of {report.title}, compared in your browser.",
            breadcrumbs=(
                Link(label="Reports", url="/reports/"),
                Link(label=report.title, url=report_address(report)),
            ),
        ),
        summary=(
            "The diff of any two releases, computed in your browser from the profiles of this site."
            if any(study.profiles.values())
            else "Throughput and response times of any two releases. No run has a profile.",
        ),
        data=data,
        functions=empty_functions(),
        built=tuple(
            table
            for variant in report.variants
            if (table := _built_table(study, variant, drawn, addresses)) is not None
        ),
    )


def _publish_captures(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[tuple[CellKey, str], str]:
    """Publish the weights of each capture with the profiles; return the addresses."""
    report = figures.study.report
    addresses = {}
    for (cell, event), done in drawings.captures.items():
        made = next(each for each in figures.study.profiles[cell] if each.event == event)
        name = f"captures{event_suffix(figures, made)}.json.gz"
        address = f"{step_address(report, cell)}{name}"
        directory.add_download(address, done.artifact(CAPTURES), "Captures, JSON")
        addresses[cell, event] = address
    return addresses


def empty_functions() -> Table:
    """Return the empty table of functions; the script labels its columns."""
    parts = (("self", "the function alone"), ("total", "with everything it called"))
    sides = (("change", "Change"), ("base", "Base"), ("after", "After"))
    return Table(
        id="functions",
        caption="Functions, the largest change of self first",
        row_head="Function",
        namespace="",
        columns=(
            *(
                ColumnHead(key=f"{part}-{side}", label=label, unit=part, meaning=meaning)
                for part, meaning in parts
                for side, label in sides
            ),
            ColumnHead(key="kind", label=KIND, numeric=False),
        ),
        rows=(),
    )


def _built_table(
    study: Study,
    variant: str,
    drawn: Mapping[DiffKey, Done[DiffAnswer]],
    addresses: Mapping[DiffKey, str],
) -> Table | None:
    """Return the pairs of a variant that have a page: a row a pair, a column a step."""
    keys = [key for key in drawn if key.cell.variant == variant]
    if not keys:
        return None
    order = [release.id for release in study.report.releases]
    pairs = sorted(
        {(key.cell.release, key.base) for key in keys},
        key=lambda pair: tuple(map(order.index, pair)),
    )
    of_steps = {key.cell.step for key in keys}

    def column(step: str) -> Column[tuple[str, str]]:
        def matched(pair: tuple[str, str]) -> Cell:
            release, base = pair
            key = DiffKey(CellKey(release, variant, step), base)
            if key not in drawn:
                return Cell(text=NO_VALUE, note="this pair has no page for this step")
            percent = drawn[key].result.matched_percent
            return Cell(text=f"{fixed(percent, 1)}{PERCENT}", url=addresses[key], sort=percent)

        return Column(slug(step), step, matched, stays=True)

    columns = tuple(column(step) for step in study.report.steps if step in of_steps)
    rows = (
        Row(
            key=f"{slug(release)}-{slug(base)}",
            label=f"{study.label(release)} against {study.label(base)}",
        )
        for release, base in pairs
    )
    return filled(
        Table(
            id=f"built-{variant}",
            caption=f"Weight matched on the pages of diffs: {study.report.variants[variant]}",
            row_head="Release against base",
            notes=("Each number leads to the page of its pair.",),
        ),
        columns,
        zip(rows, pairs, strict=True),
    )

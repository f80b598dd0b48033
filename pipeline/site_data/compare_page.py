"""The page that compares any two releases of a report in the browser."""

from collections.abc import Mapping, Sequence

import msgspec

from pipeline.display import NO_VALUE, PERCENT, fixed
from pipeline.node.jobs import Done
from pipeline.site_data.addresses import (
    compare_address,
    diff_address,
    report_address,
    step_address,
)
from pipeline.site_data.compare_data import compare_data
from pipeline.site_data.compare_shapes import ComparePage
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.figures import Figures
from pipeline.site_data.function_tables import KIND
from pipeline.site_data.graph_jobs import CAPTURES, DiffKey
from pipeline.site_data.graphs import event_suffix
from pipeline.site_data.page_shapes import Place
from pipeline.site_data.shapes import Cell, Column, Graph, Link, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study


def compare_page(
    figures: Figures,
    graphs: Mapping[CellKey, tuple[Graph, ...]],
    drawings: Drawings,
    directory: SiteDirectory,
) -> ComparePage:
    """Put the page together, and publish what its script makes choices from.

    Args:
        figures: of the report.
        graphs: its flame graphs by cell.
        drawings: its diffs that have a page, and the captures of its profiles.
        directory: takes the data.
    """
    study = figures.study
    report = study.report
    address = compare_address(report)
    drawn = drawings.diffs
    addresses = {
        key: diff_address(report, key.cell.release, key.cell.step, key.cell.variant, key.base)
        for key in drawn
    }
    captures = _publish_captures(figures, drawings, directory)
    choices = compare_data(figures, graphs, captures, addresses)
    data = directory.write_download(
        f"{address}cells.json",
        msgspec.json.encode(choices, order="deterministic"),
        "What can be compared, JSON",
    )
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
            "The same diff as on the pages of diffs, of the pair that you choose, from the "
            "profiles that this site publishes.",
        ),
        data=data.url,
        functions=_functions(),
        built=tuple(
            table
            for variant in report.variants
            if (table := _built_table(study, variant, drawn, addresses)) is not None
        ),
    )


def _publish_captures(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[tuple[CellKey, str], str]:
    """Publish what the captures of profiles weigh, beside the profiles; return the addresses."""
    report = figures.study.report
    addresses = {}
    for (cell, event), done in drawings.captures.items():
        made = next(each for each in figures.study.profiles[cell] if each.event == event)
        name = f"captures{event_suffix(figures, made)}.json.gz"
        address = f"{step_address(report, cell.release, cell.step, cell.variant)}{name}"
        directory.add_download(address, done.artifact(CAPTURES), "Captures, JSON")
        addresses[cell, event] = address
    return addresses


def _functions() -> Table:
    """Return the table of functions, of which the script knows whose columns they are."""
    parts = (("self", "the function alone"), ("total", "with everything it called"))
    sides = (("change", "Change"), ("base", "Base"), ("after", "After"))
    return Table(
        id="functions",
        caption="Functions, the largest change of self first",
        row_head="Function",
        columns=(
            *(
                Column(key=f"{part}-{side}", label=label, unit=part, meaning=meaning)
                for part, meaning in parts
                for side, label in sides
            ),
            Column(key="kind", label=KIND, numeric=False),
        ),
        rows=(),
    )


def _built_table(
    study: Study, variant: str, drawn: Mapping[DiffKey, Done], addresses: Mapping[DiffKey, str]
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
    steps = [step for step in study.report.steps if step in of_steps]
    return Table(
        id=f"built-{variant}",
        caption=f"Weight matched on the pages of diffs: {study.report.variants[variant]}",
        row_head="Release against base",
        columns=tuple(Column(key=slug(step), label=step) for step in steps),
        rows=tuple(_built_row(study, variant, pair, steps, drawn, addresses) for pair in pairs),
        notes=("Each number leads to the page of its pair.",),
    )


def _built_row(
    study: Study,
    variant: str,
    pair: tuple[str, str],
    steps: Sequence[str],
    drawn: Mapping[DiffKey, Done],
    addresses: Mapping[DiffKey, str],
) -> Row:
    release, base = pair
    cells = []
    for step in steps:
        key = DiffKey(CellKey(release, variant, step), base)
        if key not in drawn:
            cells.append(Cell(text=NO_VALUE, note="this pair has no page for this step"))
            continue
        matched = drawn[key].result["matched_percent"]
        text = f"{fixed(matched, 1)}{PERCENT}"
        cells.append(Cell(text=text, url=addresses[key], sort=matched))
    return Row(
        key=f"{slug(release)}-{slug(base)}",
        label=f"{study.label(release)} against {study.label(base)}",
        cells=tuple(cells),
    )

"""The chart of all steps relative to the base, release by release, and its table."""

from collections.abc import Mapping, Sequence
from functools import partial

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, fixed, sortable
from perfpress.base.node.messages.charts import ReleasesRequest, StepRow
from perfpress.base.slugs import slug
from perfpress.site.addresses import variant_address
from perfpress.site.figures.planned_chart import PlannedChart, chart_files
from perfpress.site.nearby_releases import MOST, newest_releases
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.rate_cells import missing_cell
from perfpress.site.words.level_changes import change_text
from perfpress.site.words.measured import RATIO_DECIMALS

FEWEST_RELEASES = 2


def releases_chart(figures: Figures, variant: str) -> PlannedChart | None:
    """Return the chart of a variant; None where nothing of it is compared."""
    ratios = ratios_of(figures, variant)
    if not ratios:
        return None
    return PlannedChart(
        page=variant_address(figures.study.report, variant),
        name="by-release",
        caption=caption(figures, variant),
        request=partial(_request, figures, variant, ratios),
        table=partial(releases_table, figures, variant),
        anchor=by_release_id(variant),
    )


def by_release_id(variant: str) -> str:
    """Return the name of the chart of a variant, for anchors and for texts."""
    return f"by-release-{variant}"


def ratios_of(figures: Figures, variant: str) -> dict[str, dict[str, float]]:
    """Return the medians of throughput ÷ the base's by step and release, of the newest.

    Steps that the base has no number of are left out, and those that it alone has.
    """
    report, first = figures.study.report, figures.study.base_of(variant)
    summaries = figures.summaries["throughput"]
    found = {}
    measured = [each.id for each in report.releases if (each.id, variant) in figures.study.ran]
    releases = newest_releases(measured, first, MOST)
    for step in report.steps:
        base = summaries.get(CellKey(first, variant, step))
        if base is None or base.median <= 0:
            continue
        ratios = {
            release: summary.median / base.median
            for release in releases
            if (summary := summaries.get(CellKey(release, variant, step)))
        }
        if len(ratios) >= FEWEST_RELEASES:
            found[step] = ratios
    return found


def caption(figures: Figures, variant: str) -> str:
    """Return `Throughput of all steps relative to 12, release by release: lab1, two clients`."""
    report = figures.study.report
    base = figures.study.label(figures.study.base_of(variant))
    text = f"Throughput of all steps relative to {base}, release by release"
    return f"{text}: {report.variants[variant]}" if len(report.variants) > 1 else text


def releases_table(figures: Figures, variant: str) -> Table:
    """Return what the chart shows: rows are steps, columns releases."""
    study = figures.study
    ratios = ratios_of(figures, variant)
    releases = _releases(figures, ratios)
    changes = {step: _changes(figures, variant, step, releases) for step in ratios}

    def column(release: str) -> Column[str]:
        return Column(
            slug(release),
            study.label(release),
            lambda step: _cell(figures, CellKey(release, variant, step), ratios[step]),
            unit="ratio",
        )

    levels: Column[str] = Column(
        "levels",
        "Level changes",
        lambda step: Cell(text=changes[step] or NO_VALUE),
        numeric=False,
    )
    columns = (*map(column, releases), *((levels,) if any(changes.values()) else ()))
    return filled(
        Table(id=f"releases-{variant}", caption=caption(figures, variant), row_head="Step"),
        columns,
        ((Row(key=slug(step), label=step), step) for step in ratios),
    )


def _cell(figures: Figures, cell: CellKey, ratios: Mapping[str, float]) -> Cell:
    ratio = ratios.get(cell.release)
    if ratio is None:
        return missing_cell(figures.study, cell)
    return Cell(text=fixed(ratio, RATIO_DECIMALS), sort=sortable(ratio))


def _changes(figures: Figures, variant: str, step: str, releases: Sequence[str]) -> str:
    levels = figures.levels["throughput"].get((variant, step))
    if levels is None:
        return ""
    return "; ".join(
        f"{change_text(each)} from {figures.study.label(each.release)} on"
        for each in levels.changes
        if each.release in releases
    )


def _releases(figures: Figures, ratios: Mapping[str, Mapping[str, float]]) -> list[str]:
    there = {release for of_step in ratios.values() for release in of_step}
    return [each.id for each in figures.study.report.releases if each.id in there]


def _request(
    figures: Figures, variant: str, ratios: Mapping[str, Mapping[str, float]]
) -> ReleasesRequest:
    study = figures.study
    releases = _releases(figures, ratios)
    headings = {
        next(step for step in group.steps if step in ratios): group.title
        for group in study.report.matter.step_groups
        if any(step in ratios for step in group.steps)
    }
    return ReleasesRequest(
        releases=[study.label(each) for each in releases],
        steps=[
            StepRow(
                label=step,
                group=headings.get(step, ""),
                ratios=[of_step.get(each) for each in releases],
                marks=marks,
                mark=mark,
            )
            for step, of_step in ratios.items()
            for marks, mark in [_marks(figures, variant, step, releases)]
        ],
        base=study.label(study.base_of(variant)),
        title=caption(figures, variant),
        description=(
            "One strip a step, all on one logarithmic scale: the median of each release ÷ the "
            "base's. Where a release has none, the line is broken. A broken upright line marks "
            "where the level changes, from six releases on. The table has all ratios."
        ),
        **chart_files(variant_address(study.report, variant)),
    )


def _marks(figures: Figures, variant: str, step: str, releases: list[str]) -> tuple[list[int], str]:
    """Return the places from which on the level is another, and the largest change in words."""
    levels = figures.levels["throughput"].get((variant, step))
    changes = [each for each in levels.changes if each.release in releases] if levels else []
    if not changes:
        return [], ""
    largest = max(changes, key=lambda each: each.size)
    label = figures.study.label(largest.release)
    marks = [releases.index(each.release) for each in changes]
    return marks, f"{change_text(largest)} from {label} on"

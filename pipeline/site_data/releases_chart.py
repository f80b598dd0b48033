"""The chart of all steps relative to the base, release by release, and its table."""

from collections.abc import Mapping

from pipeline.display import NO_VALUE, fixed, percent_change, sortable
from pipeline.node.jobs import Job
from pipeline.site_data.addresses import variant_address
from pipeline.site_data.chart_files import chart_files
from pipeline.site_data.figures import Figures
from pipeline.site_data.rate_cells import RATIO_DECIMALS, missing_cell
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey

FEWEST_RELEASES = 2


def releases_jobs(figures: Figures) -> dict[str, Job]:
    """Return the charts by variant; those of variants of which nothing is compared are left out."""
    return {
        variant: _job(figures, variant, ratios)
        for variant in figures.study.report.variants
        if (ratios := ratios_of(figures, variant))
    }


def ratios_of(figures: Figures, variant: str) -> dict[str, dict[str, float]]:
    """Return the medians of throughput ÷ the base's by step and release, base included.

    Steps that the base has no number of are left out, and those that it alone has.
    """
    report = figures.study.report
    summaries = figures.summaries["throughput"]
    found = {}
    for step in report.steps:
        base = summaries.get(CellKey(report.base, variant, step))
        if base is None or base.median <= 0:
            continue
        ratios = {
            release.id: summary.median / base.median
            for release in report.releases
            if (summary := summaries.get(CellKey(release.id, variant, step)))
        }
        if len(ratios) >= FEWEST_RELEASES:
            found[step] = ratios
    return found


def caption(figures: Figures, variant: str) -> str:
    """Return `Throughput of all steps relative to 12, release by release: lab1, two clients`."""
    report = figures.study.report
    base = figures.study.label(report.base)
    text = f"Throughput of all steps relative to {base}, release by release"
    return f"{text}: {report.variants[variant]}" if len(report.variants) > 1 else text


def releases_table(figures: Figures, variant: str) -> Table:
    """Return what the chart shows: rows are steps, columns releases."""
    study = figures.study
    ratios = ratios_of(figures, variant)
    releases = _releases(figures, ratios)
    changes = {step: _changes(figures, variant, step) for step in ratios}
    has_changes = any(changes.values())
    head = Column(key="levels", label="Changes of level", numeric=False)
    return Table(
        id=f"releases-{variant}",
        caption=caption(figures, variant),
        row_head="Step",
        columns=(
            *(Column(key=slug(each), label=study.label(each), unit="ratio") for each in releases),
            *([head] if has_changes else []),
        ),
        rows=tuple(
            Row(
                key=slug(step),
                label=step,
                cells=(
                    *(_cell(figures, CellKey(each, variant, step), of_step) for each in releases),
                    *([Cell(text=changes[step] or NO_VALUE)] if has_changes else []),
                ),
            )
            for step, of_step in ratios.items()
        ),
    )


def _cell(figures: Figures, cell: CellKey, ratios: Mapping[str, float]) -> Cell:
    ratio = ratios.get(cell.release)
    if ratio is None:
        return missing_cell(figures.study, cell)
    return Cell(text=fixed(ratio, RATIO_DECIMALS), sort=sortable(ratio))


def _changes(figures: Figures, variant: str, step: str) -> str:
    levels = figures.levels.get((variant, step))
    if levels is None:
        return ""
    return "; ".join(
        f"{percent_change(each.ratio)} from {figures.study.label(each.release)} on"
        for each in levels.changes
    )


def _releases(figures: Figures, ratios: Mapping[str, Mapping[str, float]]) -> list[str]:
    there = {release for of_step in ratios.values() for release in of_step}
    return [each.id for each in figures.study.report.releases if each.id in there]


def _job(figures: Figures, variant: str, ratios: Mapping[str, Mapping[str, float]]) -> Job:
    study = figures.study
    releases = _releases(figures, ratios)
    headings = {
        next(step for step in group.steps if step in ratios): group.title
        for group in study.report.step_groups
        if any(step in ratios for step in group.steps)
    }
    title = caption(figures, variant)
    request = {
        "releases": [study.label(each) for each in releases],
        "steps": [
            {
                "label": step,
                "group": headings.get(step, ""),
                "ratios": [of_step.get(each) for each in releases],
                **_marks(figures, variant, step, releases),
            }
            for step, of_step in ratios.items()
        ],
        "base": study.label(study.report.base),
        "title": title,
        "description": (
            "One strip a step, all on one logarithmic scale: the median of each release ÷ the "
            "base's. Where a release has none, the line is broken. A broken upright line marks "
            "where the level of ten releases or more changes. The table has all ratios."
        ),
        **chart_files(variant_address(study.report, variant)),
    }
    return Job("releases", title, request)


def _marks(
    figures: Figures, variant: str, step: str, releases: list[str]
) -> dict[str, list[int] | str]:
    levels = figures.levels.get((variant, step))
    if levels is None or not levels.changes:
        return {"marks": [], "mark": ""}
    largest = max(levels.changes, key=lambda each: max(each.ratio, 1 / each.ratio))
    label = figures.study.label(largest.release)
    return {
        "marks": [releases.index(each.release) for each in levels.changes],
        "mark": f"{percent_change(largest.ratio)} from {label} on",
    }

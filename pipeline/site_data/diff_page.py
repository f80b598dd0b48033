"""The page of a diff: one step of one release against another release."""

from pipeline.site_data.addresses import (
    diff_address,
    release_address,
    report_address,
    step_address,
)
from pipeline.site_data.display import NO_VALUE, number, percent_change, plural_of
from pipeline.site_data.drawings import DiffKey
from pipeline.site_data.environment_table import environment_table
from pipeline.site_data.figures import Figures
from pipeline.site_data.function_tables import changes_table
from pipeline.site_data.runs_table import correction_notices
from pipeline.site_data.shapes import DiffPage, Fact, Graph, Link, Place, Table
from pipeline.study import Study

METRICS = (
    ("throughput", "Throughput", "{operations}/s"),
    ("latency_p95", "95th percentile of latency", "ms"),
    ("latency_average", "Average latency", "ms"),
)


def diff_page(
    figures: Figures, key: DiffKey, graph: Graph, matched: str, downloads: tuple[Link, ...]
) -> DiffPage:
    """Put a diff's page together."""
    study = figures.study
    return DiffPage(
        place=_place(study, key),
        headline=_headline(figures, key),
        matched=matched,
        graph=graph,
        functions=functions_of_diff(figures, key),
        environment=environment_table(study, key.cell.release, key.base, key.cell.variant),
        notices=correction_notices(
            [
                each.run
                for cell in (key.base_cell, key.cell)
                for each in study.of_cell(cell)
                if each.run.corrections or each.exclusion
            ]
        ),
        downloads=downloads,
    )


def functions_of_diff(figures: Figures, key: DiffKey) -> Table:
    """Return the functions of both sides, in cost per operation where both sides tell it."""
    study = figures.study
    base, after = (figures.profiles[cell][0][1] for cell in (key.base_cell, key.cell))
    costs = figures.cost(key.base_cell), figures.cost(key.cell)
    return changes_table(
        base,
        after,
        study.label(key.base),
        study.label(key.cell.release),
        (costs[0], costs[1]) if costs[0] is not None and costs[1] is not None else None,
    )


def _headline(figures: Figures, key: DiffKey) -> tuple[Fact, ...]:
    """Return throughput, latency and cost of both sides."""
    operation = figures.study.operation(key.cell.step)
    facts = []
    for metric, label, unit in METRICS:
        summaries = figures.summaries[metric]
        base, after = (
            summaries[cell].median if cell in summaries else None
            for cell in (key.base_cell, key.cell)
        )
        if base is not None or after is not None:
            unit_here = unit.format(operations=plural_of(operation))
            facts.append(_compared(label, base, after, unit_here))
    profile = figures.main_profile(key.cell)
    if profile is not None:
        base, after = figures.cost(key.base_cell), figures.cost(key.cell)
        facts.append(_compared("Cost per operation", base, after, f"{profile.unit}/{operation}"))
    return tuple(facts)


def _compared(label: str, base: float | None, after: float | None, unit: str) -> Fact:
    texts = [NO_VALUE if value is None else number(value) for value in (base, after)]
    change = f"{percent_change(after / base)}" if base and after is not None else "no change known"
    return Fact(label=label, value=f"{texts[0]} → {texts[1]} {unit}", note=change)


def _place(study: Study, key: DiffKey) -> Place:
    report = study.report
    cell = key.cell
    label, base = study.label(cell.release), study.label(key.base)
    step_page = step_address(report, cell.release, cell.step, cell.variant)
    return Place(
        path=diff_address(report, cell.release, cell.step, cell.variant, key.base),
        title=f"{cell.step}: {label} against {base}, {report.title}",
        heading=f"{cell.step}: {label} against {base}",
        description=f"What changed in the profile of {cell.step} from {base} to {label}.",
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
            Link(label=label, url=release_address(report, cell.release)),
            Link(label=cell.step, url=step_page),
        ),
        related=(
            Link(
                label=f"{cell.step} on {base}",
                url=step_address(report, key.base, cell.step, cell.variant),
                note="the base",
            ),
        ),
    )

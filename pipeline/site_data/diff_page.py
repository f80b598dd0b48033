"""The page of a diff: one step of one release against another release."""

import msgspec

from pipeline.display import NO_VALUE, PERCENT, fixed, number, percent_change, plural_of
from pipeline.jobs import Done
from pipeline.site_data.addresses import (
    diff_address,
    release_address,
    report_address,
    step_address,
)
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.environment_table import environment_table
from pipeline.site_data.figures import Figures
from pipeline.site_data.function_tables import changes_table
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.joined_table import joined_table
from pipeline.site_data.runs_table import correction_notices
from pipeline.site_data.shapes import DiffPage, Fact, Graph, Link, Place
from pipeline.study import Study
from pipeline.units import shown_in

COST = "Cost per operation"
NO_COMMON_EVENT = "the two have no profiles of the same event and unit"

METRICS = (
    ("throughput", "Throughput", "{operations}/s"),
    ("latency_p95", "95th percentile of latency", "ms"),
    ("latency_average", "Average latency", "ms"),
)


MATCHED_ENOUGH = 50
"""Percent of the weight; with less, the table of functions says more than the graph."""


def diff_page(figures: Figures, key: DiffKey, graph: Graph, drawn: Done) -> DiffPage:
    """Put a diff's page together."""
    study = figures.study
    return DiffPage(
        place=_place(study, key),
        headline=_headline(figures, key),
        matched=". ".join([matched_text(drawn), *drawn.result["threads"]]),
        functions_first=drawn.result["matched_percent"] < MATCHED_ENOUGH,
        graph=graph,
        functions=changes_table(
            drawn.result["functions"],
            "functions",
            study.label(key.base),
            study.label(key.cell.release),
        ),
        joined=joined_table(
            drawn.result["joined"], study.label(key.base), study.label(key.cell.release)
        ),
        environment=environment_table(study, key.cell.release, key.base, key.cell.variant),
        notices=correction_notices(
            [
                each.run
                for cell in (key.base_cell, key.cell)
                for each in study.of_cell(cell)
                if each.run.corrections or each.exclusion
            ]
        ),
        downloads=graph.downloads,
    )


def matched_text(drawn: Done) -> str:
    """Return how much of both profiles found its like in the other."""
    result = drawn.result
    return (
        f"Matched: {fixed(result['matched_percent'], 1)}{PERCENT} of the weight "
        f"({fixed(result['base_matched_percent'], 1)}{PERCENT} of the base, "
        f"{fixed(result['after_matched_percent'], 1)}{PERCENT} of the other)"
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
    return (*facts, _compared_costs(figures, key, operation))


def _compared_costs(figures: Figures, key: DiffKey, operation: str) -> Fact:
    pair = figures.common_profile(key.cell, key.base_cell)
    if pair is None:
        return Fact(label=COST, value=NO_VALUE, note=NO_COMMON_EVENT)
    after, base = pair
    costs = [figures.cost_of(made) for made in (base, after)]
    factor, unit = shown_in(after.unit, [cost for cost in costs if cost is not None])
    shown = [None if cost is None else cost * factor for cost in costs]
    fact = _compared(COST, shown[0], shown[1], f"{unit}/{operation}")
    unknown = [made for made, cost in zip((base, after), costs, strict=True) if cost is None]
    reasons = [
        f"{figures.study.label(made.cell.release)}: {work_text(figures, made.cell, made.event)}"
        for made in unknown
    ]
    return msgspec.structs.replace(fact, note="; ".join(reasons)) if reasons else fact


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

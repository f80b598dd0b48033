"""What is known of both sides of a diff besides their profiles: it opens with that."""

import msgspec

from pipeline.display import NO_VALUE, number, percent_change, plural_of
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Fact
from pipeline.study.profiles import CellKey
from pipeline.units import shown_in

COST = "Cost per operation"
NOT_KNOWN = "not known"
NO_COMMON_EVENT = "the two have no profiles of the same event and unit"

METRICS = (
    ("throughput", "Throughput", "{operations}/s"),
    ("latency_p95", "95th percentile of latency", "ms"),
    ("latency_average", "Average latency", "ms"),
)


def headline_of(figures: Figures, cell: CellKey, base_cell: CellKey) -> tuple[Fact, ...]:
    """Return throughput, cost per operation and latency of both sides, with the change."""
    operation = figures.study.operation(cell.step)
    facts = []
    for metric, label, unit in METRICS:
        summaries = figures.summaries[metric]
        base, after = (
            summaries[each].median if each in summaries else None for each in (base_cell, cell)
        )
        if base is not None or after is not None:
            unit_here = unit.format(operations=plural_of(operation))
            facts.append(_compared(label, base, after, unit_here))
        if metric == "throughput":
            facts.append(_compared_costs(figures, cell, base_cell, operation))
    return tuple(facts)


def headline_lines(figures: Figures, cell: CellKey, base_cell: CellKey) -> list[str]:
    """Return what is known of both sides as sentences, for a drawing by itself."""
    return [
        f"{fact.label}: {fact.value} ({fact.note})."
        for fact in headline_of(figures, cell, base_cell)
        if fact.value != NOT_KNOWN and NO_VALUE not in fact.value
    ]


def _compared_costs(figures: Figures, cell: CellKey, base_cell: CellKey, operation: str) -> Fact:
    pair = figures.common_profile(cell, base_cell)
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
    if base is None and after is None:
        return Fact(label=label, value=NOT_KNOWN, note="")
    texts = [NO_VALUE if value is None else number(value) for value in (base, after)]
    change = f"{percent_change(after / base)}" if base and after is not None else "no change known"
    return Fact(label=label, value=f"{texts[0]} → {texts[1]} {unit}", note=change)

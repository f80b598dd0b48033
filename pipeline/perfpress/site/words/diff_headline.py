"""The words of a comparison, and what it opens with: throughput, cost per operation, latency."""

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, PERCENT, fixed, number, percent_change, plural_of
from perfpress.base.units import NOUNS, SECONDS_OF, WAITS, whole_unit
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Fact
from perfpress.site.shapes.compare import ComparisonWords
from perfpress.site.words.measured import work_text

WORDS = ComparisonWords(
    heading="{step}: {after} against {base}",
    functions="Functions of {base} and {after}, the largest change of self first",
    cost="Cost per operation",
    not_known="not known",
    no_change_known="no change known",
    no_common_event="the two have no profiles of the same event and unit",
    no_common_cost="costs by the author’s rates can be compared on one variant alone",
)

MILLISECOND = 1e-3
"""In seconds; latencies are in milliseconds."""

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
            facts.append(compared_fact(label, base, after, unit_here))
        if metric == "throughput":
            cost = _compared_costs(figures, cell, base_cell)
            # Of profiles only, what is not known is said once, in the sentence above.
            if facts or cost.value != WORDS.not_known:
                facts.append(cost)
    return (*facts, *latency_covered(figures, cell, base_cell))


def latency_covered(figures: Figures, cell: CellKey, base_cell: CellKey) -> tuple[Fact, ...]:
    """Return how much of the average latency waits and CPU time cover; nothing without waits."""
    base, after = (_latency_parts(figures, each) for each in (base_cell, cell))
    waiting = NOUNS[WAITS]
    if waiting not in base or waiting not in after:
        return ()
    parts = {name: (base[name], after[name]) for name in base if name in after}
    rest = [1 - sum(side) for side in zip(*parts.values(), strict=True)]
    note = "of the average latency; threads of the server’s own count as well"
    if min(rest) >= 0:
        parts["not covered"] = (rest[0], rest[1])
    else:
        note += ", so that more than all of it is covered"
    value = ", ".join(
        f"{name} {fixed(100 * was, 0)} → {fixed(100 * now, 0)}{PERCENT}"
        for name, (was, now) in parts.items()
    )
    return (Fact(label="Latency covered", value=value, note=note),)


def _latency_parts(figures: Figures, cell: CellKey) -> dict[str, float]:
    """Return what of the average latency each profile in units of time covers, by its noun."""
    latency = figures.summaries["latency_average"].get(cell)
    if latency is None or latency.median <= 0:
        return {}
    costs = {
        whole_unit(made.unit): (figures.cost_of(made), seconds)
        for made in figures.study.profiles.get(cell, ())
        if not figures.cost_unit(made).base and (seconds := SECONDS_OF.get(whole_unit(made.unit)))
    }
    return {
        NOUNS[unit]: cost * seconds / (latency.median * MILLISECOND)
        for unit, (cost, seconds) in costs.items()
        if cost is not None
    }


def headline_lines(figures: Figures, cell: CellKey, base_cell: CellKey) -> list[str]:
    """Return the known facts as sentences, for the title of a drawing."""
    return [
        f"{fact.label}: {fact.value} ({fact.note})."
        for fact in headline_of(figures, cell, base_cell)
        if fact.value != WORDS.not_known and NO_VALUE not in fact.value
    ]


def _compared_costs(figures: Figures, cell: CellKey, base_cell: CellKey) -> Fact:
    pair = figures.common_profile(cell, base_cell)
    if pair is None:
        return Fact(label=WORDS.cost, value=NO_VALUE, note=WORDS.no_common_event)
    after, base = pair
    costs = [figures.cost_of(made) for made in (base, after)]
    factor, unit = figures.cost_unit(after).shown(cost for cost in costs if cost is not None)
    shown = [None if cost is None else cost * factor for cost in costs]
    fact = compared_fact(WORDS.cost, shown[0], shown[1], unit)
    reasons = {
        figures.study.label(made.cell.release): work_text(figures, made.cell, made.event)
        for made, cost in zip((base, after), costs, strict=True)
        if cost is None
    }
    if not reasons:
        return fact
    if len(reasons) == 2 and len(set(reasons.values())) == 1:
        note = next(iter(reasons.values()))
    else:
        note = "; ".join(f"{label}: {reason}" for label, reason in reasons.items())
    return msgspec.structs.replace(fact, note=note)


def compared_fact(label: str, base: float | None, after: float | None, unit: str) -> Fact:
    """Return a number of both sides and its change; `tests/vectors/facts.json` has the cases."""
    if base is None and after is None:
        return Fact(label=label, value=WORDS.not_known, note="")
    texts = [NO_VALUE if value is None else number(value) for value in (base, after)]
    change = percent_change(after / base) if base and after is not None else WORDS.no_change_known
    return Fact(label=label, value=f"{texts[0]} → {texts[1]} {unit}", note=change)

"""Describes how the query plans of two releases differ."""

from collections.abc import Mapping

from perfpress.analysis.environment.plans import PlanComparison, compare_plans
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import plural, short_name
from perfpress.input.logs.readings import Plan

MOST_SENTENCES = 3


def plans_by_step(
    study: Study, release: str, base: str, variant: str, step: str | None
) -> dict[str, PlanComparison]:
    """Return how the plans of two releases compare, by step; of one step or of all."""
    sides: dict[str, dict[str, list[Plan]]] = {}
    cells = (
        CellKey(of, variant, name)
        for name in (study.report.steps if step is None else (step,))
        for of in (base, release)
    )
    for cell in cells:
        for each in study.of_cell(cell):
            if each.exclusion is None and each.outline.has_plans:
                plans = sides.setdefault(cell.step, {}).setdefault(cell.release, [])
                whole = [reading for reading in each.readings if not reading.partial]
                plans += [plan for reading in whole for plan in reading.plans]
    return {
        name: compare_plans(plans.get(base, ()), plans.get(release, ()))
        for name, plans in sides.items()
    }


def plan_notes(plans: Mapping[str, PlanComparison]) -> list[str]:
    """Return how many statements were compared, where any were."""
    compared = sum(each.compared for each in plans.values())
    if not compared:
        return []
    differing = sum(
        len({difference.query for difference in each.differences}) for each in plans.values()
    )
    statements = plural(compared, "statement")
    return [
        f"Plan or estimate differs in {differing:,} of {statements} that both releases explained."
    ]


def plan_sentences(study: Study, cell: CellKey) -> list[str]:
    """Return the queries of a step whose plan differs from the base."""
    base = study.base_of(cell.variant)
    if cell.release == base:
        return []
    plans = plans_by_step(study, cell.release, base, cell.variant, cell.step)
    found = [each for comparison in plans.values() for each in comparison.differences]
    shown = [
        f"EXPLAIN differs from {study.label(base)}: {short_name(each.base)} → "
        f"{short_name(each.after)} in: {each.query}"
        for each in found[:MOST_SENTENCES]
    ]
    more = len(found) - len(shown)
    return [*shown, f"{more:,} more plans or estimates differ."] if more else shown

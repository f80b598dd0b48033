"""Compares the query plans of two releases by their EXPLAIN.

A plan that changes, or an estimate of rows that does, may be the only trace in a log of why a test
got slower. It is shown with the comparison, and is not a verdict.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low

import msgspec

from perfpress.input.logs.readings import Plan, PlanStep, RowEstimates

LEAST_CHANGE = 0.2
"""Estimates closer than this, relative to the base's, are the same: they come from samples, and
how a server rounds them changes with its version."""

TABLE_ROW = re.compile(r"(?P<head>\d+ [^:]*): (?P<columns>type .*|partitions .*)", re.DOTALL)
"""A row of MySQL's or MariaDB's table, as its reader writes it."""
ATTRIBUTE = re.compile(r"\s*(?:(?P<name>[A-Z][A-Za-z ]*)|\"(?P<key>[\w ]+)\"): ")
"""A line that is not an operator: PostgreSQL's `Index Cond: …`, all of JSON. Versions print more of
them."""
BRACKETS = re.compile(r"[\s{}\[\],]*")

Operators = tuple[str, ...]


@dataclass(frozen=True)
class PlanDifference:
    """A query that is planned, or whose rows are estimated, otherwise than by the base."""

    query: str
    base: str
    after: str

    def __str__(self) -> str:
        """Return `rows 100 → 9,700 in: select …`."""
        return f"{self.base} → {self.after} in: {self.query}"


@dataclass(frozen=True)
class PlanComparison:
    """All queries that were explained on both sides."""

    compared: int
    differences: tuple[PlanDifference, ...]


def compare_plans(base: Iterable[Plan], after: Iterable[Plan]) -> PlanComparison:
    """Compare the plans that the logs of one step hold for two releases.

    An estimate of rows differs where the median of neither side is among the other's estimates, and
    the two medians are at least `LEAST_CHANGE` apart: the values that a query asks for are random.
    A query that only one side explained is not compared, nor one whose plan the two sides printed
    in unlike formats. What a version prints besides is not a change of the plan.
    """
    base, after = list(base), list(after)
    left, right = _by_query(base, _attributes(after)), _by_query(after, _attributes(base))
    both = [
        query for query in left if query in right and _format(left[query]) == _format(right[query])
    ]
    differences = [
        each for query in both for each in _differences(query, left[query], right[query])
    ]
    return PlanComparison(len(both), tuple(differences))


def _attributes(plans: Iterable[Plan]) -> frozenset[str]:
    """Return the names of the attributes that a side prints."""
    return frozenset(
        found[found.lastgroup or ""]
        for plan in plans
        for step in plan.steps
        if (found := ATTRIBUTE.match(step.operator))
    )


def _by_query(
    plans: Iterable[Plan], attributes: frozenset[str]
) -> dict[str, dict[Operators, list[Plan]]]:
    """Group plans by query and operators, without attributes that the other side never prints."""
    found: dict[str, dict[Operators, list[Plan]]] = {}
    for plan in plans:
        steps = tuple(
            msgspec.structs.replace(step, operator=_without_empty(step.operator))
            for step in plan.steps
            if _is_compared(step, attributes)
        )
        if not steps:  # JSON beside another format, or that of another server
            continue
        operators = tuple(step.operator for step in steps)
        shown = msgspec.structs.replace(plan, steps=steps)
        found.setdefault(plan.query, {}).setdefault(operators, []).append(shown)
    return found


def _is_compared(step: PlanStep, attributes: frozenset[str]) -> bool:
    if BRACKETS.fullmatch(step.operator):
        return False
    attribute = ATTRIBUTE.match(step.operator)
    return attribute is None or attribute[attribute.lastgroup or ""] in attributes


def _without_empty(operator: str) -> str:
    """Return a row of a table without columns of no value, which not every version has."""
    row = TABLE_ROW.fullmatch(operator)
    if row is None:
        return operator
    columns = (each for each in row["columns"].split(", ") if not each.lower().endswith(" null"))
    return f"{row['head']}: {', '.join(columns)}"


def _format(plans: dict[Operators, list[Plan]]) -> str:
    """Return how a side printed its plans of a query: as MySQL's table or tree, or as text."""
    if any(TABLE_ROW.fullmatch(operator) for operators in plans for operator in operators):
        return "table"
    # PostgreSQL's text has arrows below its first line only.
    is_tree = any(operators[0].startswith("->") for operators in plans)
    return "tree" if is_tree else "text"


def _differences(
    query: str, base: dict[Operators, list[Plan]], after: dict[Operators, list[Plan]]
) -> list[PlanDifference]:
    if base.keys() != after.keys():
        return [PlanDifference(query, _plans_text(base), _plans_text(after))]
    return [
        each
        for operators, plans in base.items()
        for each in _row_differences(query, operators, plans, after[operators])
    ]


def _row_differences(
    query: str, operators: Operators, base: Sequence[Plan], after: Sequence[Plan]
) -> list[PlanDifference]:
    found = []
    for at, operator in enumerate(operators):
        left, right = _estimates(base, at), _estimates(after, at)
        if left is not None and right is not None and _differ(left, right):
            where = f" by {operator}" if len(operators) > 1 else ""
            found.append(PlanDifference(query, _rows_text(left) + where, _rows_text(right) + where))
    return found


def _differ(base: RowEstimates, after: RowEstimates) -> bool:
    return (
        not base.lowest <= after.median <= base.highest
        and not after.lowest <= base.median <= after.highest
        and abs(after.median - base.median) >= LEAST_CHANGE * base.median
    )


def _estimates(plans: Sequence[Plan], at: int) -> RowEstimates | None:
    """Return the estimates for one line of a plan by all runs of a side."""
    rows = [each for plan in plans if (each := plan.steps[at].rows) is not None]
    if not rows:
        return None
    return RowEstimates(
        lowest=min(each.lowest for each in rows),
        median=median_low(each.median for each in rows),
        highest=max(each.highest for each in rows),
    )


def _rows_text(rows: RowEstimates) -> str:
    spread = f" ({rows.lowest:,} to {rows.highest:,})" if rows.lowest != rows.highest else ""
    return f"rows {rows.median:,}{spread}"


def _plans_text(plans: dict[Operators, list[Plan]]) -> str:
    """Return each way in which a query is planned, the one that is chosen most often first."""
    by_count = sorted(plans.items(), key=lambda item: -sum(plan.count for plan in item[1]))
    return ", or ".join(" > ".join(operators) for operators, _ in by_count)

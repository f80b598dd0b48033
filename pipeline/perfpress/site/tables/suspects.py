"""Tables of the additions and savings of a diff, and of what they add up to."""

from collections.abc import Callable, Sequence

import msgspec

from perfpress.base.display import NO_VALUE, PERCENT, fixed
from perfpress.base.node.messages.findings import CallChange, Change, Findings, SideName
from perfpress.site.addresses import frame_link
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled_with_functions
from perfpress.site.tables.diff_findings import (
    amount_cell,
    change_cell,
    number_text,
    p_cell,
    side_columns,
    signed_text,
    unit_of,
)

MOST_SHOWN = 20
"""Rows; the file has all."""
MOST_NAMED = 2
"""Functions named in a cell; a note has all."""
P_MEANING = "probability that captures of one release show a change this large in any function"


def changes_tables(findings: Findings, graph_id: str) -> tuple[Table, ...]:
    """Return additions and savings, first those in the direction of the whole change.

    Args:
        findings: of a diff.
        graph_id: of the diff's graph on the page, in which a row shows its function.
    """
    additions = ("suspects", "Largest additions", findings.additions)
    savings = ("savings", "Largest savings", findings.savings)
    is_less = findings.change.whole < 0
    tables = [
        _changes_table(findings, graph_id, *each)
        for each in ((savings, additions) if is_less else (additions, savings))
        if each[-1]
    ]
    if not tables or findings.basis == "share":
        return tuple(tables)
    first, *others = tables
    sums = sum_rows(findings, change_columns(findings))
    return (msgspec.structs.replace(first, rows=(*first.rows, *sums)), *others)


def _changes_table(
    findings: Findings, graph_id: str, key: str, title: str, changes: Sequence[Change]
) -> Table:
    more = f"The first {MOST_SHOWN} of {len(changes)}; suspects.json has all."
    return filled_with_changes(
        Table(
            id=key,
            caption=f"{title}, {findings.base.label} → {findings.after.label}",
            notes=(more,) if len(changes) > MOST_SHOWN else (),
        ),
        change_columns(findings),
        changes[:MOST_SHOWN],
        lambda change, _: frame_link(graph_id, change.path),
    )


def filled_with_changes(
    table: Table,
    columns: Sequence[Column[Change]],
    changes: Sequence[Change],
    link: Callable[[Change, str], str],
) -> Table:
    """Return a table with a row for each change.

    Args:
        table: without columns and rows.
        columns: some of `change_columns`.
        changes: of one diff, in one direction.
        link: returns where a row leads, from the change and the row's key.
    """
    return filled_with_functions(
        table,
        columns,
        changes,
        lambda change: change.name,
        lambda change, key: Row(
            key=key, label=change.name, function=change.function, url=link(change, key)
        ),
    )


def change_columns(findings: Findings) -> tuple[Column[Change], ...]:
    """Return the columns of additions and savings."""
    base, after = findings.base.label, findings.after.label
    unit = unit_of(findings)
    part: Column[Change] = Column(
        "part",
        "Part",
        lambda change: _part(findings, change.part),
        unit=f"of the whole change,{PERCENT}",
        meaning="a listed callee counts in its own row alone; additions, savings and the rest add "
        "up to the whole change",
    )
    p: Column[Change] = Column(
        "p", "p", lambda change: p_cell(findings, change.p), meaning=P_MEANING
    )
    return (
        *side_columns(findings, lambda change, side: _amount(findings, change, side)),
        Column(
            "change",
            "Change",
            lambda change: change_cell(findings, change.after - change.base),
            unit=unit,
            meaning=f"{after} less {base}",
        ),
        Column(
            "net",
            "Net change",
            lambda change: change_cell(findings, change.net),
            unit=unit,
            meaning="the change less what only moved",
        ),
        Column(
            "noise",
            "Noise",
            lambda change: Cell(text=f"±{number_text(findings, change.noise)}", sort=change.noise),
            unit=unit,
            meaning="a smaller net change may be chance",
        ),
        *(() if findings.basis == "share" else (part,)),
        *(() if findings.noise.level is None else (p,)),
        Column(
            "folded",
            "Related changes",
            lambda change: _folded(findings, change),
            numeric=False,
            meaning="functions that changed because they call it, or because it calls them",
        ),
        Column(
            "where",
            "Largest change at",
            lambda change: _where(findings, change.calls),
            numeric=False,
            meaning="call paths, each by its shortest unique end",
        ),
    )


def sum_rows(findings: Findings, columns: Sequence[Column[Change]]) -> tuple[Row, ...]:
    """Return the rows that add up: both directions, all code, the rest."""
    change = findings.change
    rows = (
        ("@additions", "all listed additions", change.additions),
        ("@savings", "all listed savings", change.savings),
        ("@even", "all code, evenly", change.even),
        ("@rest", "the rest", change.rest),
        ("@whole", "whole change", change.whole),
    )
    numbers = {"net": change_cell, "part": _part}
    return tuple(
        Row(
            key=key,
            label=label,
            cells=tuple(
                numbers[column.key](findings, part) if column.key in numbers else Cell(text="")
                for column in columns
            ),
        )
        for key, label, part in rows
        if part or key in ("@rest", "@whole")
    )


def _amount(findings: Findings, change: Change, side: SideName) -> Cell:
    """Return what a function costs on one side, and of what where that has no such function."""
    cost: float = getattr(change, side)
    if change.only in (None, side) or cost == 0:
        return amount_cell(findings, cost)
    label = getattr(findings, side).label
    note = f"{label} has no such function: this is what it calls there"
    return amount_cell(findings, cost, note)


def _part(findings: Findings, part: float) -> Cell:
    whole = findings.change.whole
    if whole == 0:
        return Cell(text=NO_VALUE, note="An operation costs as much as before.")
    percent = 100 * part / whole
    return Cell(text=fixed(percent, 1), sort=percent)


def _folded(findings: Findings, change: Change) -> Cell:
    lists = (("it calls", change.callees), ("they call it", change.callers))
    named = [each for _, some in lists for each in some]
    if not named:
        return Cell(text=NO_VALUE)
    text = ", ".join(each.name for each in named[:MOST_NAMED])
    if len(named) > MOST_NAMED:
        text += f" and {len(named) - MOST_NAMED} more"
    notes = [
        f"{how}: " + ", ".join(f"{each.name} {signed_text(findings, each.net)}" for each in some)
        for how, some in lists
        if some
    ]
    return Cell(text=text, note="; ".join(notes))


def _where(findings: Findings, calls: Sequence[CallChange]) -> Cell:
    if not calls:
        return Cell(text=NO_VALUE)
    paths = [f"{each.path} {signed_text(findings, each.change)}" for each in calls]
    return Cell(text=paths[0], note="; ".join(paths) if len(paths) > 1 else "")

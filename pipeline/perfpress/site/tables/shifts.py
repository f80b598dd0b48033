"""Shifts and renames of a diff as tables: cost that moved, and functions matched by other names."""

import re
from collections.abc import Sequence

from perfpress.base.display import NO_VALUE, plural, short_name
from perfpress.base.node.messages.findings import Findings, Proposal, Shift, SideName
from perfpress.base.node.messages.graphs import Joined
from perfpress.site.addresses import frame_link
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled_with_functions
from perfpress.site.tables.diff_findings import (
    amount_cell,
    change_cell,
    side_columns,
    signed_text,
    unit_of,
)

MOST_SHIFTS = 10
"""Rows; the file has all."""

MOST_RENAMES = 100
"""Rows; the diff file has all."""
LISTED = ("renamed", "scope", "alias")
"""How functions were matched that are listed, the least certain first: not what compilers add."""

LIKELY = ("renamed", "scope")
"""Matches that an author may confirm."""

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def shifts_table(findings: Findings, graph_id: str) -> Table | None:
    """Return what moved, the largest first; None where nothing did.

    Args:
        findings: of a diff.
        graph_id: of the diff's graph on the page.
    """
    shifts = findings.shifts
    if not shifts:
        return None
    shown = shifts[:MOST_SHIFTS]
    columns = _columns(findings, has_proposals=any(each.proposal for each in shown))
    base, after = findings.base.label, findings.after.label
    more = len(shifts) - len(shown)
    notes = (f"The first {MOST_SHIFTS} of {len(shifts)}; suspects.json has all.",)
    return filled_with_functions(
        Table(
            id="shifts",
            caption=f"Cost that moved without growing, {base} → {after}",
            notes=notes if more else (),
        ),
        columns,
        shown,
        lambda shift: shift.name,
        lambda shift, key: Row(
            key=key,
            label=shift.name,
            function=shift.function,
            url=frame_link(graph_id, shift.path),
        ),
    )


def _columns(findings: Findings, *, has_proposals: bool) -> tuple[Column[Shift], ...]:
    unit = unit_of(findings)

    def amount(shift: Shift, side: SideName) -> Cell:
        return amount_cell(findings, getattr(shift, side))

    alias: Column[Shift] = Column(
        "alias",
        "Alias",
        lambda shift: Cell(text=_alias(shift.proposal)),
        numeric=False,
        meaning="if it was renamed: the line for [function_aliases] of the report that confirms it",
    )
    return (
        *side_columns(findings, amount),
        Column(
            "risen",
            "Growth on this path",
            lambda shift: change_cell(findings, shift.risen),
            unit=unit,
            meaning="in the calls that grew",
        ),
        Column(
            "net",
            "Growth overall",
            lambda shift: change_cell(findings, shift.net),
            unit=unit,
            meaning="less what only moved",
        ),
        Column(
            "from",
            "Came from",
            lambda shift: Cell(text=_came_from(findings, shift)),
            numeric=False,
            meaning="where the cost went down instead",
        ),
        *((alias,) if has_proposals else ()),
    )


def alias_line(name: str, other: str) -> str:
    """Return the line of a report's `[function_aliases]` that matches two names."""
    return f"{name if BARE_KEY.fullmatch(name) else _toml(name)} = [{_toml(other)}]"


def _toml(text: str) -> str:
    """Return a string as TOML's basic strings are written."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    unseen = re.compile(r"[\x00-\x1f\x7f-\x9f]")
    return '"' + unseen.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def _alias(proposal: Proposal | None) -> str:
    return alias_line(proposal.name, proposal.other) if proposal else NO_VALUE


def _came_from(findings: Findings, shift: Shift) -> str:
    parts = ", ".join(
        f"{each.name}{', its own code' if each.own else ''} {signed_text(findings, each.change)}"
        for each in shift.sources
    )
    match shift.origin:
        case "calls":
            return f"fewer or lighter calls by {parts}" if parts else "other calls of it"
        case "caller":
            return f"its caller: {parts}"
        case "callees":
            return f"other callers of what it calls: {parts}"
        case "frame":
            return f"the same frame, which did not grow by as much: {parts}"
        case _:
            return f"other functions of {shift.family}"


def renames_table(renames: Sequence[Joined], base_label: str, after_label: str) -> Table | None:
    """Return the functions matched by other names, both names, and why; None where none is listed.

    Args:
        renames: `joined` of a `diff` job's answer.
        base_label: the base release's name.
        after_label: the other release's name.
    """
    ordered = sorted(
        (each for each in renames if each.how in LISTED), key=lambda each: LISTED.index(each.how)
    )
    if not ordered:
        return None
    shown = ordered[:MOST_RENAMES]
    others = len(renames) - len(ordered)
    notes = ["Each pair counts as one function in the diff."]
    if len(ordered) > MOST_RENAMES:
        notes.append(f"The first {MOST_RENAMES} of {len(ordered)}; the diff file has all.")
    if others:
        notes.append(
            f"Not listed: {plural(others, 'pair')} whose names differ only in what compilers and "
            "CPUs add; the diff file has all."
        )
    columns: tuple[Column[Joined], ...] = (
        Column("base", base_label, lambda each: Cell(text=_listed(each.base)), numeric=False),
        Column("why", "Why", lambda each: Cell(text=each.why), numeric=False),
        Column(
            "alias",
            "Alias",
            lambda each: Cell(text=_confirming_line(each)),
            numeric=False,
            meaning="line for [function_aliases] of the report that confirms the match",
        ),
    )
    return filled_with_functions(
        Table(
            id="joined",
            caption=f"Functions of {base_label} and {after_label} matched under different names",
            row_head=after_label,
            notes=tuple(notes),
        ),
        columns,
        shown,
        lambda each: _listed(each.after),
        lambda each, key: Row(key=key, label=_listed(each.after)),
    )


def _confirming_line(rename: Joined) -> str:
    if rename.how not in LIKELY:
        return NO_VALUE
    return alias_line(short_name(rename.key), short_name(rename.base_key))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(short_name(name) for name in names) or NO_VALUE

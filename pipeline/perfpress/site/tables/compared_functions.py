"""The table of functions that changed between two files or directories, in both directions."""

from msgspec.structs import replace

from perfpress.base.node.messages.findings import Findings
from perfpress.site.shapes.blocks import Row, Table
from perfpress.site.tables.columns import filled
from perfpress.site.tables.suspects import change_columns, sum_rows

MOST_FUNCTIONS = 20
"""Rows a direction; JSON has all."""

COLUMNS = ("base", "after", "net", "noise", "p")


def functions_table(found: Findings) -> Table | None:
    """Return the functions that changed, in both directions, and what their changes add up to."""
    directions = (("more", found.additions), ("less", found.savings))
    shown = [
        (f"{word.title()} in {found.after.label}", change)
        for word, changes in directions
        for change in changes[:MOST_FUNCTIONS]
    ]
    if not shown:
        return None
    columns = [column for column in change_columns(found) if column.key in COLUMNS]
    left_out = sum(max(0, len(changes) - MOST_FUNCTIONS) for _, changes in directions)
    table = filled(
        Table(
            id="functions",
            caption=f"Functions that changed, {found.base.label} → {found.after.label}",
            row_head="Function",
            notes=(f"{left_out} smaller changes are in the JSON.",) if left_out else (),
        ),
        columns,
        (
            (Row(key=f"{number}", label=change.name, group=group), change)
            for number, (group, change) in enumerate(shown)
        ),
    )
    return replace(table, foot=sum_rows(found, columns))

"""The table of functions that changed between two files or directories, in both directions."""

from perfpress.base.node.messages.findings import Findings
from perfpress.site.shapes.blocks import Row, Table
from perfpress.site.tables.suspects import change_columns, sum_rows

MOST_FUNCTIONS = 20
"""Rows a direction; JSON has all."""

COLUMNS = ("base", "after", "net", "noise", "p")


def functions_table(found: Findings) -> Table | None:
    """Return the functions that changed, in both directions, and what their changes add up to."""
    directions = (("more", found.additions), ("less", found.savings))
    subjects = [
        (f"{word.title()} in {found.after.label}", change)
        for word, changes in directions
        for change in changes[:MOST_FUNCTIONS]
    ]
    if not subjects:
        return None
    columns = [column for column in change_columns(found) if column.key in COLUMNS]
    caption = f"Functions that changed, {found.base.label} → {found.after.label}"
    left_out = sum(max(0, len(changes) - MOST_FUNCTIONS) for _, changes in directions)
    rows = tuple(
        Row(
            key=f"{number}",
            label=change.name,
            group=group,
            cells=tuple(column.cell(change) for column in columns),
        )
        for number, (group, change) in enumerate(subjects)
    )
    return Table(
        id="functions",
        caption=caption,
        row_head="Function",
        columns=tuple(column.head for column in columns),
        rows=rows,
        foot=sum_rows(found, columns),
        notes=(f"{left_out} smaller changes are in the JSON.",) if left_out else (),
    )

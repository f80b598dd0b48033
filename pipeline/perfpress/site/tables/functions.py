"""Tables of functions: what a profile or a diff is made of, as drawn."""

from perfpress.analysis.profiles.profile import Profile
from perfpress.base.display import NO_VALUE, PERCENT, fixed, plural
from perfpress.base.node.messages.graphs import (
    FunctionColumn,
    FunctionRow,
    FunctionTable,
    GoneFunction,
    GoneFunctions,
)
from perfpress.base.units import weight_text
from perfpress.site.addresses import frame_link
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled_with_functions
from perfpress.site.words.diff_headline import WORDS

KIND = "Kind"


def functions_table(head: FunctionTable, table_id: str) -> Table:
    """Return the functions of a profile: the flame graph's equal for those without it.

    Args:
        head: `functions` of a `flamegraph` job's answer.
        table_id: the table's anchor.
    """
    return _table(
        head,
        table_id,
        "The functions, the largest self weight first",
    )


def changes_table(head: FunctionTable, table_id: str, base_label: str, after_label: str) -> Table:
    """Return the functions of two profiles side by side, the largest change of self first.

    Args:
        head: `functions` of a `diff` job's answer.
        table_id: the table's anchor.
        base_label: the base release's name.
        after_label: the other release's name.
    """
    return _table(
        head,
        table_id,
        WORDS.functions.format(base=base_label, after=after_label),
        "Functions are matched by name, and where the diff matched two names. A function inlined "
        "on one side is missing there: its weight is in its callers.",
    )


def gone_table(
    gone: GoneFunctions, base: Profile, graph_id: str, labels: tuple[str, str]
) -> Table | None:
    """Return the functions that the profile after does not have; None where it has all.

    Args:
        gone: of a `diff` job's answer.
        base: the profile that has them.
        graph_id: of the diff's graph on the page, in which a row shows its function.
        labels: of base and after.
    """
    if not gone.rows:
        return None

    def weight(function: GoneFunction) -> Cell:
        value = function.self_percent / 100 * base.total
        return Cell(text=weight_text(value, base.unit), sort=value)

    def share(percent: float) -> Cell:
        return Cell(text=fixed(percent, 2), sort=percent)

    unit = f"{PERCENT.strip()} of {labels[0]}"
    columns: tuple[Column[GoneFunction], ...] = (
        Column(
            "self",
            "Self",
            lambda each: share(each.self_percent),
            unit=unit,
            meaning="the function alone",
        ),
        Column(
            "total",
            "Total",
            lambda each: share(each.total_percent),
            unit=unit,
            meaning="with everything it called",
        ),
        Column("weight", "Weight", weight, meaning="the function alone"),
    )
    more = gone.functions - len(gone.rows)
    return filled_with_functions(
        Table(
            id=f"gone-{graph_id}",
            caption=f"Gone: functions of {labels[0]} that {labels[1]} does not have",
            notes=(
                f"{plural(gone.functions, 'function')}, alone "
                f"{fixed(gone.self_percent, 2)}{PERCENT} of {labels[0]}"
                f"{f'; the largest {len(gone.rows)} are listed' if more else ''}.",
                "A function that was renamed or inlined is gone, too.",
            ),
        ),
        columns,
        gone.rows,
        lambda each: each.name,
        lambda each, key: Row(
            key=key, label=each.name, function=each.id, url=frame_link(graph_id, each.path)
        ),
    )


def _cut(head: FunctionTable) -> tuple[str, ...]:
    shown, functions = len(head.rows), head.functions
    if shown == functions:
        return ()
    return (
        f"The page itself has {shown} of {functions:,} functions; the viewer and the downloads "
        "have all.",
    )


def _table(head: FunctionTable, table_id: str, caption: str, *notes: str) -> Table:
    columns = (
        *(_column(at, each) for at, each in enumerate(head.columns)),
        Column("kind", KIND, lambda function: Cell(text=function.kind), numeric=False, stays=True),
    )
    return filled_with_functions(
        Table(id=table_id, caption=caption, notes=(*_cut(head), *notes)),
        columns,
        head.rows,
        lambda each: each.name,
        lambda each, key: Row(key=key, label=each.name, function=each.id),
    )


def _column(at: int, head: FunctionColumn) -> Column[FunctionRow]:
    def number(function: FunctionRow) -> Cell:
        cell = function.cells[at]
        if cell.value is None:
            return Cell(text=NO_VALUE)
        return Cell(text=cell.text, sort=cell.value)

    return Column(
        head.key,
        head.label,
        number,
        unit=head.unit,
        meaning=head.meaning,
        stays=True,
    )

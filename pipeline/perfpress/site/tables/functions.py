"""Tables of functions: what a profile or a diff is made of, as drawn."""

from perfpress.base.display import NO_VALUE, PERCENT
from perfpress.base.node.messages.graphs import FunctionColumn, FunctionRow, FunctionTable
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, cells_of, heads, row_keys
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


def _cut(head: FunctionTable) -> tuple[str, ...]:
    shown, functions = len(head.rows), head.functions
    if shown == functions:
        return ()
    return (f"{shown} of {functions:,} functions; the downloads have all.",)


def _table(head: FunctionTable, table_id: str, caption: str, *notes: str) -> Table:
    columns = (
        *(_column(at, each) for at, each in enumerate(head.columns)),
        Column("kind", KIND, lambda function: Cell(text=function.kind), numeric=False, stays=True),
    )
    keys = row_keys(each.name for each in head.rows)
    return Table(
        id=table_id,
        caption=caption,
        row_head="Function",
        names=True,
        columns=heads(columns),
        rows=tuple(
            Row(
                key=key,
                label=each.name,
                function=each.id,
                cells=cells_of(columns, each),
            )
            for key, each in zip(keys, head.rows, strict=True)
        ),
        notes=(*_cut(head), *notes),
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
        unit=head.unit.replace(" %", PERCENT),
        meaning=head.meaning,
        stays=True,
    )

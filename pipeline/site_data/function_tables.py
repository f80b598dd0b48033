"""Tables of functions: what a profile or a diff is made of, as the drawing of it counted them."""

from collections.abc import Mapping
from typing import Any

from pipeline.display import NO_VALUE, PERCENT
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import Cell, Column, Row, Table

KIND = "Kind"


def functions_table(head: Mapping[str, Any], table_id: str) -> Table:
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


def changes_table(
    head: Mapping[str, Any], table_id: str, base_label: str, after_label: str
) -> Table:
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
        f"Functions of {base_label} and {after_label}, the largest change of self first",
        "Functions are one where they have one name, and where the diff joined two names: one that "
        "was inlined is gone on one side, and its weight is its callers' on the other.",
    )


def _cut(head: Mapping[str, Any]) -> tuple[str, ...]:
    shown, functions = len(head["rows"]), head["functions"]
    if shown == functions:
        return ()
    return (f"{shown} of {functions:,} functions; the downloads have all.",)


def _table(head: Mapping[str, Any], table_id: str, caption: str, *notes: str) -> Table:
    return Table(
        id=table_id,
        caption=caption,
        row_head="Function",
        columns=(
            *(
                Column(
                    key=each["key"],
                    label=each["label"],
                    unit=each["unit"].replace(" %", PERCENT),
                    meaning=each["meaning"],
                )
                for each in head["columns"]
            ),
            Column(key="kind", label=KIND, numeric=False),
        ),
        rows=tuple(
            Row(
                key=key,
                label=each["name"],
                function=each["id"],
                cells=(*map(_cell, each["cells"]), Cell(text=each["kind"])),
            )
            for key, each in zip(
                row_keys(each["name"] for each in head["rows"]), head["rows"], strict=True
            )
        ),
        notes=(*_cut(head), *notes),
    )


def _cell(cell: Mapping[str, Any]) -> Cell:
    if cell["value"] is None:
        return Cell(text=NO_VALUE)
    return Cell(text=cell["text"], sort=cell["value"])

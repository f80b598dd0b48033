"""The table of the functions that a diff took for one though their names differ."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.display import NO_VALUE, short_name
from pipeline.site_data.shapes import Cell, Column, Row, Table

MOST_SHOWN = 100
SUREST_LAST = ("renamed", "scope", "alias", "name")
"""Why functions were joined, that to be doubted most first."""


def joined_table(
    joined: Sequence[Mapping[str, Any]], base_label: str, after_label: str
) -> Table | None:
    """Return what was joined, both names, and why; None where nothing was.

    Args:
        joined: as the `diff` job answers.
        base_label: the base release's name.
        after_label: the other release's name.
    """
    if not joined:
        return None
    ordered = sorted(joined, key=lambda each: SUREST_LAST.index(each["how"]))
    notes = ["Each pair is one function in the graph of the difference."]
    if len(ordered) > MOST_SHOWN:
        notes.append(f"The first {MOST_SHOWN} of {len(ordered)}; the diff file has all.")
    return Table(
        id="joined",
        caption=f"Functions of {base_label} and {after_label} joined under different names",
        row_head=after_label,
        columns=(
            Column(key="base", label=base_label, numeric=False),
            Column(key="why", label="Why", numeric=False),
        ),
        rows=tuple(
            Row(
                key=f"j{index}",
                label=_listed(each["after"]),
                cells=(Cell(text=_listed(each["base"])), Cell(text=each["why"])),
            )
            for index, each in enumerate(ordered[:MOST_SHOWN], start=1)
        ),
        notes=tuple(notes),
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(short_name(name) for name in names) or NO_VALUE

"""The table of the functions that a diff took for one though their names differ."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.display import NO_VALUE, short_name
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.site_data.shifts_table import alias_line

MOST_SHOWN = 100
SUREST_LAST = ("renamed", "scope", "alias", "name")
"""Why functions were joined, that to be doubted most first."""

LIKELY = ("renamed", "scope")
"""Those that an author may confirm."""


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
    shown = ordered[:MOST_SHOWN]
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
            Column(
                key="alias",
                label="Alias",
                numeric=False,
                meaning="the line for [function_aliases] of the report that makes it certain",
            ),
        ),
        rows=tuple(
            Row(
                key=key,
                label=_listed(each["after"]),
                cells=(
                    Cell(text=_listed(each["base"])),
                    Cell(text=each["why"]),
                    Cell(text=_alias(each)),
                ),
            )
            for key, each in zip(
                row_keys(_listed(each["after"]) for each in shown), shown, strict=True
            )
        ),
        notes=tuple(notes),
    )


def _alias(joined: Mapping[str, Any]) -> str:
    if joined["how"] not in LIKELY:
        return NO_VALUE
    return alias_line(short_name(joined["key"]), short_name(joined["base_key"]))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(short_name(name) for name in names) or NO_VALUE

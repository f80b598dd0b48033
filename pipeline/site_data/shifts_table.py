"""Shifts of a diff as a table: cost that moved without growing, and where it came from."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.display import NO_VALUE, PERCENT, fixed, signed
from pipeline.site_data.frame_links import frame_link
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import Cell, Column, Row, Table

MOST_SHOWN = 20
"""Rows; the file has all."""

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def shifts_table(told: Mapping[str, Any], graph_id: str) -> Table | None:
    """Return what moved, the largest first; None where nothing did.

    Args:
        told: `suspects` of a `diff` job's answer.
        graph_id: of the diff's graph on the page.
    """
    shifts = told["shifts"]
    if not shifts:
        return None
    base, after = told["base"]["label"], told["after"]["label"]
    unit = told["shown"]["unit"].replace(" %", PERCENT)
    shown = shifts[:MOST_SHOWN]
    has_proposals = any(each["proposal"] for each in shown)
    alias = Column(
        key="alias",
        label="Alias",
        numeric=False,
        meaning="if it was renamed: the line for [function_aliases] of the report that says so",
    )
    return Table(
        id="shifts",
        caption=f"What moved from {base} to {after}, and grew by less",
        row_head="Function",
        columns=(
            Column(key="base", label=base, unit=unit, meaning="with everything it called"),
            Column(key="after", label=after, unit=unit, meaning="the same"),
            Column(key="risen", label="Grew there", unit=unit, meaning="in calls that grew"),
            Column(key="net", label="Grew on the whole", unit=unit, meaning="less what only moved"),
            Column(key="from", label="Came from", numeric=False, meaning="what is less instead"),
            *([alias] if has_proposals else []),
        ),
        rows=tuple(
            Row(
                key=key,
                label=shift["name"],
                function=shift["function"],
                url=frame_link(graph_id, shift["path"]),
                cells=(
                    *(_amount(told, shift[side]) for side in ("base", "after")),
                    *(_change(told, shift[grown]) for grown in ("risen", "net")),
                    Cell(text=_came_from(told, shift)),
                    *([Cell(text=_alias(shift["proposal"]))] if has_proposals else []),
                ),
            )
            for key, shift in zip(row_keys(each["name"] for each in shown), shown, strict=True)
        ),
        notes=(
            ()
            if len(shown) == len(shifts)
            else (f"The first {MOST_SHOWN} of {len(shifts)}; suspects.json has all.",)
        ),
    )


def alias_line(name: str, other: str) -> str:
    """Return the line of a report's `[function_aliases]` that joins two names."""
    return f"{name if BARE_KEY.fullmatch(name) else _toml(name)} = [{_toml(other)}]"


def _toml(text: str) -> str:
    """Return a string as TOML's basic strings are written."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    unseen = re.compile(r"[\x00-\x1f\x7f-\x9f]")
    return '"' + unseen.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def _alias(proposal: Mapping[str, str] | None) -> str:
    return alias_line(**proposal) if proposal else NO_VALUE


def _amount(told: Mapping[str, Any], value: float) -> Cell:
    if value == 0:
        return Cell(text=NO_VALUE, sort=0.0)
    shown = value * told["shown"]["factor"]
    return Cell(text=fixed(shown, told["shown"]["decimals"]), sort=value)


def _change(told: Mapping[str, Any], value: float) -> Cell:
    return Cell(text=_signed(told, value), sort=value)


def _signed(told: Mapping[str, Any], value: float) -> str:
    return signed(value * told["shown"]["factor"], told["shown"]["decimals"])


def _came_from(told: Mapping[str, Any], shift: Mapping[str, Any]) -> str:
    sources: Sequence[Mapping[str, Any]] = shift["sources"]
    parts = ", ".join(
        f"{each['name']}{', its own code' if each['own'] else ''} {_signed(told, each['change'])}"
        for each in sources
    )
    match shift["from"]:
        case "calls":
            return f"fewer or lighter calls by {parts}" if parts else "other calls of it"
        case "caller":
            return f"its caller: {parts}"
        case "callees":
            return f"other callers of what it calls: {parts}"
        case "frame":
            return f"the same frame, which did not grow by as much: {parts}"
        case _:
            return f"other functions of {shift['class']}"

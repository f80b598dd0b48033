"""Suspects of a diff as a table: what grew, what part of the growth it is, and what chance says."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.display import NO_VALUE, PERCENT, fixed, signed
from pipeline.site_data.frame_links import frame_link
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.site_data.suspects_sentences import why_no_p

MOST_SHOWN = 20
"""Rows; the file has all."""
MOST_NAMED = 2
"""Functions named in a cell; a note has all."""
UNKNOWN = "unknown"
CANNOT_TELL = "cannot tell"


def suspects_table(told: Mapping[str, Any], graph_id: str) -> Table | None:
    """Return the suspects, the largest growth first; None where there are none.

    Args:
        told: `suspects` of a `diff` job's answer.
        graph_id: of the diff's graph on the page, in which a row shows its function.
    """
    suspects = told["suspects"]
    if not suspects:
        return None
    base, after = told["base"]["label"], told["after"]["label"]
    why = why_no_p(told)
    return Table(
        id="suspects",
        caption=f"What grew from {base} to {after}, the largest growth first",
        row_head="Function",
        columns=_columns(told),
        rows=(
            *(
                _row(told, suspect, key, graph_id, why)
                for key, suspect in zip(
                    row_keys(each["name"] for each in suspects[:MOST_SHOWN]), suspects, strict=False
                )
            ),
            *_other_rows(told),
        ),
        notes=_cut(len(suspects)),
    )


def _columns(told: Mapping[str, Any]) -> tuple[Column, ...]:
    base, after = told["base"]["label"], told["after"]["label"]
    unit = told["shown"]["unit"].replace(" %", PERCENT)
    return (
        Column(key="base", label=base, unit=unit, meaning="with everything it called"),
        Column(key="after", label=after, unit=unit, meaning="the same"),
        Column(key="change", label="Change", unit=unit, meaning=f"{after} less {base}"),
        Column(key="net", label="Grew", unit=unit, meaning="the change less what only moved"),
        Column(key="part", label="Part", unit=f"of the growth,{PERCENT}", meaning=_part_of(told)),
        Column(
            key="p",
            label="p",
            meaning="chance that captures of one release would make any function look as grown",
        ),
        Column(
            key="base-captures",
            label=f"Captures of {base}",
            unit=unit,
            meaning="the least and the most that one of them has",
        ),
        Column(key="after-captures", label=f"Captures of {after}", unit=unit, meaning="the same"),
        Column(
            key="folded",
            label="Folded under it",
            numeric=False,
            meaning="functions that grew as they call it, or as it calls them",
        ),
        Column(
            key="where",
            label="Grew most at",
            numeric=False,
            meaning="the call paths, each by its shortest end that no other has",
        ),
    )


def _part_of(told: Mapping[str, Any]) -> str:
    if told["growth"] is None:
        return "unknown, as no log tells the operations of both sides"
    return "of what an operation costs more; all parts add up to the whole"


def _row(
    told: Mapping[str, Any], suspect: Mapping[str, Any], key: str, graph_id: str, why: str
) -> Row:
    base, after = (
        _amount(told, suspect[side], _only(told, suspect, side)) for side in ("base", "after")
    )
    return Row(
        key=key,
        label=suspect["name"],
        function=suspect["function"],
        url=frame_link(graph_id, suspect["path"]),
        cells=(
            base,
            after,
            _change(told, suspect["after"] - suspect["base"]),
            _change(told, suspect["net"]),
            _part(told, suspect["part"]),
            _p(suspect["p"], why),
            _range(told, suspect["base_range"]),
            _range(told, suspect["after_range"]),
            _folded(told, suspect),
            _where(told, suspect["calls"]),
        ),
    )


def _only(told: Mapping[str, Any], suspect: Mapping[str, Any], side: str) -> str:
    """Return what a total is of where a side has no such function."""
    if suspect["only"] in (None, side) or suspect[side] == 0:
        return ""
    return f"{told[side]['label']} has no such function: this is what it calls there"


def _other_rows(told: Mapping[str, Any]) -> tuple[Row, ...]:
    """Return the rows that make the parts add up: the rest of the suspects, and what is none."""
    growth = told["growth"]
    if growth is None:
        return ()
    others = told["suspects"][MOST_SHOWN:]
    rows = []
    if others:
        rows.append(("@others", f"{len(others)} more", sum(each["part"] for each in others)))
    if growth["even"]:
        rows.append(("@even", "all code, evenly", growth["even"]))
    rows += [
        ("@unexplained", "unexplained", growth["unexplained"]),
        ("@whole", "the whole growth", growth["whole"]),
    ]
    empty = (Cell(text=""),)
    return tuple(
        Row(
            key=key,
            label=label,
            cells=(
                *(empty * 3),
                _change(told, part),
                _part(told, part),
                *(empty * 5),
            ),
        )
        for key, label, part in rows
    )


def _amount(told: Mapping[str, Any], value: float, note: str = "") -> Cell:
    if value == 0:
        return Cell(text=NO_VALUE, sort=0.0)
    shown = value * told["shown"]["factor"]
    return Cell(text=fixed(shown, told["shown"]["decimals"]), sort=value, note=note)


def _change(told: Mapping[str, Any], value: float) -> Cell:
    return Cell(text=_signed(told, value), sort=value)


def _signed(told: Mapping[str, Any], value: float) -> str:
    return signed(value * told["shown"]["factor"], told["shown"]["decimals"])


def _part(told: Mapping[str, Any], part: float | None) -> Cell:
    growth = told["growth"]
    if growth is None or part is None:
        return Cell(text=UNKNOWN)
    if growth["whole"] <= 0:
        return Cell(text=NO_VALUE, note="On the whole, an operation costs no more than it did.")
    percent = 100 * part / growth["whole"]
    return Cell(text=fixed(percent, 1), sort=percent)


def _p(p: float | None, why: str) -> Cell:
    return Cell(text=CANNOT_TELL, note=why) if p is None else Cell(text=f"{p:.4f}", sort=p)


def _range(told: Mapping[str, Any], ends: Sequence[float] | None) -> Cell:
    if ends is None:
        return Cell(text=CANNOT_TELL)
    factor, decimals = told["shown"]["factor"], told["shown"]["decimals"]
    least, most = (fixed(end * factor, decimals) for end in ends)
    return Cell(text=f"{least} to {most}", sort=ends[1])


def _folded(told: Mapping[str, Any], suspect: Mapping[str, Any]) -> Cell:
    lists = (("it calls", suspect["callees"]), ("they call it", suspect["callers"]))
    named = [each for _, some in lists for each in some]
    if not named:
        return Cell(text=NO_VALUE)
    text = ", ".join(each["name"] for each in named[:MOST_NAMED])
    if len(named) > MOST_NAMED:
        text += f" and {len(named) - MOST_NAMED} more"
    notes = [
        f"{how}: " + ", ".join(f"{each['name']} {_signed(told, each['net'])}" for each in some)
        for how, some in lists
        if some
    ]
    return Cell(text=text, note="; ".join(notes))


def _where(told: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]) -> Cell:
    if not calls:
        return Cell(text=NO_VALUE)
    paths = [f"{each['path']} {_signed(told, each['change'])}" for each in calls]
    return Cell(text=paths[0], note="; ".join(paths) if len(paths) > 1 else "")


def _cut(suspects: int) -> tuple[str, ...]:
    if suspects <= MOST_SHOWN:
        return ()
    return (f"The first {MOST_SHOWN} of {suspects}; suspects.json has all.",)

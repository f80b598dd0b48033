"""Tables of functions: the largest of a profile, and what changed between two."""

from collections.abc import Mapping, Sequence

from pipeline.display import NO_VALUE, PERCENT, decimals_for, fixed, short_name, signed
from pipeline.profile import FunctionWeight, Profile, function_weights, joined_keys
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.units import noun, shown_in

SHARE_DECIMALS = 2
LARGEST = 40
"""Functions in the table beside a flame graph; the downloads hold all."""
MOST_CHANGED = 60
"""Functions in the table of a diff."""
LEAST_SHARE = 0.001
"""Of either side, for a function to count in the table of a diff."""


def functions_table(profile: Profile, table_id: str) -> Table:
    """Return the largest functions of a profile: the flame graph's equal for those without it."""
    largest = function_weights(profile)[:LARGEST]
    return Table(
        id=table_id,
        caption=f"The {len(largest)} functions with the largest totals",
        row_head="Function",
        columns=(
            Column(key="total", label="Total", unit="%", meaning="everything called included"),
            Column(key="self", label="Self", unit="%", meaning="the function alone"),
            Column(key="class", label="Class", numeric=False),
        ),
        rows=tuple(
            Row(
                key=f"f{index}",
                label=short_name(each.names[0]),
                cells=(
                    _percent_of(each.total_weight, profile.total),
                    _percent_of(each.self_weight, profile.total),
                    Cell(text=each.frame_class),
                ),
            )
            for index, each in enumerate(largest, start=1)
        ),
        notes=(
            f"Percent of all {noun(profile.unit)}. A sample counts once, "
            "however a function recurs.",
        ),
    )


def changes_table(
    base: Profile,
    after: Profile,
    base_label: str,
    after_label: str,
    costs: tuple[float, float] | None,
    aliases: Mapping[str, Sequence[str]],
) -> Table:
    """Return the functions of two profiles side by side, the largest change first.

    Args:
        base: the profile compared against.
        after: the profile compared.
        base_label: the base release's name.
        after_label: the other release's name.
        costs: whole-profile cost per operation of base and after; None compares shares.
        aliases: by key, the keys that are the same function.
    """
    functions = _by_function(base, aliases), _by_function(after, aliases)
    factor, cost_unit = shown_in(after.unit, costs or ())
    scale = (costs[0] * factor, costs[1] * factor) if costs else (100.0, 100.0)
    values = {
        function: tuple(
            side[function].total_weight / profile.total * whole if function in side else None
            for side, profile, whole in zip(functions, (base, after), scale, strict=True)
        )
        for function in functions[0].keys() | functions[1].keys()
    }
    kept = {
        function: pair
        for function, pair in values.items()
        if any(
            value is not None and value >= LEAST_SHARE * whole
            for value, whole in zip(pair, scale, strict=True)
        )
    }
    changes = {function: (pair[1] or 0) - (pair[0] or 0) for function, pair in kept.items()}
    ordered = sorted(kept, key=lambda function: (-abs(changes[function]), function))
    shown = ordered[:MOST_CHANGED]
    decimals = decimals_for(scale) if costs else SHARE_DECIMALS
    unit = f"{cost_unit}/operation" if costs else "%"
    return Table(
        id="functions",
        caption=f"Functions of {base_label} and {after_label}, callees included",
        row_head="Function",
        columns=(
            Column(key="base", label=base_label, unit=unit),
            Column(key="after", label=after_label, unit=unit),
            Column(
                key="change", label="Change", unit=unit, meaning=f"{after_label} − {base_label}"
            ),
        ),
        rows=tuple(
            Row(
                key=f"f{index}",
                label=short_name(_name_of(function, functions)),
                note="" if function[1] == "user" else f"class {function[1]}",
                cells=(
                    _value_or_reason(kept[function][0], decimals, f"new in {after_label}"),
                    _value_or_reason(kept[function][1], decimals, f"gone in {after_label}"),
                    Cell(text=signed(changes[function], decimals), sort=changes[function]),
                ),
            )
            for index, function in enumerate(shown, start=1)
        ),
        notes=(
            f"The {len(shown)} largest changes of the {len(ordered)} functions with at least "
            f"{100 * LEAST_SHARE:g}{PERCENT} of either profile; the diff file has all. Functions "
            "are paired by name, and where the diff joined two names: one that was inlined is gone "
            "on one side and new on the other.",
        ),
    )


def no_changes_table(base_label: str, after_label: str, reason: str) -> Table:
    """Return the table of two profiles that cannot be compared: empty, with the reason."""
    return Table(
        id="functions",
        caption=f"Functions of {base_label} and {after_label}",
        row_head="Function",
        columns=(
            Column(key="base", label=base_label),
            Column(key="after", label=after_label),
            Column(key="change", label="Change"),
        ),
        rows=(),
        notes=(f"No comparison: {reason}.",),
    )


def _by_function(
    profile: Profile, aliases: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], FunctionWeight]:
    weights = function_weights(profile, joined_keys(aliases))
    return {(each.key, each.frame_class): each for each in weights}


def _name_of(
    function: tuple[str, str], sides: Sequence[Mapping[tuple[str, str], FunctionWeight]]
) -> str:
    return next(side[function].names[0] for side in reversed(sides) if function in side)


def _value_or_reason(value: float | None, decimals: int, reason: str) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note=reason)
    return Cell(text=fixed(value, decimals), sort=value)


def _percent_of(weight: int, whole: int) -> Cell:
    share = weight / whole if whole else 0.0
    return Cell(text=fixed(100 * share, SHARE_DECIMALS), sort=share)

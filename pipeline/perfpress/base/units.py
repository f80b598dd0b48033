"""What weights count: which events come first, and weights and units in words.

`pipeline/profile/model/units.js` says which unit an event has, and graphs write weights with
`numbers.js` beside it: `tests/vectors/units.json` holds for both.
"""

import re
from collections.abc import Iterable

from perfpress.base.display import byte_size, number

# `0.01 samples`: folded stacks with fractions are counted in a hundredth of their unit
FRACTION = re.compile(r"(0\.0{0,17}1) (.+)", re.DOTALL)

CPU_UNITS = ("cycles", "CPU ns")
TIME_UNITS = (*CPU_UNITS, "ns")
UNNAMED = "samples"
"""Of captures that do not say what they sampled: most often CPU time."""
UNKNOWN_EVENT = "unknown"
"""The event of such captures, whatever unit their weights show."""
WAITS = "ps"

SECONDS_OF = {"CPU ns": 1e-9, "ns": 1e-9, WAITS: 1e-12}
"""How long one of the unit is."""

WAITING_UNITS = ((1.0, "waiting s"), (1e-3, "waiting ms"), (1e-6, "waiting µs"))
"""In which waits are shown, by how many seconds one is; shorter ones in the last."""

TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
"""In which the time of an operation is shown, by the nanoseconds of one; shorter ones in ns."""

NOUNS = {"CPU ns": "CPU time", "ns": "time", WAITS: "waiting time"}
"""What a unit measures, where that is another word."""


def event_rank(event: str, unit: str) -> tuple[int, str, str]:
    """Return the sort key of an event: CPU time first, then unnamed events, then the rest."""
    whole = whole_unit(unit)
    if whole in CPU_UNITS:
        return 0, event, unit
    return 1 if whole == UNNAMED else 2, event, unit


def may_be_cpu_time(event: str, unit: str) -> bool:
    """Return whether weights count CPU time or something unnamed."""
    return event == UNKNOWN_EVENT or whole_unit(unit) in (*CPU_UNITS, UNNAMED)


def whole_unit(unit: str) -> str:
    """Return the unit without a decimal factor."""
    fraction = FRACTION.fullmatch(unit)
    return fraction[2] if fraction else unit


def noun(unit: str) -> str:
    """Return what a unit measures, for a sentence: `CPU time`, `cycles`, `bytes`."""
    whole = whole_unit(unit)
    return NOUNS.get(whole, whole)


def weight_text(weight: float, unit: str) -> str:
    """Return a weight for readers: `12.30 s of CPU time`, `4.56 MB`, `8,123 objects`."""
    fraction = FRACTION.fullmatch(unit)
    whole = fraction[2] if fraction else unit
    value = weight * float(fraction[1]) if fraction else weight
    if seconds := SECONDS_OF.get(whole):
        return f"{number(value * seconds)} s of {noun(whole)}"
    if whole == "bytes":
        return byte_size(round(value))
    text = f"{value:,}" if isinstance(value, int) else number(value)
    return f"{text} {whole}"


def shown_time(nanoseconds: float) -> tuple[float, str]:
    """Return the factor and the unit in which a time of that size is shown."""
    size, unit = next((each for each in TIMES if nanoseconds >= each[0]), (1.0, "ns"))
    return 1 / size, unit


def shown_in(unit: str, values: Iterable[float]) -> tuple[float, str]:
    """Return the factor and the unit in which weights are shown.

    Picoseconds are not a unit to think in: 47,305,410 ps of waits are 47.31 waiting µs.

    Args:
        unit: that the weights have.
        values: all values of one column, which has one unit.
    """
    if unit != WAITS:
        return 1, unit
    largest = max(values, default=0.0) * SECONDS_OF[WAITS]
    size, shown = next((each for each in WAITING_UNITS if largest >= each[0]), WAITING_UNITS[-1])
    return SECONDS_OF[WAITS] / size, shown

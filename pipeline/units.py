"""What weights count: which events come first, and weights and units in words.

`pipeline/flamegraph/units.js` says which unit an event has.
"""

import re

from pipeline.display import byte_size, number

# `0.01 samples`: folded stacks with fractions are counted in a hundredth of their unit
FRACTION = re.compile(r"(0\.0*1) (.+)", re.DOTALL)

CPU_UNITS = ("cycles", "CPU ns")
UNNAMED = "samples"
"""Of captures that do not say what they sampled: most often CPU time."""
WAITS = "ps"

SECONDS_OF = {"CPU ns": 1e-9, "ns": 1e-9, WAITS: 1e-12}
"""How long one of the unit is."""

NOUNS = {"CPU ns": "CPU time", "ns": "time", WAITS: "waiting time"}
"""What a unit measures, where that is another word."""


def event_rank(event: str, unit: str) -> tuple[int, str, str]:
    """Return what events are sorted by: CPU time first, then what nobody named, then the rest."""
    whole = whole_unit(unit)
    if whole in CPU_UNITS:
        return 0, event, unit
    return 1 if whole == UNNAMED else 2, event, unit


def whole_unit(unit: str) -> str:
    """Return the unit of which weights count all, or tenths, hundredths of."""
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
    return f"{number(value)} {whole}"

"""What Python and JavaScript must both do: input and expected output, in `tests/vectors`."""

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> Any:
    """Return what `tests/vectors/NAME.json` holds."""
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def spoilt(value: Any, place: list[str | int], *replacement: Any) -> Any:
    """Return a copy of JSON with another value at a place, or with nothing there."""
    at, *rest = place
    copy = value.copy()
    if rest:
        copy[at] = spoilt(value[at], rest, *replacement)
    elif replacement:
        (copy[at],) = replacement
    else:
        del copy[at]
    return copy

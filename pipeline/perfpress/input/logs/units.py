"""The units that tools write, and what makes one of them another."""

import re
from decimal import Decimal

# ns/iter · us/op · ms/call: the time of one operation
OF_ONE = re.compile(r"/(?:iter|op|ops|call|operation|invocation)$")

OPERATIONS_PER_SECOND = re.compile(r"(?:ops?|operations?|iter|req|requests?)/s(?:ec)?")

SCALES: tuple[dict[str, Decimal], ...] = (
    {
        **dict.fromkeys(("ps",), Decimal("1e-12")),
        **dict.fromkeys(("ns", "nanoseconds"), Decimal("1e-9")),
        **dict.fromkeys(("us", "\N{MICRO SIGN}s", "\N{GREEK SMALL LETTER MU}s"), Decimal("1e-6")),
        **dict.fromkeys(("ms", "msec", "milliseconds"), Decimal("1e-3")),
        **dict.fromkeys(("s", "sec", "secs", "seconds"), Decimal(1)),
    },
    {
        **dict.fromkeys(("B", "bytes"), Decimal(1)),
        "KiB": Decimal(1 << 10),
        "MiB": Decimal(1 << 20),
        "GiB": Decimal(1 << 30),
    },
)
"""Each unit in the base of its kind. KB is missing: tools mean 1000 or 1024 by it."""


def factor_between(unit: str, wanted: str) -> Decimal | None:
    """Return what makes a number in one unit one in another; None where nothing does."""
    if unit == wanted:
        return Decimal(1)
    if wanted == "operations/s":
        return Decimal(1) if OPERATIONS_PER_SECOND.fullmatch(unit) else None
    plain = OF_ONE.sub("", unit)
    for scale in SCALES:
        if plain in scale and wanted in scale:
            return scale[plain] / scale[wanted]
    return None

"""Reads the response times that iibench.py prints, which `o.res.*` repeats for each client."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from perfpress.input.logs.readings import Histogram

# Insert rt:     256us       1ms       4ms      16ms      64ms     256ms        1s        4s …
#      16s        gt         max
# Insert rt:         0     17033    182633       334         0         0         0         0 …
#        0         0    0.012345
# Query thread #0 rt:       256us       1ms …
TIMES = re.compile(
    r"\s*(Insert|Delete|Query)(?: thread #\d+)? rt:((?:\s+\d{1,18}){10})\s+(\d+\.\d+)\s*$", re.ASCII
)
HEADING = re.compile(r"\s*(?:Insert|Delete|Query)(?: thread #\d+)? rt:\s+256us\s")

MILLISECONDS = (0.256, 1.0, 4.0, 16.0, 64.0, 256.0, 1000.0, 4000.0, 16000.0)
"""The upper ends of the buckets; the last bucket ends with the longest time."""
MILLI = 1000.0


@dataclass
class ResponseTimes:
    """Those of one kind of operation, over the clients that were read."""

    first_line: int
    counts: list[int] = field(default_factory=lambda: [0] * (len(MILLISECONDS) + 1))
    longest: float = 0.0
    """In ms."""


def read_times(by_kind: dict[str, ResponseTimes], line: str, number: int) -> bool:
    """Add a line of counts to those of its kind, `Insert`; return whether it is one."""
    found = TIMES.match(line)
    if found is None:
        return False
    times = by_kind.setdefault(found[1], ResponseTimes(number))
    times.counts = [
        count + int(more) for count, more in zip(times.counts, found[2].split(), strict=True)
    ]
    times.longest = max(times.longest, float(found[3]) * MILLI)
    return True


def histograms_of(by_kind: Mapping[str, ResponseTimes]) -> tuple[Histogram, ...]:
    """Return a histogram for each kind of operation that was done."""
    return tuple(
        Histogram(
            name=f"latency of {kind.lower()}",
            unit="ms",
            values=(*MILLISECONDS, max(times.longest, 2 * MILLISECONDS[-1])),
            values_are="upper",
            counts=tuple(times.counts),
            first_line=times.first_line,
        )
        for kind, times in by_kind.items()
        if any(times.counts)
    )

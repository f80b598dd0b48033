"""What is read of `perfpress compare --json`; see `perfpress.site.downloads.comparison_record`."""

import msgspec

FILE = "comparison.json"

TIME = "time_per_operation"
"""The metric whose ratio is the inverse of the rate's."""

COUNTED = "an exact count"
"""The evidence of numbers that no run moves."""


class PrintedVerdict(msgspec.Struct, frozen=True):
    """A verdict on one metric of one step."""

    verdict: str
    why: str = ""
    p: float | None = None
    evidence: str | None = None
    ratio: float | None = None
    interval: tuple[float, float] | None = None


class PrintedMetric(msgspec.Struct, frozen=True):
    """A metric of a step."""

    metric: str
    verdict: PrintedVerdict | None = None
    unit: str = ""
    base: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    """The value in each run."""


class PrintedStep(msgspec.Struct, frozen=True):
    """A step."""

    step: str
    rate: PrintedVerdict | None = None
    stated_as: str | None = None
    """The metric that logs state the rate in."""
    numbers: tuple[PrintedMetric, ...] = ()


class PrintedSide(msgspec.Struct, frozen=True):
    """One side."""

    runs: int


class PrintedComparison(msgspec.Struct, frozen=True):
    """What differs between two sides."""

    headline: str
    base: PrintedSide
    after: PrintedSide
    steps: tuple[PrintedStep, ...] = ()

"""Changes and shifts of a diff, as `diffgraph` answers and `suspects.json` holds them."""

from typing import Literal

import msgspec

from perfpress.base.node.messages.message import Message

Basis = Literal["share", "cost_per_operation", "relative_cost", "weight_per_second"]
SideName = Literal["base", "after"]


class Shown(Message, frozen=True):
    """How a column of numbers is written."""

    factor: float
    unit: str
    decimals: int


class SideSummary(Message, frozen=True):
    """One side of a diff."""

    label: str
    captures: int
    samples: int
    """0 of a profile without weight."""
    samples_stated: bool
    """Whether the captures state them; else they follow from the smallest weights."""
    whole: float


class Noise(Message, frozen=True):
    """How the noise of functions is known."""

    overdispersion: float
    """Variance of a function's weight, relative to that of a count of samples."""
    shown_by: Literal["captures", "sides", "limit", "report", "archives"]
    """What shows the overdispersion: the captures of the sides, the difference of the sides, the
    most that this may be, other captures of the report, captures of other archives."""
    ways: int
    """To split the captures in two."""
    tried: int
    level: float | None
    """The significance level of the test; None if there are too few captures to reach it."""


class ChangeParts(Message, frozen=True):
    """The other parts add up to `whole`."""

    whole: float
    even: float
    """What all code grew or shrank by."""
    additions: float
    savings: float
    rest: float


class FunctionChange(Message, frozen=True, kw_only=True):
    """What a function costs on both sides, with everything it called."""

    function: str
    """Class and name-match key, as in tables of functions."""
    name: str
    base: float
    after: float
    net: float
    """The change, less what only moved and what all code changed by."""


class CallChange(Message, frozen=True):
    """The change of one call path."""

    path: str
    change: float


class Change(FunctionChange, frozen=True, kw_only=True):
    """A function that grew or shrank beyond noise."""

    path: str
    """To the frame that changed most."""
    only: SideName | None
    """The side that alone has it; the other's total is of what it calls there."""
    part: float
    """Of the whole change; parts do not overlap."""
    noise: float
    """A smaller change may be chance."""
    p: float | None
    callers: tuple[FunctionChange, ...]
    callees: tuple[FunctionChange, ...]
    calls: tuple[CallChange, ...]


class ShiftSource(Message, frozen=True):
    """Where cost went down instead."""

    name: str
    own: bool
    change: float


class Proposal(Message, frozen=True):
    """An alias that would join what was renamed."""

    name: str
    other: str


class Shift(FunctionChange, frozen=True, kw_only=True):
    """Cost that moved to a function without growing."""

    path: str
    risen: float
    origin: Literal["calls", "caller", "frame", "class", "callees"] = msgspec.field(name="from")
    family: str = msgspec.field(name="class")
    sources: tuple[ShiftSource, ...]
    proposal: Proposal | None


class Findings(Message, frozen=True, kw_only=True):
    """The changes and shifts of a diff; `suspects.json` holds the same."""

    format: Literal["perfpress-suspects"] = "perfpress-suspects"
    version: Literal[2] = 2
    basis: Basis
    """Of all numbers here: shares of 1, or `unit` per operation or second.

    Relative costs are in percent, and `unit` says of what.
    """
    unit: str
    shown: Shown
    base: SideSummary
    after: SideSummary
    even: float
    """Cost of all code, relative to the base; 1 where it does not change."""
    spread_evenly: bool
    """No function changed by more than all code."""
    noise: Noise
    within_noise: int
    """Functions that changed, but by no more than noise."""
    not_ranked: int
    """Functions that changed by too little to be examined."""
    change: ChangeParts
    additions: tuple[Change, ...]
    """The largest net growth first."""
    savings: tuple[Change, ...]
    shifts: tuple[Shift, ...]

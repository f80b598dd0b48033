"""Stability of throughput within a run: decay, jumps, stalls, ramps.

Values of one run depend on each other, so nothing here is a test and nothing has a p: these are
descriptions of what happened in that run, by rules that pages show with the numbers.

    warm-up   leading intervals that stay below 90 % of the usual rate of the first half, at most a
              tenth of the run: set apart, and listed
    decay     the last tenth of the intervals against the first; medians, so that a spike is none
    stall     intervals below a tenth of what is usual around them
    shift     a place where the level jumps by a fifth or more and stays: both sides are flat beside
              the jump, which no straight line through all of the run is
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import ceil
from statistics import median

from perfpress.input.logs.readings import Series

FEWEST_FOR_WARM_UP = 20
WARMED_UP = 0.9
LONGEST_WARM_UP = 0.1

TENTHS = 10
STEADY = 0.15
"""A level that stays this near to its start holds."""
FEWEST_IN_TENTH = 5
"""Intervals needed for a median to be taken as a level; with fewer it is as noisy as they are."""

FEWEST_FOR_STALLS = 10
STALLED = 0.1
NEIGHBOURS = 15
"""Intervals before and after one that show what is usual there."""

FEWEST_FOR_SHIFT = 20
LEAST_SHIFT = 0.2
EXPLAINED = 0.7
"""Part of the variance that two flat levels have to explain; and more than a straight line does."""


@dataclass(frozen=True)
class Stall:
    """Intervals in which next to nothing was done."""

    start: float
    """Seconds since the start of the log's clock: the end of the last interval before."""
    end: float
    lowest: float
    """In the unit of the series."""
    usual: float
    """Around it."""


@dataclass(frozen=True)
class LevelJump:
    """A jump from one level to another."""

    at: float
    """Seconds: the end of the last interval of the old level."""
    before: float
    after: float


@dataclass(frozen=True)
class Stability:
    """What a series did after its warm-up."""

    warm_up: float
    """Seconds that were set apart; 0 where there was none."""
    seconds: float
    """How long the rest is, from the start of the clock to its last interval."""
    start: float
    """The median of the first tenth."""
    end: float
    """The median of the last tenth."""
    lowest: float
    """The lowest median of a tenth."""
    highest: float
    in_tenth: int
    """Intervals of the smallest tenth."""
    stalls: tuple[Stall, ...]
    shifts: tuple[LevelJump, ...]

    @property
    def decay(self) -> float | None:
        """The last tenth ÷ the first; None where the first is 0."""
        return self.end / self.start if self.start > 0 else None

    @property
    def has_levels(self) -> bool:
        """Whether its tenths hold enough intervals for their levels to be more than noise."""
        return self.in_tenth >= FEWEST_IN_TENTH

    @property
    def holds(self) -> bool:
        """Whether no tenth is far from the first."""
        return self.start > 0 and self._away <= STEADY

    @property
    def _away(self) -> float:
        """How far the furthest tenth is from the first, a part of it."""
        return max(1 - self.lowest / self.start, self.highest / self.start - 1)

    @property
    def words(self) -> str:
        """What happened in one sentence: `falls to 5 % of its start within a minute`."""
        if self.start <= 0:
            return "did nothing at its start"
        end, lowest, highest = (each / self.start for each in (self.end, self.lowest, self.highest))
        within = f"within {_duration(self.seconds)}"
        if self.holds:
            return f"holds within {_percent(ceil(round(100 * self._away, 6)) / 100)}"
        if end < 1 - STEADY:
            return f"falls to {_percent(end)} of its start {within}"
        if end > 1 + STEADY:
            return f"rises to {_percent(end)} of its start {within}"
        return f"varies between {_percent(lowest)} and {_percent(highest)} of its start {within}"


def stability_of(series: Series) -> Stability | None:
    """Return how stable a series is; None for fewer than two values."""
    if len(series.values) < 2:
        return None
    cut = _warm_up(series.values)
    seconds, values = series.seconds[cut:], series.values[cut:]
    edges = _tenths(len(values))
    tenths = [median(values[first:last]) for first, last in edges]
    return Stability(
        warm_up=series.seconds[cut - 1] if cut else 0.0,
        seconds=seconds[-1],
        start=tenths[0],
        end=tenths[-1],
        lowest=min(tenths),
        highest=max(tenths),
        in_tenth=min(last - first for first, last in edges),
        stalls=tuple(_stalls(seconds, values)),
        shifts=tuple(_shift(seconds, values)),
    )


def _warm_up(values: Sequence[float]) -> int:
    """Return how many leading intervals are the warm-up."""
    if len(values) < FEWEST_FOR_WARM_UP:
        return 0
    longest = int(len(values) * LONGEST_WARM_UP)
    usual = median(values[longest : len(values) // 2])
    below = next((at for at, value in enumerate(values) if value >= WARMED_UP * usual), longest + 1)
    return below if below <= longest else 0


def _tenths(count: int) -> list[tuple[int, int]]:
    """Return where each tenth begins and ends; fewer than ten values are a tenth each."""
    parts = min(TENTHS, count)
    edges = [round(part * count / parts) for part in range(parts + 1)]
    return list(pairwise(edges))


def _stalls(seconds: Sequence[float], values: Sequence[float]) -> list[Stall]:
    if len(values) < FEWEST_FOR_STALLS:
        return []
    usual = [
        median(values[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]) for at in range(len(values))
    ]
    stalled = [value < STALLED * level for value, level in zip(values, usual, strict=True)]
    found = []
    for is_stall, group in groupby(range(len(values)), key=stalled.__getitem__):
        places = list(group)
        if is_stall:
            first, last = places[0], places[-1]
            found.append(
                Stall(
                    start=seconds[first - 1] if first else 0.0,
                    end=seconds[last],
                    lowest=min(values[first : last + 1]),
                    usual=max(usual[first : last + 1]),
                )
            )
    return found


def _shift(seconds: Sequence[float], values: Sequence[float]) -> list[LevelJump]:
    """Return the one jump that explains the change, if there is one."""
    count = len(values)
    if count < FEWEST_FOR_SHIFT:
        return []
    total = _squares(values)
    edge = ceil(count / TENTHS)
    left = _left_squares(values)
    right = _left_squares(values[::-1])
    inside, at = min((left[at] + right[count - at], at) for at in range(edge, count - edge + 1))
    before, after = median(values[:at]), median(values[at:])
    jumps = abs(after - before) >= LEAST_SHIFT * max(before, after)
    flat = total - inside >= EXPLAINED * total and inside < _around_line(values)
    return [LevelJump(seconds[at - 1], before, after)] if jumps and flat and total > 0 else []


def _left_squares(values: Sequence[float]) -> list[float]:
    """Return by n the squared distances of the first n values from their mean (Welford)."""
    squares, mean = [0.0], 0.0
    for count, value in enumerate(values, start=1):
        distance = value - mean
        mean += distance / count
        squares.append(squares[-1] + distance * (value - mean))
    return squares


def _squares(values: Sequence[float]) -> float:
    return _left_squares(values)[-1]


def _around_line(values: Sequence[float]) -> float:
    """Return the squared distances from the straight line that fits best."""
    count = len(values)
    middle = (count - 1) / 2
    spread = sum((at - middle) ** 2 for at in range(count))
    slope = sum((at - middle) * value for at, value in enumerate(values)) / spread
    return _squares([value - slope * at for at, value in enumerate(values)])


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _duration(seconds: float) -> str:
    """Return `45 s`, `a minute`, `30 minutes`, `an hour`, `2.5 hours`."""
    for unit, length in (("hour", 3600), ("minute", 60)):
        count = round(seconds / length, 1)
        if count == 1:
            return "an hour" if unit == "hour" else "a minute"
        if count > 1:
            return f"{count:g} {unit}s"
    return f"{seconds:.3g} s"

"""Warns about poor profiles. All thresholds are here; /method/ explains them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from perfpress.analysis.profiles.quality import DEEPEST_OF_PERF, Quality
from perfpress.base.display import PERCENT, fixed, plural

MOST_LOST = 0.01
"""Of the samples. A recorder loses them in bursts, when the machine is busiest."""
MOST_UNKNOWN = 0.05
"""Of the weight. As much may be missing from any function."""
MOST_MINIFIED = 0.20
"""Of the weight: a function of one letter is nothing special, a fifth of a profile is."""
MOST_BROKEN = 0.10
"""Of the weight, in stacks that do not reach a start, or were cut: tables by path miss them."""
FEWEST_SAMPLES = 1_000
"""Of 1 % there are ten then, and random sampling alone gives 4 to 17 (95 %, Poisson)."""


class QualityWarning(NamedTuple):
    """What a reader must know before trusting a profile."""

    short: str
    """For a cell of a table."""
    amount: str
    """How much of the profile."""
    what: str
    """What is wrong with so much of it."""
    meaning: str
    """What that does to its numbers."""

    @property
    def text(self) -> str:
        """Return the warning as a sentence."""
        return f"{self.amount} {self.what}: {self.meaning}."


def warnings_of(quality: Quality) -> tuple[QualityWarning, ...]:
    """Return the warnings about a profile; none about a good one."""
    return (*_of_captures(quality), *_of_stacks(quality))


def warnings_of_sides(sides: Iterable[tuple[str, Quality]]) -> Iterator[str]:
    """Yield the warnings about the profiles of a diff, a sentence for what both have.

    `25.3 % (6.28) and 7.2 % (10.10) of the weight is in code without a symbol: …`
    """
    found: dict[tuple[str, str], list[str]] = {}
    for label, quality in sides:
        for each in warnings_of(quality):
            found.setdefault((each.what, each.meaning), []).append(f"{each.amount} ({label})")
    for (what, meaning), amounts in found.items():
        yield f"{' and '.join(amounts)} {what}: {meaning}."


def _of_captures(quality: Quality) -> Iterator[QualityWarning]:
    if quality.partial_captures:
        yield QualityWarning(
            "cut captures",
            f"{quality.partial_captures} of {plural(quality.captures, 'capture')}",
            "ended too early",
            "what can be read of them is in the shares, and in no cost",
        )
    if quality.shares_only:
        yield QualityWarning(
            "shares only", "All", "of the weight gives shares only, no cost", quality.shares_only
        )
    if quality.lost_share is not None and quality.lost_share > MOST_LOST:
        yield QualityWarning(
            "lost samples",
            percent(quality.lost_share),
            "of the samples were lost",
            "what ran when the machine was busiest counts for too little",
        )
    if quality.samples is not None and quality.samples < FEWEST_SAMPLES:
        yield QualityWarning(
            "few samples",
            plural(quality.samples, "sample"),
            "only",
            "small shares are a matter of chance",
        )


def _of_stacks(quality: Quality) -> Iterator[QualityWarning]:
    if quality.unknown > MOST_UNKNOWN:
        yield QualityWarning(
            "unknown code",
            percent(quality.unknown),
            "of the weight is in code without a symbol",
            "as much may be missing from any function",
        )
    if quality.minified > MOST_MINIFIED:
        yield QualityWarning(
            "minified names",
            percent(quality.minified),
            "of the weight is in functions with names of one or two letters, as minifiers give",
            "in another build they are others",
        )
    if quality.no_start is not None and quality.no_start > MOST_BROKEN:
        yield QualityWarning(
            "broken stacks",
            percent(quality.no_start),
            "of the weight is in stacks that do not reach the start of their thread",
            "tables by call path miss a part of it",
        )
    if quality.cut_off > MOST_BROKEN:
        yield QualityWarning(
            "cut stacks",
            percent(quality.cut_off),
            "of the weight is in stacks deeper than what was kept",
            f"{DEEPEST_OF_PERF} frames, unless perf was configured otherwise",
        )


def percent(share: float) -> str:
    """Return a share as text: `3.2 %`."""
    return f"{fixed(100 * share, 1)}{PERCENT}"

"""Lists the quality of one profile: samples, rate, lost and cut-off stacks."""

from collections.abc import Iterator, Mapping, Sequence

from perfpress.analysis.profiles.captures import FEWEST_FOR_SPREAD
from perfpress.analysis.profiles.cost import SCOPES
from perfpress.analysis.profiles.function_kinds import OTHER
from perfpress.analysis.profiles.quality import Quality
from perfpress.base.display import NO_VALUE, percent_change, short_name
from perfpress.base.units import WAITS, weight_text
from perfpress.site.shapes.blocks import Fact
from perfpress.site.words.quality_warnings import percent

CLASS_NAMES = {
    "user": "program",
    "library": "libraries",
    "kernel": "kernel",
    "jit": "made at run time",
    "inlined": "inlined",
    "thread": "no stack",
}
"""Where code is, in words, by the class of its frames."""

KIND_NAMES = {
    "allocator": "allocator",
    "memory": "memory and strings",
    "locks": "locks",
    OTHER: "other",
}
"""What code does, in words."""


MOST_LIBRARIES = 8


def quality_facts(quality: Quality) -> tuple[Fact, ...]:
    """Return the quality of a profile, a fact each."""
    code = () if quality.unit == WAITS else _code(quality)
    return (*_captured(quality), *_stacks(quality), *code)


def _captured(quality: Quality) -> Iterator[Fact]:
    partial = quality.partial_captures
    note = f"{partial} of them ended too early" if partial else ""
    yield Fact(label="Captures", value=str(quality.captures), note=note)
    yield Fact(
        label="Captured",
        value=NO_VALUE if quality.seconds is None else f"{quality.seconds:g} s",
        note="; ".join(SCOPES[scope] for scope in quality.scopes or (None,)),
    )
    asked = ", ".join(f"{each:g}" for each in quality.frequencies)
    yield Fact(
        label="Event",
        value=quality.event,
        note=f"{asked} samples a second asked for" if asked else "",
    )
    yield Fact(label="Samples", value=count_text(quality.samples))
    lost = "" if quality.lost_share is None else f"{percent(quality.lost_share)} of the samples"
    yield Fact(label="Lost", value=f"{quality.lost:,}", note=lost)
    if skipped := skipped_text(quality):
        yield Fact(label="Left out", value=skipped)
    spread = NO_VALUE if quality.spread is None else percent(quality.spread.relative)
    yield Fact(label="Spread", value=spread, note=spread_text(quality))


def _stacks(quality: Quality) -> Iterator[Fact]:
    of_weight = "of the weight"
    yield Fact(label="No symbol", value=percent(quality.unknown), note=f"{of_weight}: unknown code")
    if quality.no_start is None:
        value, note = NO_VALUE, "no stack begins where a thread is known to start"
    else:
        value = percent(quality.no_start)
        note = f"{of_weight}: stacks that do not reach the start of their thread"
    yield Fact(label="No thread start", value=value, note=note)
    note = f"{of_weight}: stacks at the limit of their depth"
    yield Fact(label="Cut off", value=percent(quality.cut_off), note=note)
    threads, note = f"{quality.exited_threads:,}", "ended before their names were seen"
    if quality.exited_threads:
        note = f"{note}: {percent(quality.exited)} {of_weight}"
    yield Fact(label="Unnamed threads", value=threads, note=note)


def _code(quality: Quality) -> Iterator[Fact]:
    by_class = dict(quality.by_class)
    yield Fact(label="Where the code is", value=_shares(by_class, CLASS_NAMES))
    if quality.by_library:
        yield Fact(label="Libraries", value=_libraries(quality.by_library))
    yield Fact(label="What it does", value=_shares(dict(quality.by_kind), KIND_NAMES))


def _libraries(shares: Sequence[tuple[str, float]]) -> str:
    """Return the heaviest libraries: `61.2 % postgres, 20.1 % [kernel] and 3 more`."""
    listed = ", ".join(
        f"{percent(share)} {short_name(library)}" for library, share in shares[:MOST_LIBRARIES]
    )
    more = len(shares) - MOST_LIBRARIES
    return f"{listed} and {more} more" if more > 0 else listed


def _shares(shares: Mapping[str, float], names: Mapping[str, str]) -> str:
    return ", ".join(
        f"{percent(shares[each])} {name}" for each, name in names.items() if shares.get(each)
    )


def count_text(count: int | None) -> str:
    """Return a count, or that there is none."""
    return NO_VALUE if count is None else f"{count:,}"


def skipped_text(quality: Quality) -> str:
    """Return what was not read of the captures, and why."""
    return "; ".join(f"{times:,} × {reason}" for reason, times in quality.skipped)


def spread_text(quality: Quality) -> str:
    """Return how far the captures differ: what they weigh per captured second."""
    spread = quality.spread
    if spread is None:
        return f"fewer than {FEWEST_FOR_SPREAD} whole captures of a known length"
    low, high = (percent_change(value / spread.middle) for value in (spread.low, spread.high))
    middle = weight_text(spread.middle, quality.unit)
    return f"{low} to {high} of the median capture, {middle} a second"

"""Finds what an archive shows to be equal: configurations that change their name, twins, reruns.

Only what was measured on several releases, and is equal within noise there, is declared in the
draft. What merely looks so is drafted as a comment, with what there is to see.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import exp, log
from statistics import fmean, median

from perfpress.base.display import plural
from perfpress.base.groups import grouped
from perfpress.input.bundles.variant import Variant

EQUAL = 0.03
"""Of the median over steps and releases of |log ratio|: rates of equal runs differ by 1 to 3 %."""

EQUAL_STEP = 0.10
"""Of the median over releases of one step, so that no step is slower on all of them."""

FEWEST_RELEASES = 2
"""On which both were measured; on one, a step that differs may be noise."""

FEWEST_RATIOS = 4
"""Steps times releases."""

RERUN = re.compile(r"(?P<name>.*[^._-])[._-]?(?:v|run|rerun)\d+")
"""What people call a second measurement: `z12a_c8r32v2`."""

RatesByStep = Mapping[str, float]
"""Throughput by step."""


@dataclass(frozen=True)
class Measured:
    """One variant and all that was measured of it."""

    variant: Variant
    rates: Mapping[str, RatesByStep]
    """By release."""


@dataclass(frozen=True)
class Equals:
    """One group of equal names, for the report file."""

    key: str
    """`same_config`, `twin_variants` or `same_code`."""
    names: tuple[str, ...]
    evidence: str
    is_shown: bool
    """Whether the archive itself shows it."""


@dataclass
class _Pair:
    """Two configurations, over all hosts, clients and axes that have both."""

    variants: list[tuple[Variant, Variant]] = field(default_factory=list)
    common: set[str] = field(default_factory=set)
    """The releases on which both were measured."""
    first: set[str] = field(default_factory=set)
    """The releases of the first."""
    second: set[str] = field(default_factory=set)
    ratios: dict[str, list[float]] = field(default_factory=dict)
    """Logarithms, by step."""

    def add(self, one: Measured, other: Measured) -> None:
        self.variants.append((one.variant, other.variant))
        self.first |= one.rates.keys()
        self.second |= other.rates.keys()
        for release in one.rates.keys() & other.rates.keys():
            self.common.add(release)
            _add_ratios(self.ratios, one.rates[release], other.rates[release])


def equals(
    measured: Sequence[Measured], order: Sequence[str], programs: Mapping[str, str]
) -> list[Equals]:
    """Return the groups that an archive shows or suggests to be equal.

    Args:
        measured: the variants of a report.
        order: its releases, the oldest first.
        programs: what was measured, by release, where names say it.
    """
    place = {release: at for at, release in enumerate(order)}
    found = list(_of_configs(measured, place, programs))
    found += _reruns_of_axes(measured, place)
    found += _reruns_of_releases(measured, order)
    return _joined(found)


def _joined(found: Iterable[Equals]) -> list[Equals]:
    """Return the groups, those that are shown and share a name as one."""
    joined: list[Equals] = []
    for each in found:
        shared = [
            other
            for other in joined
            if each.is_shown and other.is_shown and other.key == each.key
            if set(other.names) & set(each.names)
        ]
        names = dict.fromkeys(name for group in (*shared, each) for name in group.names)
        evidence = "; ".join(group.evidence for group in (*shared, each))
        joined = [other for other in joined if other not in shared]
        joined.append(replace(each, names=tuple(names), evidence=evidence))
    return joined


def _of_configs(
    measured: Sequence[Measured], place: Mapping[str, int], programs: Mapping[str, str]
) -> Iterator[Equals]:
    pairs: dict[tuple[str, str], _Pair] = {}
    begun = {
        config: min(min(map(place.__getitem__, each.rates)) for each in own)
        for config, own in grouped(measured, lambda each: each.variant.config or "").items()
    }
    for one, other in combinations(measured, 2):
        if one.variant.config and other.variant.config and _differ_in_config(one, other):
            early, late = sorted(
                (one, other),
                key=lambda each: (begun[each.variant.config or ""], each.variant.config or ""),
            )
            names = early.variant.config or "", late.variant.config or ""
            pairs.setdefault(names, _Pair()).add(early, late)
    for names, pair in pairs.items():
        one_program = len({programs.get(each) for each in pair.first | pair.second}) == 1
        if pair.common:
            yield from _judged(names, pair, place)
        elif one_program and _follows(pair, place):
            words = f"no release has both: {names[1]} follows on {names[0]}"
            yield Equals("same_config", names, words, is_shown=False)


def _judged(names: tuple[str, str], pair: _Pair, place: Mapping[str, int]) -> Iterator[Equals]:
    """Yield what a pair of configurations is: one that changes its name, twins, or nothing."""
    if not _equal(pair.ratios):
        return
    is_shown = len(pair.common) >= FEWEST_RELEASES
    evidence = _evidence(pair.ratios, pair.common, place)
    if _goes_on(pair, place) or _is_rerun(*names):
        yield Equals("same_config", names, evidence, is_shown=is_shown)
    else:
        for variants in pair.variants:
            slugs = tuple(each.slug for each in variants)
            yield Equals("twin_variants", slugs, evidence, is_shown=is_shown)


def _follows(pair: _Pair, place: Mapping[str, int]) -> bool:
    """Return whether the second begins with the release after the last of the first."""
    return min(map(place.__getitem__, pair.second)) == 1 + max(map(place.__getitem__, pair.first))


def _goes_on(pair: _Pair, place: Mapping[str, int]) -> bool:
    """Return whether the second begins later than the first, and ends later."""
    first, second = (sorted(map(place.__getitem__, each)) for each in (pair.first, pair.second))
    return first[0] < second[0] and first[-1] < second[-1]


def _reruns_of_axes(measured: Sequence[Measured], place: Mapping[str, int]) -> Iterator[Equals]:
    """Yield variants of which one is called as a rerun of the other on one axis."""
    for one, other in combinations(measured, 2):
        values = dict(one.variant.axes), dict(other.variant.axes)
        others = {
            name for name in values[0] | values[1] if values[0].get(name) != values[1].get(name)
        }
        if replace(one.variant, axes=()) != replace(other.variant, axes=()) or len(others) != 1:
            continue
        (name,) = others
        if not _is_rerun(values[0].get(name, ""), values[1].get(name, "")):
            continue
        pair = _Pair()
        pair.add(one, other)
        if _equal(pair.ratios):
            evidence = _evidence(pair.ratios, pair.common, place)
            names = one.variant.slug, other.variant.slug
            is_shown = len(pair.common) >= FEWEST_RELEASES
            yield Equals("twin_variants", names, evidence, is_shown=is_shown)


def _reruns_of_releases(measured: Sequence[Measured], order: Sequence[str]) -> Iterator[Equals]:
    """Yield releases of which one is called as a rerun of the other, and performs as it does."""
    for one, other in combinations(order, 2):
        ratios: dict[str, list[float]] = {}
        for each in measured if _is_rerun(one, other) else ():
            _add_ratios(ratios, each.rates.get(one, {}), each.rates.get(other, {}))
        if _equal(ratios):
            yield Equals("same_code", (one, other), _words(ratios), is_shown=False)


def _differ_in_config(one: Measured, other: Measured) -> bool:
    return replace(one.variant, config=None) == replace(other.variant, config=None)


def _is_rerun(one: str, other: str) -> bool:
    """Return whether one name is the other with `v2` or the like at its end."""
    bases = [(match := RERUN.fullmatch(name)) and match["name"] for name in (one, other)]
    return one in (bases[1],) or other in (bases[0],)


def _add_ratios(ratios: dict[str, list[float]], one: RatesByStep, other: RatesByStep) -> None:
    for step in one.keys() & other.keys():
        ratios.setdefault(step, []).append(log(other[step] / one[step]))


def _equal(ratios: Mapping[str, Sequence[float]]) -> bool:
    every = [abs(ratio) for own in ratios.values() for ratio in own]
    return (
        len(every) >= FEWEST_RATIOS
        and median(every) < EQUAL
        and max(abs(median(own)) for own in ratios.values()) < EQUAL_STEP
    )


def _evidence(
    ratios: Mapping[str, Sequence[float]], common: Iterable[str], place: Mapping[str, int]
) -> str:
    """Return what shows that two are equal, in words."""
    releases = sorted(common, key=place.__getitem__)
    where = f"{releases[0]} to {releases[-1]}" if len(releases) > 1 else releases[0]
    return f"both on {plural(len(releases), 'release')} ({where}): {_words(ratios)}"


def _words(ratios: Mapping[str, Sequence[float]]) -> str:
    every = [abs(ratio) for own in ratios.values() for ratio in own]
    of_steps = {step: abs(median(own)) for step, own in ratios.items()}
    most = max(sorted(of_steps), key=of_steps.__getitem__)
    return (
        f"median difference {_percent(median(every))} over {plural(len(ratios), 'step')}, "
        f"at most {_percent(of_steps[most])} ({most})"
    )


def _percent(ratio: float) -> str:
    return f"{100 * (exp(ratio) - 1):.1f} %"


def mean_rates(runs: Iterable[RatesByStep]) -> RatesByStep:
    """Return the rates of several runs as one: the geometric mean of each step."""
    logs: dict[str, list[float]] = {}
    for rates in runs:
        for step, rate in rates.items():
            logs.setdefault(step, []).append(log(rate))
    return {step: exp(fmean(own)) for step, own in logs.items()}

"""Verdicts: is a release slower than another one on a step, and how sure is that.

What is counted and not timed (`exact_counts.py`) needs none of the following. Any other comparison
has up to three kinds of evidence, and says which one decided:

    a test             five independent values or more on each side: Mann-Whitney, two-sided, or
                       Student's t where builds are known to have levels of their own
    the series         both stand on different sides of a level change (level_changes.py)
    the noise floor    what measurements of the same thing differ by (noise_model.py), by Student's
                       t; where nothing in the report shows that, the prior

Of test and floor the smallest p counts, each divided by the weight of its kind (Bonferroni,
weighted). The weights are the same whatever a comparison has, so that a kind that comes with more
runs weakens no other. The steps that a release is judged on against the same base are one family
(Benjamini and Hochberg). A level change has paid for the places where it could have been, and a
page that shows one cannot say that nothing changed: it decides with its own p.
The content of `content/docs/verdicts.md` is this, in words.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import exp, expm1, fsum, inf, log, sqrt
from typing import Literal, NamedTuple

import msgspec
from scipy.special import stdtr, stdtrit

from perfpress.analysis.metrics.intervals import FEWEST_FOR_RATIO, Interval, interval_of_ratio
from perfpress.analysis.metrics.intervals import LEVEL as CONFIDENCE
from perfpress.analysis.metrics.throughput import CellComparison, Summary, compare
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.exact_counts import SAME, is_counted_alike, is_same_count
from perfpress.analysis.verdicts.level_changes import LevelChange, SeriesLevels
from perfpress.analysis.verdicts.noise import Noise
from perfpress.analysis.verdicts.noise_windows import Noises
from perfpress.analysis.verdicts.significance import LEVEL, adjusted, mann_whitney
from perfpress.analysis.verdicts.states import State, state_of_change
from perfpress.input.logs.readings import Better
from perfpress.input.report.report import Report

NOISY = 0.10
"""A change of this part that could go unseen is too large to call anything unchanged."""

MEANINGLESS = 0.50
"""A limit beyond this part of the value says nothing."""

SMALLEST_P = 0.0001

NEVER_ZERO = 1e-200
"""Below any p that matters, so that ratios of p values can be taken."""


class Evidence(StrEnum):
    """What a verdict rests on, the best first."""

    COUNT = "an exact count"
    TEST = "a test"
    SERIES = "the series"
    FLOOR = "the noise floor"
    PRIOR = "the prior"


WEIGHTS = {"test": 0.16, "floor": 0.79}
"""Of the kinds of evidence. Most comparisons have the noise floor alone; five runs on each side, in
order, have p = 2/252 and are slower by themselves. What is left to 1 is the price of the series."""


class Verdict(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a cell against the same variant and step of another release."""

    cell: CellKey
    base: str
    """The release compared with."""
    state: State
    why: str
    """The evidence in words: the test, the series or the floor, and numbers of runs."""
    comparison: CellComparison | None = None
    evidence: Evidence | None = None
    """What decided; None where there are no two numbers to compare."""
    p: float | None = None
    """Adjusted for the kinds of evidence and for the family."""
    interval: Interval | None = None
    """Of the ratio, at 95 % or more, by the test or the noise floor; None where it would say less
    than the series does."""
    within: float | None = None
    """The far end of the interval: a change, a part of the base, that is not excluded."""
    since: LevelChange | None = None
    """The level change that lies between the two releases, if there is one."""
    accepted: str = ""
    """Why its author accepts a regression; empty where nobody does."""
    resolved: str = ""
    """The later release in which a change seen in one run was gone again."""
    environment: tuple[str, ...] = ()
    """What else differs between the two: names of facts of machine, tools and attachments."""

    @property
    def words(self) -> str:
        """The state as pages write it: `no change seen (within ±2.1 %)`."""
        return self.state.words(self.within)


class Absent(NamedTuple):
    """Why a cell that has runs has no value that counts."""

    state: Literal[State.MISSING, State.FAILED]
    why: str


@dataclass(frozen=True)
class JudgedMetric:
    """What verdicts are about: one metric of all cells of a report."""

    summaries: Mapping[CellKey, Summary]
    absent: Mapping[CellKey, Absent]
    """Cells that have runs but no value that counts."""
    noise: Noises
    levels: Mapping[StepKey, SeriesLevels] = field(default_factory=dict)
    better: Better = "higher"
    is_exact: bool = False
    """Whether it is counted and not timed."""


@dataclass(frozen=True)
class _Clue:
    """One kind of evidence about one comparison."""

    evidence: Evidence
    p: float
    """With the price of looking at other kinds too."""
    words: str
    """After the numbers of runs: `Mann-Whitney`, `noise floor ±3.1 % from repeats`."""


@dataclass(frozen=True)
class _Compared:
    """Two cells, and all that is known of their difference."""

    comparison: CellComparison
    clues: tuple[_Clue, ...]
    """Of these runs, a test before the floor."""
    interval: Interval
    since: LevelChange | None
    """What the series says, where that goes the same way."""

    @property
    def p(self) -> float:
        """The smallest of the clues."""
        return min(clue.p for clue in self.clues)


def verdicts_against(
    metric: JudgedMetric, report: Report, release: str, base: str, variants: Iterable[str]
) -> dict[CellKey, Verdict]:
    """Return the verdicts of one release against another, on all steps that either has.

    Args:
        metric: all that was measured of it.
        report: for the order of its steps.
        release: its id.
        base: the release compared with.
        variants: that the release ran; of others nothing is missing.
    """
    cells = [
        CellKey(release, variant, step)
        for variant in variants
        for step in report.steps
        if _is_known(metric, CellKey(release, variant, step))
        or _is_known(metric, CellKey(base, variant, step))
    ]
    return verdicts_on_cells(metric, report, cells, base)


def verdicts_on_cells(
    metric: JudgedMetric, report: Report, cells: Sequence[CellKey], base: str
) -> dict[CellKey, Verdict]:
    """Return the verdicts on cells of one release against another.

    The verdicts are one family: what is called slower or faster among them is so by chance in at
    most 5 %.
    """
    counted = {cell: exact for cell in cells if (exact := _counted(metric, cell, base))}
    compared = {
        cell: found
        for cell in cells
        if cell not in counted and (found := _compared(metric, cell, base))
    }
    p_values = adjusted({cell: found.p for cell, found in compared.items()})
    return counted | {
        cell: _judged(metric.better, report, cell, compared[cell], p_values[cell], len(compared))
        if cell in compared
        else _without_numbers(metric, cell, base)
        for cell in cells
        if cell not in counted
    }


def _counted(metric: JudgedMetric, cell: CellKey, base: str) -> Verdict | None:
    """Return the verdict on two exact counts; None of any other two numbers."""
    after, before = metric.summaries.get(cell), metric.summaries.get(_at(cell, base))
    if not metric.is_exact or not after or not before or not is_counted_alike(after, before):
        return None
    verdict = Verdict(
        cell,
        base,
        State.NO_CHANGE,
        "counted, not timed: one run is enough",
        compare(after, base, before),
        evidence=Evidence.COUNT,
        within=SAME if before.median else None,
    )
    if is_same_count(after, before):
        return verdict
    is_better = (after.median > before.median) == (metric.better == "higher")
    direction: Literal["faster", "slower"] = "faster" if is_better else "slower"
    return msgspec.structs.replace(
        verdict, state=state_of_change(direction, is_one_run=False), within=None
    )


def resolved(verdict: Verdict, later: Verdict) -> Verdict:
    """Return the verdict, marked where the next release shows that one run's jump was a fluke.

    Two runs of the release that agree are none, also where the base has one.
    """
    is_single = verdict.comparison is not None and verdict.comparison.count == 1
    if verdict.state.row.is_one_run and is_single and later.state is State.NO_CHANGE:
        return msgspec.structs.replace(verdict, resolved=later.cell.release)
    return verdict


def _is_known(metric: JudgedMetric, cell: CellKey) -> bool:
    return cell in metric.summaries or cell in metric.absent


def _at(cell: CellKey, release: str) -> CellKey:
    return CellKey(release, cell.variant, cell.step)


def _compared(metric: JudgedMetric, cell: CellKey, base: str) -> _Compared | None:
    after, before = metric.summaries.get(cell), metric.summaries.get(_at(cell, base))
    comparison = compare(after, base, before) if after and before else None
    if after is None or before is None or comparison is None or min(after.low, before.low) <= 0:
        return None
    model = metric.noise[cell.release]
    sides = [model.values(side) for side in (after, before)]
    line = (cell.variant, cell.step)
    noise = model.between(line, after, before)
    floor, interval = _by_floor(comparison, noise, *sides)
    clues = [floor]
    if min(map(len, sides)) >= FEWEST_FOR_RATIO:
        if noise.equal is None:
            test, interval = _by_test(comparison, *sides)
            clues = [test, floor]
        else:  # ranks know nothing of the levels that builds and days have
            clues = [replace(floor, evidence=Evidence.TEST, words=f"Student's t, {floor.words}")]
    levels = metric.levels.get(line)
    since = levels.since(base, cell.release) if levels else None
    if since is not None and (since.after - since.before) * (comparison.ratio - 1) <= 0:
        since = None
    # The medians' ratio is not the estimate that belongs to the interval: it can lie outside.
    interval = Interval(
        min(interval.low, comparison.ratio), max(interval.high, comparison.ratio), interval.level
    )
    return _Compared(comparison, tuple(clues), interval, since)


def _by_test(
    comparison: CellComparison, after: tuple[float, ...], before: tuple[float, ...]
) -> tuple[_Clue, Interval]:
    """Return what Mann-Whitney says of five values or more on each side, and its interval."""
    interval = interval_of_ratio(after, before)
    assert interval is not None, "there are as many values as it needs"
    p = mann_whitney(after, before)
    ordered = sorted(before)
    above = sum(bisect_left(ordered, value) for value in after)
    below = sum(len(ordered) - bisect_right(ordered, value) for value in after)
    if (above - below) * (comparison.ratio - 1) <= 0:
        p = 1.0  # medians and ranks disagree on which side is faster
    return _weighted(Evidence.TEST, "test", p, "Mann-Whitney"), interval


def _by_floor(
    comparison: CellComparison, noise: Noise, after: tuple[float, ...], before: tuple[float, ...]
) -> tuple[_Clue, Interval]:
    """Return what Student's t says of the means of logarithms, and the interval of their ratio."""
    difference = _mean_log(after) - _mean_log(before)
    of_ratio = noise.of_ratio(len(after), len(before))
    error = sqrt(of_ratio.value)
    p = float(2 * stdtr(of_ratio.degrees, -abs(difference) / error))
    if difference * (comparison.ratio - 1) <= 0:
        p = 1.0  # medians and means disagree on which side is faster
    far = float(stdtrit(of_ratio.degrees, (1 + CONFIDENCE) / 2)) * error
    interval = Interval(_exp(difference - far), _exp(difference + far), CONFIDENCE)
    sources = " and ".join(noise.sources)
    change = expm1(min(far, 1.0))
    floor = f"±{100 * change:.2g} %" if change <= MEANINGLESS else f"over ±{100 * MEANINGLESS:g} %"
    words = f"noise floor {floor} from {sources}"
    evidence = Evidence.PRIOR if noise.is_prior else Evidence.FLOOR
    return _weighted(evidence, "floor", p, words), interval


def _mean_log(values: Sequence[float]) -> float:
    """Return the mean of logarithms; statistics.fmean takes as long again to count them."""
    return fsum(map(log, values)) / len(values)


def _weighted(evidence: Evidence, kind: str, p: float, words: str) -> _Clue:
    return _Clue(evidence, min(1.0, max(p / WEIGHTS[kind], NEVER_ZERO)), words)


def _exp(value: float) -> float:
    return exp(value) if value < 700 else inf


def _without_numbers(metric: JudgedMetric, cell: CellKey, base: str) -> Verdict:
    if cell in metric.absent:
        return Verdict(cell, base, *metric.absent[cell])
    if cell not in metric.summaries:
        return Verdict(cell, base, State.MISSING, "no run of this release")
    before = _at(cell, base)
    if before in metric.summaries:
        return Verdict(cell, base, State.CANNOT_TELL, "a value that is not above 0 has no ratio")
    reason = metric.absent[before].why if before in metric.absent else "no run"
    return Verdict(cell, base, State.CANNOT_TELL, f"{base}: {reason}")


def _judged(
    better: Better, report: Report, cell: CellKey, found: _Compared, p: float, family: int
) -> Verdict:
    comparison = found.comparison
    clue, p = _decisive(report, found, price=p / found.p)
    is_decided = p <= LEVEL
    why = f"{_runs(comparison)}; {clue.words}, p {p_words(p)}"
    if family > 1 and clue.evidence is not Evidence.SERIES:
        why += f", adjusted for {family} comparisons"
    width = max(found.interval.high - 1, 1 - found.interval.low)
    # The interval is of the runs of two releases; where the series decides, it may say less.
    is_by_series = is_decided and clue.evidence is Evidence.SERIES
    is_narrow = found.interval.high <= found.interval.low * (1 + MEANINGLESS) ** 2
    has_both_signs = found.interval.low <= 1 <= found.interval.high
    is_shown = is_narrow and not has_both_signs if is_by_series else is_decided or is_narrow
    if is_decided:
        is_single = min(comparison.count, comparison.base_count) == 1
        weak = clue.evidence in (Evidence.FLOOR, Evidence.PRIOR)
        is_faster = (comparison.ratio > 1) == (better == "higher")
        direction: Literal["faster", "slower"] = "faster" if is_faster else "slower"
        state = state_of_change(direction, is_one_run=is_single and weak)
    elif width > MEANINGLESS:
        state = State.CANNOT_TELL
    else:
        state = State.NO_CHANGE if width < NOISY else State.NOISY
    return Verdict(
        cell,
        comparison.base,
        state,
        why,
        comparison,
        evidence=clue.evidence,
        p=p,
        interval=found.interval if is_shown else None,
        within=None if is_decided or width > MEANINGLESS else width,
        since=found.since,
    )


def _decisive(report: Report, found: _Compared, price: float) -> tuple[_Clue, float]:
    """Return the best evidence that decides, and its p; where none does, that of the interval."""
    of_runs = [(clue, min(1.0, clue.p * price)) for clue in found.clues]
    decisive = [(clue, p) for clue, p in of_runs if p <= LEVEL]
    if found.since and not any(clue.evidence is Evidence.TEST for clue, _ in decisive):
        release = report.release(found.since.release)
        words = f"the level changed with {release.label or release.id}"
        return _Clue(Evidence.SERIES, found.since.p, words), found.since.p
    return decisive[0] if decisive else of_runs[0]


def p_words(p: float) -> str:
    """Return `= 0.0022`, or `< 0.0001`: beyond that no distribution is known so well."""
    return f"= {p:.2g}" if p >= SMALLEST_P else f"< {SMALLEST_P}"


def _runs(comparison: CellComparison) -> str:
    counts = (comparison.count, comparison.base_count)
    if counts == (1, 1):
        return "one run on each side"
    return f"{counts[0]} and {counts[1]} {comparison.of}"

"""Verdicts: is a release slower than another one on a step, and how sure is that.

The rungs, from the best evidence down; the first that holds is taken, and the verdict says which:

    test      five runs or more on each side: Mann-Whitney, two-sided, adjusted for all steps that
              the release is judged on against the same base (Benjamini and Hochberg). Skipped where
              so few runs cannot reach the level even if every value differs.
    floor     what measurements of the same thing differ by on this step (noise_floor.py), widened
              for as many comparisons (Bonferroni). With one run on a side the word says so.
    none      cannot tell.

The content of `content/docs/verdicts.md` is this, in words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pipeline.analysis.intervals import FEWEST_FOR_RATIO
from pipeline.analysis.noise_floor import NoiseFloor, noise_floor, pairs_of
from pipeline.analysis.significance import LEVEL, adjusted, mann_whitney, smallest_p
from pipeline.analysis.throughput import Comparison, Summary, compare
from pipeline.logs.readings import Better
from pipeline.report.report import Report
from pipeline.study.profiles import CellKey

State = Literal[
    "slower",
    "faster",
    "no change seen",
    "slower, one run",
    "faster, one run",
    "noisy",
    "cannot tell",
    "missing",
    "failed",
]

NOISY = 0.10
"""A change of this part that could go unseen is too large to call anything unchanged."""


@dataclass(frozen=True)
class Verdict:
    """What is known of a cell against the same variant and step of another release."""

    cell: CellKey
    base: str
    """The release compared with."""
    state: State
    why: str
    """The evidence in words: the test or the floor, and numbers of runs."""
    comparison: Comparison | None = None
    p: float | None = None
    """Of the test, adjusted for the family; None where another rung judged."""
    could_miss: float | None = None
    """The change, a part of the base, that might be there and not be seen."""
    accepted: str = ""
    """Why its author accepts a regression; empty where nobody does."""
    resolved: str = ""
    """The later release in which a change seen in one run was gone again."""
    environment: tuple[str, ...] = ()
    """What else differs between the two: names of facts of machine, tools and attachments."""

    @property
    def is_slower(self) -> bool:
        """Whether it is a regression, confirmed or seen in one run."""
        return self.state in ("slower", "slower, one run")

    @property
    def is_confirmed(self) -> bool:
        """Whether it is a change that more than one run shows."""
        return self.state in ("slower", "faster")

    @property
    def words(self) -> str:
        """The state as pages say it: `no change seen (could miss ±2.1 %)`."""
        if self.state != "no change seen" or self.could_miss is None:
            return self.state
        return f"{self.state} (could miss ±{100 * self.could_miss:.2g} %)"


class Absent(NamedTuple):
    """Why a cell that has runs has no value that counts."""

    state: Literal["missing", "failed"]
    why: str


@dataclass(frozen=True)
class Metric:
    """What verdicts are about: one metric of all cells of a report."""

    summaries: Mapping[CellKey, Summary]
    absent: Mapping[CellKey, Absent]
    """Cells that have runs but no value that counts."""
    better: Better = "higher"


def verdicts_against(
    metric: Metric, report: Report, release: str, base: str
) -> dict[CellKey, Verdict]:
    """Return the verdicts of one release against another, on all steps that either has.

    Of a variant that the release never ran nothing is missing. The verdicts are one family: what
    is called slower or faster among them is so by chance in at most 5 %.
    """
    ran = {cell.variant for cell in (*metric.summaries, *metric.absent) if cell.release == release}
    cells = [
        CellKey(release, variant, step)
        for variant in report.variants
        if variant in ran
        for step in report.steps
        if _is_known(metric, CellKey(release, variant, step))
        or _is_known(metric, CellKey(base, variant, step))
    ]
    compared = {
        cell: comparison
        for cell in cells
        if (comparison := _comparison(metric, cell, base)) is not None
    }
    tested = {
        cell: mann_whitney(metric.summaries[cell].values, metric.summaries[_at(cell, base)].values)
        for cell, comparison in compared.items()
        if _can_be_tested(comparison, len(compared))
    }
    p_values = adjusted(tested)
    return {
        cell: _judged(metric, report, cell, base, compared.get(cell), p_values.get(cell), compared)
        for cell in cells
    }


def resolved(verdict: Verdict, later: Verdict) -> Verdict:
    """Return the verdict, marked where the next release shows that one run's jump was a fluke."""
    if verdict.state in ("slower, one run", "faster, one run") and later.state == "no change seen":
        return replace(verdict, resolved=later.cell.release)
    return verdict


def _is_known(metric: Metric, cell: CellKey) -> bool:
    return cell in metric.summaries or cell in metric.absent


def _at(cell: CellKey, release: str) -> CellKey:
    return CellKey(release, cell.variant, cell.step)


def _comparison(metric: Metric, cell: CellKey, base: str) -> Comparison | None:
    after, before = metric.summaries.get(cell), metric.summaries.get(_at(cell, base))
    return compare(after, base, before) if after and before else None


def _can_be_tested(comparison: Comparison, family: int) -> bool:
    """Tell whether a single cell could reach the level, were it the only one that changed."""
    few = min(comparison.count, comparison.base_count)
    least = smallest_p(comparison.count, comparison.base_count)
    return few >= FEWEST_FOR_RATIO and least * family <= LEVEL


def _judged(
    metric: Metric,
    report: Report,
    cell: CellKey,
    base: str,
    comparison: Comparison | None,
    p: float | None,
    family: Mapping[CellKey, Comparison],
) -> Verdict:
    if comparison is None:
        return _without_numbers(metric, cell, base)
    if p is not None:
        return _by_test(metric.better, cell, comparison, p, len(family))
    floor = noise_floor(
        metric.summaries,
        cell.variant,
        cell.step,
        twins=pairs_of(report.twin_variants),
        same_code=pairs_of(report.same_code),
    )
    runs = _runs(comparison)
    if floor is None:
        why = f"{runs}, and nothing tells how far equal runs differ on this step"
        return Verdict(cell, base, "cannot tell", why, comparison)
    return _by_floor(metric.better, cell, comparison, floor, len(family))


def _without_numbers(metric: Metric, cell: CellKey, base: str) -> Verdict:
    if cell in metric.absent:
        return Verdict(cell, base, *metric.absent[cell])
    if cell not in metric.summaries:
        return Verdict(cell, base, "missing", "no run of this release")
    before = _at(cell, base)
    if before in metric.summaries:
        return Verdict(cell, base, "cannot tell", "a median that is not above 0 has no ratio")
    reason = metric.absent[before].why if before in metric.absent else "no run"
    return Verdict(cell, base, "cannot tell", f"{base}: {reason}")


def _by_test(
    better: Better, cell: CellKey, comparison: Comparison, p: float, family: int
) -> Verdict:
    interval = comparison.interval
    width = max(interval.high - 1, 1 - interval.low) if interval else None
    why = f"Mann-Whitney, {_runs(comparison)}: p = {p:.2g}"
    if family > 1:
        why += f", adjusted for {family} comparisons"
    verdict = Verdict(cell, comparison.base, "noisy", why, comparison, p=p, could_miss=width)
    if p <= LEVEL:
        return replace(verdict, state=_direction(better, comparison), could_miss=None)
    if width is not None and width < NOISY:
        return replace(verdict, state="no change seen")
    return verdict


def _by_floor(
    better: Better, cell: CellKey, comparison: Comparison, floor: NoiseFloor, family: int
) -> Verdict:
    level = LEVEL / family
    change = floor.change(comparison.count, comparison.base_count, level)
    why = f"{_runs(comparison)}; noise floor ±{100 * change:.2g} % from {floor.described}"
    if family > 1:
        why += f", for {family} comparisons"
    verdict = Verdict(cell, comparison.base, "noisy", why, comparison, could_miss=change)
    if max(comparison.ratio, 1 / comparison.ratio) - 1 > change:
        is_single = min(comparison.count, comparison.base_count) == 1
        state = _direction(better, comparison)
        if not is_single:
            return replace(verdict, state=state, could_miss=None)
        one_run: State = "slower, one run" if state == "slower" else "faster, one run"
        return replace(verdict, state=one_run, could_miss=None)
    return replace(verdict, state="no change seen") if change < NOISY else verdict


def _direction(better: Better, comparison: Comparison) -> Literal["slower", "faster"]:
    return "faster" if (comparison.ratio > 1) == (better == "higher") else "slower"


def _runs(comparison: Comparison) -> str:
    counts = (comparison.count, comparison.base_count)
    if counts == (1, 1):
        return "one run on each side"
    return f"{counts[0]} and {counts[1]} runs"

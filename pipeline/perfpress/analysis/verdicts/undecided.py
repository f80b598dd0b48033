"""Finds the releases whose repetition would decide most: large differences that one run shows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log

from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.level_changes import SeriesLevels
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.groups import grouped

ENOUGH_RUNS = 3
"""With so many that agree, a release differs; repeating it would show nothing new."""
LEAST = 1.05
"""A ratio; nobody measures again for less."""


@dataclass(frozen=True)
class Undecided:
    """A cell that differs, where too little shows whether it lasts."""

    cell: CellKey
    ratio: float
    against: str
    """The release compared with; empty for the level of the releases around it."""
    is_newest: bool
    """Whether only the newest release of the series differs."""

    @property
    def size(self) -> float:
        """How large the difference is, whatever its direction."""
        return abs(log(self.ratio))


def undecided(
    by_step: Mapping[StepKey, SeriesLevels],
    verdicts: Iterable[Verdict],
    runs: Mapping[CellKey, int],
) -> list[tuple[Undecided, ...]]:
    """Return the cells to measure again by release and variant, the largest differences first.

    Args:
        by_step: the levels of throughput.
        verdicts: on throughput, of the steps that are not among these: a series says more of a
            release than one verdict, which may be against a fluke.
        runs: how many runs of a cell count.
    """
    largest: dict[CellKey, Undecided] = {}
    for each in (*_of_levels(by_step), *_of_verdicts(verdicts)):
        known = largest.get(each.cell)
        few = runs.get(each.cell, 0) < ENOUGH_RUNS
        if few and each.size > log(LEAST) and (known is None or each.size > known.size):
            largest[each.cell] = each
    by_size = sorted(largest.values(), key=lambda each: -each.size)
    groups = grouped(by_size, lambda each: (each.cell.release, each.cell.variant))
    # By what a repetition decides: all its steps, not only the largest.
    return sorted(groups.values(), key=lambda group: -sum(each.size for each in group))


def _of_levels(by_step: Mapping[StepKey, SeriesLevels]) -> Iterator[Undecided]:
    for (variant, step), levels in by_step.items():
        for change in levels.changes:
            if not change.is_lasting and change.ratio:
                cell = CellKey(change.release, variant, step)
                yield Undecided(cell, change.ratio, against="", is_newest=True)
        for fluke in levels.flukes:
            if fluke.ratio:
                cell = CellKey(fluke.release, variant, step)
                yield Undecided(cell, fluke.ratio, against="", is_newest=False)


def _of_verdicts(verdicts: Iterable[Verdict]) -> Iterator[Undecided]:
    for verdict in verdicts:
        if verdict.state.row.is_one_run and verdict.comparison and not verdict.resolved:
            ratio = verdict.comparison.ratio
            yield Undecided(verdict.cell, ratio, against=verdict.base, is_newest=False)

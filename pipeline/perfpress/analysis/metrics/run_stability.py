"""Stability of throughput within the runs of a cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from perfpress.analysis.metrics.stability import Stability, stability_of
from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study


@dataclass(frozen=True)
class RunStability:
    """How throughput behaved within one run."""

    run: str
    stability: Stability

    @property
    def stalled(self) -> float:
        """Seconds in which next to nothing was done."""
        return sum(each.end - each.start for each in self.stability.stalls)


def stability_of_runs(study: Study, cell: CellKey) -> tuple[RunStability, ...]:
    """Return the runs of a cell that count and whose logs have a series, the worst first."""
    found = [
        RunStability(step_run.bundle.run_id, stability)
        for step_run in study.of_cell(cell)
        if not why_not(step_run, "throughput")
        for reading in step_run.readings
        for series in reading.series
        if series.name == "throughput" and (stability := stability_of(series)) is not None
    ]
    return tuple(sorted(found, key=lambda each: (decay(each.stability), -each.stalled)))


def decay(stability: Stability) -> float:
    """Return the last tenth ÷ the first; 0 where nothing was done at the start."""
    return 0.0 if stability.decay is None else stability.decay


@dataclass(frozen=True)
class StartAndEnd:
    """Throughput at the start and the end of a cell's runs."""

    start: float
    """Of the first tenth, after the warm-up: the median of the runs."""
    end: float
    """Of the last tenth."""
    runs: int


def levels_of(runs: Sequence[RunStability]) -> StartAndEnd | None:
    """Return the levels of a cell; None without a run whose tenths are more than noise."""
    found = [each.stability for each in runs if each.stability.has_levels]
    if not found:
        return None
    start, end = (median(values) for values in zip(*((x.start, x.end) for x in found), strict=True))
    return StartAndEnd(start, end, len(found))

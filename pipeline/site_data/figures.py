"""The numbers of one report that several pages share, each computed once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from pipeline.analysis.cost import (
    Unknown,
    Work,
    cost_per_operation,
    work_captured,
)
from pipeline.analysis.counted import why_not
from pipeline.analysis.efficiency import PerOperation, efficiency, median_efficiency
from pipeline.analysis.function_kinds import FunctionKinds
from pipeline.analysis.level_changes import Levels, levels_of
from pipeline.analysis.metrics import cell_values, metrics_frame
from pipeline.analysis.percentile_curves import Curves, curves_of_step
from pipeline.analysis.quality import Quality, quality_of
from pipeline.analysis.series import OverTime, latency_over_time, over_time
from pipeline.analysis.study_verdicts import Verdicts, verdicts_of
from pipeline.analysis.throughput import Summary, summarise
from pipeline.paths.absence import NO_PROFILE
from pipeline.profile import Profile, read_profile
from pipeline.study.profiles import CellKey, CellProfile
from pipeline.study.study import Study
from pipeline.units import event_rank

SHOWN_METRICS = ("throughput", "latency_average", "latency_p95", "failed_operations")
"""What pages show of every step; `metrics.csv` holds all."""

MOST_STRETCHES = 80
"""Of time, in charts and in their tables: more would make a band of a noisy line."""

Event = tuple[str, str]
"""The name of what was sampled, and the unit of its weights."""


@dataclass(frozen=True)
class Figures:
    """A study with its numbers."""

    study: Study

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All metrics of all runs."""
        return metrics_frame(self.study.step_runs)

    def rows_of(self, cell: CellKey) -> pd.DataFrame:
        """Return all metrics of the runs of a cell."""
        return self.frame.take(self._rows_of_cells.get(cell, []))

    @cached_property
    def _rows_of_cells(self) -> Mapping[CellKey, Sequence[int]]:
        found: dict[CellKey, list[int]] = {}
        columns = (self.frame[name].tolist() for name in ("release", "variant", "step"))
        for at, names in enumerate(zip(*columns, strict=True)):
            found.setdefault(CellKey(*names), []).append(at)
        return found

    @cached_property
    def summaries(self) -> Mapping[str, Mapping[CellKey, Summary]]:
        """By metric and cell: the repeats that count."""
        return {
            metric: {
                cell: summarise(values) for cell, values in cell_values(self.frame, metric).items()
            }
            for metric in SHOWN_METRICS
        }

    @cached_property
    def verdicts(self) -> Verdicts:
        """On throughput, by cell and the release compared with: base and previous."""
        return verdicts_of(self.study, self.summaries["throughput"])

    @cached_property
    def over_time(self) -> Mapping[tuple[str, str], tuple[OverTime, ...]]:
        """By variant and step: what logs tell over time, throughput before latency."""
        return {
            (variant, step): tuple(
                found
                for metric in ("throughput", latency_over_time(self.study, variant, step))
                if (found := over_time(self.study, variant, step, metric, MOST_STRETCHES))
            )
            for variant in self.study.report.variants
            for step in self.study.report.steps
        }

    @cached_property
    def levels(self) -> Mapping[tuple[str, str], Levels]:
        """By variant and step: where throughput changes its level along a series of releases."""
        report = self.study.report
        found = {
            (variant, step): levels_of(report, self.summaries["throughput"], variant, step)
            for variant in report.variants
            for step in report.steps
        }
        return {key: levels for key, levels in found.items() if levels}

    @cached_property
    def curves(self) -> Mapping[tuple[str, str], Curves]:
        """By variant and step: the percentile curves of the releases, where logs tell any."""
        found = {
            (variant, step): curves_of_step(self.study, variant, step)
            for variant in self.study.report.variants
            for step in self.study.report.steps
        }
        return {key: curves for key, curves in found.items() if curves}

    @cached_property
    def events(self) -> Mapping[tuple[str, str], Event]:
        """By variant and step: the event that tables are of, as two units cannot be compared.

        It is the one that most releases have; of several the first by rank: CPU time.
        """
        counts: dict[tuple[str, str], Counter[Event]] = {}
        for cell, profiles in self.study.profiles.items():
            of_step = counts.setdefault((cell.variant, cell.step), Counter())
            of_step.update(event_of(each) for each in profiles)
        return {key: _most_frequent(found) for key, found in counts.items()}

    @cached_property
    def profiles(self) -> Mapping[CellKey, tuple[tuple[CellProfile, Profile], ...]]:
        """By cell: its profiles, read."""
        return {
            cell: tuple(
                (each, read_profile(each.profile.path, f"{cell.release}/{cell.step}"))
                for each in profiles
            )
            for cell, profiles in self.study.profiles.items()
        }

    def read(self, made: CellProfile) -> Profile:
        """Return a profile of the study, read."""
        return next(
            profile for each, profile in self.profiles[made.cell] if each.event == made.event
        )

    def main(self, cell: CellKey) -> CellProfile | None:
        """Return the profile of a cell that is of the event that tables are of, if it has one."""
        event = self.events.get((cell.variant, cell.step))
        profiles = self.study.profiles.get(cell, ())
        return next((each for each in profiles if event_of(each) == event), None)

    def main_profile(self, cell: CellKey) -> Profile | None:
        """Return `main`, read."""
        made = self.main(cell)
        return self.read(made) if made else None

    def why_no_profile(self, cell: CellKey) -> str:
        """Return why tables have no number of a cell's profile; empty where they have."""
        profiles = self.study.profiles.get(cell, ())
        if not profiles:
            return NO_PROFILE
        if self.main(cell):
            return ""
        sampled = " and ".join(each.event for each in profiles)
        event, unit = self.events[cell.variant, cell.step]
        return f"its profile is of {sampled}, and the others' of {event} ({unit})"

    def common_profile(
        self, cell: CellKey, base_cell: CellKey
    ) -> tuple[CellProfile, CellProfile] | None:
        """Return the profiles by which a cell and its base are compared; the cell's comes first.

        Both are of one event and unit: the one that tables are of, or else the first by rank.
        `None` where no event is common.
        """
        after, base = (
            {event_of(each): each for each in self.study.profiles.get(of, ())}
            for of in (cell, base_cell)
        )
        common = after.keys() & base.keys()
        if not common:
            return None
        main = self.events[cell.variant, cell.step]
        event = main if main in common else min(common, key=_rank)
        return after[event], base[event]

    @cached_property
    def works(self) -> Mapping[tuple[CellKey, str], Work | Unknown]:
        """By cell and event: the operations that a profile's weight stands for."""
        return {
            (cell, made.event): work_captured(profile, self.study.of_cell(cell))
            for cell, profiles in self.profiles.items()
            for made, profile in profiles
        }

    @cached_property
    def qualities(self) -> Mapping[tuple[CellKey, str], Quality]:
        """By cell and event: how good a profile is."""
        kinds = FunctionKinds(self.study.report.function_kinds)
        return {
            (cell, made.event): quality_of(profile, self.study.of_cell(cell), kinds)
            for cell, profiles in self.profiles.items()
            for made, profile in profiles
        }

    @cached_property
    def work(self) -> Mapping[CellKey, Work | Unknown]:
        """By cell that has a profile: the operations behind `main`."""
        return {cell: self._main_work(cell) for cell in self.study.profiles}

    def cost(self, cell: CellKey) -> float | None:
        """Return the weight of `main` per operation, in its unit; None where unknown."""
        made = self.main(cell)
        return self.cost_of(made) if made else None

    def cost_of(self, made: CellProfile) -> float | None:
        """Return a whole profile's weight per operation, in its unit; None where unknown."""
        return cost_per_operation(self.read(made).total, self.works[made.cell, made.event])

    @cached_property
    def efficiency(self) -> Mapping[CellKey, Mapping[str, PerOperation]]:
        """By cell and name: what one operation took of the whole host, median of the repeats."""
        cells = {each.cell for each in self.study.step_runs}
        return {cell: self._efficiency(cell) for cell in cells}

    def _main_work(self, cell: CellKey) -> Work | Unknown:
        made = self.main(cell)
        return self.works[cell, made.event] if made else Unknown(self.why_no_profile(cell))

    def _efficiency(self, cell: CellKey) -> Mapping[str, PerOperation]:
        repeats = [each for each in self.study.of_cell(cell) if not why_not(each, "throughput")]
        return median_efficiency([efficiency(each) for each in repeats])


def event_of(made: CellProfile) -> Event:
    """Return what a profile is of: two can be compared where this is the same."""
    return made.event, made.unit


def _most_frequent(counts: Counter[Event]) -> Event:
    return min(counts, key=lambda event: (-counts[event], _rank(event)))


def _rank(event: Event) -> tuple[int, str, str]:
    return event_rank(*event)

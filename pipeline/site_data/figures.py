"""The numbers of one report that several pages share, each computed once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from pipeline.analysis.cost import (
    HostCost,
    Unknown,
    Work,
    cost_per_operation,
    cpus_of,
    host_cost,
    median_host_cost,
    work_captured,
)
from pipeline.analysis.metrics import cell_values, metrics_frame
from pipeline.analysis.throughput import Summary, summarise
from pipeline.profile import Profile, read_profile
from pipeline.profiles import CellKey, CellProfile
from pipeline.study import Study

SHOWN_METRICS = ("throughput", "latency_average", "latency_p95", "failed_operations")
"""What pages show of every step; `metrics.csv` holds all."""


@dataclass(frozen=True)
class Figures:
    """A study with its numbers."""

    study: Study

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All metrics of all runs."""
        return metrics_frame(self.study.step_runs)

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
    def work(self) -> Mapping[CellKey, Work | Unknown]:
        """By cell that has a profile: the operations that its weight stands for."""
        return {cell: self._work(cell) for cell in self.study.profiles}

    @cached_property
    def host_costs(self) -> Mapping[CellKey, HostCost]:
        """By cell: what one operation took of the whole host."""
        cells = {each.cell for each in self.study.step_runs}
        return {cell: self._host_cost(cell) for cell in cells}

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

    def main_profile(self, cell: CellKey) -> Profile | None:
        """Return the profile that tables are made from: of the first event in order of names."""
        profiles = self.profiles.get(cell, ())
        return profiles[0][1] if profiles else None

    def cost(self, cell: CellKey) -> float | None:
        """Return the whole profile's weight per operation, in its unit; None where unknown."""
        profile = self.main_profile(cell)
        return cost_per_operation(profile.total, self.work[cell]) if profile else None

    def _work(self, cell: CellKey) -> Work | Unknown:
        profile = self.main_profile(cell)
        return (
            work_captured(profile, self.study.of_cell(cell)) if profile else Unknown("no profile")
        )

    def _host_cost(self, cell: CellKey) -> HostCost:
        repeats = [each for each in self.study.of_cell(cell) if each.is_repeat]
        return median_host_cost(
            [host_cost(each.measured, cpus_of(each.bundle)) for each in repeats]
        )

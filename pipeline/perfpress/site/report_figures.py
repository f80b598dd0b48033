"""Computes the numbers of one report that several pages show, each once."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import chain

import pandas as pd

from perfpress.analysis.metrics.efficiency import PerOperation, efficiency, median_efficiency
from perfpress.analysis.metrics.metrics import metrics_frame
from perfpress.analysis.metrics.percentile_curves import Curves, curves_of_step
from perfpress.analysis.metrics.series import OverTime, latency_over_time, over_time
from perfpress.analysis.metrics.throughput import Summary, summaries_of, summarise
from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.paths.absence import NO_PROFILE
from perfpress.analysis.profiles.cost import (
    CostUnit,
    Unknown,
    Work,
    cost_per_operation,
    work_captured,
)
from perfpress.analysis.profiles.function_kinds import FunctionKinds
from perfpress.analysis.profiles.profile import Profile, read_profile
from perfpress.analysis.profiles.quality import Quality, quality_of
from perfpress.analysis.profiles.relative_cost import rates_in_use, work_by_rate
from perfpress.analysis.study.profiles import CellKey, CellProfile, StepKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.kept_verdicts import KeptVerdicts
from perfpress.analysis.verdicts.level_changes import (
    ChangeGroup,
    SeriesLevels,
    groups_of,
    has_levels,
)
from perfpress.analysis.verdicts.mean_of_steps import MeanOfSteps, MeansOfSteps
from perfpress.analysis.verdicts.noise_windows import Noises
from perfpress.analysis.verdicts.study_levels import levels_of_study, noise_of_study
from perfpress.analysis.verdicts.study_verdicts import verdicts_of
from perfpress.analysis.verdicts.undecided import Undecided, undecided
from perfpress.base.groups import grouped
from perfpress.base.units import event_rank, may_be_cpu_time
from perfpress.input.logs.metric_names import EXACT
from perfpress.site.cell_pages import has_page
from perfpress.site.nearby_releases import cells_of_step, near_cells, newest_releases

RESPONSE_TIME = "latency_p95"

SHOWN_METRICS = ("throughput", "latency_average", RESPONSE_TIME, "failed_operations")
"""What pages show of every step; `metrics.csv` holds all."""

MOST_STRETCHES = 80
"""Of time, in charts and in their tables: more would make a band of a noisy line."""

Event = tuple[str, str]
"""Event and unit of a profile."""


@dataclass(frozen=True, order=True)
class DiffKey:
    """Which two profiles are compared: a cell's, and that of another release."""

    cell: CellKey
    base: str

    @property
    def base_cell(self) -> CellKey:
        """The cell compared against."""
        return self.cell.in_release(self.base)


@dataclass(frozen=True)
class Figures:
    """A study with its numbers."""

    study: Study

    def is_against_base(self, key: DiffKey) -> bool:
        """Whether a diff compares with the base of its variant, or with what stands in for it."""
        return key.base == self.profile_base(key.cell)

    def profile_base(self, cell: CellKey) -> str:
        """Return the release whose profile others are compared with: where the base has none, the
        first that has one.
        """
        return self._profile_bases.get(cell.step_key) or self.study.base_of(cell.variant)

    @cached_property
    def _profile_bases(self) -> Mapping[StepKey, str]:
        study = self.study
        found: dict[StepKey, str] = {}
        for variant, step in {cell.step_key for cell in study.profiles}:
            order = (study.base_of(variant), *study.releases_with(variant, step))
            cells = (CellKey(release, variant, step) for release in order)
            if first := next((cell for cell in cells if study.profiles.get(cell)), None):
                found[variant, step] = first.release
        return found

    @cached_property
    def has_page(self) -> Callable[[CellKey], bool]:
        """Returns `has_page`, found once for each cell: many pages ask for it."""
        return cache(partial(has_page, self.study))

    @cached_property
    def metrics(self) -> Set[str]:
        """The names of all metrics that any run has."""
        return {name for each in self.study.step_runs for name in each.measured}

    def rows_of(self, *releases: str) -> pd.DataFrame:
        """Return all metrics of the runs of some releases.

        Those of all releases of a large report would take most of a build's memory.
        """
        runs = (self.study.step_runs_of(each) for each in releases)
        return metrics_frame([*chain.from_iterable(runs)])

    def rows_of_cell(self, cell: CellKey) -> pd.DataFrame:
        """Return all metrics of the runs of a cell."""
        rows = self._rows_of_last(cell.release)
        return rows[(rows["variant"] == cell.variant) & (rows["step"] == cell.step)]

    @cached_property
    def _rows_of_last(self) -> Callable[[str], pd.DataFrame]:
        """Returns `rows_of`: the pages of a release's cells are made one after the other."""
        return lru_cache(maxsize=1)(self.rows_of)

    @cached_property
    def summaries(self) -> Mapping[str, Mapping[CellKey, Summary]]:
        """By metric and cell: the repeats that count."""
        return {metric: summaries_of(self.study.step_runs, metric) for metric in SHOWN_METRICS}

    @cached_property
    def verdicts(self) -> KeptVerdicts:
        """On throughput, by cell and the release compared with: base and previous."""
        return self._verdicts_on("throughput")

    @cached_property
    def response_time_verdicts(self) -> KeptVerdicts:
        """On the 95th percentile of response times, as `verdicts`; empty where no log states it."""
        if not self.summaries[RESPONSE_TIME]:
            return KeptVerdicts(self.study.kept.new_file())
        return self._verdicts_on(RESPONSE_TIME)

    def verdict_digests(self, release: str) -> Mapping[str, str]:
        """Return the hash of the verdicts on a release in each metric that it has some in."""
        of_times = {"throughput": self.verdicts, RESPONSE_TIME: self.response_time_verdicts}
        metrics = {**of_times, **self.exact_verdicts}
        return {
            name: each.digests[release] for name, each in metrics.items() if release in each.digests
        }

    @cached_property
    def exact_summaries(self) -> Mapping[str, Mapping[CellKey, Summary]]:
        """As `summaries`, of what is counted and not timed, in the order of the table of names."""
        names = [name for name in EXACT if name in self.metrics]
        return {name: summaries_of(self.study.step_runs, name) for name in names}

    @cached_property
    def exact_verdicts(self) -> Mapping[str, KeptVerdicts]:
        """By metric that is counted and not timed: as `verdicts`."""
        return {
            name: verdicts_of(
                self.study, name, summaries, noise_of_study(self.study, name, summaries), {}
            )
            for name, summaries in self.exact_summaries.items()
        }

    def mean_of_steps(self, cells: Sequence[CellKey], base: str) -> MeanOfSteps | None:
        """Return the mean change of the steps of a release and variant; None for one or two."""
        # In one order: the series of a mean is made once for the same steps.
        return self._means_of_steps.of(sorted(cells), base)

    @cached_property
    def _means_of_steps(self) -> MeansOfSteps:
        noise = self._noise_and_levels["throughput"][0]
        study = self.study
        return MeansOfSteps(self.summaries["throughput"], noise, study.report, study.kept)

    def _verdicts_on(self, metric: str) -> KeptVerdicts:
        return verdicts_of(
            self.study, metric, self.summaries[metric], *self._noise_and_levels[metric]
        )

    @cached_property
    def over_time(self) -> Mapping[StepKey, tuple[OverTime, ...]]:
        """By variant and step: interval series from logs, throughput before latency."""
        study = self.study

        def of_step(variant: str, step: str) -> tuple[OverTime, ...]:
            with_page = {
                near.release
                for cell in cells_of_step(study, variant, step)
                if self.has_page(cell)
                for near in near_cells(study, cell)
            }

            def shown(releases: Sequence[str]) -> set[str]:
                return with_page.union(newest_releases(releases, study.report.base))

            return tuple(
                found
                for metric in ("throughput", latency_over_time(study, variant, step))
                if (found := over_time(study, variant, step, metric, MOST_STRETCHES, shown))
            )

        return {
            (variant, step): of_step(variant, step)
            for variant in study.report.variants
            for step in study.report.steps
        }

    @cached_property
    def levels(self) -> Mapping[str, Mapping[StepKey, SeriesLevels]]:
        """By metric, and by variant and step: the levels of a series of releases."""
        return {metric: levels for metric, (_, levels) in self._noise_and_levels.items()}

    @cached_property
    def _noise_and_levels(self) -> Mapping[str, tuple[Noises, Mapping[StepKey, SeriesLevels]]]:
        known = filter(has_levels, self.metrics)
        summaries: dict[str, dict[CellKey, Summary]] = {
            metric: dict(self.summaries[metric])
            if metric in self.summaries
            else summaries_of(self.study.step_runs, metric)
            for metric in dict.fromkeys(("throughput", *sorted(known)))
        }
        for cell, numbers in self.efficiency.items():
            for name, each in numbers.items():
                if has_levels(name) and each.value is not None:
                    median = summarise({cell.release: each.value})
                    summaries.setdefault(name, {})[cell] = median
        found = {}
        for metric, values in summaries.items():
            noise = noise_of_study(self.study, metric, values)
            found[metric] = noise, levels_of_study(self.study, metric, values, noise)
        return found

    @cached_property
    def change_groups(self) -> Sequence[ChangeGroup]:
        """The level changes of throughput by variant and first release, newest release first."""
        order = [each.id for each in self.study.report.releases]
        groups = groups_of(self.levels["throughput"])
        return sorted(groups, key=lambda each: (-order.index(each.release), -each.size))

    @cached_property
    def groups_by_release(self) -> Mapping[str, Sequence[ChangeGroup]]:
        """The same by their first release."""
        return grouped(self.change_groups, lambda each: each.release)

    @cached_property
    def undecided(self) -> Sequence[Sequence[Undecided]]:
        """What to measure again by release and variant, those that decide most first."""
        runs = {cell: len(summary.values) for cell, summary in self.summaries["throughput"].items()}
        levels = self.levels["throughput"]
        cells = (cell for cell in self.verdicts.cells if cell.step_key not in levels)
        return undecided(levels, chain.from_iterable(map(self.verdicts.of_cell, cells)), runs)

    @cached_property
    def curves(self) -> Mapping[StepKey, Curves]:
        """By variant and step: the percentile curves of the releases that have any."""
        found = {
            (variant, step): curves_of_step(self.study, variant, step)
            for variant in self.study.report.variants
            for step in self.study.report.steps
        }
        return {key: curves for key, curves in found.items() if curves}

    @cached_property
    def events(self) -> Mapping[StepKey, Event]:
        """By variant and step: the event that tables are of, as two units cannot be compared.

        It is the one that most releases have; of several the first by rank: CPU time.
        """
        counts: dict[StepKey, Counter[Event]] = {}
        for cell, profiles in self.study.profiles.items():
            of_step = counts.setdefault(cell.step_key, Counter())
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
        """Return the profile of a cell for the event that tables show, if it has one."""
        event = self.events.get(cell.step_key)
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
        event, unit = self.events[cell.step_key]
        return f"its profile is of {sampled}, and the others' of {event} ({unit})"

    def common_profile(
        self, cell: CellKey, base_cell: CellKey
    ) -> tuple[CellProfile, CellProfile] | None:
        """Return the profiles by which a cell and its base are compared; the cell's comes first.

        Both have one event and unit: that of the tables, or else the first by rank.
        `None` where no event is common.
        """
        after, base = (
            {event_of(each): each for each in self.study.profiles.get(of, ())}
            for of in (cell, base_cell)
        )
        common = after.keys() & base.keys()
        if not common:
            return None
        main = self.events[cell.step_key]
        event = main if main in common else min(common, key=_rank)
        return after[event], base[event]

    @cached_property
    def works(self) -> Mapping[tuple[CellKey, str], Work | Unknown]:
        """By cell and event: the operations that a profile covers."""
        return {
            (cell, made.event): self._work(cell, profile)
            for cell, profiles in self.profiles.items()
            for made, profile in profiles
        }

    def _work(self, cell: CellKey, profile: Profile) -> Work | Unknown:
        rates = self.author_rates.get(cell.step_key)
        if rates is None:
            return work_captured(profile, self.study.of_cell(cell))
        labels = map(self.study.label, (cell.release, self.study.report.base))
        return work_by_rate(profile, rates.get(cell.release), *labels)

    @cached_property
    def author_rates(self) -> Mapping[StepKey, Mapping[str, float]]:
        """By variant and step without a throughput: the author's rates, relative to the base."""
        return rates_in_use(self.study)

    @cached_property
    def qualities(self) -> Mapping[tuple[CellKey, str], Quality]:
        """By cell and event: the quality of a profile."""
        kinds = FunctionKinds(self.study.report.matter.function_kinds.by_kind())
        return {
            (cell, made.event): quality_of(profile, self.study.of_cell(cell), kinds)
            for cell, profiles in self.profiles.items()
            for made, profile in profiles
        }

    @cached_property
    def work(self) -> Mapping[CellKey, Work | Unknown]:
        """By cell that has a profile: the operations behind `main`."""
        return {cell: self._main_work(cell) for cell in self.study.profiles}

    def cost_unit(self, made: CellProfile) -> CostUnit:
        """Return what costs of a profile are counted in."""
        return self._cost_unit(made.cell.variant, made.cell.step, event_of(made))

    def main_cost_unit(self, variant: str, step: str) -> CostUnit:
        """Return what costs of the profiles that tables are of are counted in."""
        return self._cost_unit(variant, step, self.events[variant, step])

    def _cost_unit(self, variant: str, step: str, event: Event) -> CostUnit:
        is_relative = (variant, step) in self.author_rates and may_be_cpu_time(*event)
        base = self.study.label(self.study.report.base) if is_relative else ""
        return CostUnit(event[1], self.study.operation(step), base)

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
        return {cell: self._efficiency(cell) for cell in self.study.cells}

    def _main_work(self, cell: CellKey) -> Work | Unknown:
        made = self.main(cell)
        return self.works[cell, made.event] if made else Unknown(self.why_no_profile(cell))

    def _efficiency(self, cell: CellKey) -> Mapping[str, PerOperation]:
        repeats = [each for each in self.study.of_cell(cell) if not why_not(each, "throughput")]
        return median_efficiency([efficiency(each) for each in repeats])


def event_of(made: CellProfile) -> Event:
    """Return event and unit of a profile: profiles with the same can be compared."""
    return made.event, made.unit


def _most_frequent(counts: Counter[Event]) -> Event:
    return min(counts, key=lambda event: (-counts[event], _rank(event)))


def _rank(event: Event) -> tuple[int, str, str]:
    return event_rank(*event)

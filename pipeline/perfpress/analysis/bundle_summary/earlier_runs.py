"""The accepted runs that a new bundle can be compared with."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from perfpress.analysis.metrics.validity import values_of
from perfpress.analysis.study.cached_readings import read_all_logs
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, step_runs_of
from perfpress.base.cache import Cache
from perfpress.base.disk import temporary_directory
from perfpress.base.slugs import slug
from perfpress.input.bundles.discover import discover_report
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.corrected import apply_corrections
from perfpress.input.corrections.files import read_corrections
from perfpress.input.report.report import read_reports, same_config_in

if TYPE_CHECKING:
    from perfpress.analysis.verdicts.verdicts import Verdict

RatesByRun = Mapping[CellKey, Mapping[str, float]]
"""Throughput of the runs that count, by cell and run id."""


@dataclass(frozen=True)
class LastRelease:
    """The nearest release before that measured a step."""

    id: str
    label: str
    rates: tuple[float, ...]


class EarlierRuns:
    """The accepted runs of a bundle's report and variant, and the bundle itself as the newest."""

    def __init__(self, bundle: Bundle, results: Path) -> None:
        accepted, _ = discover_report(results, results.name, slug(bundle.run.report))
        corrections, _ = read_corrections(results.parent / "corrections", "corrections")
        self.is_accepted = any(each.run_id == bundle.run_id for each in accepted)
        # What is archived is too old to be compared with, and its files are not here.
        others = [each for each in accepted if each.run_id != bundle.run_id and not each.archived]
        content, report = results.parent.parent / "content", slug(bundle.run.report)
        same_config = same_config_in(content, report)
        runs, _ = apply_corrections([*others, bundle], corrections, same_config)
        self.report = read_reports(content, "content", runs)[0][report]
        order = [release.id for release in self.report.releases]
        before = order[: order.index(bundle.run.release)]
        self._before = [(each, self.report.release(each).label or each) for each in before]
        self._bundle = self.report.same_configs.in_variant(bundle)
        runs = tuple(map(self.report.with_variant, runs))
        own = self._bundle.variant.slug
        self._runs = [run for run in runs if run.bundle.variant.slug == own]
        self._cache = results.parent / ".cache"

    def last(self, step: str) -> LastRelease | None:
        """Return the nearest release before this one that measured the step."""
        for release, label in reversed(self._before):
            if rates := self._rates.get(self._cell(step, release)):
                return LastRelease(release, label, tuple(rates.values()))
        return None

    def repeats(self, step: str) -> int:
        """Return how many accepted runs of this release count for a step, this one aside."""
        rates = self._rates.get(self._cell(step, self._bundle.run.release), {})
        return len(rates.keys() - {self._bundle.run_id})

    def unmeasured(self) -> tuple[str, list[str]]:
        """Return the label of the release before, and its steps that this bundle does not have."""
        own = {step.name for step in self._bundle.steps}
        for release, label in reversed(self._before):
            steps = {cell.step for cell in self._rates if cell.release == release}
            if steps:
                return label, sorted(steps - own)
        return "", []

    def verdicts(self) -> "Mapping[str, Verdict]":
        """Return, by step, what this release's runs say against the last release before.

        Empty where what statistics need is not installed, as on a lab host. It is imported only
        where there is something to compare with: it takes longer than all the rest.
        """
        last = {step.name: self.last(step.name) for step in self._bundle.steps}
        if not any(last.values()):
            return {}
        try:
            from perfpress.analysis.metrics.throughput import summaries_of
            from perfpress.analysis.verdicts.days import run_days
            from perfpress.analysis.verdicts.noise_windows import noise_models
            from perfpress.analysis.verdicts.verdicts import JudgedMetric, verdicts_against
        except ModuleNotFoundError:
            return {}
        summaries = summaries_of(self._step_runs, "throughput")
        noise = noise_models(summaries, self.report, run_days(self._runs))
        metric = JudgedMetric(summaries, {}, noise)
        release, variants = self._bundle.run.release, (self._bundle.variant.slug,)
        against = {
            base: verdicts_against(metric, self.report, release, base, variants)
            for base in {each.id for each in last.values() if each}
        }
        return {
            step: verdict
            for step, each in last.items()
            if each and (verdict := against[each.id].get(self._cell(step, release)))
        }

    def _cell(self, step: str, release: str) -> CellKey:
        return CellKey(release, self._bundle.variant.slug, step)

    @cached_property
    def _rates(self) -> RatesByRun:
        return values_of(self._step_runs, "throughput")

    @cached_property
    def _step_runs(self) -> list[StepRun]:
        with temporary_directory("perfpress-check-") as directory:
            # A build keeps what it has read.
            cache = Cache(self._cache if self._cache.is_dir() else directory)
            bundles = [run.bundle for run in self._runs]
            readings = read_all_logs(bundles, cache, lambda _: None)
            return [
                one
                for run, of_steps in zip(self._runs, readings, strict=True)
                for one in step_runs_of(run, of_steps)
            ]

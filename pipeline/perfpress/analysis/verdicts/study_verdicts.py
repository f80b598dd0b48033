"""The verdicts of a report: every release against its base and against the one before it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.analysis.environment.environment import compare_environments
from perfpress.analysis.environment.implied import is_implied
from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.metrics.validity import BREAKS_OFF, Validity, validity_of
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.kept_verdicts import KeptVerdicts, packed
from perfpress.analysis.verdicts.level_changes import SeriesLevels
from perfpress.analysis.verdicts.noise_windows import Noises
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import (
    Absent,
    JudgedMetric,
    Verdict,
    resolved,
    verdicts_against,
    verdicts_on_cells,
)
from perfpress.base.cache import key_of
from perfpress.base.slugs import slug
from perfpress.input.corrections.files import Accept
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.report.report import Report

Verdicts = Mapping[tuple[CellKey, str], Verdict]
"""By cell and the release that it is compared with."""

LAST_MEASURED = "is the last release before that ran the step"

STAGE = "verdicts"

MOST_IN_MEMORY = 8
"""Releases that are judged and have yet to be completed: each takes the next one's verdicts."""


class Comparisons(NamedTuple):
    """What a release is compared with, by the other release."""

    usual: dict[str, list[str]]
    """The variants."""
    earlier: dict[str, list[CellKey]]
    """Cells whose step the release before did not run, and this one did."""


def verdicts_of(
    study: Study,
    name: str,
    summaries: Mapping[CellKey, Summary],
    noise: Noises,
    levels: Mapping[StepKey, SeriesLevels],
) -> KeptVerdicts:
    """Return the verdicts on a metric of all releases but the base.

    Those on a release are kept by what they are made from: a new run moves few.

    Args:
        study: a report with its runs.
        name: of the metric; it has a better direction.
        summaries: the repeats of the metric that count, by cell.
        noise: of the metric.
        levels: of the metric.
    """
    absent = _absent(study, name, summaries)
    meaning = meaning_of(name)
    metric = JudgedMetric(summaries, absent, noise, levels, meaning.better, meaning.is_exact)
    comparisons = _comparisons(study, summaries)
    environments = _environments(study)

    @lru_cache(maxsize=MOST_IN_MEMORY)
    def judged(release: str) -> Verdicts:
        return {
            (each.cell, each.base): each
            for each in _judged(metric, study.report, release, comparisons[release])
        }

    def completed(release: str) -> Iterator[Verdict]:
        for verdict in judged(release).values():
            cell = verdict.cell
            later = study.next(release, cell.variant)
            known = judged(later) if later in comparisons else {}
            after = known.get((cell.in_release(later), verdict.base)) if later else None
            yield replace(
                _with_other_base(study, resolved(verdict, after) if after else verdict),
                accepted=_accepted(study, verdict),
                environment=environments(release, verdict.base, cell.variant),
            )

    def made(release: str) -> bytes:
        verdicts = [*completed(release)]
        named = (
            each
            for verdict in verdicts
            for each in (verdict.since.release if verdict.since else "", verdict.resolved)
        )
        return packed(verdicts, [study.label(each) for each in dict.fromkeys(named) if each])

    of_all = (name, _of_all(study))
    own = {
        release: key_of(list(_made_from(study, metric, release, bases)))
        for release, bases in comparisons.items()
    }
    found = KeptVerdicts(study.kept.new_file())
    for release in comparisons:
        later = dict.fromkeys(study.next(release, variant) for variant in study.report.variants)
        inputs = (of_all, [own.get(each) for each in (release, *later) if each])
        found.add(release, study.kept.encoded(STAGE, inputs, partial(made, release)))
    return found


def _judged(
    metric: JudgedMetric, report: Report, release: str, comparisons: Comparisons
) -> Iterator[Verdict]:
    """Yield the verdicts on a release by itself."""
    for base, variants in comparisons.usual.items():
        yield from verdicts_against(metric, report, release, base, variants).values()
    for base, cells in comparisons.earlier.items():
        for verdict in verdicts_on_cells(metric, report, cells, base).values():
            yield replace(verdict, why=f"{base} {LAST_MEASURED}; {verdict.why}")


def _of_all(study: Study) -> object:
    """Return what the verdicts on all releases are made from."""
    report = study.report
    accepted = [each for each in study.corrections if isinstance(each.change, Accept)]
    return report.steps, report.variants, report.same_configs, accepted


def _made_from(
    study: Study, metric: JudgedMetric, release: str, comparisons: Comparisons
) -> Iterator[object]:
    """Yield what the verdicts on a release are made from, with those on the release after it."""
    bases = dict.fromkeys((*comparisons.usual, *comparisons.earlier))
    near = (release, *bases)
    yield comparisons, list(map(study.report.release, near)), list(map(study.runs_key, near))
    cells = [cell for each in near for cell in study.cells_of_release(each)]
    yield [(cell, metric.absent[cell]) for cell in cells if cell in metric.absent]
    own = (cell for cell in cells if cell.release == release and cell not in metric.summaries)
    yield [(cell, study.previous_of(cell)) for cell in own]
    if noise := metric.noise.get(release):
        runs = (run.bundle.run_id for each in near for run in study.runs_of(each))
        yield noise.key, [noise.days.get(run) for run in runs]
    for line, levels in metric.levels.items():
        for base in bases:
            if since := levels.since(base, release):
                yield line, base, since, study.label(since.release)


def _comparisons(study: Study, summaries: Mapping[CellKey, Summary]) -> Mapping[str, Comparisons]:
    """Return what each release is compared with, in the report's order."""
    found: dict[str, Comparisons] = {}
    for release in study.measured:
        own = Comparisons({}, {})
        for variant in study.report.variants:
            if (release, variant) in study.ran:
                for base in study.compared_with(release, variant):
                    own.usual.setdefault(base, []).append(variant)
        for cell in study.cells_of_release(release):
            if cell in summaries:
                usual = study.compared_with(release, cell.variant)
                for base in study.bases_of(cell)[len(usual) :]:
                    own.earlier.setdefault(base, []).append(cell)
        if own.usual or own.earlier:
            found[release] = own
    return found


def _with_other_base(study: Study, verdict: Verdict) -> Verdict:
    """Name the release that a cell is compared with instead of one without runs of its step."""
    cell = verdict.cell
    if (
        verdict.comparison
        or not study.of_cell(cell)
        or study.of_cell(cell.in_release(verdict.base))
    ):
        return verdict
    own = study.previous_of(cell)
    return replace(verdict, why=f"{verdict.why}; {own} {LAST_MEASURED}") if own else verdict


def _absent(study: Study, name: str, summaries: Mapping[CellKey, Summary]) -> dict[CellKey, Absent]:
    """Return why cells have no value; steps run for their profiles alone need none."""
    rated = {each.cell.step_key for each in study.step_runs if not each.step.capture.separate_run}
    validities: dict[CellKey, list[Validity]] = {}
    for each in study.step_runs:
        if each.cell not in summaries and each.cell.step_key in rated:
            validities.setdefault(each.cell, []).append(validity_of(each, name))
    return {
        cell: Absent(
            State.FAILED if any(map(_is_failure, found)) else State.MISSING,
            "; ".join(dict.fromkeys(each.reason for each in found)),
        )
        for cell, found in validities.items()
    }


def _is_failure(found: Validity) -> bool:
    """Whether a run failed by itself; a run that somebody stopped did not fail."""
    return found.state == "failed" or found.reason == BREAKS_OFF


def _accepted(study: Study, verdict: Verdict) -> str:
    """Return why a regression is accepted, if somebody does."""
    if not verdict.state.is_slower:
        return ""
    cell, shown_as = verdict.cell, study.report.same_configs.variant_slug
    runs = [each.run for each in study.of_cell(cell)]

    def is_named(what: str, old: str, name: str) -> bool:
        return old == name or any(run.name_now(what, old) == name for run in runs)

    for correction in study.corrections:
        change = correction.change
        if (
            isinstance(change, Accept)
            and is_named("release", change.release, cell.release)
            and (change.step is None or is_named("step", change.step, cell.step))
            and (change.variant is None or shown_as(slug(change.variant)) == cell.variant)
        ):
            return change.reason
    return ""


def _environments(study: Study) -> Callable[[str, str, str], tuple[str, ...]]:
    """Return a function: the names of the facts that differ between two releases of a variant.

    What the releases imply is left out, such as the version in a path.
    """

    @cache
    def differences(release: str, base: str, variant: str) -> tuple[str, ...]:
        sides = [study.valid_bundles(each, variant) for each in (base, release)]
        if not all(sides):
            return ()
        own = study.report.release(base), study.report.release(release)
        differences = compare_environments(*sides).differences
        return tuple(each.name for each in differences if not is_implied(each, *own))

    return differences

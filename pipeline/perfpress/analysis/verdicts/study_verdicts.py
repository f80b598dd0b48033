"""The verdicts of a report: every release against its base and against the one before it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import itemgetter

from perfpress.analysis.environment.environment import compare_environments
from perfpress.analysis.environment.implied import is_implied
from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.metrics.validity import BREAKS_OFF, Validity, validity_of
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.kept_verdicts import KeptVerdicts
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
from perfpress.base.slugs import slug
from perfpress.input.corrections.files import Accept
from perfpress.input.logs.metric_names import meaning_of

Verdicts = Mapping[tuple[CellKey, str], Verdict]
"""By cell and the release that it is compared with."""

LAST_MEASURED = "is the last release before that ran the step"


def verdicts_of(
    study: Study,
    name: str,
    summaries: Mapping[CellKey, Summary],
    noise: Noises,
    levels: Mapping[StepKey, SeriesLevels],
) -> KeptVerdicts:
    """Return the verdicts on a metric of all releases but the base.

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
    found = KeptVerdicts(study.kept.new_file())
    for release, comparisons in groupby(_comparisons(study), itemgetter(0)):
        found.add(
            verdict
            for _, base, variants in comparisons
            for verdict in verdicts_against(metric, study.report, release, base, variants).values()
        )
    for base, cells in _measured_earlier(study, summaries):
        judged = verdicts_on_cells(metric, study.report, cells, base)
        found.add(
            replace(verdict, why=f"{base} {LAST_MEASURED}; {verdict.why}")
            for verdict in judged.values()
        )
    environments = _environments(study)

    def completed(verdict: Verdict) -> Verdict:
        own = _with_other_base(study, _resolved(study, found, verdict))
        accepted = _accepted(study, verdict)
        environment = environments(verdict.cell.release, verdict.base, verdict.cell.variant)
        if not accepted and not environment:  # of thousands of verdicts, most
            return own
        return replace(own, accepted=accepted, environment=environment)

    found.change(completed)
    return found


def _comparisons(study: Study) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield each release with what it is compared with, and the variants that are."""
    for release in study.measured:
        found: dict[str, list[str]] = {}
        for variant in study.report.variants:
            if (release, variant) in study.ran:
                for base in study.compared_with(release, variant):
                    found.setdefault(base, []).append(variant)
        for base, variants in found.items():
            yield release, base, variants


def _measured_earlier(
    study: Study, summaries: Mapping[CellKey, Summary]
) -> Iterator[tuple[str, Sequence[CellKey]]]:
    """Yield cells of one release whose step the release before did not run, with one that did."""
    found: dict[tuple[str, str], list[CellKey]] = {}
    for cell in summaries:
        usual = study.compared_with(cell.release, cell.variant)
        for base in study.bases_of(cell)[len(usual) :]:
            found.setdefault((cell.release, base), []).append(cell)
    for (_, base), cells in found.items():
        yield base, cells


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


def _resolved(study: Study, found: Verdicts, verdict: Verdict) -> Verdict:
    """Mark what one run seemed to show and the next release of the variant does not."""
    cell = verdict.cell
    later = study.next(cell.release, cell.variant)
    if later is None:
        return verdict
    after = found.get((CellKey(later, cell.variant, cell.step), verdict.base))
    return resolved(verdict, after) if after else verdict


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

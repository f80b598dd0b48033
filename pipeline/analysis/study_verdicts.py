"""The verdicts of a report: every release against its base and against the one before it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from pipeline.analysis.counted import BREAKS_OFF, Standing, standing
from pipeline.analysis.environment import compare_environments
from pipeline.analysis.throughput import Summary
from pipeline.analysis.verdicts import Absent, Metric, Verdict, resolved, verdicts_against
from pipeline.corrections.files import Accept
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

Verdicts = Mapping[tuple[CellKey, str], Verdict]
"""By cell and the release that it is compared with."""


def verdicts_of(study: Study, throughputs: Mapping[CellKey, Summary]) -> Verdicts:
    """Return the verdicts on throughput of all releases but the base.

    Args:
        study: a report with its runs.
        throughputs: the repeats that count, by cell.
    """
    metric = Metric(throughputs, _absent(study, throughputs))
    found: dict[tuple[CellKey, str], Verdict] = {}
    for release, base in _pairs(study):
        for cell, verdict in verdicts_against(metric, study.report, release, base).items():
            found[cell, base] = verdict
    environment = _environments(study)
    return {
        key: replace(
            _resolved(study, found, verdict),
            accepted=_accepted(study, verdict),
            environment=environment(verdict.cell.release, verdict.base, verdict.cell.variant),
        )
        for key, verdict in found.items()
    }


def _pairs(study: Study) -> Iterator[tuple[str, str]]:
    """Yield each release that has runs with its base and with the one before it, each pair once."""
    report = study.report
    measured = {run.bundle.run.release for run in study.runs}
    for release in report.releases:
        previous = report.previous(release.id)
        bases = dict.fromkeys((report.base, *([previous.id] if previous else [])))
        for base in bases:
            if release.id in measured and base != release.id:
                yield release.id, base


def _absent(study: Study, throughputs: Mapping[CellKey, Summary]) -> dict[CellKey, Absent]:
    standings: dict[CellKey, list[Standing]] = {}
    for each in study.step_runs:
        if each.cell not in throughputs:
            standings.setdefault(each.cell, []).append(standing(each, "throughput"))
    return {
        cell: Absent(
            "failed" if any(map(_is_failure, found)) else "missing",
            "; ".join(dict.fromkeys(each.reason for each in found)),
        )
        for cell, found in standings.items()
    }


def _is_failure(found: Standing) -> bool:
    """Tell whether a run came to nothing by itself; that somebody stopped it tells nothing."""
    return found.state == "failed" or found.reason == BREAKS_OFF


def _resolved(study: Study, found: Verdicts, verdict: Verdict) -> Verdict:
    """Mark what one run seemed to show and the next release on the branch does not."""
    cell = verdict.cell
    for later in study.report.releases:
        before = study.report.previous(later.id)
        if before is not None and before.id == cell.release:
            key = (CellKey(later.id, cell.variant, cell.step), verdict.base)
            return resolved(verdict, found[key]) if key in found else verdict
    return verdict


def _accepted(study: Study, verdict: Verdict) -> str:
    """Return why a regression is accepted, if somebody does."""
    if not verdict.is_slower:
        return ""
    cell = verdict.cell
    for correction in study.corrections:
        change = correction.change
        if (
            isinstance(change, Accept)
            and change.release == cell.release
            and change.step in (None, cell.step)
            and (change.variant is None or slug(change.variant) == cell.variant)
        ):
            return change.reason
    return ""


def _environments(study: Study) -> Callable[[str, str, str], tuple[str, ...]]:
    """Return what tells the names of the facts that differ between two releases of a variant."""

    @cache
    def differences(release: str, base: str, variant: str) -> tuple[str, ...]:
        sides = [
            [
                run.bundle
                for run in study.runs
                if run.bundle.run.release == each and run.bundle.variant.slug == variant
            ]
            for each in (base, release)
        ]
        if not all(sides):
            return ()
        return tuple(each.name for each in compare_environments(*sides).differences)

    return differences

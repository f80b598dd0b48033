"""Selects verdicts by report, release and the release compared with."""

from collections.abc import Iterator, Sequence
from typing import Literal

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.problems import BadInput, Problem
from perfpress.base.toml.words import nearest, shown_value
from perfpress.site.downloads.verdict_records import VerdictRecord, record_of, verdicts_on
from perfpress.site.report_figures import Figures

Against = Literal["base", "previous", "both"]


def chosen_records(
    studies: Sequence[Study], report: str | None, release: str | None, against: Against
) -> Iterator[VerdictRecord]:
    """Yield the verdicts of one release a report.

    Args:
        studies: all reports.
        report: or all that are not drafts.
        release: or the last one measured.
        against: which release it is compared with.

    Raises:
        BadInput: there are no results of the report or release.
    """
    for study in _chosen(studies, report):
        figures = Figures(study)
        for chosen in _release(study, release):
            for each in verdicts_on(figures, chosen):
                record = record_of(figures, *each)
                if _is_asked_for(record, study, against):
                    yield record


def _chosen(studies: Sequence[Study], report: str | None) -> Sequence[Study]:
    if report is None:
        return [study for study in studies if study.runs and not study.report.matter.draft]
    found = [study for study in studies if study.report.id == report and study.runs]
    if not found:
        raise BadInput(_unknown("report", report, [study.report.id for study in studies]))
    return found


def _release(study: Study, wanted: str | None) -> list[str]:
    """Return the requested release, or the last measured one."""
    measured = {run.bundle.run.release for run in study.runs}
    ordered = [release.id for release in study.report.releases if release.id in measured]
    if wanted is None:
        return ordered[-1:]
    if wanted not in ordered:
        raise BadInput(_unknown("release", wanted, ordered))
    return [wanted]


def _is_asked_for(record: VerdictRecord, study: Study, against: Against) -> bool:
    cell = CellKey(record.release, record.variant, record.step)
    return {
        "base": record.is_against_base,
        "previous": record.against == study.previous_of(cell),
        "both": True,
    }[against]


def _unknown(kind: str, wanted: str, known: Sequence[str]) -> Problem:
    near = nearest(wanted, known)
    return Problem(
        path=f"--{kind}",
        found=f"no results of the {kind} {shown_value(wanted)}",
        expected=", ".join(map(shown_value, known)) or "results",
        do=f"did you mean {shown_value(near)}?" if near else "correct the name",
    )

"""A report with what is known of it before its logs and captures are read."""

from collections.abc import Callable
from dataclasses import dataclass

from perfpress.analysis.study.study import Study, StudyInputs, study_of
from perfpress.base.cache import Cache
from perfpress.base.problems import Problem
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.corrections.files import Correction
from perfpress.input.report.report import Report


@dataclass(frozen=True)
class ReportInputs:
    """What the pages of a report are made from: where this is equal, they are."""

    report: Report
    runs: tuple[CorrectedRun, ...]
    """All, excluded ones too, in order of their places."""
    corrections: tuple[Correction, ...]
    study: Callable[[], tuple[Study, list[Problem]]]
    """Reads the logs and captures; the problems are what is wrong with them."""


def report_inputs(
    inputs: StudyInputs, cache: Cache, processes: int, progress: Callable[[str], None]
) -> tuple[ReportInputs, ...]:
    """Return the inputs of each report."""

    def of_report(report: Report) -> ReportInputs:
        return ReportInputs(
            report,
            inputs.runs_of(report),
            inputs.corrections_of(report),
            lambda: study_of(inputs, report, cache, processes, progress),
        )

    return tuple(map(of_report, inputs.reports))

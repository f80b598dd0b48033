"""Which numbers of a run are valid, and why the others are not: the one place that decides it."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from perfpress.analysis.metrics.rate_target import TARGETS, rate_target
from perfpress.analysis.study.measured import Measurement
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun

FOR_THE_PROFILE = "a profiling run, made for its profile"
BREAKS_OFF = "the log breaks off, or says itself that it is of no whole run"
NOTHING_DONE = "no operation was finished"


ValidityState = Literal[
    "", "excluded", "for the profile", "target missed", "failed", "cut", "partial", "none"
]
"""Why a number does not count: empty where it is valid, "none" where no log has it."""


class Validity(NamedTuple):
    """Whether a number counts."""

    state: ValidityState
    reason: str = ""
    """What keeps it from counting; empty where it counts."""


VALID = Validity("")


def why_not(step_run: StepRun, metric: str) -> str:
    """Return what keeps a metric of a run out of medians, comparisons and charts.

    Empty where it counts.
    """
    return validity_of(step_run, metric).reason


def values_of(step_runs: Iterable[StepRun], metric: str) -> dict[CellKey, dict[str, float]]:
    """Return the values of a metric that count, by cell and run id."""
    found: dict[CellKey, dict[str, float]] = {}
    for each, measured in counting(step_runs, metric):
        found.setdefault(each.cell, {})[each.bundle.run_id] = measured.value
    return found


def counting(step_runs: Iterable[StepRun], metric: str) -> Iterator[tuple[StepRun, Measurement]]:
    """Yield the runs whose number of a metric counts, with it."""
    for each in step_runs:
        if metric in each.measured and not why_not(each, metric):
            yield each, each.measured[metric]


def validity_of(step_run: StepRun, metric: str) -> Validity:
    """Return whether a metric of a run is in medians, comparisons and charts."""
    if exclusion := step_run.exclusion:
        by = f" by {exclusion.replacement}" if exclusion.replacement else ""
        reason = exclusion.reason.removesuffix(".")  # other words may follow
        return Validity("excluded", f"{exclusion.status}{by}: {reason}")
    if step_run.step.capture.separate_run:
        return Validity("for the profile", FOR_THE_PROFILE)
    target = None if metric in TARGETS else rate_target(step_run)
    if target is not None and target.is_met is False:
        return Validity("target missed", target.text)
    return _validity_of_number(step_run, metric)


def why_no_number(step_run: StepRun, metric: str) -> str:
    """Return why a run has no value of a metric, whether it was made for its rate or its profile.

    Empty where it does.
    """
    return _validity_of_number(step_run, metric).reason


def is_expected(step_run: StepRun, metric: str) -> bool:
    """Return whether a run has a metric or should have it; with flame graphs only, none should."""
    return _validity_of_number(step_run, metric).state != "none"


def _validity_of_number(step_run: StepRun, metric: str) -> Validity:
    if ended := step_run.step.ended:
        word = "failed" if ended.how == "failed" else "was cut short"
        return Validity(ended.how, f"the run {word}: {ended.reason}")
    if step_run.outline.nothing_done:
        return Validity("failed", NOTHING_DONE)
    partial = step_run.outline.partial
    # Asked for oftenest: a measurement would be made each time.
    if metric not in step_run.measured:
        if partial:
            return Validity("failed", BREAKS_OFF)
        return Validity("none", f"no log has the {metric.replace('_', ' ')}")
    if partial and step_run.measured[metric].file in partial:
        return Validity("partial", BREAKS_OFF)
    return VALID

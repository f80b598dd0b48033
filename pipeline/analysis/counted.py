"""Which numbers of a run count, and why the others do not: the one place that decides it."""

from typing import Literal, NamedTuple

from pipeline.analysis.rate_target import TARGETS, rate_target
from pipeline.study.measured import Measurement
from pipeline.study.study import StepRun

FOR_THE_PROFILE = "a profiling run, made for its profile"
BREAKS_OFF = "the log breaks off, or says itself that it is of no whole run"
NOTHING_DONE = "no operation was finished"


State = Literal[
    "", "excluded", "for the profile", "target missed", "failed", "cut", "partial", "none"
]
"""What became of a number: empty where it counts, "none" where nothing tells it."""


class Standing(NamedTuple):
    """Whether a number counts."""

    state: State
    reason: str = ""
    """What keeps it from counting; empty where it counts."""


def why_not(step_run: StepRun, metric: str) -> str:
    """Return what keeps a metric of a run out of medians, comparisons and charts.

    Empty where it counts.
    """
    return standing(step_run, metric).reason


def standing(step_run: StepRun, metric: str) -> Standing:
    """Return whether a metric of a run is in medians, comparisons and charts."""
    if exclusion := step_run.exclusion:
        by = f" by {exclusion.replacement}" if exclusion.replacement else ""
        return Standing("excluded", f"{exclusion.status}{by}: {exclusion.reason}")
    if step_run.step.capture.separate_run:
        return Standing("for the profile", FOR_THE_PROFILE)
    target = None if metric in TARGETS else rate_target(step_run)
    if target is not None and target.is_met is False:
        return Standing("target missed", target.text)
    return _standing_of_number(step_run, metric)


def why_no_number(step_run: StepRun, metric: str) -> str:
    """Return why a run tells nothing by a metric, be it made for its rate or for its profile.

    Empty where it does.
    """
    return _standing_of_number(step_run, metric).reason


def tells(step_run: StepRun, metric: str) -> bool:
    """Return whether a run tells a metric, or was to: of flame graphs alone nothing is missing."""
    return _standing_of_number(step_run, metric).state != "none"


def _standing_of_number(step_run: StepRun, metric: str) -> Standing:
    if ended := step_run.step.ended:
        word = "failed" if ended.how == "failed" else "was cut short"
        return Standing(ended.how, f"the run {word}: {ended.reason}")
    throughput = step_run.measured.get("throughput")
    if throughput is not None and throughput.value <= 0:
        return Standing("failed", NOTHING_DONE)
    partial = {reading.file for reading in step_run.readings if reading.partial}
    measured = step_run.measured.get(metric)
    if measured is None:
        if partial:
            return Standing("failed", BREAKS_OFF)
        return Standing("none", f"no log tells the {metric.replace('_', ' ')}")
    if step_run.bundle.shown(measured.file) in partial:
        return Standing("partial", BREAKS_OFF)
    return Standing("")


def counted(step_run: StepRun) -> dict[str, Measurement]:
    """Return the metrics of a run that count, by name."""
    return {
        name: measured
        for name, measured in step_run.measured.items()
        if not why_not(step_run, name)
    }

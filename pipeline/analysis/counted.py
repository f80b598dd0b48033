"""Which numbers of a run count, and why the others do not: the one place that decides it."""

from pipeline.analysis.rate_target import TARGETS, rate_target
from pipeline.measured import Measurement
from pipeline.study import StepRun

FOR_THE_PROFILE = "a profiling run, made for its profile"
BREAKS_OFF = "the log breaks off, or says itself that it is of no whole run"
NOTHING_DONE = "no operation was finished"


def why_not(step_run: StepRun, metric: str) -> str:
    """Return what keeps a metric of a run out of medians, comparisons and charts.

    Empty where it counts.
    """
    if exclusion := step_run.exclusion:
        by = f" by {exclusion.replacement}" if exclusion.replacement else ""
        return f"{exclusion.status}{by}: {exclusion.reason}"
    if step_run.step.capture.separate_run:
        return FOR_THE_PROFILE
    target = None if metric in TARGETS else rate_target(step_run)
    if target is not None and target.is_met is False:
        return target.text
    return why_no_number(step_run, metric)


def why_no_number(step_run: StepRun, metric: str) -> str:
    """Return why a run tells nothing by a metric, be it made for its rate or for its profile.

    Empty where it does.
    """
    throughput = step_run.measured.get("throughput")
    if throughput is not None and throughput.value <= 0:
        return NOTHING_DONE
    partial = {reading.file for reading in step_run.readings if reading.partial}
    measured = step_run.measured.get(metric)
    if measured is None:
        return BREAKS_OFF if partial else f"no log tells the {metric.replace('_', ' ')}"
    return BREAKS_OFF if step_run.bundle.shown(measured.file) in partial else ""


def counted(step_run: StepRun) -> dict[str, Measurement]:
    """Return the metrics of a run that count, by name."""
    return {
        name: measured
        for name, measured in step_run.measured.items()
        if not why_not(step_run, name)
    }

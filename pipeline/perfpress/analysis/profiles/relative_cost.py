"""Cost by the author's relative rates: where no run has a throughput, share ÷ rate.

Of a release that does 0.57 times the operations of the base, each takes 1 ÷ 0.57 times as long. A
profile shows what this time is spent on, if the same part of it is sampled on each release.
"""

from collections.abc import Iterator, Mapping

from perfpress.analysis.profiles.cost import Unknown, Work
from perfpress.analysis.profiles.profile import Profile
from perfpress.analysis.study.profiles import StepKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.base.units import may_be_cpu_time

SHOWS_OPERATIONS = ("throughput", "operations")
"""Metrics of a run."""


def rates_in_use(study: Study) -> Mapping[StepKey, Mapping[str, float]]:
    """Return the author's rates by release, relative to the base, where nothing was measured."""
    measured = _measured(study)
    places = {each.cell.step_key for each in study.step_runs}
    return {
        place: rates
        for place in sorted(places - measured.keys())
        if (rates := study.report.relative_rates(*place))
    }


def work_by_rate(profile: Profile, rate: float | None, label: str, base: str) -> Work | Unknown:
    """Return what gives the cost of a profile in percent of the base's operation.

    Args:
        profile: of one cell and event.
        rate: of its release, relative to the base; None where the author gives none.
        label: of its release.
        base: label of the base.
    """
    if not may_be_cpu_time(profile.event, profile.unit):
        return Unknown(f"the author’s rates give a cost of CPU time, not of {profile.unit}")
    if rate is None:
        return Unknown(f"the author’s rates have none of {label}")
    if not profile.total:
        return Unknown("the profile weighs nothing")
    return Work(
        operations=profile.total * rate / 100,
        scope="",
        method=f"share of the profile ÷ {rate:.4g}, by the author’s rates, {base} = 1",
        base=base,
    )


def overruled_rates(study: Study) -> Iterator[Problem]:
    """Yield which of the author's rates are not used, as runs were measured."""
    document = study.report.document
    if document is None:
        return
    by_step: dict[str, StepRun] = {}
    for (variant, step), run in _measured(study).items():
        if study.report.relative_rates(variant, step):
            by_step.setdefault(step, run)
    for step, run in by_step.items():
        own = step if step in study.report.rates else ""
        yield Problem(
            path=document.shown_as,
            line=document.line("rates", *filter(None, [own])),
            found=f"rates of the step {shown_value(step)}, which {run.bundle.run_id} measured",
            expected="rates where no run has a throughput",
            do="remove them: the measured throughput is used",
            severity="warning",
        )


def _measured(study: Study) -> Mapping[StepKey, StepRun]:
    """Return by place the first run that shows how many operations were done."""
    found: dict[StepKey, StepRun] = {}
    for each in study.step_runs:
        if each.cell.step_key in found:
            continue
        if each.step.operations or not each.measured.keys().isdisjoint(SHOWS_OPERATIONS):
            found[each.cell.step_key] = each
    return found

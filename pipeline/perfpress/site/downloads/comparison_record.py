"""What `perfpress compare --json` prints, and its JSON Schema.

`python -m perfpress.site.downloads.comparison_record` prints the schema. The names of the keys are
promises: keys may be added, and none changes its meaning.
"""

import sys
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from perfpress.analysis.comparison.comparison import Comparison
from perfpress.analysis.comparison.profiles import ComparedProfile
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.node.messages.findings import Findings
from perfpress.base.node.messages.profiles import WrittenProfile
from perfpress.base.problems import Problem

if TYPE_CHECKING:  # imports scipy, which profiles alone do without
    from perfpress.analysis.comparison.rates import ComparedStep


class SideRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One side."""

    label: str
    """As it is called in the answer."""
    path: str
    """As it was given."""
    runs: int


class VerdictOfNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict on one metric of one step."""

    verdict: State
    why: str
    """What it rests on, in words."""
    evidence: Evidence | None
    """Null without two numbers."""
    p: float | None
    """Adjusted for all kinds of evidence and all steps compared."""
    ratio: float | None
    """Of the medians of the metric: after ÷ base."""
    interval: tuple[float, float] | None
    """Of that ratio, at 95 % or more; null where it says nothing."""
    could_miss: float | None
    """The change, a part of the value, that might be there and not be seen."""


class NumbersRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A metric that both sides have: its value in each run."""

    metric: str
    unit: str
    better: Literal["higher", "lower"] | None
    base: tuple[float, ...]
    after: tuple[float, ...]
    ratio: float | None
    """Of the medians; null where one is not above 0."""
    verdict: VerdictOfNumbers | None
    """On throughput, the 95th percentile, and what is counted and not timed; null of others."""


class ProfileSide(msgspec.Struct, frozen=True, kw_only=True):
    """The profile of one side."""

    weight: int
    samples: int | None
    """Null where the captures do not say."""
    lost: int
    captures: tuple[str, ...]


class ProfileRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What changed between the profiles of a step."""

    event: str
    unit: str
    base: ProfileSide
    after: ProfileSide
    matched_percent: float
    """Of the weight, mean of both sides."""
    changes: Findings


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A step."""

    step: str
    rate: VerdictOfNumbers | None
    """On throughput, also where logs state the time of an operation; null where they have none."""
    stated_as: Literal["throughput", "time_per_operation"] | None
    """What logs state of the rate. A time has the inverse of the rate's ratio and interval."""
    response_time: VerdictOfNumbers | None
    """On the 95th percentile."""
    numbers: tuple[NumbersRecord, ...]
    profile: ProfileRecord | None


class MeanRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The geometric mean of the ratios of throughput of all steps that both have."""

    ratio: float
    steps: int
    p: float
    is_change: bool
    """Whether it is more than noise."""


class ComparisonRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two files or directories."""

    version: Literal[1]
    """Only a change that old readers cannot read raises it."""
    headline: str
    """The answer in one sentence."""
    base: SideRecord
    after: SideRecord
    steps: tuple[StepRecord, ...]
    mean: MeanRecord | None
    """Null for fewer than three steps."""
    environment: tuple[str, ...]
    """Names of what else differs, where bundles say it."""
    problems: tuple[Problem, ...]
    """What could not be read, or is odd."""


def comparison_json(comparison: Comparison, headline: str, paths: tuple[str, str]) -> str:
    """Return the record as JSON."""
    encoded = msgspec.json.encode(_record(comparison, headline, paths))
    return msgspec.json.format(encoded, indent=1).decode() + "\n"


def _record(comparison: Comparison, headline: str, paths: tuple[str, str]) -> ComparisonRecord:
    rates = comparison.rates
    of_steps = {step.name: step for step in rates.steps} if rates else {}
    verdicts = [verdict for step in of_steps.values() for verdict in step.judged]
    sides = [
        SideRecord(label=label, path=path, runs=runs)
        for label, path, runs in zip(
            (comparison.base, comparison.after), paths, comparison.runs, strict=True
        )
    ]
    mean = rates.mean if rates else None
    return ComparisonRecord(
        version=1,
        headline=headline,
        base=sides[0],
        after=sides[1],
        steps=tuple(
            StepRecord(
                step=name,
                rate=_verdict(step.rate) if step else None,
                stated_as=_stated_as(step) if step else None,
                response_time=_verdict(step.response_time) if step else None,
                numbers=tuple(
                    NumbersRecord(
                        metric=each.name,
                        unit=each.unit,
                        better=each.better,
                        base=each.base.values,
                        after=each.after.values,
                        ratio=each.ratio,
                        verdict=_verdict(each.verdict),
                    )
                    for each in (step.metrics if step else ())
                ),
                profile=_profile(comparison.profiles.get(name)),
            )
            for name in dict.fromkeys((*of_steps, *comparison.profiles))
            for step in [of_steps.get(name)]
        ),
        mean=MeanRecord(ratio=mean.ratio, steps=mean.steps, p=mean.p, is_change=mean.is_change)
        if mean
        else None,
        environment=next((each.environment for each in verdicts if each.environment), ()),
        problems=comparison.problems,
    )


def _stated_as(step: "ComparedStep") -> Literal["throughput", "time_per_operation"] | None:
    if step.rate is None:
        return None
    return "time_per_operation" if step.is_time else "throughput"


def _verdict(verdict: Verdict | None) -> VerdictOfNumbers | None:
    if verdict is None:
        return None
    interval = verdict.interval
    return VerdictOfNumbers(
        verdict=verdict.state,
        why=verdict.why,
        evidence=verdict.evidence,
        p=verdict.p,
        ratio=verdict.comparison.ratio if verdict.comparison else None,
        interval=(interval.low, interval.high) if interval else None,
        could_miss=verdict.within,
    )


def _profile(compared: ComparedProfile | None) -> ProfileRecord | None:
    if compared is None:
        return None
    return ProfileRecord(
        event=compared.event,
        unit=compared.unit,
        base=_side(compared.base),
        after=_side(compared.after),
        matched_percent=compared.diff.matched_percent,
        changes=compared.diff.changes,
    )


def _side(profile: WrittenProfile) -> ProfileSide:
    return ProfileSide(
        weight=int(profile.total),
        samples=profile.samples,
        lost=sum(capture.lost for capture in profile.captures),
        captures=tuple(capture.file for capture in profile.captures),
    )


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of what is printed."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    title = "perfpress compare --json"
    return {"$schema": draft, "title": title} | msgspec.json.schema(ComparisonRecord)


def json_schema_text() -> str:
    """Return the JSON Schema as it is published."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(json_schema_text())

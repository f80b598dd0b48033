"""Compares the numbers in the logs of two sides, with verdicts where there is one to give."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perfpress.analysis.metrics.throughput import Summary, summaries_of
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.analysis.verdicts.days import run_days
from perfpress.analysis.verdicts.mean_of_steps import MeanOfSteps, MeansOfSteps
from perfpress.analysis.verdicts.noise_windows import noise_models
from perfpress.analysis.verdicts.study_verdicts import Verdicts, verdicts_of
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.input.logs.metric_names import EXACT, METRIC_NAMES
from perfpress.input.logs.readings import Better

RATE = "throughput"
TIME = "time_per_operation"
TIMES_OF_REPEATS = tuple(f"{TIME}_{what}" for what in ("mean", "stddev", "minimum", "maximum"))
"""What else is known of a time that was measured repeatedly."""

RESPONSE_TIME = "latency_p95"
JUDGED = (RATE, RESPONSE_TIME, *EXACT)
"""Metrics whose noise is known well enough for verdicts, or that have none."""


@dataclass(frozen=True)
class ComparedMetric:
    """One number of a step, on both sides."""

    name: str
    unit: str
    better: Better
    base: Summary
    after: Summary
    verdict: Verdict | None
    """None where it is not judged."""

    @property
    def ratio(self) -> float | None:
        """Of the medians; None where one is not above 0."""
        if min(self.base.median, self.after.median) <= 0:
            return None
        return self.after.median / self.base.median


@dataclass(frozen=True)
class ComparedStep:
    """A step that one side has, or both."""

    name: str
    operation: str
    rate: Verdict | None
    """None where neither side should have a rate."""
    is_time: bool
    """Whether logs state how long an operation took, and the rate is made of that."""
    response_time: Verdict | None
    metrics: tuple[ComparedMetric, ...]
    """All that both sides have, the rate first."""

    def metric(self, name: str) -> ComparedMetric | None:
        """Return a metric by its name."""
        return next((each for each in self.metrics if each.name == name), None)

    @property
    def counts(self) -> tuple[tuple[ComparedMetric, Verdict], ...]:
        """What is counted and not timed, with its verdict."""
        return tuple(
            (each, each.verdict) for each in self.metrics if each.name in EXACT and each.verdict
        )

    @property
    def judged(self) -> tuple[Verdict, ...]:
        """The verdicts that a gate fails on."""
        counts = [verdict for _, verdict in self.counts]
        return (self.rate, *counts) if self.rate else tuple(counts)


@dataclass(frozen=True)
class ComparedRates:
    """What the logs of both sides say."""

    steps: tuple[ComparedStep, ...]
    mean: MeanOfSteps | None


def compared_rates(study: Study) -> ComparedRates:
    """Compare the two releases of a study in all numbers that both have."""
    base, after = (release.id for release in study.report.releases)
    names = dict.fromkeys(name for each in study.step_runs for name in each.measured)
    summaries = {name: summaries_of(study.step_runs, name) for name in sorted(names, key=_rank)}
    noise = {
        name: noise_models(summaries[name], study.report, run_days(study.runs))
        for name in JUDGED
        if name in names
    }
    verdicts: dict[str, Verdicts] = {
        name: verdicts_of(study, name, summaries[name], own, {}) for name, own in noise.items()
    }
    steps = []
    for step in study.report.steps:
        cell = CellKey(after, study.report.default_variant, step)
        # What only the other side has, a new benchmark, is named in a note.
        on_both = verdicts if study.of_cell(cell.in_release(base)) else {}
        rate, response_time = (
            on_both.get(name, {}).get((cell, base)) for name in (RATE, RESPONSE_TIME)
        )
        steps.append(
            ComparedStep(
                step,
                study.operation(step),
                rate if rate and (rate.comparison or _has_rate(study, cell, base)) else None,
                _is_time(study, cell, base),
                response_time,
                tuple(_metrics(study, summaries, verdicts, cell, base)),
            )
        )
    mean = None
    if RATE in noise:
        means = MeansOfSteps(summaries[RATE], noise[RATE], study.report)
        mean = means.of(study.cells_of_release(after), base)
    return ComparedRates(tuple(steps), mean)


def _rank(name: str) -> tuple[int, int]:
    """Return the sort key of a metric: the rate, its time, the response time, then the table's."""
    first = (RATE, TIME, RESPONSE_TIME)
    known = list(METRIC_NAMES)
    return (
        first.index(name) if name in first else len(first),
        known.index(name) if name in known else len(known),
    )


def _has_rate(study: Study, cell: CellKey, base: str) -> bool:
    return any(RATE in each.measured for each in _runs_of_both(study, cell, base))


def _is_time(study: Study, cell: CellKey, base: str) -> bool:
    rates = [
        each.measured[RATE] for each in _runs_of_both(study, cell, base) if RATE in each.measured
    ]
    return bool(rates) and all(rate.is_of_time for rate in rates)


def _runs_of_both(study: Study, cell: CellKey, base: str) -> tuple[StepRun, ...]:
    return (*study.of_cell(cell.in_release(base)), *study.of_cell(cell))


def _metrics(
    study: Study,
    summaries: Mapping[str, Mapping[CellKey, Summary]],
    verdicts: Mapping[str, Verdicts],
    cell: CellKey,
    base: str,
) -> Iterator[ComparedMetric]:
    units = {
        name: number
        for each in _runs_of_both(study, cell, base)
        for name, number in each.measured.items()
    }
    for name, own in summaries.items():
        sides = [own.get(each) for each in (cell.in_release(base), cell)]
        if sides[0] is not None and sides[1] is not None:
            verdict = verdicts.get(name, {}).get((cell, base))
            number = units[name]
            yield ComparedMetric(name, number.unit, number.better, sides[0], sides[1], verdict)

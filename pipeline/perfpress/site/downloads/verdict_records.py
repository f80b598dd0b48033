"""Verdicts as records for machines: what `/api/verdicts.json` and `perfpress verdict` hold.

The names of the keys are promises: keys may be added, and none changes its meaning.
"""

from collections.abc import Iterable, Iterator

import msgspec

from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.site.addresses import step_address
from perfpress.site.report_figures import Figures
from perfpress.site.words.exact_counts import exact_verdicts_of, words_of_cell
from perfpress.site.words.step_headline import verdict_line


class VerdictRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One release, variant and step against another release."""

    report: str
    """The report's slug."""
    release: str
    variant: str
    """The variant's slug."""
    step: str
    metric: str
    against: str
    """The release compared with."""
    is_against_base: bool
    """Whether that is the base; else it is the one before, on the same branch and variant."""
    verdict: State
    headline: str
    """All evidence in one line, as the step's page opens with: what changed, and what else did.
    Of a metric that is counted and not timed: both numbers."""
    why: str
    """What the verdict rests on, in words."""
    ratio: float | None
    """Of the medians: release ÷ against; null where either has none."""
    interval: tuple[float, float] | None
    """Of the ratio, at 95 % or more, by a test or the noise floor; null where it says nothing."""
    runs: int
    against_runs: int
    p: float | None
    """Of the evidence, adjusted for all kinds of it and all steps compared."""
    could_miss: float | None
    """The change, a part of the value, that might be there and not be seen."""
    evidence: Evidence | None
    """What decided: an exact count, a test, the series, the noise floor or the prior; null without
    two numbers."""
    since: str | None
    """The release between the two in which the level of the series changed; null where none did."""
    accepted: str | None
    """Why a regression is accepted; null where it is not."""
    resolved_by: str | None
    """The release in which a change seen in one run was gone again."""
    environment: tuple[str, ...]
    """Names of what else differs: facts of the machine, tools, attachments."""
    url: str
    """Of the step's page, below the address of the site."""


class VerdictFile(msgspec.Struct, frozen=True, kw_only=True):
    """`/api/verdicts.json`."""

    version: int
    """1; only a change that old readers cannot read raises it."""
    verdicts: tuple[VerdictRecord, ...]


def verdict_records(figures: Figures) -> Iterator[VerdictRecord]:
    """Yield the verdicts of a report, by release, variant and step in the report's order."""
    report = figures.study.report
    releases, variants, steps = (
        {name: at for at, name in enumerate(names)}
        for names in ((each.id for each in report.releases), report.variants, report.steps)
    )
    rates = [("throughput", each) for each in figures.verdicts.values()]
    verdicts = sorted(
        (*rates, *exact_verdicts_of(figures)),
        key=lambda each: (
            releases[each[1].cell.release],
            variants[each[1].cell.variant],
            steps[each[1].cell.step],
            each[1].base != figures.study.base_of(each[1].cell.variant),
        ),
    )
    for each in verdicts:
        yield _record(figures, *each)


def verdict_file(records: Iterable[VerdictRecord]) -> Iterator[bytes]:
    """Yield `/api/verdicts.json`, a line a verdict: it is the largest file of a site."""
    yield b'{"version":1,"verdicts":[\n'
    for at, record in enumerate(records):
        yield (b",\n" if at else b"") + msgspec.json.encode(record)
    yield b"\n]}\n"


def _record(figures: Figures, metric: str, verdict: Verdict) -> VerdictRecord:
    report, cell, compared = figures.study.report, verdict.cell, verdict.comparison
    interval = verdict.interval
    return VerdictRecord(
        report=report.id,
        release=cell.release,
        variant=cell.variant,
        step=cell.step,
        metric=metric,
        against=verdict.base,
        is_against_base=verdict.base == figures.study.base_of(cell.variant),
        verdict=verdict.state,
        headline=verdict_line(figures, verdict)
        if metric == "throughput"
        else words_of_cell(figures, metric, verdict),
        why=verdict.why,
        ratio=compared.ratio if compared else None,
        interval=(interval.low, interval.high) if interval else None,
        runs=compared.count if compared else 0,
        against_runs=compared.base_count if compared else 0,
        p=verdict.p,
        could_miss=verdict.within,
        evidence=verdict.evidence,
        since=verdict.since.release if verdict.since else None,
        accepted=verdict.accepted or None,
        resolved_by=verdict.resolved or None,
        environment=verdict.environment,
        url=step_address(report, cell).lstrip("/"),
    )

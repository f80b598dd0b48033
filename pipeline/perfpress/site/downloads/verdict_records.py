"""Verdicts as records for machines: what `/api/verdicts.json` and `perfpress verdict` hold.

The names of the keys are promises: keys may be added, and none changes its meaning. All verdicts of
a release are in a file beside its page, which is made again where one of them changes; the file of
the whole site has those of the newest releases, and the addresses of the others.
"""

from collections.abc import Iterable, Sequence
from itertools import product

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.cache import key_of
from perfpress.site.addresses import release_address, step_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Link
from perfpress.site.words.exact_counts import exact_verdicts_of, words_of_cell
from perfpress.site.words.step_headline import verdict_line

VERDICTS = "verdicts.json"
"""Below the address of a release."""


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


class VerdictsOfRelease(msgspec.Struct, frozen=True, kw_only=True):
    """Where the verdicts on a release are."""

    report: str
    """The report's slug."""
    release: str
    url: str
    """Of its file, below the address of the site."""
    digest: str
    """Of its verdicts by variant, step, metric and release compared with: it changes where one of
    them does, and not with what they rest on."""


class VerdictFile(msgspec.Struct, frozen=True, kw_only=True):
    """`/api/verdicts.json`, and `verdicts.json` of a release."""

    version: int
    """1; only a change that old readers cannot read raises it."""
    verdicts: tuple[VerdictRecord, ...]
    """Of the whole site, those on the newest 40 releases of each report."""
    releases: tuple[VerdictsOfRelease, ...] = ()
    """All releases with verdicts; of one release, nothing."""


def verdicts_on(figures: Figures, release: str) -> tuple[tuple[str, Verdict], ...]:
    """Return the verdicts on a release, each with its metric, in the report's order of steps."""
    report = figures.study.report
    found: list[tuple[str, Verdict]] = []
    for cell in (CellKey(release, *key) for key in product(report.variants, report.steps)):
        rates = [("throughput", each) for each in figures.verdicts.of_cell(cell)]
        base = figures.study.base_of(cell.variant)
        found += sorted(
            (*rates, *exact_verdicts_of(figures, cell)), key=lambda each: each[1].base != base
        )
    return tuple(found)


def verdict_file(
    records: Iterable[VerdictRecord], releases: Sequence[VerdictsOfRelease] = ()
) -> bytes:
    """Return a file of verdicts, a line each.

    Args:
        records: in their order.
        releases: all that have a file of their own; in that file, none.
    """
    verdicts, listed = (b",\n".join(map(msgspec.json.encode, each)) for each in (records, releases))
    more = b',"releases":[\n' + listed + b"\n]" if listed else b""
    return b'{"version":1,"verdicts":[\n' + verdicts + b"\n]" + more + b"}\n"


def publish_verdicts(
    figures: Figures, release: str, address: str, directory: SiteDirectory
) -> tuple[Link, ...]:
    """Write the verdicts on a release beside its page; return the link to them, if any."""
    verdicts = verdicts_on(figures, release)
    if not verdicts:
        return ()
    content = verdict_file(record_of(figures, *each) for each in verdicts)
    return (directory.write_download(f"{address}{VERDICTS}", content, "Verdicts, JSON"),)


def verdicts_of_release(figures: Figures, release: str) -> VerdictsOfRelease | None:
    """Return where the verdicts on a release are, if it has any."""
    verdicts = verdicts_on(figures, release)
    if not verdicts:
        return None
    report = figures.study.report
    digest = key_of(
        [
            (each.cell.variant, each.cell.step, metric, each.base, each.state)
            for metric, each in verdicts
        ]
    )
    url = f"{release_address(report, release)}{VERDICTS}".lstrip("/")
    return VerdictsOfRelease(report=report.id, release=release, url=url, digest=digest[:16])


def record_of(figures: Figures, metric: str, verdict: Verdict) -> VerdictRecord:
    """Return one verdict as a record."""
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

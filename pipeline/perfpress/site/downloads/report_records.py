"""Reports as records for machines: what `/api/reports.json` holds.

The names of the keys are promises: keys may be added, and none changes its meaning.
"""

from collections.abc import Iterable
from datetime import date

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.site.addresses import release_address, report_address, step_address
from perfpress.site.words.measured import summary_of


class ReleaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A release that has runs."""

    id: str
    """As the bundles and the report file spell it."""
    label: str
    version: str | None
    date: date | None
    branch: str | None
    runs: int
    url: str
    """Of the release's page, below the address of the site."""


class VariantRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A variant."""

    slug: str
    label: str


class PageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The page of a release, variant and step; `metrics.json` and `metrics.csv` are below it."""

    release: str
    variant: str
    step: str
    runs: int
    """All, including excluded ones."""
    events: tuple[str, ...]
    """Of its profiles; with one, `profile.json` and `stacks.folded.gz` are below it too."""
    url: str


class ReportRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A report."""

    id: str
    """Its slug."""
    title: str
    summary: str
    base: str
    """The release that all others are compared with."""
    default_variant: str
    releases: tuple[ReleaseRecord, ...]
    """In the report's order."""
    variants: tuple[VariantRecord, ...]
    steps: tuple[str, ...]
    pages: tuple[PageRecord, ...]
    url: str


class ReportsFile(msgspec.Struct, frozen=True, kw_only=True):
    """`/api/reports.json`."""

    version: int
    """1; only a change that old readers cannot read raises it."""
    reports: tuple[ReportRecord, ...]


def report_record(study: Study) -> ReportRecord:
    """Return the record of a report."""
    report = study.report
    return ReportRecord(
        id=report.id,
        title=report.title,
        summary=report.matter.summary or summary_of(study),
        base=report.base,
        default_variant=report.default_variant,
        releases=tuple(
            ReleaseRecord(
                id=release.id,
                label=study.label(release.id),
                version=release.version or None,
                date=release.date,
                branch=release.branch or None,
                runs=runs,
                url=_url(release_address(report, release.id)),
            )
            for release in report.releases
            if (runs := len(study.runs_of(release.id)))
        ),
        variants=tuple(
            VariantRecord(slug=slug, label=label) for slug, label in report.variants.items()
        ),
        steps=tuple(report.steps),
        pages=tuple(
            _page(study, CellKey(release.id, variant, step))
            for release in report.releases
            for variant in report.variants
            for step in report.steps
            if study.of_cell(CellKey(release.id, variant, step))
        ),
        url=_url(report_address(report)),
    )


def reports_file(records: Iterable[ReportRecord]) -> bytes:
    """Return `/api/reports.json`."""
    content = ReportsFile(version=1, reports=tuple(records))
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def _page(study: Study, cell: CellKey) -> PageRecord:
    return PageRecord(
        release=cell.release,
        variant=cell.variant,
        step=cell.step,
        runs=len(study.of_cell(cell)),
        events=tuple(made.event for made in study.profiles.get(cell, ())),
        url=_url(step_address(study.report, cell)),
    )


def _url(address: str) -> str:
    return address.lstrip("/")

"""What the pages of one report leave for pages of the whole site: hosts, home, search, feeds.

It is kept with the pages: where nothing of a report changed, its logs and profiles are not read.
"""

from collections.abc import Sequence

import msgspec

from perfpress.base.problems import Problem
from perfpress.site.downloads.machine_files import ReportRecords, report_records
from perfpress.site.downloads.search_index import (
    FunctionIndex,
    SearchableReport,
    searchable_report,
)
from perfpress.site.downloads.verdict_records import VerdictsOfRelease
from perfpress.site.figures.cards import CardOfPage
from perfpress.site.pages.hosts import HostRun, host_runs
from perfpress.site.pages.latest_changes import LatestChange, changes_of
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.pages import Listed
from perfpress.site.words.measured import summary_of, variant_has_rates


class ReportShare(msgspec.Struct, frozen=True, kw_only=True):
    """What shows the title of the report, or a mark in its place."""

    listed: list[Listed]
    """Its pages, without their contents."""
    summary: str
    """In one line."""
    has_rates: bool
    """Whether any run has or should have a throughput."""
    records: ReportRecords
    searchable: SearchableReport
    latest_changes: list[LatestChange]
    host_runs: list[HostRun]
    cards: list[CardOfPage]
    """Those that show the title."""


class ReportPages(msgspec.Struct, frozen=True):
    """What is left of the pages of a report."""

    shared: ReportShare
    functions: FunctionIndex
    problems: list[Problem]


def report_share(
    parts: ReportParts,
    listed: Sequence[Listed],
    releases: Sequence[VerdictsOfRelease],
    cards: Sequence[CardOfPage],
) -> ReportShare:
    """Return what a report leaves for pages of the whole site.

    Args:
        parts: what its pages were made from.
        listed: its pages.
        releases: where the verdicts on each are.
        cards: those that show its title.
    """
    figures, study = parts.figures, parts.study
    return ReportShare(
        listed=list(listed),
        summary=summary_of(study),
        has_rates=any(variant_has_rates(figures, each) for each in study.report.variants),
        records=report_records(figures, releases, parts.common_functions),
        searchable=searchable_report(figures),
        latest_changes=list(changes_of(figures)),
        host_runs=list(host_runs(figures)),
        cards=list(cards),
    )

"""The pages of one variant: throughput, efficiency and latency of all steps and releases.

The picture that a variant's page opens with has up to 40 releases, and the other tables have the
newest of many. All releases have pages, numbered from the oldest on: a new one changes the last.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from perfpress.site.addresses import (
    all_releases_address,
    report_address,
    variant_address,
    variant_releases_address,
)
from perfpress.site.cell_pages import FEW
from perfpress.site.nearby_releases import newest_releases
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Link, Row, Table
from perfpress.site.shapes.pages import Place, TablePages, VariantPage
from perfpress.site.tables.efficiency import efficiency_tables
from perfpress.site.tables.level_changes import change_groups_table
from perfpress.site.tables.overview import Overview
from perfpress.site.tables.response_times import percentile_tables
from perfpress.site.tables.throughput import relative_tables, throughput_table
from perfpress.site.words.measure_again import measure_again
from perfpress.site.words.measured import variant_has_rates
from perfpress.site.words.newest_release import newest_release_sentences
from perfpress.site.words.verdict_sentences import plain

ON_A_PAGE = 20
"""Releases: three tables of them and of forty steps have 5,000 elements."""


class SomeReleases(NamedTuple):
    """One of the pages of all releases of a variant, before it is made."""

    variant: str
    releases: tuple[str, ...]
    place: Place
    pages: TablePages


def variant_page(parts: ReportParts, variant: str) -> VariantPage:
    """Return a variant's page, with links to those of all releases, where there are such."""
    overview = Overview(parts.study, variant)
    pages = some_releases(parts, variant)
    newest = newest_releases(overview.releases, overview.base, FEW) if pages else ()
    shown = _whole(parts, variant, _tables(parts, variant, newest))
    return replace(shown, release_pages=pages[0].pages) if pages else shown


def some_releases(parts: ReportParts, variant: str) -> tuple[SomeReleases, ...]:
    """Return what the pages of all releases have of them; none where one page has all."""
    releases = Overview(parts.study, variant).releases
    if len(releases) <= ON_A_PAGE or not variant_has_rates(parts.figures, variant):
        return ()
    starts = range(0, len(releases), ON_A_PAGE)
    pages = _pages(parts, variant, [releases[start] for start in starts])
    return tuple(
        SomeReleases(
            variant,
            releases[start : start + ON_A_PAGE],
            _place_of_part(parts, variant, pages, at),
            pages,
        )
        for at, start in enumerate(starts)
    )


def some_releases_page(parts: ReportParts, some: SomeReleases) -> VariantPage:
    """Return the page of some releases of a variant."""
    tables = _tables(parts, some.variant, some.releases)
    return replace(tables, place=some.place, release_pages=some.pages)


def _pages(parts: ReportParts, variant: str, first: Sequence[str]) -> TablePages:
    """Return the pages of all releases, each by its first one: the last is often another."""
    return TablePages(
        what="All releases",
        pages=tuple(
            Link(
                label=f"from {parts.study.label(release)}",
                url=variant_releases_address(parts.report, variant, page),
            )
            for page, release in enumerate(first, 1)
        ),
    )


def _whole(parts: ReportParts, variant: str, tables: VariantPage) -> VariantPage:
    """Return a variant's page, with what is of all releases besides some tables."""
    figures = parts.figures
    opening = newest_release_sentences(figures, variant, parts.findings)
    picture = (
        relative_tables(figures, variant, parts.base_values[variant])[0]
        if variant_has_rates(figures, variant)
        else parts.functions_table(variant)
    )
    description = f"{tables.place.description} {plain(opening[:1])}".strip()
    return replace(
        tables,
        place=replace(tables.place, description=description),
        opening=opening,
        picture=picture,
        levels=change_groups_table(figures, variant, parts.common_functions),
        again=measure_again(figures, variant),
        by_release=parts.by_release.get(variant),
    )


def _tables(parts: ReportParts, variant: str, only: tuple[str, ...]) -> VariantPage:
    """Return the tables of some releases, or of the base and the newest ones, as a page."""
    figures = parts.figures
    tables = VariantPage(
        place=_place(parts, variant),
        picture=None,
        efficiency=efficiency_tables(figures, variant, only),
        response_times=tuple(
            _led_by_rows(parts, variant, table)
            for table in percentile_tables(figures, variant, only)
        ),
    )
    if not variant_has_rates(figures, variant):
        return tables
    picture, previous = relative_tables(figures, variant, only=only)
    return replace(
        tables,
        picture=picture,
        previous=_led_by_rows(parts, variant, previous),
        throughput=_led_by_rows(parts, variant, throughput_table(figures, variant, only)),
    )


def _place(parts: ReportParts, variant: str) -> Place:
    report = parts.report
    name = report.variants[variant]
    return Place(
        path=variant_address(report, variant),
        title=f"All steps on {name}, {report.title}",
        heading=f"All steps on {name}",
        description=f"All releases and steps of {report.title}, {name}.",
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
        ),
        related=tuple(
            Link(label=label, url=variant_address(report, other), note="another variant")
            for other, label in report.variants.items()
            if other != variant
        ),
    )


def _place_of_part(parts: ReportParts, variant: str, pages: TablePages, at: int) -> Place:
    whole, (label, url) = _place(parts, variant), (pages.pages[at].label, pages.pages[at].url)
    return Place(
        path=url,
        is_part=True,
        title=f"Releases {label}, {whole.title}",
        heading=f"Releases {label}",
        description=f"{whole.heading}: releases {label}.",
        breadcrumbs=(*whole.breadcrumbs, Link(label=whole.heading, url=whole.path)),
        previous=pages.pages[at - 1] if at else None,
        next=pages.pages[at + 1] if at + 1 < len(pages.pages) else None,
    )


def _led_by_rows(parts: ReportParts, variant: str, table: Table) -> Table:
    """Return a grid whose rows lead to their steps, in place of its cells.

    The cells of the page's first grid lead to the same places. Thousands of links more are half
    of a page of thirty releases and forty steps, and are stops for who reads it by keyboard.
    """
    study = parts.study

    def led(row: Row) -> Row:
        has_history = bool(study.releases_with(variant, row.label))
        return replace(
            row,
            url=all_releases_address(study.report, row.label, variant) if has_history else "",
            cells=tuple(replace(cell, url="") for cell in row.cells),
        )

    return replace(table, rows=tuple(map(led, table.rows)))

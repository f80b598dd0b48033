"""Writes `data/site/`: everything that the pages show."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from perfpress.analysis.study.report_inputs import ReportInputs
from perfpress.analysis.study.study import Study
from perfpress.base.defects import attempt
from perfpress.base.display import byte_size
from perfpress.base.node.requests import CHARTS, begin
from perfpress.base.problems import Problem
from perfpress.input.report.report import NO_REPORT, Report
from perfpress.site.addresses import release_address, report_address
from perfpress.site.context import SiteContext
from perfpress.site.directory import SiteData
from perfpress.site.downloads.machine_files import publish_machine_files
from perfpress.site.downloads.search_index import FunctionIndex, search_index
from perfpress.site.downloads.verdict_records import VerdictsOfRelease, verdicts_of_release
from perfpress.site.figures.cards import (
    CardOfPage,
    card_job,
    card_of,
    cards_of_graphs,
    publish_card,
    release_cards,
    report_cards,
    site_card,
    with_card,
)
from perfpress.site.figures.drawing import draw_all
from perfpress.site.figures.drawings import draw
from perfpress.site.formats.page_markdown import page_markdown
from perfpress.site.formats.redirect import redirect_page
from perfpress.site.pages.compare import compare_page, empty_functions
from perfpress.site.pages.diff import diff_page
from perfpress.site.pages.hosts import host_pages
from perfpress.site.pages.latest_changes import latest_changes, no_changes
from perfpress.site.pages.moved_pages import has_moved, moved_pages
from perfpress.site.pages.part_keys import release_keys, report_key, some_releases_key
from perfpress.site.pages.release import release_page
from perfpress.site.pages.releases import releases_pages
from perfpress.site.pages.report import report_page
from perfpress.site.pages.site_lists import (
    adapter_page,
    embeds,
    listed,
    listed_host,
    listed_report,
    publish_problems,
)
from perfpress.site.pages.step import redirected_places, step_page
from perfpress.site.pages.step_history import all_releases_pages
from perfpress.site.pages.variant import (
    SomeReleases,
    some_releases,
    some_releases_page,
    variant_page,
)
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts, report_parts
from perfpress.site.report_share import ReportPages, report_share
from perfpress.site.report_title import titled, untitled
from perfpress.site.shapes.pages import Card, HostPage, Listed, Page
from perfpress.site.shapes.site import Site
from perfpress.site.shortcodes.registry import shortcode_forms, shortcode_listing
from perfpress.site.tables.repeated_columns import without_repeats
from perfpress.site.tables.verdict_cells import verdict_listing

SEARCH_INDEX = "/search/index.json"


class WrittenSite(NamedTuple):
    """What came of writing the data of all pages."""

    data: SiteData
    pages: int
    """How many were made."""
    problems: list[Problem]
    """All."""


class WrittenRelease(NamedTuple):
    """The page of a release, written."""

    page: Listed
    verdicts: VerdictsOfRelease | None
    """Where they are, if there are any."""


class WrittenReleases(NamedTuple):
    """The pages of releases, written."""

    pages: list[Listed]
    """Of one or several releases."""
    verdicts: list[VerdictsOfRelease]
    cards: list[CardOfPage]
    """Those that have yet to be drawn."""
    problems: list[Problem]


class WrittenReport(NamedTuple):
    """A report whose pages are written."""

    report: Report
    pages: ReportPages
    """With the title of the report, not a mark in its place."""

    @property
    def is_draft(self) -> bool:
        """Whether it is in no feed, API or search."""
        return self.report.matter.draft


def write_site_data(
    reports: Sequence[ReportInputs],
    problems: Sequence[Problem],
    is_authored: Callable[[str], bool],
    context: SiteContext,
) -> WrittenSite:
    """Write the data of all pages; leave out reports and hosts that a defect of ours stops.

    Args:
        reports: those to publish.
        problems: found so far, for the page of problems.
        is_authored: returns whether somebody wrote a page at an address.
        context: of the site.
    """
    found = list(problems)
    written = []
    for inputs in reports:
        if not inputs.runs:
            continue
        make = partial(_write_report, inputs, context)
        if (made := attempt(make, f"reports/{inputs.report.id}", NO_REPORT, found)) is not None:
            written.append(made)
    return _write_shared([each.report for each in reports], written, found, is_authored, context)


def _write_shared(
    reports: Sequence[Report],
    written: Sequence[WrittenReport],
    problems: Sequence[Problem],
    is_authored: Callable[[str], bool],
    context: SiteContext,
) -> WrittenSite:
    """Write what is made of several reports: hosts, home, search, files for scripts."""
    identity, directory = context.identity, context.directory
    pages = [page for each in written for page in each.pages.shared.listed]
    summaries = {each.report.id: each.pages.shared.summary for each in written}
    openings = {page.place.path: page.opening for page in pages if page.opening}
    public = [each for each in written if not each.is_draft]
    functions = FunctionIndex()
    for each in public:
        functions.join(each.pages.functions)
    runs = [run for each in written for run in each.pages.shared.host_runs]
    hosts, of_hosts = host_pages(runs, openings)
    pages += [_write(page, context) for page in hosts]
    searchable = [each.pages.shared.searchable for each in public]
    directory.write_download(
        SEARCH_INDEX, search_index(searchable, hosts, functions), "Index of the search"
    )
    machine_files = publish_machine_files(
        [(each.report, each.pages.shared.records) for each in public], identity, directory
    )
    listed_reports = tuple(
        listed_report(
            report, summaries.get(report.id, ""), openings.get(report_address(report), ())
        )
        for report in reports
        if report.id in summaries or is_authored(report_address(report))
    )
    changes = latest_changes([each.pages.shared.latest_changes for each in public])
    card, of_cards = _publish_cards(
        [request for each in written for request in each.pages.shared.cards],
        site_card(identity, changes, listed_reports),
        context,
    )
    of_reports = (problem for each in written for problem in each.pages.problems)
    found = sorted({*problems, *of_reports, *of_hosts, *of_cards})
    problems_shown, all_problems = publish_problems(found, directory)
    have_rates = [each.pages.shared.has_rates for each in public]
    data = directory.finish(
        Site(
            reports=listed_reports,
            titles={each.report.id: each.report.title for each in written},
            changes=without_repeats(changes) if changes else None,
            no_changes="" if changes else no_changes(have_rates),
            card=card,
            machine_files=machine_files,
            hosts=tuple(listed_host(page) for page in hosts if isinstance(page, HostPage)),
            pages=tuple(adapter_page(page) for page in pages if not is_authored(page.place.path)),
            embeds=tuple(embeds(pages)),
            problems=problems_shown,
            all_problems=all_problems,
            listings={"verdicts": verdict_listing(), "shortcodes": shortcode_listing()},
            functions=empty_functions(),
            shortcodes=shortcode_forms(),
            size=byte_size(directory.download_bytes),
        )
    )
    return WrittenSite(data, len(pages), found)


def _publish_cards(
    of_reports: Sequence[CardOfPage], of_site: CardOfPage, context: SiteContext
) -> tuple[Card | None, list[Problem]]:
    """Draw the cards that show a title, those of reports and the site's; return the last."""
    problems: list[Problem] = []
    jobs = [(each.page, card_job(each.request)) for each in (*of_reports, of_site)]
    drawn = draw_all("cards of reports", CHARTS, jobs, context, problems)
    for page, done in drawn.items():
        publish_card(page, done, context.directory)
    return (card_of(of_site) if of_site.page in drawn else None), problems


def _write_report(inputs: ReportInputs, context: SiteContext) -> WrittenReport:
    """Write the pages of a report, unless they are there from the last build."""
    key = report_key(inputs, context.identity)
    is_there = context.directory.holds(key)
    pages = context.directory.part(key, partial(_write_pages, inputs, context), ReportPages)
    if not is_there:
        gc.collect()  # the study and its figures refer to each other: they would stay until the end
    shared = titled(pages.shared, inputs.report.title)
    return WrittenReport(inputs.report, msgspec.structs.replace(pages, shared=shared))


def _write_pages(inputs: ReportInputs, context: SiteContext) -> ReportPages:
    """Write the pages of a report, one at a time."""
    study, problems = inputs.study()
    figures, functions = Figures(untitled(study)), FunctionIndex()
    study = figures.study
    drawings, found = draw(figures, context)
    problems += found
    with drawings.charts:
        context.progress("writing the data of the pages")
        parts, found = report_parts(figures, drawings, context.directory)
        problems += found
        functions.add_findings(figures, parts.findings)
        functions.add_drilldowns(figures, parts.weighed)
        cards = cards_of_graphs(study, parts.graphs, parts.diffs)
        releases = _write_releases(parts, cards, context)
        own = [*releases.pages]
        problems += releases.problems
        for page in study_pages(parts):
            functions.add(page)
            own.append(_write(with_card(page, cards), context))
    own += _write_moved(study, own, context)
    shared = report_share(parts, own, releases.verdicts, releases.cards)
    return ReportPages(shared, functions, [*problems, *drawings.charts.problems])


def _write_releases(
    parts: ReportParts, cards: dict[str, Card], context: SiteContext
) -> WrittenReleases:
    """Write the pages of releases, and add the cards of the pages that are about several.

    What is there from the last build, and would be the same, is left alone.
    """
    study, directory = parts.study, context.directory
    begin(CHARTS, context.processes)  # they load while it is found out what there is to draw
    keys = release_keys(parts, context.identity)
    changed = [release for release, key in keys.items() if not directory.holds(key)]
    of_releases = release_cards(parts.figures, parts.findings, changed)
    problems: list[Problem] = []
    jobs = [(each.page, card_job(each.request)) for each in of_releases]
    drawn = draw_all("cards", CHARTS, jobs, context, problems)
    of_address = {each.page: card_of(each) for each in of_releases if each.page in drawn}
    addresses = {release: release_address(parts.report, release) for release in keys}

    def write(release: str) -> WrittenRelease:
        address = addresses[release]
        if address in drawn:
            publish_card(address, drawn[address], directory)
        _write_redirects(study, release, context)
        page = _write(with_card(release_page(parts, release), cards | of_address), context)
        return WrittenRelease(page, verdicts_of_release(parts.figures, release))

    of_titles = report_cards(parts.figures, parts.findings)
    cards |= {each.page: card_of(each) for each in of_titles}
    written = [
        directory.part(key, partial(write, release), WrittenRelease)
        if directory.holds(key) or addresses[release] in drawn
        else write(release)  # it has the card of the report, which other releases are in
        for release, key in keys.items()
    ]
    return WrittenReleases(
        [*(each.page for each in written), *_write_some_releases(parts, keys, context)],
        [each.verdicts for each in written if each.verdicts],
        of_titles,
        problems,
    )


def _write_some_releases(
    parts: ReportParts, keys: Mapping[str, str], context: SiteContext
) -> list[Listed]:
    """Write the pages of all releases of the variants, but those that would be the same."""

    def write(some: SomeReleases) -> tuple[Listed, ...]:
        return (_write(some_releases_page(parts, some), context),)

    written: list[Listed] = []
    for variant in parts.report.variants:
        for some in some_releases(parts, variant):
            key = some_releases_key(parts, some, keys)
            written += context.directory.part(key, partial(write, some), tuple[Listed, ...])
    return written


def _write_redirects(study: Study, release: str, context: SiteContext) -> None:
    """Lead from the addresses of a release's cells without a page to their rows."""
    above = release_address(study.report, release)
    context.directory.write_redirects(
        above,
        {
            place.path.removeprefix(above): redirect_page(
                place.heading, context.identity.path_of(place.related[0].url)
            )
            for place in redirected_places(study, study.cells_of_release(release))
        },
    )


def _write_moved(study: Study, own: Sequence[Listed], context: SiteContext) -> list[Listed]:
    """Write a page for every address that pages had before."""
    if not has_moved(study):
        return []
    places = [*(each.place for each in own), *redirected_places(study, study.cells)]
    moved = moved_pages(places, study)
    pictures = {each.place.path: each.pictures for each in own}
    for page in moved:
        # Pictures keep their address from before the rename too: other sites embed them.
        for address in pictures.get(page.now.url, ()):
            former = address.replace(page.now.url, page.place.path, 1)
            context.directory.keep_at(former, address)
    return [_write(page, context) for page in moved]


def study_pages(parts: ReportParts) -> Iterator[Page]:
    """Yield the pages of a report but those that are kept by release, each made on demand.

    All pages of a large report do not fit into memory.
    """
    figures, study = parts.figures, parts.study
    for key, graph in parts.diffs.items():
        yield diff_page(figures, key, graph, parts.drawings.diffs[key])
    for cell in study.cells:
        if figures.has_page(cell):
            yield step_page(parts, cell)
    for variant in study.report.variants:
        yield variant_page(parts, variant)
    yield from all_releases_pages(parts)
    yield compare_page(parts)
    yield from releases_pages(parts)
    yield report_page(parts)


def _write(page: Page, context: SiteContext) -> Listed:
    shown = without_repeats(page)
    context.directory.write_page(shown, page_markdown(shown, context.identity.url_of))
    return listed(page)

"""Writes `data/site/`: everything that the pages show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import msgspec

from perfpress.analysis.study.study import Study
from perfpress.base.defects import NOT_OF_ONE_PART, attempt
from perfpress.base.disk import temporary_directory
from perfpress.base.display import byte_size
from perfpress.base.node.jobs import Done, run_jobs
from perfpress.base.node.requests import CHARTS
from perfpress.base.problems import Problem
from perfpress.input.report.report import NO_REPORT
from perfpress.site.addresses import HOSTS, release_address, report_address
from perfpress.site.cell_pages import has_page
from perfpress.site.context import SiteContext
from perfpress.site.directory import SiteData, SiteDirectory
from perfpress.site.downloads.machine_files import PublishedReport, publish_machine_files
from perfpress.site.downloads.search_index import FunctionIndex, search_index
from perfpress.site.downloads.verdict_records import digest_of
from perfpress.site.figures.cards import (
    card_jobs,
    cards_of_graphs,
    publish_card,
    site_card_job,
    with_card,
)
from perfpress.site.figures.drawings import draw, draw_all
from perfpress.site.formats.page_markdown import page_markdown
from perfpress.site.formats.redirect import redirect_page
from perfpress.site.pages.compare import compare_page, empty_functions
from perfpress.site.pages.diff import diff_page
from perfpress.site.pages.hosts import host_pages
from perfpress.site.pages.latest_changes import latest_changes, no_changes
from perfpress.site.pages.moved_pages import has_moved, moved_pages
from perfpress.site.pages.part_keys import release_keys, report_key
from perfpress.site.pages.release import release_page
from perfpress.site.pages.releases import releases_pages
from perfpress.site.pages.report import report_page
from perfpress.site.pages.site_lists import (
    adapter_page,
    embeds,
    listed,
    listed_host,
    listed_problems,
    listed_report,
)
from perfpress.site.pages.step import redirected_places, step_page
from perfpress.site.pages.step_history import all_releases_pages
from perfpress.site.pages.variant import variant_page
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts, report_parts
from perfpress.site.shapes.pages import Card, HostPage, Listed, Page
from perfpress.site.shapes.site import Site
from perfpress.site.shortcodes.registry import shortcode_forms, shortcode_listing
from perfpress.site.tables.repeated_columns import without_repeats
from perfpress.site.tables.verdict_cells import verdict_listing
from perfpress.site.words.common_functions import CommonFunctions

SEARCH_INDEX = "/search/index.json"


class WrittenSite(NamedTuple):
    """What came of writing the data of all pages."""

    data: SiteData
    pages: int
    """How many were made."""
    problems: list[Problem]
    """All."""


class ReportPages(msgspec.Struct, frozen=True):
    """What the pages of one report leave for those of the whole site."""

    listed: list[Listed]
    verdicts: dict[str, str]
    """By release that has any, in order: their digest."""
    functions: FunctionIndex
    common_functions: CommonFunctions
    problems: list[Problem]


class WrittenReport(NamedTuple):
    """A report whose pages are written."""

    figures: Figures
    pages: ReportPages

    @property
    def id(self) -> str:
        """The report's."""
        return self.figures.study.report.id

    @property
    def is_draft(self) -> bool:
        """Whether it is in no feed, API or search."""
        return self.figures.study.report.matter.draft


def write_site_data(
    studies: Sequence[Study],
    problems: Sequence[Problem],
    is_authored: Callable[[str], bool],
    context: SiteContext,
) -> WrittenSite:
    """Write the data of all pages; leave out reports and hosts that a defect of ours stops.

    Args:
        studies: the reports to publish.
        problems: found so far, for the page of problems.
        is_authored: returns whether somebody wrote a page at an address.
        context: of the site.
    """
    found = list(problems)
    written = []
    for study in studies:
        if not study.runs:
            continue
        make = partial(_write_report, study, context)
        if (made := attempt(make, f"reports/{study.report.id}", NO_REPORT, found)) is not None:
            written.append(made)
    try:
        return _write_shared(studies, written, found, is_authored, context)
    except NOT_OF_ONE_PART:
        raise
    except Exception:
        fit = [each for each in written if _is_fit(each, studies, found, is_authored, context)]
        if len(fit) in (0, len(written)):  # not of one report
            raise
    context.directory.drop_pages(HOSTS)
    return _write_shared(studies, fit, found, is_authored, context)


def _is_fit(
    written: WrittenReport,
    studies: Sequence[Study],
    problems: list[Problem],
    is_authored: Callable[[str], bool],
    context: SiteContext,
) -> bool:
    """Return whether a site of one report alone can be made; leave the report out if not."""
    with temporary_directory("perfpress-alone-") as elsewhere:
        alone = replace(context, directory=SiteDirectory(elsewhere))
        make = partial(_write_shared, studies, [written], [], is_authored, alone)
        is_fit = attempt(make, f"reports/{written.id}", NO_REPORT, problems) is not None
    if not is_fit:
        context.directory.drop_pages(report_address(written.figures.study.report))
    return is_fit


def _write_shared(
    studies: Sequence[Study],
    written: Sequence[WrittenReport],
    problems: Sequence[Problem],
    is_authored: Callable[[str], bool],
    context: SiteContext,
) -> WrittenSite:
    """Write what is made of several reports: hosts, home, search, files for scripts."""
    identity, directory = context.identity, context.directory
    pages = [page for each in written for page in each.pages.listed]
    published = {each.id for each in written}
    openings = {page.place.path: page.opening for page in pages if page.opening}
    public = [each for each in written if not each.is_draft]
    functions = FunctionIndex()
    for each in public:
        functions.join(each.pages.functions)
    final = [each.figures for each in public]
    hosts, of_hosts = host_pages([each.figures for each in written], openings)
    pages += [_write(page, context) for page in hosts]
    directory.write_download(
        SEARCH_INDEX, search_index(final, hosts, functions), "Index of the search"
    )
    machine_files = publish_machine_files(
        [
            PublishedReport(each.figures, each.pages.common_functions, each.pages.verdicts)
            for each in public
        ],
        identity,
        directory,
    )
    reports = tuple(
        listed_report(study, openings.get(report_address(study.report), ()))
        for study in studies
        if study.report.id in published or is_authored(report_address(study.report))
    )
    changes = latest_changes(final)
    job = site_card_job(identity, changes, reports)
    (drawn,) = run_jobs(context.cache, CHARTS, [job])
    of_reports = (problem for each in written for problem in each.pages.problems)
    found = sorted({*problems, *of_reports, *of_hosts, *drawn.problems})
    data = directory.finish(
        Site(
            reports=reports,
            changes=without_repeats(changes) if changes else None,
            no_changes="" if changes else no_changes(final),
            card=publish_card("/", job.request, drawn, directory)
            if isinstance(drawn, Done)
            else None,
            machine_files=machine_files,
            hosts=tuple(listed_host(page) for page in hosts if isinstance(page, HostPage)),
            pages=tuple(adapter_page(page) for page in pages if not is_authored(page.place.path)),
            embeds=tuple(embeds(pages)),
            problems=listed_problems(found),
            listings={"verdicts": verdict_listing(), "shortcodes": shortcode_listing()},
            functions=empty_functions(),
            shortcodes=shortcode_forms(),
            size=byte_size(directory.download_bytes),
        )
    )
    return WrittenSite(data, len(pages), found)


def _write_report(study: Study, context: SiteContext) -> WrittenReport:
    """Write the pages of a report, unless they are there from the last build."""
    figures = Figures(study)
    pages = context.directory.part(
        report_key(study, context.identity), partial(_write_pages, figures, context), ReportPages
    )
    return WrittenReport(figures, pages)


def _write_pages(figures: Figures, context: SiteContext) -> ReportPages:
    """Write the pages of a report, one at a time."""
    study, functions = figures.study, FunctionIndex()
    drawings, problems = draw(figures, context)
    context.progress("writing the data of the pages")
    parts, found = report_parts(figures, drawings, context.directory)
    problems += found
    functions.add_findings(figures, parts.findings)
    functions.add_drilldowns(figures, parts.weighed)
    cards = cards_of_graphs(study, parts.graphs, parts.diffs)
    own, found = _write_releases(parts, cards, context)
    problems += found
    for page in study_pages(parts):
        functions.add(page)
        own.append(_write(with_card(page, cards), context))
    own += _write_moved(study, own, context)
    verdicts = {release: digest_of(each) for release, each in parts.verdicts.items()}
    return ReportPages(own, verdicts, functions, parts.common_functions, problems)


def _write_releases(
    parts: ReportParts, cards: dict[str, Card], context: SiteContext
) -> tuple[list[Listed], list[Problem]]:
    """Write the pages of releases, and add the cards of the pages that are about several.

    What is there from the last build, and would be the same, is left alone.
    """
    study, directory = parts.study, context.directory
    keys = release_keys(parts, context.identity)
    changed = [release for release, key in keys.items() if not directory.holds(key)]
    jobs = card_jobs(parts.figures, parts.findings, changed)
    problems: list[Problem] = []
    drawn = draw_all("cards", CHARTS, jobs.items(), context, problems)
    addresses = {release: release_address(parts.report, release) for release in keys}

    def publish(address: str) -> dict[str, Card]:
        if address not in drawn:
            return {}
        return {address: publish_card(address, jobs[address].request, drawn[address], directory)}

    def write(release: str) -> tuple[Listed, ...]:
        card = publish(addresses[release])
        _write_redirects(study, release, context)
        return (_write(with_card(release_page(parts, release), cards | card), context),)

    for address in sorted(jobs.keys() - set(addresses.values())):
        cards |= publish(address)
    written: list[Listed] = []
    for release, key in keys.items():
        if directory.holds(key) or addresses[release] in drawn:
            written += directory.part(key, partial(write, release), tuple[Listed, ...])
        else:  # it has the card of the report, which other releases are in
            written += write(release)
    return written, problems


def _write_redirects(study: Study, release: str, context: SiteContext) -> None:
    """Lead from the addresses of a release's cells without a page to their rows."""
    for place in redirected_places(study, study.cells_of_release(release)):
        html = redirect_page(place.heading, context.identity.path_of(place.related[0].url))
        context.directory.write_file(f"{place.path}index.html", html.encode())


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
    """Yield the pages of a report but those of its releases, each made on demand.

    All pages of a large report do not fit into memory.
    """
    figures, study = parts.figures, parts.study
    for key, graph in parts.diffs.items():
        yield diff_page(figures, key, graph, parts.drawings.diffs[key])
    for cell in study.cells:
        if has_page(study, cell):
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

"""Writes `data/site/`: everything that the pages show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from perfpress.analysis.study.study import Study
from perfpress.base.defects import NOT_OF_ONE_PART, attempt
from perfpress.base.disk import temporary_directory
from perfpress.base.display import byte_size
from perfpress.base.node.jobs import Done, run_jobs
from perfpress.base.node.requests import CHARTS
from perfpress.base.problems import Problem
from perfpress.input.report.report import NO_REPORT
from perfpress.site.addresses import HOSTS, report_address
from perfpress.site.cell_pages import has_page
from perfpress.site.context import SiteContext
from perfpress.site.directory import SiteData, SiteDirectory
from perfpress.site.downloads.machine_files import publish_machine_files
from perfpress.site.downloads.search_index import FunctionIndex, search_index
from perfpress.site.figures.cards import cards_of_report, publish_card, site_card_job, with_cards
from perfpress.site.figures.drawings import draw
from perfpress.site.formats.page_markdown import page_markdown
from perfpress.site.formats.redirect import redirect_page
from perfpress.site.pages.compare import compare_page
from perfpress.site.pages.diff import diff_page
from perfpress.site.pages.hosts import host_pages
from perfpress.site.pages.latest_changes import latest_changes, no_changes
from perfpress.site.pages.moved_pages import moved_pages
from perfpress.site.pages.release import release_page
from perfpress.site.pages.report import report_page
from perfpress.site.pages.site_lists import (
    Listed,
    adapter_page,
    embeds,
    listed,
    listed_host,
    listed_problems,
    listed_report,
)
from perfpress.site.pages.step import redirected_place, step_page
from perfpress.site.pages.step_history import all_releases_pages
from perfpress.site.pages.variant import variant_page
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts, report_parts
from perfpress.site.shapes.pages import HostPage, Page, Place
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


class WrittenReport(NamedTuple):
    """What the pages of one report leave for those of the whole site."""

    figures: Figures
    common_functions: CommonFunctions
    functions: FunctionIndex
    pages: list[Listed]
    problems: list[Problem]

    @property
    def id(self) -> str:
        """The report's."""
        return self.figures.study.report.id

    @property
    def is_draft(self) -> bool:
        """Whether it is in no feed, API or search."""
        return self.figures.study.report.draft


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
        context: of the site; its directory is empty.
    """
    found = list(problems)
    written = []
    for study in studies:
        if not study.runs:
            continue
        make = partial(_write_study, study, context)
        if (made := attempt(make, f"reports/{study.report.id}", NO_REPORT, found)) is not None:
            written.append(made)
        else:
            context.directory.drop_pages(report_address(study.report))
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
    pages = [page for each in written for page in each.pages]
    published = {each.id for each in written}
    openings = {page.place.path: page.opening for page in pages if page.opening}
    public = [each for each in written if not each.is_draft]
    functions = FunctionIndex()
    for each in public:
        functions.join(each.functions)
    final = [each.figures for each in public]
    hosts, of_hosts = host_pages([each.figures for each in written], openings)
    pages += [_write(page, context) for page in hosts]
    directory.write_download(
        SEARCH_INDEX, search_index(final, hosts, functions), "Index of the search"
    )
    machine_files = publish_machine_files(
        [(each.figures, each.common_functions) for each in public], identity, directory
    )
    reports = tuple(
        listed_report(study, openings.get(report_address(study.report), ()))
        for study in studies
        if study.report.id in published or is_authored(report_address(study.report))
    )
    changes = latest_changes(final)
    job = site_card_job(identity, changes, reports)
    (drawn,) = run_jobs(context.cache, CHARTS, [job])
    of_reports = (problem for each in written for problem in each.problems)
    found = sorted({*problems, *of_reports, *of_hosts, *drawn.problems})
    data = directory.write_site(
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
            shortcodes=shortcode_forms(),
            size=byte_size(directory.download_bytes),
        )
    )
    return WrittenSite(data, len(pages), found)


def _write_study(study: Study, context: SiteContext) -> WrittenReport:
    """Write the pages of a report, one at a time."""
    figures, functions = Figures(study), FunctionIndex()
    directory = context.directory
    drawings, render_problems = draw(figures, context)
    context.progress("writing the data of the pages")
    parts, page_problems = report_parts(figures, drawings, directory)
    functions.add_findings(figures, parts.findings)
    functions.add_drilldowns(figures, parts.weighed)
    own = []
    for page in study_pages(parts):
        functions.add(page)
        own.append(_write(page, context))
    places = [each.place for each in own]
    moved = moved_pages([*places, *_write_redirects(study, context)], study)
    pictures = {each.place.path: each.pictures for each in own}
    for page in moved:
        # Pictures keep their address from before the rename too: other sites embed them.
        for address in pictures.get(page.now.url, ()):
            former = address.replace(page.now.url, page.place.path, 1)
            directory.keep_at(former, address)
    own += [_write(page, context) for page in moved]
    problems = [*render_problems, *page_problems]
    return WrittenReport(figures, parts.common_functions, functions, own, problems)


def _write_redirects(study: Study, context: SiteContext) -> list[Place]:
    """Lead from the addresses of cells without a page to their rows; return the addresses."""
    places = [redirected_place(study, cell) for cell in study.cells if not has_page(study, cell)]
    for place in places:
        html = redirect_page(place.heading, context.identity.path_of(place.related[0].url))
        context.directory.write_file(f"{place.path}index.html", html.encode())
    return places


def study_pages(parts: ReportParts) -> Iterator[Page]:
    """Yield the pages of a report, each made on demand: a large one does not fit into memory."""
    cards = cards_of_report(
        parts.figures,
        parts.drawings.cards,
        parts.findings,
        parts.graphs,
        parts.diffs,
        parts.directory,
    )
    yield from with_cards(_pages(parts), cards)


def _pages(parts: ReportParts) -> Iterator[Page]:
    figures, study = parts.figures, parts.study
    for key, graph in parts.diffs.items():
        yield diff_page(figures, key, graph, parts.drawings.diffs[key])
    for cell in study.cells:
        if has_page(study, cell):
            yield step_page(parts, cell)
    for release in study.measured:
        yield release_page(parts, release)
    for variant in study.report.variants:
        yield variant_page(parts, variant)
    yield from all_releases_pages(parts)
    yield compare_page(parts)
    yield report_page(parts)


def _write(page: Page, context: SiteContext) -> Listed:
    shown = without_repeats(page)
    context.directory.write_page(shown, page_markdown(shown, context.identity.url_of))
    return listed(page)

"""Writes `data/site/`: everything that the pages show."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pipeline.build.cache import Cache
from pipeline.display import byte_size, plural
from pipeline.node.jobs import Done, run_jobs
from pipeline.node.requests import CHARTS
from pipeline.problems import Problem
from pipeline.site_data.addresses import report_address
from pipeline.site_data.cards import publish_card, site_card_job
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.drawings import draw
from pipeline.site_data.feeds import FEED, Identity
from pipeline.site_data.figures import Figures
from pipeline.site_data.host_pages import host_pages
from pipeline.site_data.host_shapes import HostPage
from pipeline.site_data.latest_changes import latest_changes
from pipeline.site_data.machine_files import publish_machine_files
from pipeline.site_data.report_page import summary_of
from pipeline.site_data.search_index import search_index
from pipeline.site_data.shapes import AdapterPage, Link, ListedProblem, ListedReport, Site
from pipeline.site_data.shares import BARE, pages_with_figures
from pipeline.site_data.study_pages import study_pages
from pipeline.study.study import Study

SEARCH_INDEX = "/search/index.json"


def write_site_data(
    root: Path,
    studies: Sequence[Study],
    problems: Sequence[Problem],
    identity: Identity,
    authored: Callable[[str], bool],
    cache: Cache,
    processes: int,
    tell: Callable[[str], None],
) -> tuple[int, list[Problem]]:
    """Write the data of all pages.

    Args:
        root: an empty directory.
        studies: the reports to publish.
        problems: what could not be read so far.
        identity: of the site.
        authored: tells whether somebody wrote a page at an address.
        cache: holds what was drawn before.
        processes: how many to draw with.
        tell: hears what is being done.

    Returns:
        How many pages were made, and all problems.
    """
    directory = SiteDirectory(root)
    pages: list[Page] = []
    all_figures: list[Figures] = []
    found = list(problems)
    for study in studies:
        if not study.runs:
            continue
        try:
            figures = Figures(study)
            made, wrong = _study_pages(figures, directory, cache, processes, tell)
            all_figures.append(figures)
        except ArithmeticError as error:
            made, wrong = [], [_beyond_reckoning(study, error)]
        pages += made
        found += wrong
    hosts = host_pages([figures.study for figures in all_figures])
    pages += hosts
    for page in pages:
        directory.write_page(page)
    published = [figures.study for figures in all_figures]
    directory.write_download(SEARCH_INDEX, search_index(published, pages), "Index of the search")
    machine_files = publish_machine_files(all_figures, identity, directory)
    reports = tuple(_listed_report(study) for study in studies)
    changes = latest_changes(all_figures)
    job = site_card_job(identity, changes, reports)
    (drawn,) = run_jobs(cache, CHARTS, [job])
    found += drawn.problems
    directory.write_site(
        Site(
            reports=reports,
            changes=changes,
            card=publish_card("/", job, drawn, directory) if isinstance(drawn, Done) else None,
            machine_files=machine_files,
            hosts=tuple(_listed_host(page) for page in hosts if isinstance(page, HostPage)),
            pages=tuple(_adapter_page(page) for page in pages if not authored(page.place.path)),
            embeds=tuple(_embed(page) for page in pages_with_figures(pages)),
            problems=tuple(_listed_problem(problem) for problem in sorted(set(found))),
            size=byte_size(directory.download_bytes),
        )
    )
    return len(pages), sorted(set(found))


def _study_pages(
    figures: Figures,
    directory: SiteDirectory,
    cache: Cache,
    processes: int,
    tell: Callable[[str], None],
) -> tuple[list[Page], list[Problem]]:
    drawings, wrong = draw(figures, cache, processes, tell)
    pages, also_wrong = study_pages(figures, drawings, directory)
    return pages, [*wrong, *also_wrong]


def _beyond_reckoning(study: Study, error: ArithmeticError) -> Problem:
    """Tell of numbers that no computer reckons with: the other reports are published."""
    return Problem(
        path=f"reports/{study.report.id}",
        found=f"numbers that cannot be reckoned with ({error})",
        expected="weights, rates and seconds of this world",
        do="look for absurd numbers in its bundles; the report is left out meanwhile",
    )


def _listed_report(study: Study) -> ListedReport:
    return ListedReport(
        id=study.report.id,
        title=study.report.title,
        url=report_address(study.report),
        summary=summary_of(study) if study.runs else plural(0, "run"),
        feed=f"{report_address(study.report)}{FEED}" if study.runs else "",
        authored=study.report.authored,
    )


def _listed_host(page: HostPage) -> Link:
    runs, *dates = page.facts
    newest = [f"newest {fact.value}" for fact in dates[:1]]
    return Link(
        label=page.place.heading, url=page.place.path, note="; ".join((runs.value, *newest))
    )


def _adapter_page(page: Page) -> AdapterPage:
    path = page.place.path.strip("/")
    is_section = page.__struct_config__.tag in ("report", "hosts")
    return AdapterPage(path=path, title=page.place.title, kind="section" if is_section else "page")


def _embed(page: Page) -> AdapterPage:
    return AdapterPage(path=f"{page.place.path}{BARE}".strip("/"), title=page.place.title)


def _listed_problem(problem: Problem) -> ListedProblem:
    return ListedProblem(
        where=f"{problem.path}:{problem.line}" if problem.line else problem.path,
        found=problem.found,
        expected=problem.expected,
        do=problem.do,
        severity=problem.severity,
        excerpt=problem.excerpt,
    )

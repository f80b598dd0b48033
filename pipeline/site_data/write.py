"""Writes `data/site/`: everything that the pages show."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pipeline.build.cache import Cache
from pipeline.display import byte_size
from pipeline.node.jobs import Done, run_jobs
from pipeline.node.requests import CHARTS
from pipeline.problems import Problem
from pipeline.site_data.addresses import report_address
from pipeline.site_data.card_jobs import site_card_job
from pipeline.site_data.cards import publish_card
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.drawings import draw
from pipeline.site_data.feeds import Identity
from pipeline.site_data.figures import Figures
from pipeline.site_data.host_pages import host_pages
from pipeline.site_data.host_shapes import HostPage
from pipeline.site_data.latest_changes import latest_changes
from pipeline.site_data.machine_files import publish_machine_files
from pipeline.site_data.moved_pages import moved_pages
from pipeline.site_data.search_index import FunctionsOfPages, search_index
from pipeline.site_data.site_lists import (
    Listed,
    adapter_page,
    embeds,
    listed,
    listed_host,
    listed_problem,
    listed_report,
)
from pipeline.site_data.site_shapes import Site
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
    pages, functions, all_figures, wrong = _write_studies(
        studies, identity, directory, cache, processes, tell
    )
    published = [figures.study for figures in all_figures]
    hosts = host_pages(published)
    pages += [_write(page, directory) for page in hosts]
    directory.write_download(
        SEARCH_INDEX, search_index(published, hosts, functions), "Index of the search"
    )
    machine_files = publish_machine_files(all_figures, identity, directory)
    there = {study.report.id for study in published}
    reports = tuple(
        listed_report(study)
        for study in studies
        if study.report.id in there or authored(report_address(study.report))
    )
    changes = latest_changes(all_figures)
    job = site_card_job(identity, changes, reports)
    (drawn,) = run_jobs(cache, CHARTS, [job])
    found = sorted({*problems, *wrong, *drawn.problems})
    directory.write_site(
        Site(
            reports=reports,
            changes=changes,
            card=publish_card("/", job, drawn, directory) if isinstance(drawn, Done) else None,
            machine_files=machine_files,
            hosts=tuple(listed_host(page) for page in hosts if isinstance(page, HostPage)),
            pages=tuple(adapter_page(page) for page in pages if not authored(page.place.path)),
            embeds=tuple(embeds(pages)),
            problems=tuple(listed_problem(problem) for problem in found),
            size=byte_size(directory.download_bytes),
        )
    )
    return len(pages), found


def _write_studies(
    studies: Sequence[Study],
    identity: Identity,
    directory: SiteDirectory,
    cache: Cache,
    processes: int,
    tell: Callable[[str], None],
) -> tuple[list[Listed], FunctionsOfPages, list[Figures], list[Problem]]:
    """Write the pages of all reports; one whose numbers are absurd is left out as a whole."""
    pages: list[Listed] = []
    functions = FunctionsOfPages()
    all_figures: list[Figures] = []
    problems: list[Problem] = []
    for study in studies:
        if not study.runs:
            continue
        own = FunctionsOfPages()
        try:
            figures = Figures(study)
            made, wrong = _write_study(figures, identity, directory, own, cache, processes, tell)
        except ArithmeticError as error:
            directory.drop_pages(report_address(study.report))
            problems.append(_beyond_reckoning(study, error))
            continue
        pages += made
        functions.join(own)
        all_figures.append(figures)
        problems += wrong
    return pages, functions, all_figures, problems


def _write_study(
    figures: Figures,
    identity: Identity,
    directory: SiteDirectory,
    functions: FunctionsOfPages,
    cache: Cache,
    processes: int,
    tell: Callable[[str], None],
) -> tuple[list[Listed], list[Problem]]:
    """Write the pages of a report, one at a time."""
    drawings, wrong = draw(figures, identity.base_url, cache, processes, tell)
    tell("writing what the pages show")
    pages, also_wrong = study_pages(figures, drawings, directory)
    own = []
    for page in pages:
        functions.add(page)
        own.append(_write(page, directory))
    moved = moved_pages([each.place for each in own], figures.study.corrections)
    pictures = {each.place.path: each.pictures for each in own}
    for page in moved:
        # Where they were before the rename, too: texts elsewhere show them.
        for address in pictures[page.now.url]:
            former = address.replace(page.now.url, page.place.path, 1)
            directory.keep_at(former, address)
    own += [_write(page, directory) for page in moved]
    return own, [*wrong, *also_wrong]


def _write(page: Page, directory: SiteDirectory) -> Listed:
    directory.write_page(page)
    return listed(page)


def _beyond_reckoning(study: Study, error: ArithmeticError) -> Problem:
    """Tell of numbers that no computer reckons with: the other reports are published."""
    return Problem(
        path=f"reports/{study.report.id}",
        found=f"numbers that cannot be reckoned with ({error})",
        expected="weights, rates and seconds of this world",
        do="look for absurd numbers in its bundles; the report is left out meanwhile",
    )

"""Lists the written pages for Hugo and the home page."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from perfpress.base.display import plural
from perfpress.base.problems import Problem, kinds_of
from perfpress.input.report.report import Report
from perfpress.site.addresses import report_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.feeds import FEED
from perfpress.site.figures.share_links import EMBED, pictures_of
from perfpress.site.shapes.blocks import Link, Phrase, Sentence
from perfpress.site.shapes.pages import (
    HostPage,
    Listed,
    MovedPage,
    Page,
    ReportPage,
    VariantPage,
)
from perfpress.site.shapes.site import AdapterPage, ListedProblem, ListedReport, OtherPlace
from perfpress.site.words.function_changes import NO_PROFILES

MOST_OTHERS = 100
"""Problems of a kind that their page lists after the first one."""
ALL_PROBLEMS = "/problems/problems.txt"


def listed(page: Page) -> Listed:
    """Return a page without its contents.

    In a list it has the sentences that it opens with, but not that the report has no profiles.
    """
    short = msgspec.structs.replace(
        page.place,
        description="",
        breadcrumbs=page.place.breadcrumbs[:2],
        previous=None,
        next=None,
        related=(),
        card=None,
    )
    moved_to = page.now.url if isinstance(page, MovedPage) else ""
    opening = page.opening if isinstance(page, ReportPage | VariantPage) else ()
    return Listed(
        kind=str(page.__struct_config__.tag),
        place=short,
        pictures=pictures_of(page),
        moved_to=moved_to,
        opening=_joined([each for each in opening if each != (Phrase(text=NO_PROFILES),)]),
    )


def _joined(sentences: Sequence[Sentence]) -> Sentence:
    """Return sentences as one paragraph."""
    first, *others = sentences or ((),)
    return (*first, *(phrase for each in others for phrase in (Phrase(text=" "), *each)))


def adapter_page(page: Listed) -> AdapterPage:
    """Return a page as the content adapter adds it."""
    path = page.place.path.strip("/")
    is_section = page.kind in ("report", "hosts")
    return AdapterPage(path=path, title=page.place.title, kind="section" if is_section else "page")


def embeds(pages: Sequence[Listed]) -> Iterator[AdapterPage]:
    """Yield the embed pages of figures, also of pages that were renamed."""
    with_figures = {page.place.path for page in pages if page.pictures}
    for page in pages:
        if page.pictures or page.moved_to in with_figures:
            path = f"{page.place.path}{EMBED}".strip("/")
            yield AdapterPage(path=path, title=page.place.title)


def listed_report(report: Report, summary: str, opening: Sentence) -> ListedReport:
    """Return a report as the home page lists it; one without results has no feed.

    Args:
        report: its author's choices.
        summary: its results in one line; empty without any.
        opening: what its page opens with.
    """
    return ListedReport(
        id=report.id,
        title=report.title,
        url=report_address(report),
        headline=opening,
        summary=summary or plural(0, "run"),
        feed=f"{report_address(report)}{FEED}" if summary else "",
    )


def listed_host(page: HostPage) -> Link:
    """Return a host as the site lists it, with its number of runs and the newest date."""
    runs, *dates = page.facts
    newest = [f"newest {fact.value}" for fact in dates[:1]]
    return Link(
        label=page.place.heading, url=page.place.path, note="; ".join((runs.value, *newest))
    )


def publish_problems(
    problems: Sequence[Problem], directory: SiteDirectory
) -> tuple[tuple[ListedProblem, ...], Link | None]:
    """Return problems as their page shows them: one for each kind, with the first others of it.

    Where it has not all, they are written into a file: every log of a large archive may have one.

    Returns:
        The problems, and the link to the file of all, if there is one.
    """
    listed = listed_problems(problems)
    if all(each.count == len(each.others) for each in listed):
        return listed, None
    text = "".join(f"{each.severity}: {each}\n" for each in problems)
    return listed, directory.write_download(ALL_PROBLEMS, text.encode(), "All problems, text")


def listed_problems(problems: Iterable[Problem]) -> tuple[ListedProblem, ...]:
    """Return problems as their page shows them: one for each kind."""
    return tuple(
        ListedProblem(
            where=first.where,
            found=first.found,
            expected=first.expected,
            do=first.do,
            severity=first.severity,
            excerpt=first.excerpt,
            others=tuple(
                OtherPlace(where=each.where, found=each.found) for each in others[:MOST_OTHERS]
            ),
            count=len(others),
        )
        for first, *others in kinds_of(problems)
    )

"""The releases of a report that has more than one page holds: a hundred a page, from the first on.

Pages are numbered from the oldest release on, so that a new release changes the last one alone. The
page of the report has the newest releases, and the way to all others.
"""

from collections.abc import Iterator

import msgspec

from perfpress.analysis.study.study import Study
from perfpress.base.display import plural
from perfpress.base.slugs import slug
from perfpress.site.addresses import releases_address, report_address
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Link, Table
from perfpress.site.shapes.pages import Place, ReleasesPage, RowOfPages, RowsOfPages, TablePages
from perfpress.site.tables.releases import release_list

ON_A_PAGE = 100
"""Releases: with all its columns a row is a tenth of a kilobyte, compressed."""
ROWS = "rows.json"


def newest_releases_table(figures: Figures) -> Table:
    """Return the table of all releases, or of the newest where they have pages."""
    releases = figures.study.measured
    if len(releases) <= ON_A_PAGE:
        return release_list(figures, releases, "The releases of this report")
    newest = f"The newest {ON_A_PAGE} of {plural(len(releases), 'release')}"
    return release_list(figures, releases[-ON_A_PAGE:], newest)


def pages_of_releases(study: Study) -> TablePages | None:
    """Return the pages of all releases; None where the page of the report has them all."""
    releases, report = study.measured, study.report
    if len(releases) <= ON_A_PAGE:
        return None
    return TablePages(
        table="releases-table",
        what="All releases",
        pages=tuple(
            # By their first release: the last one is another with each new release.
            Link(label=f"from {study.label(releases[start])}", url=releases_address(report, page))
            for page, start in enumerate(range(0, len(releases), ON_A_PAGE), 1)
        ),
        rows=f"{report_address(report)}releases/{ROWS}",
    )


def releases_pages(parts: ReportParts) -> Iterator[ReleasesPage]:
    """Yield the pages of all releases; none where the page of the report has them all."""
    figures, study, report = parts.figures, parts.study, parts.report
    pages = pages_of_releases(study)
    if pages is None:
        return
    releases = study.measured
    rows = RowsOfPages(
        rows=tuple(
            RowOfPages(key=slug(each), label=study.label(each), page=at // ON_A_PAGE)
            for at, each in enumerate(releases)
        )
    )
    parts.directory.write_file(pages.rows, msgspec.json.encode(rows))
    for at, page in enumerate(pages.pages):
        own = releases[at * ON_A_PAGE : (at + 1) * ON_A_PAGE]
        first, last = (f"{at * ON_A_PAGE + place:,}" for place in (1, len(own)))
        yield ReleasesPage(
            place=Place(
                path=page.url,
                is_part=True,
                title=f"Releases {page.label}, {report.title}",
                heading=f"Releases {page.label}",
                description=f"{report.title}: releases {first} to {last}.",
                breadcrumbs=(
                    Link(label="Reports", url="/reports/"),
                    Link(label=report.title, url=report_address(report)),
                ),
                previous=pages.pages[at - 1] if at else None,
                next=pages.pages[at + 1] if at + 1 < len(pages.pages) else None,
            ),
            releases=release_list(figures, own, f"Releases {first} to {last}"),
            release_pages=pages,
        )

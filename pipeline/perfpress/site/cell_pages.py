"""Which cells have a page of their own, and where links to the others lead.

A page for each release of each step is most of a site of many releases. Where it would repeat what
the pages of its release and of its step show, its address leads to its row there.
"""

from perfpress.analysis.metrics.validity import validity_of
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.slugs import slug
from perfpress.site.addresses import release_address, step_address

FEW = 12
"""Releases of a step that are all shown together; each of them has a page."""


def shows_all(study: Study, cell: CellKey) -> bool:
    """Return whether the page of a cell shows all releases of its step."""
    return len(study.releases_with(cell.variant, cell.step)) <= FEW


def has_page(study: Study, cell: CellKey) -> bool:
    """Return whether a cell has a page: among few releases, or with more than numbers to show.

    More are a profile, traces, a correction, and why a run has no throughput that counts.
    """
    return (
        shows_all(study, cell)
        or bool(study.profiles.get(cell))
        or any(
            validity_of(each, "throughput").state or each.run.corrections or each.outline.has_traces
            for each in study.of_cell(cell)
        )
    )


def steps_table_id(variant: str) -> str:
    """Return the id of the table of all steps on the page of a release."""
    return f"steps-{variant}"


def cell_url(study: Study, cell: CellKey, anchor: str = "") -> str:
    """Return where readers find a cell: on its page, or at its row on the page of its release.

    Args:
        study: the report.
        cell: of the report.
        anchor: of a part of its page, which its row stands in for.
    """
    if not has_page(study, cell):
        return row_of_cell(study, cell)
    page = step_address(study.report, cell)
    return f"{page}#{anchor}" if anchor else page


def row_of_cell(study: Study, cell: CellKey) -> str:
    """Return the address of a cell's row on the page of its release."""
    page = release_address(study.report, cell.release)
    return f"{page}#{steps_table_id(cell.variant)}.{slug(cell.step)}"

"""Which releases of a step a page shows: all of a few, and of many those that are compared.

A table of all releases on the page of every release grows with their square, and changes with each
new release. The page of all releases of a step has them all.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import plural
from perfpress.base.slugs import slug
from perfpress.site.addresses import all_releases_address
from perfpress.site.cell_pages import FEW, shows_all
from perfpress.site.shapes.blocks import Cell, Drilldown, Phrase, Sentence, Table

SAME_NUMBERS = "Over the whole profile every number is the same."
"""Said of a drilldown along the call path."""

MOST = 40
"""Releases in one table or chart: the rest is in files for download."""

NEWEST = "the base and the newest."
NEWEST_IN_CHART = (
    "the base and the newest. The page of every other release compares it with the base and the "
    "release before."
)
COMPARED = "those compared. The page of all releases of the step has the others."


def cells_of_step(study: Study, variant: str, step: str) -> tuple[CellKey, ...]:
    """Return the cells of all releases that have runs of a variant and step, in order."""
    return tuple(CellKey(each, variant, step) for each in study.releases_with(variant, step))


def near_cells(study: Study, cell: CellKey) -> tuple[CellKey, ...]:
    """Return the cells of all of a few releases; of many those compared."""
    if shows_all(study, cell):
        return cells_of_step(study, cell.variant, cell.step)
    return compared_cells(study, cell)


def compared_cells(study: Study, cell: CellKey) -> tuple[CellKey, ...]:
    """Return the base, the previous and the cell: all that its page shows of profiles."""
    shown = {cell.release, *study.compared_with(cell.release, cell.variant)}
    cells = cells_of_step(study, cell.variant, cell.step)
    return tuple(each for each in cells if each.release in shown)


def newest_cells(study: Study, cells: Sequence[CellKey], most: int) -> tuple[CellKey, ...]:
    """Return the cells of one step of its newest releases, and of the base."""
    base = study.base_of(cells[0].variant) if cells else study.report.base
    shown = set(newest_releases([each.release for each in cells], base, most))
    return tuple(each for each in cells if each.release in shown)


def newest_releases(releases: Sequence[str], base: str, most: int = FEW) -> tuple[str, ...]:
    """Return what one chart or table of all releases can hold: the base and the newest ones."""
    if len(releases) <= most:
        return tuple(releases)
    newest = releases[-most:]
    if base not in releases or base in newest:
        return tuple(newest)
    return (base, *newest[1:])


def near_sentence(study: Study, cell: CellKey) -> Sentence:
    """Lead to all releases, where the page of a cell shows only those compared."""
    if shows_all(study, cell):
        return ()
    count = len(study.releases_with(cell.variant, cell.step))
    page = all_releases_address(study.report, cell.step, cell.variant)
    return (
        Phrase(text=f"{cell.step} in all {plural(count, 'release')}", url=page),
        Phrase(text=", as a table and a chart."),
    )


def drilldown_of(
    drilldown: Drilldown, releases: Sequence[str], note: str = "", page: str = ""
) -> Drilldown:
    """Return the rows of some releases.

    Where both views have the same numbers it is one table, which says so.

    Args:
        drilldown: of all releases.
        releases: those to show.
        note: that they are not all, if so.
        page: the address that it is shown at; frames there are linked to by fragments alone.
    """
    keys = {slug(each) for each in releases}

    def cell_here(cell: Cell) -> Cell:
        is_here = page and cell.url.startswith(f"{page}#")
        return replace(cell, url=cell.url.removeprefix(page)) if is_here else cell

    def shown(table: Table) -> Table:
        rows = tuple(
            replace(row, cells=tuple(map(cell_here, row.cells)))
            for row in table.rows
            if row.key in keys
        )
        return with_note(replace(table, rows=rows), note)

    along = shown(drilldown.along_path)
    whole = shown(drilldown.whole_profile) if drilldown.whole_profile else None
    if whole is None or _numbers(whole) == _numbers(along):
        return replace(drilldown, along_path=with_note(along, SAME_NUMBERS), whole_profile=None)
    return replace(drilldown, along_path=along, whole_profile=whole)


def _numbers(table: Table) -> list[list[tuple[str, str]]]:
    """Return what a reader sees in the cells of a drilldown, and what matched."""
    return [[(cell.text, cell.note) for cell in row.cells] for row in table.rows]


def newest_of_drilldown(study: Study, step: StepKey, drilldown: Drilldown) -> Drilldown:
    """Return the rows of what one table holds of a drilldown of all releases."""
    releases = study.releases_with(*step)
    shown = newest_releases(releases, study.base_of(step[0]), MOST)
    return drilldown_of(drilldown, shown, shown_note(len(shown), len(releases)))


def shown_note(shown: int, everything: int, which: str = NEWEST) -> str:
    """Say which releases a table or chart holds; nothing where it holds all.

    Args:
        shown: how many it holds.
        everything: how many there are.
        which: `NEWEST`, `NEWEST_IN_CHART` or `COMPARED`.
    """
    return f"{shown} of {plural(everything, 'release')}: {which}" if shown < everything else ""


def with_note(table: Table, note: str) -> Table:
    """Return a table with one more note, if there is one."""
    return replace(table, notes=(*table.notes, note)) if note else table

"""Which releases of a step a page shows: all of a few, and of many those that are near.

A table of all releases on the page of every release grows with their square. The page of all
releases of a step has them all.
"""

from collections.abc import Sequence

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import plural
from perfpress.site.addresses import all_releases_address
from perfpress.site.shapes.blocks import Phrase, Sentence

FEW = 12
"""Releases that are all shown."""
NEAR = 7
"""Releases that a page shows where there are more."""


def cells_of_step(study: Study, variant: str, step: str) -> tuple[CellKey, ...]:
    """Return the cells of all releases that have runs of a variant and step, in order."""
    return tuple(CellKey(each, variant, step) for each in study.releases_with(variant, step))


def near_cells(study: Study, cell: CellKey) -> tuple[CellKey, ...]:
    """Return a cell, that of the base, of the release before on its branch, and its neighbours."""
    cells = cells_of_step(study, cell.variant, cell.step)
    if len(cells) <= FEW:
        return cells
    asked = {cell.release, *study.compared_with(cell.release, cell.variant)}
    wanted = {at for at, each in enumerate(cells) if each.release in asked}
    here = cells.index(cell)
    for at in sorted(range(len(cells)), key=lambda at: (abs(at - here), at)):
        if len(wanted) < NEAR:
            wanted.add(at)
    return tuple(cells[at] for at in sorted(wanted))


def newest_releases(releases: Sequence[str], base: str) -> tuple[str, ...]:
    """Return what one chart of all releases can hold: the base and the newest ones."""
    if len(releases) <= FEW:
        return tuple(releases)
    newest = releases[-FEW:]
    if base not in releases or base in newest:
        return tuple(newest)
    return (base, *newest[1:])


def near_sentence(study: Study, cell: CellKey) -> Sentence:
    """Say which releases the page of a cell shows; nothing where it shows all."""
    everything = len(study.releases_with(cell.variant, cell.step))
    shown = len(near_cells(study, cell))
    if shown == everything:
        return ()
    page = all_releases_address(study.report, cell.step, cell.variant)
    return (
        Phrase(
            text=f"This page shows {shown} of {plural(everything, 'release')}: the base, this one "
            "and those near it. "
        ),
        Phrase(text=f"All releases of {cell.step}", url=page),
        Phrase(text="."),
    )


def newest_note(shown: int, everything: int) -> str:
    """Say which releases a chart of all releases holds; nothing where it holds all."""
    if shown == everything:
        return ""
    return (
        f"{shown} of {plural(everything, 'release')}: the base and the newest. The page of every "
        "other release shows it beside those near it."
    )

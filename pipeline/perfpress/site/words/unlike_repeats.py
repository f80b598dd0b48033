"""Warns of cells whose repeats differ so much that their median matches none of them."""

from collections.abc import Iterable

from perfpress.analysis.metrics.repeats import unlike
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import number, plural_of
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Notice


def unlike_repeats_notices(figures: Figures, cells: Iterable[CellKey]) -> tuple[Notice, ...]:
    """Return a warning for each cell with two repeats that are far apart."""
    study, summaries = figures.study, figures.summaries["throughput"]
    notices = []
    for cell in cells:
        if cell in summaries and (gap := unlike(summaries[cell].values)):
            unit = f"{plural_of(study.operation(cell.step))}/s"
            text = (
                f"Repeats of {cell.step} on {study.report.variants[cell.variant]} differ by far "
                f"more than noise: {number(gap[0])} and {number(gap[1])} {unit}. Their median may "
                "be of two different measurements."
            )
            notices.append(Notice(kind="warning", text=text, url=cell_url(study, cell, "runs")))
    return tuple(notices)

"""Warns of cells whose repeats differ so much that their median matches none of them."""

from collections.abc import Iterable

from perfpress.analysis.metrics.repeats import unlike
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import number, plural_of
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Notice


def unlike_repeats_notices(figures: Figures, cells: Iterable[CellKey]) -> tuple[Notice, ...]:
    """Return one warning of all cells with two repeats that are far apart."""
    study, summaries = figures.study, figures.summaries["throughput"]
    found = {
        cell: gap for cell in cells if cell in summaries and (gap := unlike(summaries[cell].values))
    }
    if not found:
        return ()
    if len(found) > 1:
        listed = ", ".join(
            f"{_cell(study, cell)} {_rates(study, cell, gap)}" for cell, gap in found.items()
        )
        text = (
            f"Repeats differ by far more than noise: {listed}. Their medians may be of different "
            "measurements."
        )
        return (Notice(kind="warning", text=text),)
    ((cell, gap),) = found.items()
    text = (
        f"Repeats of {_cell(study, cell)} differ by far more than noise: "
        f"{_rates(study, cell, gap)}. Their median may be of two different measurements."
    )
    return (Notice(kind="warning", text=text, url=cell_url(study, cell, "runs")),)


def _cell(study: Study, cell: CellKey) -> str:
    return f"{cell.step} on {study.report.variants[cell.variant]}"


def _rates(study: Study, cell: CellKey, gap: tuple[float, float]) -> str:
    unit = f"{plural_of(study.operation(cell.step))}/s"
    return f"{number(gap[0])} and {number(gap[1])} {unit}"

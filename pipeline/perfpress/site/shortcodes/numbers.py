"""The shortcode of single numbers inside sentences."""

from collections.abc import Iterator

from perfpress.analysis.metrics.throughput import Summary, against
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import fixed, number, plural
from perfpress.site.addresses import step_address
from perfpress.site.report_figures import SHOWN_METRICS, Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Cell
from perfpress.site.shapes.pages import Shown
from perfpress.site.shapes.site import ShortcodeArgument
from perfpress.site.shortcodes.graphs import default_cells
from perfpress.site.shortcodes.mentioned import Mentioned
from perfpress.site.shortcodes.shortcode import Example, Found, Shortcode
from perfpress.site.tables.rate_cells import ratio_cell
from perfpress.site.words.measured import why_missing, work_text


def _cells(parts: ReportParts, mentioned: Mentioned) -> Found:
    """Return the numbers that a sentence may hold, by `<release>/<step>/<metric>`."""
    figures, study = parts.figures, parts.study
    found: dict[str, Shown | str] = {}
    for cell in mentioned.cells:
        name = f"{cell.release}/{cell.step}"
        label = study.label(cell.release)
        for metric in SHOWN_METRICS:
            if summary := figures.summaries[metric].get(cell):
                found[f"{name}/{metric}"] = _median_cell(study, cell, summary)
            else:
                reason = why_missing(study, cell, metric)
                found[f"{name}/{metric}"] = f"no {metric} of {cell.step} on {label}: {reason}"
        if cell in figures.summaries["throughput"]:
            found |= {f"{name}/{key}": each for key, each in _rate_cells(figures, cell).items()}
        cost = figures.cost(cell)
        made = figures.main(cell)
        if made is None or cost is None:
            found[f"{name}/cost"] = f"no cost of {cell.step} on {label}"
        else:
            found[f"{name}/cost"] = Cell(
                text=number(cost),
                note=f"{figures.cost_unit(made).text}: {work_text(figures, cell)}",
                url=step_address(study.report, cell.release, cell.step, cell.variant),
            )
    return found


def _median_cell(study: Study, cell: CellKey, summary: Summary) -> Cell:
    runs = plural(len(summary.values), "run")
    return Cell(
        text=number(summary.median),
        note=f"median of {runs}, {number(summary.low)} to {number(summary.high)}",
        url=step_address(study.report, cell.release, cell.step, cell.variant),
    )


def _rate_cells(figures: Figures, cell: CellKey) -> dict[str, Cell]:
    """Return how a cell's throughput spreads, and how it compares."""
    summaries = figures.summaries["throughput"]
    study = figures.study
    summary = summaries[cell]
    previous = study.previous(cell.release, (cell.variant,))
    compared = {
        "against-base": against(summaries, cell, study.report.base),
        "against-previous": against(summaries, cell, previous),
    }
    cells = {
        key: ratio_cell(figures, cell, each) for key, each in compared.items() if each is not None
    }
    if summary.low > 0:
        runs = plural(len(summary.values), "run")
        cells["spread"] = Cell(
            text=fixed(summary.high / summary.low, 2),
            note=f"the fastest of {runs} ÷ the slowest",
        )
    return cells


def _names(parts: ReportParts) -> Iterator[str]:
    return (
        f"{name}/{metric}"
        for metric in SHOWN_METRICS
        for name, cell in default_cells(parts).items()
        if cell in parts.figures.summaries[metric]
    )


_CELL = Shortcode(
    name="cell",
    arguments=(ShortcodeArgument(name="name"),),
    renders="number",
    find=_cells,
    names=_names,
    examples=(
        Example(("17/select/throughput",), "one number in a sentence, with a link to its page"),
    ),
)

NUMBERS = (_CELL,)

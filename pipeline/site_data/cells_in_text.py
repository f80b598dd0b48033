"""The single numbers that the text of a report may hold inside its sentences."""

from pipeline.analysis.throughput import Summary, against_base, against_previous
from pipeline.display import fixed, number, plural
from pipeline.site_data.addresses import step_address
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.figures import SHOWN_METRICS, Figures
from pipeline.site_data.named_in_text import NamedInText
from pipeline.site_data.rate_cells import ratio_cell
from pipeline.site_data.shapes import Cell
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study


def cells_in_text(figures: Figures, named: NamedInText) -> dict[str, Cell]:
    """Return the numbers that a sentence may hold, of the default variant."""
    study = figures.study
    cells: dict[str, Cell] = {}
    for cell in named.cells:
        name = f"{cell.release}/{cell.step}"
        for metric in SHOWN_METRICS:
            if summary := figures.summaries[metric].get(cell):
                cells[f"{name}/{metric}"] = _median_cell(study, cell, summary)
        if cell in figures.summaries["throughput"]:
            cells |= {f"{name}/{key}": each for key, each in _rate_cells(figures, cell).items()}
        cost = figures.cost(cell)
        made = figures.main(cell)
        if made and cost is not None:
            cells[f"{name}/cost"] = Cell(
                text=number(cost),
                note=f"{made.unit} of the profile, per operation: {work_text(figures, cell)}",
                url=step_address(study.report, cell.release, cell.step, cell.variant),
            )
    return cells


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
    report = figures.study.report
    summary = summaries[cell]
    compared = {
        "against-base": against_base(summaries, report, cell),
        "against-previous": against_previous(summaries, report, cell),
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

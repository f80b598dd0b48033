"""Cells of measured rates: medians with ranges and intervals, and how releases compare."""

from collections.abc import Sequence

from msgspec.structs import replace

from pipeline.analysis.counted import State, standing
from pipeline.analysis.throughput import Comparison, against_base, against_previous
from pipeline.display import (
    NO_VALUE,
    PERCENT,
    decimals_for,
    fixed,
    percent_change,
    plural_of,
    sortable,
)
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column
from pipeline.site_data.verdict_cells import MARKS_NOTE, verdict_cell
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

RATIO_DECIMALS = 3

NO_RUN = Cell(text=NO_VALUE, note="no run")
IS_BASE = Cell(text="base", note="the release compared against")

ABSENT: dict[State, Cell] = {
    "failed": Cell(text="failed", mark="×", tone="worse"),
    "cut": Cell(text="cut short", tone="unknown"),
    "partial": Cell(text="partial", mark="×", tone="unknown"),
    "target missed": Cell(text="target missed", tone="unknown"),
    "excluded": Cell(text="excluded", tone="unknown"),
    "none": Cell(text="n/a", tone="unknown"),
    "for the profile": Cell(text=NO_VALUE),
}
"""What stands where a number would be: no two look alike, and none is a number. Of several runs
the first of these is told."""

MEDIAN_NOTE = (
    "Median of the runs; the range holds all of them. An interval of a median needs six runs."
)
RATIO_NOTE = f"Ratios are of medians: this ÷ the other. {MARKS_NOTE}"


def value_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column, ...]:
    """Return the heads over `value_cells`; without cells, those of steps of all kinds."""
    operation = (
        f"{plural_of(figures.study.operation(cells[0].step))}/s" if cells else "operations/s"
    )
    return (
        Column(key="median", label="Median", unit=operation),
        Column(key="interval", label=f"95{PERCENT} interval", unit=operation),
        Column(key="range", label="Range", unit=operation),
        Column(key="runs", label="Runs", meaning="repeats that count"),
    )


def value_cells(
    figures: Figures, cells: Sequence[CellKey], cell: CellKey
) -> tuple[Cell, Cell, Cell, Cell]:
    """Return median, its interval, range and count of runs; `cells` share decimals."""
    summaries = figures.summaries["throughput"]
    summary = summaries.get(cell)
    if summary is None:
        none = Cell(text=NO_VALUE)
        return missing_cell(figures.study, cell), none, none, Cell(text="0", sort=0)
    decimals = decimals_for(summaries[each].median for each in cells if each in summaries)
    interval = summary.interval
    return (
        Cell(text=fixed(summary.median, decimals), sort=summary.median),
        Cell(
            text=between(interval.low, interval.high, decimals) if interval else NO_VALUE,
            note="" if interval else "fewer than six runs",
        ),
        Cell(text=between(summary.low, summary.high, decimals), sort=summary.high - summary.low)
        if len(summary.values) > 1
        else Cell(text=NO_VALUE, note="one run"),
        Cell(text=str(len(summary.values)), sort=len(summary.values)),
    )


def comparison_columns(study: Study) -> tuple[Column, ...]:
    """Return the heads over `comparison_cells`."""
    base = study.label(study.report.base)
    return (
        Column(key="base-verdict", label=f"Against {base}", numeric=False, meaning="the verdict"),
        Column(key="base", label="Ratio", unit=f"to {base}", meaning="this ÷ base"),
        Column(key="base-interval", label="Interval", unit="of the ratio"),
        Column(
            key="previous-verdict",
            label="Against previous",
            numeric=False,
            meaning="the verdict against the release before it on its branch",
        ),
        Column(key="previous", label="Ratio", unit="to previous", meaning="this ÷ previous"),
        Column(key="previous-interval", label="Interval", unit="of the ratio"),
    )


def comparison_cells(figures: Figures, cell: CellKey) -> tuple[Cell, ...]:
    """Return throughput against base and against previous: verdict, ratio and interval of each."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    report = study.report
    return (
        *_compared_with(figures, cell, report.base, against_base(summaries, report, cell)),
        *_compared_with(
            figures, cell, previous_of(study, cell), against_previous(summaries, report, cell)
        ),
    )


def ratio_cell(figures: Figures, cell: CellKey, compared: Comparison) -> Cell:
    """Return a ratio with what the verdict says about it."""
    verdict = verdict_cell(figures, cell, compared.base)
    words = f"{verdict.text}. {verdict.note}" if verdict else compared.method
    return Cell(
        text=fixed(compared.ratio, RATIO_DECIMALS),
        tone=verdict.tone if verdict else "",
        mark=verdict.mark if verdict else "",
        said=verdict.text if verdict else "",
        note=f"{percent_change(compared.ratio)}; {words}",
        sort=sortable(compared.ratio),
    )


def missing_cell(study: Study, cell: CellKey, metric: str = "throughput") -> Cell:
    """Return why a cell has no value of a metric: what keeps its runs from counting."""
    found = [standing(each, metric) for each in study.of_cell(cell)]
    if not found:
        return NO_RUN
    reasons = "; ".join(dict.fromkeys(each.reason for each in found))
    state = min((each.state for each in found), key=list(ABSENT).index)
    return replace(ABSENT[state], note=reasons)


def previous_of(study: Study, cell: CellKey) -> str | None:
    """Return the id of the release before a cell's, on its branch."""
    previous = study.report.previous(cell.release)
    return previous.id if previous else None


def no_ratio(figures: Figures, cell: CellKey, base: str | None) -> Cell:
    """Return why a cell is not compared with another release, or that it is the base itself."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    if cell not in summaries:
        return missing_cell(study, cell)
    if base is None:
        return Cell(text=NO_VALUE, note="the first release of its branch")
    if base == cell.release:
        return IS_BASE
    other = CellKey(base, cell.variant, cell.step)
    if other not in summaries:
        reason = missing_cell(study, other).note
        return Cell(text=NO_VALUE, note=f"{study.label(base)}: {reason}")
    return Cell(text=NO_VALUE, note="a median that is not above 0 has no ratio")


def between(low: float, high: float, decimals: int) -> str:
    """Return `4,928–5,063`."""
    return f"{fixed(low, decimals)}\N{EN DASH}{fixed(high, decimals)}"


def _compared_with(
    figures: Figures, cell: CellKey, base: str | None, compared: Comparison | None
) -> tuple[Cell, Cell, Cell]:
    """Return verdict, ratio and interval; a range in parentheses where there is no interval."""
    none = Cell(text=NO_VALUE)
    if base == cell.release and cell in figures.summaries["throughput"]:
        return IS_BASE, none, none
    verdict = verdict_cell(figures, cell, base) or none
    if compared is None:
        return verdict, no_ratio(figures, cell, base), none
    interval = compared.interval
    if compared.count == compared.base_count == 1:
        between_runs = Cell(text=NO_VALUE, note="one run of each: no range")
    elif interval is None:
        text = f"({between(compared.low, compared.high, RATIO_DECIMALS)})"
        between_runs = Cell(text=text, note="range of the ratios of all pairs of runs, no interval")
    else:
        text = between(interval.low, interval.high, RATIO_DECIMALS)
        between_runs = Cell(text=text, note=compared.method)
    return verdict, ratio_cell(figures, cell, compared), between_runs

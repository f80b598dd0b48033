"""Cells of measured rates: medians with ranges and intervals, and how releases compare."""

from collections.abc import Sequence

from pipeline.analysis.counted import why_not
from pipeline.analysis.throughput import Comparison, against_base, against_previous
from pipeline.display import (
    MARKS,
    NO_VALUE,
    PERCENT,
    decimals_for,
    fixed,
    number,
    percent_change,
    plural,
    plural_of,
    tone_of,
)
from pipeline.profiles import CellKey
from pipeline.readings import Better
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column
from pipeline.study import Study

RATIO_DECIMALS = 3

NO_RUN = Cell(text=NO_VALUE, note="no run")
IS_BASE = Cell(text="base", note="the release compared against")

MEDIAN_NOTE = (
    "Median of the runs; the range holds all of them. An interval of a median needs six runs."
)
RATIO_NOTE = (
    f"Ratios are of medians. ▲ better and ▼ worse where the 95{PERCENT} interval of the ratio "
    "leaves out 1, ≈ where it holds 1; an interval needs five runs on both sides."
)


def ratio_notes(figures: Figures) -> tuple[str, ...]:
    """Return what ratios and their marks mean, and how many marks chance alone makes."""
    count = figures.judged_ratios
    if not count:
        return (RATIO_NOTE,)
    # One in twenty intervals at 95 % leaves out 1 although nothing changed.
    return (
        RATIO_NOTE,
        f"{plural(count, 'ratio')} with an interval in this report: about {number(count / 20, 2)} "
        "▲ or ▼ are expected by chance alone, were nothing changed.",
    )


def value_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column, ...]:
    """Return the heads over `value_cells`; without cells, those of steps of all kinds."""
    operation = (
        f"{plural_of(figures.study.operation(cells[0].step))}/s" if cells else "operations/s"
    )
    return (
        Column(key="median", label="Median", unit=operation),
        Column(key="range", label="Range", unit=operation),
        Column(key="interval", label=f"95{PERCENT} interval", unit=operation),
        Column(key="runs", label="Runs", meaning="repeats that count"),
    )


def value_cells(
    figures: Figures, cells: Sequence[CellKey], cell: CellKey
) -> tuple[Cell, Cell, Cell, Cell]:
    """Return median, range, interval of the median and count of runs; `cells` share decimals."""
    summaries = figures.summaries["throughput"]
    summary = summaries.get(cell)
    if summary is None:
        missing = missing_cell(figures.study, cell)
        return missing, missing, missing, Cell(text="0", sort=0)
    decimals = decimals_for(summaries[each].median for each in cells if each in summaries)
    interval = summary.interval
    return (
        Cell(text=fixed(summary.median, decimals), sort=summary.median),
        Cell(text=between(summary.low, summary.high, decimals), sort=summary.high - summary.low),
        Cell(
            text=between(interval.low, interval.high, decimals) if interval else NO_VALUE,
            note="" if interval else "fewer than six runs",
        ),
        Cell(text=str(len(summary.values)), sort=len(summary.values)),
    )


def comparison_columns(study: Study) -> tuple[Column, ...]:
    """Return the heads over `comparison_cells`."""
    base = study.label(study.report.base)
    return (
        Column(key="base", label=f"Against {base}", unit="ratio", meaning="this ÷ base"),
        Column(key="base-interval", label="Interval", unit="ratio"),
        Column(
            key="previous",
            label="Against previous",
            unit="ratio",
            meaning="this ÷ the release before it on its branch",
        ),
        Column(key="previous-interval", label="Interval", unit="ratio"),
    )


def comparison_cells(figures: Figures, cell: CellKey) -> tuple[Cell, ...]:
    """Return throughput against base and against previous, each with its interval."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    base = against_base(summaries, study.report, cell)
    previous = against_previous(summaries, study.report, cell)
    return (
        *_ratio_and_interval(base, no_ratio(figures, cell, study.report.base)),
        *_ratio_and_interval(previous, no_ratio(figures, cell, previous_of(study, cell))),
    )


def ratio_cell(compared: Comparison, better: Better) -> Cell:
    """Return a ratio with what its interval says about it."""
    interval = compared.interval
    tone = tone_of(interval.low, interval.high, better) if interval else "unknown"
    return Cell(
        text=fixed(compared.ratio, RATIO_DECIMALS),
        tone=tone,
        mark=MARKS[tone],
        note=f"{percent_change(compared.ratio)}; {compared.method}",
        sort=compared.ratio,
    )


def missing_cell(study: Study, cell: CellKey, metric: str = "throughput") -> Cell:
    """Return why a cell has no value of a metric: what keeps its runs from counting."""
    reasons = dict.fromkeys(why_not(each, metric) for each in study.of_cell(cell))
    return Cell(text=NO_VALUE, note="; ".join(reasons)) if reasons else NO_RUN


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


def _ratio_and_interval(compared: Comparison | None, nothing: Cell) -> tuple[Cell, Cell]:
    if compared is None:
        return nothing, Cell(text=NO_VALUE)
    interval = compared.interval
    if interval is None:
        return ratio_cell(compared, "higher"), Cell(
            text=f"({between(compared.low, compared.high, RATIO_DECIMALS)})",
            note="range of the ratios of all pairs of runs, no interval",
        )
    return (
        ratio_cell(compared, "higher"),
        Cell(text=between(interval.low, interval.high, RATIO_DECIMALS), note=compared.method),
    )

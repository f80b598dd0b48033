"""Columns of measured rates: medians with ranges and intervals, and how releases compare."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from perfpress.analysis.metrics.throughput import (
    CellComparison,
    Summary,
    against,
)
from perfpress.analysis.metrics.validity import ValidityState, validity_of
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.states import State
from perfpress.base.display import (
    NO_VALUE,
    PERCENT,
    decimals_for,
    fixed,
    percent_change,
    plural_of,
    sortable,
)
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell
from perfpress.site.tables.columns import Column
from perfpress.site.tables.verdict_cells import MARKS_NOTE, verdict_cell
from perfpress.site.words.measured import RATIO_DECIMALS, why_missing

FAILED = State.FAILED.row
NO_RUN = Cell(text=NO_VALUE, note="no run")
IS_BASE = Cell(text="base", note="the release compared against")

ABSENT: dict[ValidityState, Cell] = {
    "failed": Cell(text=FAILED.word, mark=FAILED.mark, tone=FAILED.tone),
    "cut": Cell(text="cut short", tone="unknown"),
    "partial": Cell(text="partial", mark="×", tone="unknown"),
    "target missed": Cell(text="target missed", tone="unknown"),
    "excluded": Cell(text="excluded", tone="unknown"),
    "none": Cell(text="n/a", tone="unknown"),
    "for the profile": Cell(text=NO_VALUE),
}
"""Labels shown instead of a number. If runs of a cell have several, the first here is shown."""

MEDIAN_NOTE = (
    "Median of the runs; the range holds all of them. An interval of a median needs six runs."
)
RATIO_NOTE = f"Ratios are of medians: this ÷ the other. {MARKS_NOTE}"


def value_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column[CellKey], ...]:
    """Return median, its interval, range and count of runs.

    Args:
        figures: of the report.
        cells: of one step, whose numbers share decimals; none where rows have steps of their own.
    """
    summaries = figures.summaries["throughput"]
    operation = figures.study.operation(cells[0].step) if cells else "operation"
    unit = f"{plural_of(operation)}/s"

    def decimals(summary: Summary) -> int:
        shared = [summaries[each].median for each in cells if each in summaries]
        return decimals_for(shared or [summary.median])

    def median(cell: CellKey) -> Cell:
        summary = summaries.get(cell)
        if summary is None:
            return missing_cell(figures.study, cell)
        return Cell(text=fixed(summary.median, decimals(summary)), sort=summary.median)

    def interval(cell: CellKey) -> Cell:
        summary = summaries.get(cell)
        if summary is None or summary.interval is None:
            return Cell(text=NO_VALUE, note="fewer than six runs" if summary else "")
        low, high = summary.interval.low, summary.interval.high
        return Cell(text=between(low, high, decimals(summary)))

    def spread(cell: CellKey) -> Cell:
        summary = summaries.get(cell)
        if summary is None or len(summary.values) == 1:
            return Cell(text=NO_VALUE, note="one run" if summary else "")
        text = between(summary.low, summary.high, decimals(summary))
        return Cell(text=text, sort=summary.high - summary.low)

    def runs(cell: CellKey) -> Cell:
        count = len(summaries[cell].values) if cell in summaries else 0
        return Cell(text=str(count), sort=count)

    return (
        Column("median", "Median", median, unit=unit),
        Column("interval", f"95{PERCENT} interval", interval, unit=unit),
        Column("range", "Range", spread, unit=unit),
        Column("runs", "Runs", runs, meaning="repeats that count"),
    )


def comparison_columns(figures: Figures, variant: str) -> tuple[Column[CellKey], ...]:
    """Return throughput of a variant against base and previous: verdict, ratio and interval."""
    study = figures.study
    base = study.label(study.base_of(variant))
    to_base = _Comparisons(figures, lambda cell: study.base_of(cell.variant))
    to_previous = _Comparisons(figures, study.previous_of)
    return (
        Column(
            "base-verdict",
            f"Against {base}",
            to_base.verdict,
            numeric=False,
            meaning="the verdict",
            stays=True,
        ),
        Column(
            "base", "Ratio", to_base.ratio, unit=f"to {base}", meaning="this ÷ base", stays=True
        ),
        Column("base-interval", "Interval", to_base.interval, unit="of the ratio", stays=True),
        Column(
            "previous-verdict",
            "Against previous",
            to_previous.verdict,
            numeric=False,
            meaning="the verdict against the release before it on its branch",
            stays=True,
        ),
        Column(
            "previous",
            "Ratio",
            to_previous.ratio,
            unit="to previous",
            meaning="this ÷ previous",
            stays=True,
        ),
        Column(
            "previous-interval", "Interval", to_previous.interval, unit="of the ratio", stays=True
        ),
    )


@dataclass(frozen=True)
class _Comparisons:
    """Throughput of cells against that of other releases."""

    figures: Figures
    base: Callable[[CellKey], str | None]

    def is_base(self, cell: CellKey) -> bool:
        return self.base(cell) == cell.release and cell in self.figures.summaries["throughput"]

    def verdict(self, cell: CellKey) -> Cell:
        if self.is_base(cell):
            return IS_BASE
        return verdict_cell(self.figures, cell, self.base(cell)) or Cell(text=NO_VALUE)

    def ratio(self, cell: CellKey) -> Cell:
        compared = against(self.figures.summaries["throughput"], cell, self.base(cell))
        if compared is not None:
            # The column of the verdict has the evidence.
            return replace(ratio_cell(self.figures, cell, compared), note="")
        if self.is_base(cell):
            return Cell(text=NO_VALUE)
        return no_ratio(self.figures, cell, self.base(cell))

    def interval(self, cell: CellKey) -> Cell:
        """Return the interval that the verdict rests on."""
        verdict = self.figures.verdicts.get((cell, self.base(cell) or ""))
        if verdict is None or verdict.interval is None:
            return Cell(text=NO_VALUE)
        low, high = verdict.interval.low, verdict.interval.high
        return Cell(text=between(low, high, RATIO_DECIMALS))


def ratio_cell(figures: Figures, cell: CellKey, compared: CellComparison) -> Cell:
    """Return a ratio marked and coloured by its verdict."""
    verdict = verdict_cell(figures, cell, compared.base)
    words = f"; {verdict.text}. {verdict.note}" if verdict else ""
    return Cell(
        text=fixed(compared.ratio, RATIO_DECIMALS),
        tone=verdict.tone if verdict else "",
        mark=verdict.mark if verdict else "",
        spoken=verdict.text if verdict else "",
        note=f"{percent_change(compared.ratio)}{words}",
        sort=sortable(compared.ratio),
    )


def missing_cell(study: Study, cell: CellKey, metric: str = "throughput") -> Cell:
    """Return why a cell has no value of a metric: what keeps its runs from counting."""
    found = [validity_of(each, metric).state for each in study.of_cell(cell)]
    if not found:
        return NO_RUN
    return replace(
        ABSENT[min(found, key=list(ABSENT).index)], note=why_missing(study, cell, metric)
    )


def no_ratio(figures: Figures, cell: CellKey, base: str | None) -> Cell:
    """Return why a cell is not compared with another release, or that it is the base itself."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    if cell not in summaries:
        return missing_cell(study, cell)
    if base is None:
        return Cell(text=NO_VALUE, note="the first release of its branch on this variant")
    if base == cell.release:
        return IS_BASE
    other = cell.in_release(base)
    if other not in summaries:
        reason = why_missing(study, other)
        return Cell(text=NO_VALUE, note=f"{study.label(base)}: {reason}")
    return Cell(text=NO_VALUE, note="a median that is not above 0 has no ratio")


def between(low: float, high: float, decimals: int) -> str:
    """Return `4,928–5,063`."""
    return f"{fixed(low, decimals)}\N{EN DASH}{fixed(high, decimals)}"

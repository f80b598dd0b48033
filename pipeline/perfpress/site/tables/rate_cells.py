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
    """Return median, its interval, range and count of runs; of one run each, throughput alone.

    Numbers of one step share their decimals.
    """
    summaries = figures.summaries["throughput"]
    operations = {figures.study.operation(cell.step) for cell in cells}
    operation = operations.pop() if len(operations) == 1 else "operation"
    unit = f"{plural_of(operation)}/s"
    found = [summaries[cell].median for cell in cells if cell in summaries]
    shared = found if len({cell.step for cell in cells}) == 1 else []

    def decimals(summary: Summary) -> int:
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

    if _of_one_run(figures, cells):
        return (Column("median", "Throughput", median, unit=unit),)
    return (
        Column("median", "Median", median, unit=unit),
        Column("interval", f"95{PERCENT} interval", interval, unit=unit),
        Column("range", "Range", spread, unit=unit),
        Column("runs", "Runs", runs, meaning="repeats that count"),
    )


def _of_one_run(figures: Figures, cells: Sequence[CellKey]) -> bool:
    summaries = figures.summaries["throughput"]
    found = [summaries[cell] for cell in cells if cell in summaries]
    return bool(found) and all(len(summary.values) == 1 for summary in found)


def runs_words(figures: Figures, cells: Sequence[CellKey]) -> tuple[str, ...]:
    """Return that each number is of one run, for the head of a table; else nothing."""
    return ("One run each.",) if _of_one_run(figures, cells) else ()


def median_notes(figures: Figures, cells: Sequence[CellKey]) -> tuple[str, ...]:
    """Return what medians, ranges and intervals are; nothing where each number is of one run."""
    return () if _of_one_run(figures, cells) else (MEDIAN_NOTE,)


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


def comparison_columns(figures: Figures, cells: Sequence[CellKey]) -> tuple[Column[CellKey], ...]:
    """Return throughput against base and previous: verdict, ratio and interval.

    Nothing against a release that no cell is compared with, and nothing twice.
    """
    study = figures.study
    base = study.base_of(cells[0].variant)
    to_base = _Comparisons(figures, lambda cell: study.base_of(cell.variant))
    to_previous = _Comparisons(figures, study.previous_of)
    previous = {release for cell in cells if (release := study.previous_of(cell))}
    of_one_release = len({cell.release for cell in cells}) == 1
    return (
        *(
            _compared_columns("base", study.label(base), "the verdict", to_base)
            if any(cell.release != base for cell in cells)
            else ()
        ),
        *(
            _compared_columns(
                "previous",
                study.label(min(previous)) if of_one_release and len(previous) == 1 else "previous",
                "the verdict against the release before it on its branch",
                to_previous,
            )
            if previous and not (of_one_release and previous == {base})
            else ()
        ),
    )


def _compared_columns(
    key: str, label: str, meaning: str, compared: _Comparisons
) -> tuple[Column[CellKey], ...]:
    return (
        Column(
            f"{key}-verdict",
            f"Against {label}",
            compared.verdict,
            numeric=False,
            meaning=meaning,
            stays=True,
        ),
        Column(
            key, "Ratio", compared.ratio, unit=f"to {label}", meaning=f"this ÷ {key}", stays=True
        ),
        Column(f"{key}-interval", "Interval", compared.interval, unit="of the ratio", stays=True),
    )


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

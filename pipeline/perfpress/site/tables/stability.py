"""Stability of throughput within the runs, by release."""

from collections.abc import Iterator, Sequence
from statistics import median

from perfpress.analysis.metrics.run_stability import RunStability, decay, stability_of_runs
from perfpress.analysis.metrics.stability import STEADY
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import NO_VALUE, PERCENT, fixed, number, plural
from perfpress.base.slugs import slug
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Notice, Row, Table
from perfpress.site.tables.columns import Column, filled

FEWEST_TOGETHER = 3
"""Runs needed before their median is reported instead of a single run."""


def stability_table(study: Study, cells: Sequence[CellKey], current: str | None) -> Table | None:
    """Return the stability of a step, one row per release; None where no log has a series."""
    found = {cell: runs for cell in cells if (runs := stability_of_runs(study, cell))}
    if not found:
        return None
    rows = (
        Row(
            key=slug(cell.release),
            label=study.label(cell.release),
            current=cell.release == current,
        )
        for cell in found
    )
    note = "Values within one run depend on each other: they describe the run and test nothing."
    return filled(
        Table(
            id="courses",
            caption=f"Throughput of {cells[0].step} within its runs",
            row_head="Release",
            notes=(note,),
        ),
        COLUMNS,
        zip(rows, found.values(), strict=True),
    )


def stability_notices(figures: Figures, release: str) -> tuple[Notice, ...]:
    """Return a warning for each step of a release that falls or stalls."""
    study = figures.study
    found = []
    for cell in study.cells_of_release(release):
        runs = stability_of_runs(study, cell)
        stalled = max(runs, key=lambda each: each.stalled, default=None)
        findings = [*_falls(runs)]
        if stalled and stalled.stability.stalls:
            findings.append(f"{_stalls(stalled)} (run {stalled.run})")
        if findings:
            of = study.report.variants[cell.variant]
            text = f"Throughput of {cell.step} on {of}: {'; '.join(findings)}."
            found.append(Notice(kind="warning", text=text, url=cell_url(study, cell, "courses")))
    return tuple(found)


def _falls(runs: tuple[RunStability, ...]) -> Iterator[str]:
    """Yield how the throughput of a cell's runs falls, if it does.

    One run is enough where its tenths have levels; short runs count only together, where all end
    below their start, by the median.
    """
    among = f"one of {len(runs)}" if len(runs) > 1 else "the only run"
    decays = [decay(each.stability) for each in runs]
    alone = next((each for each in runs if each.stability.has_levels), None)
    if alone and decay(alone.stability) < 1 - STEADY:
        yield f"{_shown(alone.stability.words)} (run {alone.run}, {among})"
    elif len(decays) >= FEWEST_TOGETHER and max(decays) < 1 and median(decays) < 1 - STEADY:
        end = f"{100 * median(decays):.0f}{PERCENT}"
        yield f"falls to {end} of its start (the median of {len(runs)} runs)"


def _worst(runs: Sequence[RunStability]) -> Cell:
    stability = runs[0].stability
    few = f"a tenth of this run is {plural(stability.in_tenth, 'interval')}: it can be noise"
    return Cell(
        text=_shown(stability.words),
        sort=decay(stability),
        note="" if stability.holds or stability.has_levels else few,
    )


def _median_decay(runs: Sequence[RunStability]) -> Cell:
    decays = [each.stability.decay for each in runs if each.stability.decay is not None]
    return _ratio(median(decays) if decays else None)


def _warm_up(runs: Sequence[RunStability]) -> Cell:
    seconds = max(each.stability.warm_up for each in runs)
    return Cell(text=number(seconds, 2), sort=seconds)


def _most_stalled(runs: Sequence[RunStability]) -> Cell:
    most = max(runs, key=lambda each: each.stalled)
    return Cell(
        text=number(most.stalled, 2),
        sort=most.stalled,
        note=f"{_stalls(most)} (run {most.run})" if most.stalled else "",
    )


def _shift(runs: Sequence[RunStability]) -> Cell:
    shifts = [(each.run, shift) for each in runs for shift in each.stability.shifts]
    if not shifts:
        return Cell(text=NO_VALUE)
    first = shifts[0][1]
    return Cell(
        text=f"{number(first.before)} → {number(first.after)} at {number(first.at, 2)} s",
        note="; ".join(f"run {run} at {number(each.at, 2)} s" for run, each in shifts),
    )


def _ratio(value: float | None) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note="nothing was done in the first tenth")
    return Cell(text=fixed(value, 3), sort=value)


def _stalls(each: RunStability) -> str:
    count = plural(len(each.stability.stalls), "stall")
    return f"{count}, {number(each.stalled, 2)} s of {number(each.stability.seconds, 3)} s in all"


def _shown(words: str) -> str:
    return words.replace(" %", PERCENT)


COLUMNS: tuple[Column[Sequence[RunStability]], ...] = (
    Column("course", "Stability", _worst, numeric=False, meaning="of the worst run"),
    Column(
        "decay",
        "Last tenth ÷ first",
        _median_decay,
        unit="ratio",
        meaning="after the warm-up; the median of the runs",
    ),
    Column("worst", "Lowest", lambda runs: _ratio(runs[0].stability.decay), unit="ratio"),
    Column(
        "warm-up",
        "Warm-up",
        _warm_up,
        unit="s",
        meaning="left out of the ratios: intervals before the usual rate is reached; the longest",
    ),
    Column(
        "stalls",
        "Stalls",
        _most_stalled,
        unit="s",
        meaning="intervals below a tenth of the rate around them; of the run with the most",
    ),
    Column("shift", "Shift", _shift, numeric=False, meaning="a jump to another level"),
    Column(
        "run",
        "Worst run",
        lambda runs: Cell(text=runs[0].run, note=plural(len(runs), "run")),
        numeric=False,
    ),
)
"""Of a release's runs, the worst first."""

"""Tables of measured values over releases and steps."""

from collections.abc import Callable, Mapping

from pipeline.analysis.throughput import Comparison, Summary, against_base, against_previous
from pipeline.display import decimals_for, fixed, plural_of
from pipeline.profiles import CellKey
from pipeline.site_data.addresses import release_address, step_address
from pipeline.site_data.cost_cells import cost_cells, cost_columns
from pipeline.site_data.figures import Figures
from pipeline.site_data.rate_cells import (
    MEDIAN_NOTE,
    RATIO_NOTE,
    between,
    comparison_cells,
    comparison_columns,
    missing_cell,
    no_ratio,
    previous_of,
    ratio_cell,
    value_cells,
    value_columns,
)
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug


def results_table(figures: Figures, variant: str, step: str, current: str | None) -> Table:
    """Return a step over all releases: the table that its pages open with."""
    study = figures.study
    releases = study.releases_with(variant, step)
    cells = [CellKey(release, variant, step) for release in releases]
    return Table(
        id="results",
        caption=f"Throughput and cost of {step} in all releases",
        row_head="Release",
        columns=(
            *value_columns(figures, cells),
            *comparison_columns(study),
            *cost_columns(figures, cells),
        ),
        rows=tuple(
            Row(
                key=slug(cell.release),
                label=study.label(cell.release),
                url=step_address(study.report, cell.release, step, variant),
                current=cell.release == current,
                cells=(
                    *value_cells(figures, cells, cell),
                    *comparison_cells(figures, cell),
                    *cost_cells(figures, cells, cell),
                ),
            )
            for cell in cells
        ),
        notes=(MEDIAN_NOTE, RATIO_NOTE),
    )


def steps_table(figures: Figures, release: str, variant: str) -> Table:
    """Return all steps of a release and variant."""
    study = figures.study
    report = study.report
    name = report.variants[variant]
    rows = []
    for step in report.steps:
        cell = CellKey(release, variant, step)
        if not study.of_cell(cell):
            continue
        rows.append(
            Row(
                key=slug(step),
                label=step,
                url=step_address(report, release, step, variant),
                cells=(*value_cells(figures, [cell], cell), *comparison_cells(figures, cell)),
            )
        )
    return Table(
        id=f"steps-{variant}",
        caption=f"Throughput of {study.label(release)} on {name}",
        row_head="Step",
        columns=(*value_columns(figures, []), *comparison_columns(study)),
        rows=tuple(rows),
        notes=(MEDIAN_NOTE, RATIO_NOTE),
    )


def throughput_table(figures: Figures, variant: str) -> Table:
    """Return the median rates of a variant: rows are releases, columns are steps."""
    study = figures.study
    summaries = figures.summaries["throughput"]

    def cell_of(cell: CellKey) -> Cell:
        summary = summaries.get(cell)
        if summary is None:
            return missing_cell(study, cell)
        same_step = [each.median for key, each in summaries.items() if key.step == cell.step]
        decimals = decimals_for(same_step)
        return Cell(
            text=fixed(summary.median, decimals),
            note=_spread(summary, decimals),
            url=step_address(study.report, cell.release, cell.step, cell.variant),
            sort=summary.median,
        )

    return _release_by_step(
        figures,
        variant,
        table_id=f"throughput-{variant}",
        caption=f"Operations per second on {study.report.variants[variant]}",
        cell_of=cell_of,
        units={step: f"{plural_of(study.operation(step))}/s" for step in study.report.steps},
        notes=(MEDIAN_NOTE,),
    )


def relative_tables(figures: Figures, variant: str) -> tuple[Table, ...]:
    """Return the rates of a variant relative to the base release, and to the previous one."""
    study = figures.study
    report = study.report
    summaries = figures.summaries["throughput"]
    name = report.variants[variant]

    def against(cell: CellKey, base: str | None, compared: Comparison | None) -> Cell:
        if compared is None:
            return no_ratio(figures, cell, base)
        return ratio_cell(figures, cell, compared)

    def base_cell(cell: CellKey) -> Cell:
        return against(cell, report.base, against_base(summaries, report, cell))

    def previous_cell(cell: CellKey) -> Cell:
        compared = against_previous(summaries, report, cell)
        return against(cell, previous_of(study, cell), compared)

    units = dict.fromkeys(report.steps, "ratio")
    return (
        _release_by_step(
            figures,
            variant,
            table_id=f"against-base-{variant}",
            caption=f"Throughput relative to {study.label(report.base)} on {name}",
            cell_of=base_cell,
            units=units,
            notes=(RATIO_NOTE,),
        ),
        _release_by_step(
            figures,
            variant,
            table_id=f"against-previous-{variant}",
            caption=f"Throughput relative to the release before on {name}",
            cell_of=previous_cell,
            units=units,
            notes=(RATIO_NOTE,),
        ),
    )


def _release_by_step(
    figures: Figures,
    variant: str,
    *,
    table_id: str,
    caption: str,
    cell_of: Callable[[CellKey], Cell],
    units: Mapping[str, str],
    notes: tuple[str, ...],
) -> Table:
    study = figures.study
    steps = [step for step in study.report.steps if study.releases_with(variant, step)]
    with_runs = {release for step in steps for release in study.releases_with(variant, step)}
    return Table(
        id=table_id,
        caption=caption,
        row_head="Release",
        columns=tuple(Column(key=slug(step), label=step, unit=units[step]) for step in steps),
        rows=tuple(
            Row(
                key=slug(release.id),
                label=study.label(release.id),
                url=release_address(study.report, release.id),
                cells=tuple(cell_of(CellKey(release.id, variant, step)) for step in steps),
            )
            for release in study.report.releases
            if release.id in with_runs
        ),
        notes=notes,
    )


def _spread(summary: Summary, decimals: int) -> str:
    runs = len(summary.values)
    if runs == 1:
        return "one run"
    return f"median of {runs} runs, {between(summary.low, summary.high, decimals)}"

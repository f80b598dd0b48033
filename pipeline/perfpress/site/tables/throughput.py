"""Throughput of all steps and releases side by side, absolute and relative."""

from collections.abc import Callable

from msgspec.structs import replace

from perfpress.analysis.metrics.throughput import CellComparison, compare
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import decimals_for, fixed, plural_of, sortable
from perfpress.base.slugs import slug
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import BaseChoice, BaseValues, Cell, Table
from perfpress.site.tables.grid import GRID_NOTE, RATIO_DECIMALS, as_grid, by_first_change, tint_of
from perfpress.site.tables.overview import Overview, with_means
from perfpress.site.tables.rate_cells import (
    IS_BASE,
    missing_cell,
    no_ratio,
)
from perfpress.site.tables.verdict_cells import verdict_text

ABSENT_NOTE = (
    "–: not run. Runs that failed, were cut short, partial or excluded, missed their target "
    "or have no rate (n/a) count in no median, ratio or mean."
)


ORDER_NOTE = "Rows are in the order of the first release whose level changed."


def throughput_table(figures: Figures, variant: str, only: tuple[str, ...] = ()) -> Table:
    """Return the median rates of a variant: rows are steps, columns are releases.

    Args:
        figures: of the report.
        variant: its slug.
        only: the releases; empty for the base and the newest ones.
    """
    study = figures.study
    overview = Overview(study, variant, only)
    summaries = figures.summaries["throughput"]

    decimals = {
        step: decimals_for(
            summaries[each].median for each in overview.cells(step) if each in summaries
        )
        for step in overview.steps
    }
    columns = overview.columns(lambda cell: _rate(figures, cell, decimals[cell.step]))
    units = {step: f"{plural_of(study.operation(step))}/s" for step in overview.steps}
    per_second = next(iter(set(units.values()))) if len(set(units.values())) == 1 else ""
    return overview.table(
        Table(
            id=f"throughput-{variant}",
            caption=f"Throughput on {study.report.variants[variant]}"
            + (f", {per_second}" if per_second else ""),
            notes=("Medians of the runs that count.", ABSENT_NOTE),
        ),
        columns,
        units,
    )


def relative_tables(
    figures: Figures, variant: str, values: str = "", only: tuple[str, ...] = ()
) -> tuple[Table, ...]:
    """Return the rates of a variant relative to the base release, and to the previous one.

    Args:
        figures: of the report.
        variant: its slug.
        values: address of the `base_values`, where they are published.
        only: the releases; empty for the base and the newest ones.
    """
    study = figures.study
    report = study.report
    name = report.variants[variant]
    overview = Overview(study, variant, only)
    base, family = overview.base, overview.like.family(variant)
    to_base = _relative_table(
        figures,
        overview,
        table_id=f"against-base-{variant}",
        caption=f"Throughput relative to {study.label(base)} on {name}",
        compared=lambda _: base,
    )
    foot, note = with_means(to_base.rows)
    choice = BaseChoice(base=slug(base), values=values) if values else None
    notes = tuple(filter(None, (*to_base.notes, note)))
    to_previous = _relative_table(
        figures,
        overview,
        table_id=f"against-previous-{variant}",
        caption=f"Throughput relative to the release before on {name}",
        compared=lambda release: study.previous(release, family),
    )
    return replace(to_base, foot=foot, choice=choice, notes=notes), to_previous


def base_values(figures: Figures, variant: str) -> BaseValues:
    """Return what the ratios of a variant are made from, whatever release they are relative to."""
    overview = Overview(figures.study, variant)
    summaries = figures.summaries["throughput"]
    variants = overview.like.family(variant)

    def median(release: str, of: str, step: str) -> float | None:
        summary = summaries.get(CellKey(release, of, step))
        return summary.median if summary and summary.median > 0 else None

    return BaseValues(
        variants=tuple(map(overview.like.config, variants)),
        near=tuple(tuple(map(variants.index, overview.like.family(each))) for each in variants),
        columns=tuple(variants.index(of) for _, of in overview.release_variants),
        rows=tuple(map(slug, overview.steps)),
        values=tuple(
            tuple(
                tuple(median(release, of, step) for step in overview.steps)
                for release, _ in overview.release_variants
            )
            for of in variants
        ),
    )


def _rate(figures: Figures, cell: CellKey, decimals: int) -> Cell:
    summary = figures.summaries["throughput"].get(cell)
    if summary is None:
        return missing_cell(figures.study, cell)
    return Cell(
        text=fixed(summary.median, decimals),
        url=cell_url(figures.study, cell, "runs"),
        sort=summary.median,
    )


def _relative_table(
    figures: Figures,
    overview: Overview,
    *,
    table_id: str,
    caption: str,
    compared: Callable[[str], str | None],
) -> Table:
    def cell_of(cell: CellKey) -> Cell:
        release = compared(cell.release)
        return _ratio(figures, cell, release, overview.other(release, cell))

    columns = overview.columns(cell_of, compared)
    first = [_first_change(figures, overview, step) for step in overview.steps]
    changed = any(column < len(columns) for column in first)
    is_sorted = changed and not figures.study.report.matter.step_groups
    sorted_note = (ORDER_NOTE,) if is_sorted else ()
    notes = (GRID_NOTE, *sorted_note, ABSENT_NOTE)
    table = overview.table(Table(id=table_id, caption=caption, notes=notes), columns)
    if is_sorted:
        table = replace(table, rows=by_first_change(table.rows, first))
    return as_grid(table)


def _first_change(figures: Figures, overview: Overview, step: str) -> int:
    """Return the number of the column in which the level of a step first changed."""
    releases = [release for release, _ in overview.release_variants]
    levels = figures.levels["throughput"].get((overview.variant, step))
    changed = {each.release for each in levels.changes} if levels else set()
    return next((at for at, each in enumerate(releases) if each in changed), len(releases))


def _ratio(figures: Figures, cell: CellKey, release: str | None, other: CellKey | None) -> Cell:
    """Return a ratio; its verdict, in words, is where its link leads."""
    if release is None or other is None:
        return no_ratio(figures, cell, release)
    compared = _comparison(figures, cell, other)
    if cell == other and cell in figures.summaries["throughput"]:
        return replace(IS_BASE, note="", sort=1.0)
    if compared is None:
        return no_ratio(figures, cell, release)
    url = cell_url(figures.study, cell, f"results.{slug(cell.release)}")
    shown = Cell(text=fixed(compared.ratio, RATIO_DECIMALS), url=url, sort=sortable(compared.ratio))
    verdict = figures.verdicts.get((cell, release)) if cell.variant == other.variant else None
    if verdict is None:
        return shown
    return replace(
        shown,
        tone=verdict.state.row.tone,
        mark=verdict.state.row.mark,
        spoken=verdict_text(verdict),
        tint=tint_of(verdict),
    )


def _comparison(figures: Figures, cell: CellKey, other: CellKey) -> CellComparison | None:
    summaries = figures.summaries["throughput"]
    after, before = summaries.get(cell), summaries.get(other)
    return compare(after, other.release, before) if after and before else None

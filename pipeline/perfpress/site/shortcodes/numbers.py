"""The shortcode of single numbers inside sentences."""

from collections.abc import Iterator, Mapping

import msgspec

from perfpress.analysis.metrics.run_stability import levels_of, stability_of_runs
from perfpress.analysis.metrics.throughput import Summary, against, summaries_of
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.stand_in_variants import LikeVariants, like_variants
from perfpress.analysis.study.study import Study
from perfpress.base.display import fixed, number, plural, short_name
from perfpress.base.slugs import slug
from perfpress.input.logs.metric_names import unit_of
from perfpress.input.report.shortcodes import COST, OF_THROUGHPUT
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Cell
from perfpress.site.shortcodes.graphs import default_cells
from perfpress.site.shortcodes.mentioned import Mentioned
from perfpress.site.shortcodes.shortcode import Example, FoundByName, Shortcode
from perfpress.site.tables.rate_cells import ratio_cell
from perfpress.site.words.measured import why_missing, why_one_lacks, work_text

Summaries = Mapping[str, Mapping[CellKey, Summary]]
"""By metric and cell."""


def _cells(parts: ReportParts, mentioned: Mentioned) -> FoundByName:
    """Return the numbers that a sentence may hold, by `<release>/<step>/<metric>`."""
    figures, metrics = parts.figures, _summaries(parts.figures)
    like = like_variants(parts.study)
    return {
        f"{cell.release}/{cell.step}/{key}": _with_own_config(parts.study, cell, each)
        for cell in mentioned.cells
        for key, each in (
            _numbers(figures, metrics, cell)
            | _of_drilldowns(parts, cell)
            | _standing_in(figures, metrics, cell, like)
        ).items()
    }


def _standing_in(
    figures: Figures, metrics: Summaries, cell: CellKey, like: LikeVariants
) -> dict[str, Cell | str]:
    """Return the medians of the configuration that tables show where a release has no run of one.

    Comparisons are not among them: those are of like with like.
    """
    variant = like.of_release(cell.release, cell.variant)
    if variant is None or variant == cell.variant:
        return {}
    near = cell._replace(variant=variant)
    note = f"measured with {like.config(variant)}, which stands in for {like.config(cell.variant)}"
    return {
        metric: _with_note(_median_cell(figures.study, near, summary), note)
        for metric, summaries in metrics.items()
        if (summary := summaries.get(near))
    }


def _numbers(figures: Figures, metrics: Summaries, cell: CellKey) -> dict[str, Cell | str]:
    """Return the numbers of a cell, or why there is none, by metric."""
    study = figures.study
    label = study.label(cell.release)
    found: dict[str, Cell | str] = {}
    for metric, summaries in metrics.items():
        if summary := summaries.get(cell):
            found[metric] = _median_cell(study, cell, summary)
        else:
            reason = why_missing(study, cell, metric)
            found[metric] = f"no {metric} of {cell.step} on {label}: {reason}"
    excluded = why_one_lacks(study, cell)
    rates = _rate_cells(figures, cell) if cell in figures.summaries["throughput"] else {}
    for key, what in OF_THROUGHPUT.items():
        found[key] = rates.get(key, f"no {what} of {cell.step} on {label}{excluded}")
    cost = figures.cost(cell)
    made = figures.main(cell)
    if made is None or cost is None:
        found[COST] = f"no cost of {cell.step} on {label}{excluded}"
    else:
        found[COST] = Cell(
            text=number(cost),
            note=f"{figures.cost_unit(made).text}: {work_text(figures, cell)}",
            url=cell_url(study, cell),
        )
    return found


def _summaries(figures: Figures) -> Summaries:
    """Return the metrics of which a text may show a median: the usual ones, and those it names."""
    study = figures.study
    usual = {**figures.summaries, **figures.exact_summaries}
    named = {part for each in study.report.mentions.arguments for part in each.split("/")}
    # New runs may leave a text without a metric that it names: known names have a reason then.
    known = (each for each in named - usual.keys() if each in figures.metrics or unit_of(each))
    return usual | {each: summaries_of(study.step_runs, each) for each in sorted(known)}


def _of_drilldowns(parts: ReportParts, cell: CellKey) -> dict[str, Cell | str]:
    """Return the numbers of a cell's drilldowns along the path, by `<drilldown>/<column>`.

    Where a column has shares and costs, the cost is at `<drilldown>/<column>/cost`.
    """
    found: dict[str, Cell | str] = {}
    lacking = f"of {cell.step} on {parts.study.label(cell.release)}"
    for definition in parts.report.matter.drilldowns:
        if definition.steps and cell.step not in definition.steps:
            continue
        heads = [each.head for each in (*definition.columns, definition.rest) if each]
        reason = f"{lacking}{why_one_lacks(parts.study, cell)}"
        found |= {f"{definition.name}/{head}": f"no {head} {reason}" for head in heads}
        drilldown = parts.drilldowns.get((definition.name, cell.step_key))
        if drilldown is None:
            continue
        table = drilldown.along_path
        cells = next((row.cells for row in table.rows if row.key == slug(cell.release)), ())
        for column, each in zip(table.columns, cells, strict=False):
            name = f"{definition.name}/{column.label}"
            shown = each if each.sort is not None else f"no {column.label} {lacking}: {each.note}"
            is_second = column.key.startswith("cost") and definition.numbers == "both"
            found[f"{name}/cost" if is_second else name] = shown
    return found


def _with_own_config(study: Study, cell: CellKey, shown: Cell | str) -> Cell | str:
    """Return a number with the configuration it was measured with, where that stands in."""
    runs = [each.bundle for each in study.of_cell(cell)]
    standing_in = dict.fromkeys(
        short_name(own) for each in runs if (own := each.run.config) and own != each.variant.config
    )
    if isinstance(shown, str) or not standing_in:
        return shown
    shown_as = short_name(runs[0].variant.config or "")
    note = f"measured with {', '.join(standing_in)}, which stands in for {shown_as}"
    return _with_note(shown, note)


def _with_note(shown: Cell, note: str) -> Cell:
    return msgspec.structs.replace(shown, note=f"{shown.note}; {note}" if shown.note else note)


def _median_cell(study: Study, cell: CellKey, summary: Summary) -> Cell:
    runs = plural(len(summary.values), "run")
    return Cell(
        text=number(summary.median),
        note=f"median of {runs}, {number(summary.low)} to {number(summary.high)}"
        if len(summary.values) > 1
        else "one run",
        url=cell_url(study, cell),
    )


def _rate_cells(figures: Figures, cell: CellKey) -> dict[str, Cell]:
    """Return how a cell's throughput spreads, and how it compares."""
    summaries = figures.summaries["throughput"]
    study = figures.study
    summary = summaries[cell]
    compared = {
        "against-base": against(summaries, cell, study.base_of(cell.variant)),
        "against-previous": against(summaries, cell, study.previous_of(cell)),
    }
    cells = {
        key: ratio_cell(figures, cell, each) for key, each in compared.items() if each is not None
    }
    if levels := levels_of(stability_of_runs(study, cell)):
        note = f"of the intervals of a run, the median; medians of {plural(levels.runs, 'run')}"
        cells["first-tenth"] = Cell(text=number(levels.start), note=f"first tenth {note}")
        cells["last-tenth"] = Cell(text=number(levels.end), note=f"last tenth {note}")
    cells |= _intervals(figures, cell)
    if summary.low > 0:
        runs = plural(len(summary.values), "run")
        cells["spread"] = Cell(
            text=fixed(summary.high / summary.low, 2),
            note=f"the fastest of {runs} ÷ the slowest",
        )
    return cells


def _intervals(figures: Figures, cell: CellKey) -> dict[str, Cell]:
    """Return the throughput in the first and the last interval, as in the chart over time."""
    for each in figures.over_time.get(cell.step_key, ()):
        own = each.stretches.by_release.get(cell.release)
        if own and each.metric == "throughput" and each.stretches.intervals == 1:
            note = f"medians by second of {plural(len(each.series[cell.release]), 'run')}"
            return {
                key: Cell(text=number(own[at].median), note=note, url=cell_url(figures.study, cell))
                for key, at in (("first-interval", min(own)), ("last-interval", max(own)))
            }
    return {}


def _names(parts: ReportParts) -> Iterator[str]:
    return (
        f"{name}/{metric}"
        for metric, summaries in _summaries(parts.figures).items()
        for name, cell in default_cells(parts).items()
        if cell in summaries
    )


_CELL = Shortcode(
    name="cell",
    renders="number",
    find=_cells,
    names=_names,
    examples=(
        Example(("17/select/throughput",), "one number in a sentence, with a link to its page"),
        Example(
            ("17/select/reading/search the index",),
            "the number of a drilldown’s column in a sentence, with a link to the frame",
        ),
    ),
)

NUMBERS = (_CELL,)

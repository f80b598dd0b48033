"""The charts of the pages, put in place: each drawing with its caption and its table."""

from dataclasses import dataclass

import msgspec

from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.charts import ChartAnswer
from perfpress.base.slugs import slug
from perfpress.site.addresses import all_releases_address, step_address, variant_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.chart_files import ALONE, IN_PAGE, PICTURE
from perfpress.site.figures.comparison_charts import comparison_caption
from perfpress.site.figures.drawings import Drawings
from perfpress.site.figures.over_time import caption, near_over_time, newest_over_time, series_table
from perfpress.site.figures.percentile_charts import caption as caption_of_percentiles
from perfpress.site.figures.percentile_charts import near_curves, newest_curves, percentiles_table
from perfpress.site.figures.releases_chart import caption as caption_of_releases
from perfpress.site.figures.releases_chart import releases_table
from perfpress.site.figures.share_links import share_of
from perfpress.site.figures.timelines import caption as caption_of_trace
from perfpress.site.figures.timelines import timeline_table, traces_of_cell
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Chart, Table
from perfpress.site.tables.nearby_releases import newest_note
from perfpress.site.words.step_headline import cell_words


def comparison_chart(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory
) -> Chart | None:
    """Return the releases' ratios to the base, as the page of a cell shows them."""
    drawn = drawings.comparisons.get(cell)
    if drawn is None:
        return None
    text = comparison_caption(figures.study, cell.step)
    return _put(directory, _place(figures, cell, "comparison.svg"), drawn, text)


def charts_over_time(
    figures: Figures,
    cell: CellKey,
    drawings: Drawings,
    directory: SiteDirectory,
) -> tuple[Chart, ...]:
    """Return throughput and latency over time, as the page of a cell shows them."""
    return tuple(
        _put(
            directory,
            _place(figures, cell, f"{slug(each.metric)}.svg"),
            drawn,
            caption(cell.step, each.metric),
            series_table(figures, cell.step, near_over_time(figures, cell, each)),
        )
        for each in figures.over_time[cell.variant, cell.step]
        if (drawn := drawings.over_time.get((cell, each.metric))) is not None
    )


def timelines(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory
) -> tuple[Chart, ...]:
    """Return the timelines of the traces that the page of a cell shows."""
    return tuple(
        _put(
            directory,
            _place(figures, cell, f"trace-{key.number}.svg"),
            drawn,
            caption_of_trace(each),
            timeline_table(key, each),
            anchor=f"trace-{key.number}",
        )
        for key, each in traces_of_cell(figures.study, cell).items()
        if (drawn := drawings.timelines.get(key)) is not None
    )


def percentiles_chart(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory
) -> Chart | None:
    """Return the percentile curves, as the page of a cell shows them."""
    drawn = drawings.percentiles.get(cell)
    if drawn is None:
        return None
    curves = near_curves(figures, cell)
    return _put(
        directory,
        _place(figures, cell, "percentiles.svg"),
        drawn,
        caption_of_percentiles(cell.step),
        percentiles_table(figures, cell.step, curves) if curves else None,
    )


@dataclass(frozen=True)
class StepCharts:
    """The charts of a step in all its releases, or in the newest of many."""

    comparison: Chart | None
    """The releases' ratios to the base: of all releases."""
    throughput: Chart | None
    """Over time."""
    latency: Chart | None
    """Over time."""
    percentiles: Chart | None


def step_charts(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[StepKey, StepCharts]:
    """Put the charts of all steps in place, by variant and step."""
    return {
        (variant, step): _charts_of_step(figures, variant, step, drawings, directory)
        for variant in figures.study.report.variants
        for step in figures.study.report.steps
    }


def _charts_of_step(
    figures: Figures, variant: str, step: str, drawings: Drawings, directory: SiteDirectory
) -> StepCharts:
    over_time: dict[str, Chart] = {}
    for each in figures.over_time[variant, step]:
        drawn = drawings.over_time_of_step.get((variant, step, each.metric))
        if drawn:
            shown = newest_over_time(figures, each)
            table = series_table(figures, step, shown)
            note = newest_note(len(shown.series), len(each.series))
            place = _place_of_step(figures, variant, step, f"{slug(each.metric)}.svg")
            kind = "throughput" if each.metric == "throughput" else "latency"
            text = caption(step, each.metric)
            over_time[kind] = _put(directory, place, drawn, text, _with_note(table, note))
    return StepCharts(
        comparison=_comparison_of_step(figures, variant, step, drawings, directory),
        throughput=over_time.get("throughput"),
        latency=over_time.get("latency"),
        percentiles=_percentiles_of_step(figures, variant, step, drawings, directory),
    )


def _comparison_of_step(
    figures: Figures, variant: str, step: str, drawings: Drawings, directory: SiteDirectory
) -> Chart | None:
    drawn = drawings.comparisons_of_step.get((variant, step))
    if drawn is None:
        return None
    place = _place_of_step(figures, variant, step, "comparison.svg")
    return _put(directory, place, drawn, comparison_caption(figures.study, step))


def _percentiles_of_step(
    figures: Figures, variant: str, step: str, drawings: Drawings, directory: SiteDirectory
) -> Chart | None:
    drawn = drawings.percentiles_of_step.get((variant, step))
    if drawn is None:
        return None
    curves = newest_curves(figures, variant, step)
    note = newest_note(len(curves), len(figures.curves[variant, step]))
    table = _with_note(percentiles_table(figures, step, curves), note)
    place = _place_of_step(figures, variant, step, "percentiles.svg")
    return _put(directory, place, drawn, caption_of_percentiles(step), table)


def _with_note(table: Table, note: str) -> Table:
    return msgspec.structs.replace(table, notes=(*table.notes, note)) if note else table


def charts_by_release(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[str, Chart]:
    """Put the charts of all steps relative to the base in place, by variant, default first."""
    return {
        variant: _put(
            directory,
            _place_of_variant(figures, variant),
            drawn,
            caption_of_releases(figures, variant),
            releases_table(figures, variant),
            anchor=f"by-release-{variant}",
        )
        for variant, drawn in drawings.by_release.items()
    }


@dataclass(frozen=True)
class _Place:
    """Addresses of a chart: alone, and on a page."""

    file: str
    """Address of the SVG."""
    page: str
    """Address of the page."""
    verdict: str = ""
    """On what the page is about, in words."""
    has_embed: bool = True
    """Whether there is a page of the page's figures alone."""


def _place(figures: Figures, cell: CellKey, file: str) -> _Place:
    report = figures.study.report
    page = step_address(report, cell.release, cell.step, cell.variant)
    return _Place(f"{page}{file}", page, cell_words(figures, cell))


def _place_of_step(figures: Figures, variant: str, step: str, file: str) -> _Place:
    page = all_releases_address(figures.study.report, step, variant)
    return _Place(f"{page}{file}", page, has_embed=False)


def _place_of_variant(figures: Figures, variant: str) -> _Place:
    page = variant_address(figures.study.report, variant)
    return _Place(f"{page}by-release.svg", page)


def _put(
    directory: SiteDirectory,
    place: _Place,
    drawn: Done[ChartAnswer],
    text: str,
    table: Table | None = None,
    *,
    anchor: str = "",
) -> Chart:
    """Publish a chart; its anchor is made from its caption unless it has another."""
    anchor = anchor or slug(text)
    alt = f"{text}. {place.verdict}" if place.verdict else text
    size = (drawn.result.width, drawn.result.height)
    image = f"{place.file.removesuffix('.svg')}.png"
    directory.add_download(place.file, drawn.artifact(ALONE), "Chart, SVG")
    directory.add_download(image, drawn.artifact(PICTURE), "Chart, PNG")
    return Chart(
        id=anchor,
        caption=text,
        asset=directory.add_drawing(place.file.strip("/"), drawn.artifact(IN_PAGE)),
        table=table,
        share=share_of(
            place.page,
            anchor,
            image,
            size,
            alt,
            svg=place.file,
            has_embed=place.has_embed,
        ),
    )

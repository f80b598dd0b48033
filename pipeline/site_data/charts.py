"""The charts of the pages, put in place: each drawing with its caption and its table."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.node.jobs import Done
from pipeline.site_data.addresses import (
    all_releases_address,
    report_address,
    step_address,
    variant_address,
)
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.figures import Figures
from pipeline.site_data.over_time import caption
from pipeline.site_data.percentile_charts import caption as caption_of_percentiles
from pipeline.site_data.percentile_charts import percentiles_table
from pipeline.site_data.releases_chart import caption as caption_of_releases
from pipeline.site_data.releases_chart import releases_table
from pipeline.site_data.series_table import series_table
from pipeline.site_data.shapes import Chart, Table
from pipeline.site_data.shares import share_of
from pipeline.site_data.timelines import caption as caption_of_trace
from pipeline.site_data.timelines import timeline_table, traces_of_cell
from pipeline.site_data.verdict_words import cell_words
from pipeline.slug import slug
from pipeline.study.profiles import CellKey

TablesOverTime = Mapping[tuple[str, str, str], Table]
"""By variant, step and metric."""


def tables_over_time(figures: Figures) -> TablesOverTime:
    """Return the tables behind the charts over time, which all releases of a step share."""
    return {
        (variant, step, each.metric): series_table(figures, step, each)
        for (variant, step), many in figures.over_time.items()
        for each in many
    }


def comparison_chart(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory
) -> Chart | None:
    """Return the releases' ratios to the base, as the page of a cell shows them."""
    drawn = drawings.comparisons.get(cell)
    if drawn is None:
        return None
    base = figures.study.label(figures.study.report.base)
    text = f"Throughput of {cell.step} relative to {base}, every run a dot"
    return _put(directory, _place(figures, cell, "comparison.svg"), drawn, text)


def charts_over_time(
    figures: Figures,
    cell: CellKey,
    drawings: Drawings,
    directory: SiteDirectory,
    tables: TablesOverTime,
) -> tuple[Chart, ...]:
    """Return throughput and latency over time, as the page of a cell shows them."""
    return tuple(
        _put(
            directory,
            _place(figures, cell, f"{slug(each.metric)}.svg"),
            drawn,
            caption(cell.step, each.metric),
            tables[cell.variant, cell.step, each.metric],
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
    curves = figures.curves.get((cell.variant, cell.step), {})
    return _put(
        directory,
        _place(figures, cell, "percentiles.svg"),
        drawn,
        caption_of_percentiles(cell.step),
        percentiles_table(figures, cell.step, curves) if curves else None,
    )


@dataclass(frozen=True)
class ReportCharts:
    """The charts that the text of a report can show; those of a step are of the default variant."""

    throughput: Mapping[str, Chart]
    """Over time, by step."""
    latency: Mapping[str, Chart]
    """Over time, by step."""
    percentiles: Mapping[str, Chart]
    """By step."""
    by_release: Mapping[str, Chart]
    """All steps relative to the base, by variant; the default one first."""


def report_charts(
    figures: Figures, drawings: Drawings, directory: SiteDirectory, tables: TablesOverTime
) -> ReportCharts:
    """Put the charts of a report in place."""
    throughput: dict[str, Chart] = {}
    latency: dict[str, Chart] = {}
    percentiles: dict[str, Chart] = {}
    default = figures.study.report.default_variant
    for (variant, step, metric), drawn in drawings.over_time_of_step.items():
        if variant == default:
            place = _place_of_step(figures, step, f"{slug(metric)}.svg")
            table = tables[variant, step, metric]
            found = throughput if metric == "throughput" else latency
            found[step] = _put(directory, place, drawn, caption(step, metric), table)
    for (variant, step), drawn in drawings.percentiles_of_step.items():
        if variant == default:
            place = _place_of_step(figures, step, "percentiles.svg")
            table = percentiles_table(figures, step, figures.curves[variant, step])
            percentiles[step] = _put(directory, place, drawn, caption_of_percentiles(step), table)
    by_release = {
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
    return ReportCharts(throughput, latency, percentiles, by_release)


@dataclass(frozen=True)
class _Place:
    """Where a chart stands, alone and on a page."""

    file: str
    """Address of the SVG."""
    page: str
    """Address of the page."""
    verdict: str = ""
    """On what the page is about, in words."""
    is_alone_too: bool = True
    """Whether there is a page of the page's figures alone."""


def _place(figures: Figures, cell: CellKey, file: str) -> _Place:
    report = figures.study.report
    page = step_address(report, cell.release, cell.step, cell.variant)
    return _Place(f"{page}{file}", page, cell_words(figures, cell))


def _place_of_step(figures: Figures, step: str, file: str) -> _Place:
    report = figures.study.report
    default = all_releases_address(report, step, report.default_variant)
    return _Place(f"{default}{file}", report_address(report), is_alone_too=False)


def _place_of_variant(figures: Figures, variant: str) -> _Place:
    page = variant_address(figures.study.report, variant)
    return _Place(f"{page}by-release.svg", page)


def _put(
    directory: SiteDirectory,
    place: _Place,
    drawn: Done,
    text: str,
    table: Table | None = None,
    *,
    anchor: str = "",
) -> Chart:
    """Publish a chart; its anchor is made from its caption unless it has another."""
    anchor = anchor or slug(text)
    alt = f"{text}. {place.verdict}" if place.verdict else text
    size = (drawn.result["width"], drawn.result["height"])
    directory.add_download(place.file, drawn.artifact("file.svg"), "Chart, SVG")
    return Chart(
        id=anchor,
        caption=text,
        asset=directory.add_drawing(place.file.strip("/"), drawn.artifact("chart.svg")),
        table=table,
        share=share_of(place.page, anchor, place.file, size, alt, is_alone_too=place.is_alone_too),
    )

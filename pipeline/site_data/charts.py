"""The charts of the pages, put in place: each drawing with its caption and its table."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.node.jobs import Done
from pipeline.site_data.addresses import report_address, step_address, variant_address
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
from pipeline.site_data.timelines import caption as caption_of_trace
from pipeline.site_data.timelines import timeline_table, traces_of_cell
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
    base = figures.study.label(figures.study.report.base)
    return _chart(
        directory,
        f"{_folder(figures, cell)}/comparison.svg",
        drawings.comparisons.get(cell),
        f"Throughput of {cell.step} relative to {base}, every run a dot",
    )


def charts_over_time(
    figures: Figures,
    cell: CellKey,
    drawings: Drawings,
    directory: SiteDirectory,
    tables: TablesOverTime,
) -> tuple[Chart, ...]:
    """Return throughput and latency over time, as the page of a cell shows them."""
    made = (
        _chart(
            directory,
            f"{_folder(figures, cell)}/{slug(each.metric)}.svg",
            drawings.over_time.get((cell, each.metric)),
            caption(cell.step, each.metric),
            tables[cell.variant, cell.step, each.metric],
        )
        for each in figures.over_time[cell.variant, cell.step]
    )
    return tuple(chart for chart in made if chart is not None)


def timelines(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory
) -> tuple[Chart, ...]:
    """Return the timelines of the traces that the page of a cell shows."""
    charts = []
    for key, each in traces_of_cell(figures.study, cell).items():
        drawn = drawings.timelines.get(key)
        if drawn is not None:
            name = f"{_folder(figures, cell)}/trace-{key.number}.svg"
            charts.append(
                Chart(
                    id=f"trace-{key.number}",
                    caption=caption_of_trace(each),
                    asset=directory.add_drawing(name, drawn.artifact("chart.svg")),
                    table=timeline_table(key, each),
                )
            )
    return tuple(charts)


def percentiles_chart(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory
) -> Chart | None:
    """Return the percentile curves, as the page of a cell shows them."""
    curves = figures.curves.get((cell.variant, cell.step), {})
    return _chart(
        directory,
        f"{_folder(figures, cell)}/percentiles.svg",
        drawings.percentiles.get(cell),
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
            name = f"{_folder_of_step(figures, step)}/{slug(metric)}.svg"
            table = tables[variant, step, metric]
            found = throughput if metric == "throughput" else latency
            found[step] = _put(directory, name, drawn, caption(step, metric), table)
    for (variant, step), drawn in drawings.percentiles_of_step.items():
        if variant == default:
            name = f"{_folder_of_step(figures, step)}/percentiles.svg"
            table = percentiles_table(figures, step, figures.curves[variant, step])
            percentiles[step] = _put(directory, name, drawn, caption_of_percentiles(step), table)
    by_release = {
        variant: Chart(
            id=f"by-release-{variant}",
            caption=caption_of_releases(figures, variant),
            asset=directory.add_drawing(
                f"{variant_address(figures.study.report, variant).strip('/')}/by-release.svg",
                drawn.artifact("chart.svg"),
            ),
            table=releases_table(figures, variant),
        )
        for variant, drawn in drawings.by_release.items()
    }
    return ReportCharts(throughput, latency, percentiles, by_release)


def _folder(figures: Figures, cell: CellKey) -> str:
    report = figures.study.report
    return step_address(report, cell.release, cell.step, cell.variant).strip("/")


def _folder_of_step(figures: Figures, step: str) -> str:
    return f"{report_address(figures.study.report).strip('/')}/steps/{slug(step)}"


def _chart(
    directory: SiteDirectory,
    name: str,
    drawn: Done | None,
    text: str,
    table: Table | None = None,
) -> Chart | None:
    return _put(directory, name, drawn, text, table) if drawn else None


def _put(directory: SiteDirectory, name: str, drawn: Done, text: str, table: Table | None) -> Chart:
    asset = directory.add_drawing(name, drawn.artifact("chart.svg"))
    return Chart(id=slug(text), caption=text, asset=asset, table=table)

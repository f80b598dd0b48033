"""The charts of the pages, put in place: each drawing with its caption and its table."""

from collections.abc import Mapping

from pipeline.jobs import Done
from pipeline.profiles import CellKey
from pipeline.site_data.addresses import report_address, step_address
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.figures import Figures
from pipeline.site_data.over_time import caption
from pipeline.site_data.series_table import series_table
from pipeline.site_data.shapes import Chart, Table
from pipeline.site_data.timelines import caption as caption_of_trace
from pipeline.site_data.timelines import timeline_table, traces_of_cell
from pipeline.slug import slug

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


def charts_of_steps(
    figures: Figures, drawings: Drawings, directory: SiteDirectory, tables: TablesOverTime
) -> tuple[dict[str, Chart], dict[str, Chart]]:
    """Return throughput and latency over time of the default variant, each by step."""
    throughput: dict[str, Chart] = {}
    latency: dict[str, Chart] = {}
    for (variant, step, metric), drawn in drawings.over_time_of_step.items():
        if variant != figures.study.report.default_variant:
            continue
        name = f"{_folder_of_step(figures, step)}/{slug(metric)}.svg"
        table = tables[variant, step, metric]
        chart = _chart(directory, name, drawn, caption(step, metric), table)
        if chart is not None:
            (throughput if metric == "throughput" else latency)[step] = chart
    return throughput, latency


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
    if drawn is None:
        return None
    asset = directory.add_drawing(name, drawn.artifact("chart.svg"))
    return Chart(id=slug(text), caption=text, asset=asset, table=table)

"""All pages of one report, with their drawings and downloads put in place."""

from collections.abc import Mapping

from pipeline.jobs import Done
from pipeline.problems import Problem
from pipeline.profiles import CellKey
from pipeline.site_data.addresses import release_address, report_address, step_address
from pipeline.site_data.diff_page import diff_page, matched_text
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.drilldown_tables import drilldowns
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.graphs import diff_graph, flame_graph
from pipeline.site_data.metrics_files import publish_metrics
from pipeline.site_data.moved_pages import moved_pages
from pipeline.site_data.release_page import release_page
from pipeline.site_data.report_page import report_page
from pipeline.site_data.series_table import throughput_series_table
from pipeline.site_data.shapes import Chart, Drilldown, Graph, ReleasePage, StepPage, Table
from pipeline.site_data.step_page import step_page
from pipeline.site_data.timelines import caption, timeline_table, traces_of_cell
from pipeline.slug import slug


def study_pages(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> tuple[list[Page], list[Problem]]:
    """Return the pages of a report, and what is wrong with its author's definitions."""
    links = FrameLinks(figures, drawings.flamegraphs.keys(), drawings.diffs.keys(), directory)
    tables, problems = drilldowns(figures, links)
    graphs = {
        cell: tuple(
            flame_graph(figures, cell, made, drawn, directory)
            for made in profiles
            if (drawn := drawings.flamegraphs.get((cell, made.event))) is not None
        )
        for cell, profiles in figures.study.profiles.items()
    }
    diffs = {
        key: diff_graph(figures, key, drawn, directory) for key, drawn in drawings.diffs.items()
    }
    cells = sorted({each.cell for each in figures.study.step_runs})
    pages: list[Page] = [
        *(diff_page(figures, key, graph, drawings.diffs[key]) for key, graph in diffs.items()),
        *(
            _step_page(figures, cell, drawings, directory, tables, graphs.get(cell, ()))
            for cell in cells
        ),
        *(
            _release_page(figures, release.id, drawings, directory)
            for release in figures.study.report.releases
            if any(cell.release == release.id for cell in cells)
        ),
        report_page(
            figures,
            charts=_charts_of_report(figures, drawings, directory),
            drilldowns=tables,
            graphs=_graphs_by_name(figures, graphs),
            diffs=_diffs_by_name(figures, diffs),
            downloads=publish_metrics(
                figures.frame, report_address(figures.study.report), directory
            ),
        ),
    ]
    return [*pages, *moved_pages(pages, figures.study.corrections)], problems


def _step_page(
    figures: Figures,
    cell: CellKey,
    drawings: Drawings,
    directory: SiteDirectory,
    tables: Mapping[tuple[str, str], Drilldown],
    graphs: tuple[Graph, ...],
) -> StepPage:
    report = figures.study.report
    address = step_address(report, cell.release, cell.step, cell.variant)
    folder = address.strip("/")
    base = figures.study.label(report.base)
    frame = figures.frame
    of_cell = (
        (frame["release"] == cell.release)
        & (frame["variant"] == cell.variant)
        & (frame["step"] == cell.step)
    )
    return step_page(
        figures,
        cell,
        comparison=_chart(
            directory,
            f"{folder}/comparison.svg",
            drawings.comparisons.get(cell),
            f"Throughput of {cell.step} relative to {base}, every run a dot",
        ),
        chart=_chart(
            directory,
            f"{folder}/throughput.svg",
            drawings.throughput.get(cell),
            _over_time(cell.step),
            throughput_series_table(figures.study, cell.variant, cell.step),
        ),
        traces=_timelines(figures, cell, drawings, directory, folder),
        graphs=graphs,
        drilldowns=tuple(
            made
            for (_, step), made in tables.items()
            if step == cell.step and cell.variant == report.default_variant
        ),
        diffs={key: matched_text(drawn) for key, drawn in drawings.diffs.items()},
        downloads=(
            *(link for graph in graphs for link in graph.downloads),
            *publish_metrics(frame[of_cell], address, directory),
        ),
    )


def _timelines(
    figures: Figures, cell: CellKey, drawings: Drawings, directory: SiteDirectory, folder: str
) -> tuple[Chart, ...]:
    charts = []
    for key, each in traces_of_cell(figures.study, cell).items():
        drawn = drawings.timelines.get(key)
        if drawn is not None:
            name = f"{folder}/trace-{key.number}.svg"
            charts.append(
                Chart(
                    id=f"trace-{key.number}",
                    caption=caption(each),
                    asset=directory.add_drawing(name, drawn.artifact("chart.svg")),
                    table=timeline_table(key, each),
                )
            )
    return tuple(charts)


def _release_page(
    figures: Figures, release: str, drawings: Drawings, directory: SiteDirectory
) -> ReleasePage:
    frame = figures.frame
    of_release = frame[frame["release"] == release]
    address = release_address(figures.study.report, release)
    told = {key: drawn.result["suspects"] for key, drawn in drawings.diffs.items()}
    downloads = publish_metrics(of_release, address, directory)
    return release_page(figures, release, told, downloads)


def _charts_of_report(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[str, Chart]:
    """Return the charts of the default variant by step."""
    report = figures.study.report
    charts = {}
    for (variant, step), drawn in drawings.throughput_of_step.items():
        if variant == report.default_variant:
            name = f"{report_address(report).strip('/')}/steps/{slug(step)}/throughput.svg"
            table = throughput_series_table(figures.study, variant, step)
            chart = _chart(directory, name, drawn, _over_time(step), table)
            if chart is not None:
                charts[step] = chart
    return charts


def _graphs_by_name(
    figures: Figures, graphs: Mapping[CellKey, tuple[Graph, ...]]
) -> dict[str, Graph]:
    """Return the flame graphs that a text may show, by `<release>/<step>`."""
    return {
        f"{cell.release}/{cell.step}": own[0]
        for cell, own in graphs.items()
        if own and cell.variant == figures.study.report.default_variant
    }


def _diffs_by_name(figures: Figures, diffs: Mapping[DiffKey, Graph]) -> dict[str, Graph]:
    """Return the diffs that a text may show, by `<release>/<step>/vs/<base>`."""
    return {
        f"{key.cell.release}/{key.cell.step}/vs/{key.base}": graph
        for key, graph in diffs.items()
        if key.cell.variant == figures.study.report.default_variant
    }


def _over_time(step: str) -> str:
    return f"Throughput of {step} over time"


def _chart(
    directory: SiteDirectory,
    name: str,
    drawn: Done | None,
    caption: str,
    table: Table | None = None,
) -> Chart | None:
    if drawn is None:
        return None
    asset = directory.add_drawing(name, drawn.artifact("chart.svg"))
    return Chart(id=slug(caption), caption=caption, asset=asset, table=table)

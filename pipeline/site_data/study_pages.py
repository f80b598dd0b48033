"""All pages of one report, with their drawings and downloads put in place."""

from collections.abc import Mapping

from pipeline.problems import Problem
from pipeline.site_data.addresses import release_address, report_address, step_address
from pipeline.site_data.calltree_tables import calltrees
from pipeline.site_data.cards import cards_of_report, with_cards
from pipeline.site_data.charts import (
    TablesOverTime,
    charts_over_time,
    comparison_chart,
    percentiles_chart,
    report_charts,
    tables_over_time,
    timelines,
)
from pipeline.site_data.compare_page import compare_page
from pipeline.site_data.diff_page import diff_page, matched_text
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.drilldown_tables import drilldowns
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.graphs import diff_graph, flame_graph
from pipeline.site_data.matrix_page import matrix_pages
from pipeline.site_data.metrics_files import publish_metrics
from pipeline.site_data.moved_pages import moved_pages
from pipeline.site_data.release_page import release_page
from pipeline.site_data.release_suspects import Told
from pipeline.site_data.report_page import report_page
from pipeline.site_data.shapes import Drilldown, Graph, ReleasePage, StepPage
from pipeline.site_data.shown_verdicts import shown_verdicts
from pipeline.site_data.step_page import step_page
from pipeline.site_data.variant_page import publish_base_values, variant_page
from pipeline.study.profiles import CellKey


def study_pages(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> tuple[list[Page], list[Problem]]:
    """Return the pages of a report, and what is wrong with its author's definitions."""
    links = FrameLinks(figures, drawings.flamegraphs.keys(), drawings.diffs.keys(), directory)
    tables, problems = drilldowns(figures, links)
    trees, wrong = calltrees(figures, links)
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
    told = {key: drawn.result["suspects"] for key, drawn in drawings.diffs.items()}
    over_time = tables_over_time(figures)
    charts = report_charts(figures, drawings, directory, over_time)
    cells = sorted({each.cell for each in figures.study.step_runs})
    values = {
        variant: publish_base_values(figures, variant, directory)
        for variant in figures.study.report.variants
    }
    pages: list[Page] = [
        *(diff_page(figures, key, graph, drawings.diffs[key]) for key, graph in diffs.items()),
        *(
            _step_page(figures, cell, drawings, directory, tables, over_time, graphs.get(cell, ()))
            for cell in cells
        ),
        *(
            _release_page(figures, release.id, told, directory)
            for release in figures.study.report.releases
            if any(cell.release == release.id for cell in cells)
        ),
        *(
            variant_page(figures, variant, values[variant], charts.by_release.get(variant))
            for variant in values
        ),
        *matrix_pages(figures, links, tables, trees),
        compare_page(figures, graphs, drawings, directory),
        report_page(
            figures,
            judged=shown_verdicts(figures, told),
            values=values,
            charts=charts,
            drilldowns=tables,
            calltrees=trees,
            graphs=_graphs_by_name(figures, graphs),
            diffs=_diffs_by_name(figures, diffs),
            downloads=publish_metrics(
                figures.frame, report_address(figures.study.report), directory
            ),
        ),
    ]
    cards = cards_of_report(figures, drawings.cards, graphs, diffs, directory)
    pages = list(with_cards(pages, cards))
    return [*pages, *moved_pages(pages, figures.study.corrections)], [*problems, *wrong]


def _step_page(
    figures: Figures,
    cell: CellKey,
    drawings: Drawings,
    directory: SiteDirectory,
    tables: Mapping[tuple[str, str], Drilldown],
    over_time: TablesOverTime,
    graphs: tuple[Graph, ...],
) -> StepPage:
    report = figures.study.report
    address = step_address(report, cell.release, cell.step, cell.variant)
    frame = figures.frame
    of_cell = (
        (frame["release"] == cell.release)
        & (frame["variant"] == cell.variant)
        & (frame["step"] == cell.step)
    )
    return step_page(
        figures,
        cell,
        comparison=comparison_chart(figures, cell, drawings, directory),
        charts=charts_over_time(figures, cell, drawings, directory, over_time),
        percentiles=percentiles_chart(figures, cell, drawings, directory),
        traces=timelines(figures, cell, drawings, directory),
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


def _release_page(
    figures: Figures, release: str, told: Told, directory: SiteDirectory
) -> ReleasePage:
    frame = figures.frame
    of_release = frame[frame["release"] == release]
    address = release_address(figures.study.report, release)
    downloads = publish_metrics(of_release, address, directory)
    return release_page(figures, release, told, downloads)


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

"""All pages of one report, with their drawings and downloads put in place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.problems import Problem
from pipeline.site_data.addresses import release_address, report_address, step_address
from pipeline.site_data.all_releases_page import all_releases_pages
from pipeline.site_data.calltree_tables import calltrees
from pipeline.site_data.cards import cards_of_report, with_cards
from pipeline.site_data.charts import (
    charts_by_release,
    charts_over_time,
    comparison_chart,
    percentiles_chart,
    step_charts,
    timelines,
)
from pipeline.site_data.compare_page import compare_page
from pipeline.site_data.diff_page import diff_page, matched_text
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.drawings import Drawings
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.drilldown_tables import drilldowns
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey, diffs_by_cell
from pipeline.site_data.graphs import diff_graph, flame_graph
from pipeline.site_data.metrics_files import publish_metrics
from pipeline.site_data.named_in_text import (
    diffs_by_name,
    graphs_by_name,
    named_in_text,
    names_by_part,
    traces_by_name,
)
from pipeline.site_data.page_shapes import Card, ReleasePage, StepPage
from pipeline.site_data.release_page import release_page
from pipeline.site_data.release_suspects import Told
from pipeline.site_data.report_page import report_page
from pipeline.site_data.run_archives import publish_archives
from pipeline.site_data.shapes import CallTree, Chart, Drilldown, Graph
from pipeline.site_data.shown_verdicts import shown_verdicts
from pipeline.site_data.step_page import step_page
from pipeline.site_data.variant_page import publish_base_values, variant_page
from pipeline.study.profiles import CellKey


def study_pages(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> tuple[Iterator[Page], list[Problem]]:
    """Return the pages of a report, and what is wrong with its author's definitions.

    A page is made when it is asked for: all of a large report are too much to hold.
    """
    links = FrameLinks(
        figures, drawings.flamegraphs.keys(), diffs_by_cell(drawings.diffs), directory
    )
    tables, problems = drilldowns(figures, links)
    trees, wrong = calltrees(figures, links)
    parts = _parts(figures, drawings, directory, tables, trees)
    return with_cards(_pages(parts, links), parts.cards), [*problems, *wrong]


@dataclass(frozen=True)
class _Parts:
    """What several pages of a report show."""

    figures: Figures
    drawings: Drawings
    directory: SiteDirectory
    drilldowns: Mapping[tuple[str, str], Drilldown]
    calltrees: Mapping[tuple[str, str], CallTree]
    graphs: Mapping[CellKey, tuple[Graph, ...]]
    diffs: Mapping[DiffKey, Graph]
    told: Told
    cards: Mapping[str, Card]


def _parts(
    figures: Figures,
    drawings: Drawings,
    directory: SiteDirectory,
    drilldowns: Mapping[tuple[str, str], Drilldown],
    calltrees: Mapping[tuple[str, str], CallTree],
) -> _Parts:
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
    return _Parts(
        figures=figures,
        drawings=drawings,
        directory=directory,
        drilldowns=drilldowns,
        calltrees=calltrees,
        graphs=graphs,
        diffs=diffs,
        told={key: drawn.result["suspects"] for key, drawn in drawings.diffs.items()},
        cards=cards_of_report(figures, drawings.cards, graphs, diffs, directory),
    )


def _pages(parts: _Parts, links: FrameLinks) -> Iterator[Page]:
    figures, drawings, directory = parts.figures, parts.drawings, parts.directory
    study = figures.study
    named = named_in_text(study)
    matched = {key: matched_text(drawn) for key, drawn in drawings.diffs.items()}
    traces: dict[str, Chart] = {}
    for key, graph in parts.diffs.items():
        yield diff_page(figures, key, graph, drawings.diffs[key])
    for cell in sorted({each.cell for each in study.step_runs}):
        page = _step_page(parts, cell, matched)
        traces |= traces_by_name(named, cell, page.traces)
        yield page
    for release in study.measured:
        yield _release_page(figures, release, parts.told, directory)
    by_release = charts_by_release(figures, drawings, directory)
    values = {
        variant: publish_base_values(figures, variant, directory)
        for variant in study.report.variants
    }
    for variant in values:
        yield variant_page(figures, variant, values[variant], by_release.get(variant))
    charts = step_charts(figures, drawings, directory)
    yield from all_releases_pages(figures, links, charts, parts.drilldowns, parts.calltrees)
    yield compare_page(figures, parts.graphs, drawings, directory)
    default = study.report.default_variant
    yield report_page(
        figures,
        named=named,
        judged=shown_verdicts(figures, parts.told, named),
        values=values,
        charts={step: each for (variant, step), each in charts.items() if variant == default},
        by_release=tuple(by_release.values()),
        drilldowns=parts.drilldowns,
        calltrees=parts.calltrees,
        graphs=graphs_by_name(named, parts.graphs),
        diffs=diffs_by_name(named, parts.diffs),
        traces=traces,
        names=names_by_part(figures, drawings),
        downloads=publish_metrics(figures.frame, report_address(study.report), directory),
    )


def _step_page(parts: _Parts, cell: CellKey, matched: Mapping[DiffKey, str]) -> StepPage:
    figures, drawings, directory = parts.figures, parts.drawings, parts.directory
    report = figures.study.report
    address = step_address(report, cell.release, cell.step, cell.variant)
    graphs = parts.graphs.get(cell, ())
    return step_page(
        figures,
        cell,
        comparison=comparison_chart(figures, cell, drawings, directory),
        charts=charts_over_time(figures, cell, drawings, directory),
        percentiles=percentiles_chart(figures, cell, drawings, directory),
        traces=timelines(figures, cell, drawings, directory),
        graphs=graphs,
        drilldowns=tuple(
            made
            for (_, step), made in parts.drilldowns.items()
            if step == cell.step and cell.variant == report.default_variant
        ),
        diffs=matched,
        downloads=(
            *(link for graph in graphs for link in graph.downloads),
            *publish_metrics(figures.rows_of(cell), address, directory),
        ),
    )


def _release_page(
    figures: Figures, release: str, told: Told, directory: SiteDirectory
) -> ReleasePage:
    of_release = figures.frame[figures.frame["release"] == release]
    address = release_address(figures.study.report, release)
    downloads = publish_metrics(of_release, address, directory)
    archives = publish_archives(figures.study, release, directory)
    return release_page(figures, release, told, archives, downloads)

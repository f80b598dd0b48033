"""Writes `data/site/`: everything that the pages show."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from pipeline.cache import Cache
from pipeline.problems import Problem
from pipeline.profiles import CellKey
from pipeline.site_data.addresses import report_address, step_address
from pipeline.site_data.diff_page import diff_page
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.display import byte_size, plural
from pipeline.site_data.drawings import Drawings, draw
from pipeline.site_data.drilldown_tables import drilldowns
from pipeline.site_data.figures import Figures
from pipeline.site_data.graphs import diff_graph, flame_graph, matched_text
from pipeline.site_data.release_page import release_page
from pipeline.site_data.report_page import report_page, summary_of
from pipeline.site_data.shapes import (
    AdapterPage,
    Chart,
    Graph,
    Link,
    ListedProblem,
    ListedReport,
    Site,
)
from pipeline.site_data.step_page import step_page
from pipeline.slug import slug
from pipeline.study import Study


def write_site_data(
    root: Path,
    studies: Sequence[Study],
    problems: Sequence[Problem],
    authored: Callable[[str], bool],
    cache: Cache,
    processes: int,
    tell: Callable[[str], None],
) -> tuple[int, list[Problem]]:
    """Write the data of all pages.

    Args:
        root: an empty directory.
        studies: the reports to publish.
        problems: what could not be read so far.
        authored: tells whether somebody wrote a page at an address.
        cache: holds what was drawn before.
        processes: how many to draw with.
        tell: hears what is being done.

    Returns:
        How many pages were made, and all problems.
    """
    directory = SiteDirectory(root)
    pages: list[Page] = []
    found = list(problems)
    for study in studies:
        if not study.runs:
            continue
        figures = Figures(study)
        drawings = draw(figures, cache, processes, tell)
        made, wrong = _pages_of_study(figures, drawings, directory)
        pages += made
        found += wrong
    for page in pages:
        directory.write_page(page)
    directory.write_site(
        Site(
            reports=tuple(_listed_report(study) for study in studies),
            pages=tuple(_adapter_page(page) for page in pages if not authored(page.place.path)),
            problems=tuple(_listed_problem(problem) for problem in sorted(set(found))),
            size=byte_size(directory.download_bytes),
        )
    )
    return len(pages), sorted(set(found))


def _pages_of_study(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> tuple[list[Page], list[Problem]]:
    study = figures.study
    report = study.report
    tables, problems = drilldowns(figures)
    graphs = _graphs(figures, drawings, directory)
    diffs = {
        key: diff_graph(figures, key, drawn, directory) for key, drawn in drawings.diffs.items()
    }
    matched = {key: matched_text(drawn) for key, drawn in drawings.diffs.items()}
    pages: list[Page] = [
        diff_page(figures, key, graph, matched[key], graph.downloads)
        for key, graph in diffs.items()
    ]
    for cell in sorted({each.cell for each in study.step_runs}):
        address = step_address(report, cell.release, cell.step, cell.variant)
        drawn = drawings.throughput.get(cell)
        chart = None
        if drawn is not None:
            asset = directory.add_drawing(
                f"{address.strip('/')}/throughput.svg", drawn.artifact("chart.svg")
            )
            chart = _chart(cell.step, asset)
        metrics = _metrics_downloads(figures, address, directory, cell)
        own = graphs.get(cell, ())
        pages.append(
            step_page(
                figures,
                cell,
                chart=chart,
                graphs=own,
                drilldowns=tuple(
                    made
                    for (_, step), made in tables.items()
                    if step == cell.step and cell.variant == report.default_variant
                ),
                diffs=matched,
                downloads=(*(link for graph in own for link in graph.downloads), *metrics),
            )
        )
    pages += [
        release_page(figures, release.id, ())
        for release in report.releases
        if any(run.bundle.run.release == release.id for run in study.runs)
    ]
    pages.append(
        report_page(
            figures,
            charts=_charts_of_report(figures, drawings, directory),
            drilldowns=tables,
            graphs={
                f"{cell.release}/{cell.step}": own[0]
                for cell, own in graphs.items()
                if cell.variant == report.default_variant
            },
            diffs={
                f"{key.cell.release}/{key.cell.step}/vs/{key.base}": graph
                for key, graph in diffs.items()
                if key.cell.variant == report.default_variant
            },
            downloads=_metrics_downloads(figures, report_address(report), directory, None),
        )
    )
    return pages, problems


def _graphs(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[CellKey, tuple[Graph, ...]]:
    return {
        cell: tuple(
            flame_graph(figures, cell, made, drawings.flamegraphs[cell, made.event], directory)
            for made in profiles
        )
        for cell, profiles in figures.study.profiles.items()
    }


def _charts_of_report(
    figures: Figures, drawings: Drawings, directory: SiteDirectory
) -> dict[str, Chart]:
    """Return the charts of the default variant by step."""
    report = figures.study.report
    charts = {}
    for (variant, step), drawn in drawings.throughput_of_step.items():
        if variant == report.default_variant:
            name = f"{report_address(report).strip('/')}/steps/{slug(step)}/throughput.svg"
            charts[step] = _chart(step, directory.add_drawing(name, drawn.artifact("chart.svg")))
    return charts


def _chart(step: str, asset: str) -> Chart:
    return Chart(
        id=slug(f"throughput-over-time-{step}"),
        caption=f"Throughput of {step} over time, second by second",
        asset=asset,
    )


def _metrics_downloads(
    figures: Figures, address: str, directory: SiteDirectory, cell: CellKey | None
) -> tuple[Link, ...]:
    """Publish the metrics of a cell, or of the whole report, unrounded."""
    frame = figures.frame
    if cell is not None:
        frame = frame[
            (frame["release"] == cell.release)
            & (frame["variant"] == cell.variant)
            & (frame["step"] == cell.step)
        ]
    return (
        directory.write_download(f"{address}metrics.csv", _csv(frame), "All metrics, CSV"),
        directory.write_download(f"{address}metrics.json", _json(frame), "All metrics, JSON"),
    )


def _csv(frame: pd.DataFrame) -> bytes:
    """Return the frame as CSV in which no text is taken for a formula by a spreadsheet.

    The apostrophe is what https://owasp.org/www-community/attacks/CSV_Injection advises.
    """
    texts: pd.DataFrame = frame.select_dtypes(include="str")
    formulas = texts.apply(lambda column: column.str.match(r"[=+\-@\t\r]"))
    safe = frame.assign(**texts.mask(formulas, "'" + texts).to_dict("series"))
    return safe.to_csv(index=False, lineterminator="\n").encode()


def _json(frame: pd.DataFrame) -> bytes:
    text = frame.to_json(orient="records", double_precision=15, indent=1, force_ascii=False)
    return f"{text}\n".encode()


def _listed_report(study: Study) -> ListedReport:
    return ListedReport(
        id=study.report.id,
        title=study.report.title,
        url=report_address(study.report),
        summary=summary_of(study) if study.runs else plural(0, "run"),
        authored=study.report.authored,
    )


def _adapter_page(page: Page) -> AdapterPage:
    path = page.place.path.strip("/")
    is_report = page.__struct_config__.tag == "report"
    return AdapterPage(path=path, title=page.place.title, kind="section" if is_report else "page")


def _listed_problem(problem: Problem) -> ListedProblem:
    return ListedProblem(
        where=f"{problem.path}:{problem.line}" if problem.line else problem.path,
        found=problem.found,
        expected=problem.expected,
        do=problem.do,
        severity=problem.severity,
    )

"""The page of a step: all its releases beside each other."""

from collections.abc import Iterator, Mapping

from pipeline.display import plural
from pipeline.site_data.addresses import (
    all_releases_address,
    comparison_address,
    report_address,
    step_address,
)
from pipeline.site_data.charts import StepCharts
from pipeline.site_data.course_table import courses_table
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.figures import Figures
from pipeline.site_data.level_words import level_sentences
from pipeline.site_data.matrix_shapes import MatrixPage
from pipeline.site_data.matrix_tables import function_tables_by_release
from pipeline.site_data.near_releases import cells_of_step
from pipeline.site_data.page_shapes import Place
from pipeline.site_data.quality_table import code_tables, quality_table
from pipeline.site_data.response_time_tables import response_time_tables
from pipeline.site_data.results_tables import results_table
from pipeline.site_data.shapes import CallTree, Drilldown, Link


def all_releases_pages(
    figures: Figures,
    links: FrameLinks,
    charts: Mapping[tuple[str, str], StepCharts],
    drilldowns: Mapping[tuple[str, str], Drilldown],
    calltrees: Mapping[tuple[str, str], CallTree],
) -> Iterator[MatrixPage]:
    """Yield the pages of all steps and variants that have runs.

    Args:
        figures: of the report.
        links: what of the report was drawn, and where files go.
        charts: by variant and step.
        drilldowns: by name and step, of the default variant.
        calltrees: by name and step, of the default variant.
    """
    study = figures.study
    for variant in study.report.variants:
        own = variant == study.report.default_variant
        for step in study.report.steps:
            cells = cells_of_step(study, variant, step)
            if not cells:
                continue
            functions = function_tables_by_release(figures, cells, links)
            drawn = charts[variant, step]
            yield MatrixPage(
                place=_place(figures, variant, step),
                summary=(
                    f"{plural(len(cells), 'release')} of {step}; {study.report.variants[variant]}.",
                    *level_sentences(figures, variant, step),
                ),
                results=results_table(figures, cells, current=None),
                comparison=drawn.comparison,
                charts=tuple(each for each in (drawn.throughput, drawn.latency) if each),
                courses=courses_table(study, cells, current=None),
                percentiles=drawn.percentiles,
                response_times=response_time_tables(figures, cells),
                functions=functions.summary if functions else (),
                matrix=functions.matrix if functions else None,
                others=functions.others if functions else (),
                quality=quality_table(figures, cells, current=None),
                code=code_tables(figures, cells, current=None),
                drilldowns=tuple(
                    each for (_, of), each in drilldowns.items() if own and of == step
                ),
                calltrees=tuple(each for (_, of), each in calltrees.items() if own and of == step),
            )


def _place(figures: Figures, variant: str, step: str) -> Place:
    study = figures.study
    report = study.report
    others = [
        each for each in report.variants if each != variant and study.releases_with(each, step)
    ]
    return Place(
        path=all_releases_address(report, step, variant),
        title=f"{step} on all releases, {report.title}",
        heading=f"{step} on all releases",
        description=f"All releases of {step} in {report.title}; {report.variants[variant]}.",
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
        ),
        related=(
            *(
                Link(
                    label=report.variants[each],
                    url=all_releases_address(report, step, each),
                    note="another variant",
                )
                for each in others
            ),
            *(
                Link(
                    label=f"{step} on {study.label(release)}",
                    url=step_address(report, release, step, variant),
                )
                for release in study.releases_with(variant, step)
            ),
            *_comparison(figures, variant, step),
        ),
    )


def _comparison(figures: Figures, variant: str, step: str) -> tuple[Link, ...]:
    """Return the link to a comparison of the first release and the last, if they are two."""
    study = figures.study
    releases = study.releases_with(variant, step)
    if len(releases) < 2:
        return ()
    url = comparison_address(study.report, step, variant, releases[0], releases[-1])
    return (Link(label="Compare any two releases", url=url, note="in your browser"),)

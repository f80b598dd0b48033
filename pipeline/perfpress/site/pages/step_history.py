"""The history of one step across releases."""

from collections.abc import Iterator

from perfpress.analysis.study.profiles import CellKey
from perfpress.site.addresses import (
    all_releases_address,
    comparison_address,
    report_address,
)
from perfpress.site.cell_pages import FEW, cell_url
from perfpress.site.downloads.history_files import publish_history
from perfpress.site.nearby_releases import (
    MOST,
    cells_of_step,
    newest_cells,
    newest_of_drilldown,
    newest_releases,
    shown_note,
    with_note,
)
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Fact, Link
from perfpress.site.shapes.matrix import MatrixPage
from perfpress.site.shapes.pages import Place
from perfpress.site.tables.level_changes import step_changes_table
from perfpress.site.tables.matrix import function_tables_by_release
from perfpress.site.tables.quality import code_tables, quality_table
from perfpress.site.tables.response_times import response_time_tables
from perfpress.site.tables.stability import stability_table
from perfpress.site.words.level_changes import level_sentences
from perfpress.site.words.step_headline import cell_sentence


def all_releases_pages(parts: ReportParts) -> Iterator[MatrixPage]:
    """Yield the pages of all steps and variants that have runs."""
    figures, study = parts.figures, parts.study
    for variant in study.report.variants:
        for step in study.report.steps:
            cells = cells_of_step(study, variant, step)
            if not cells:
                continue
            shown = newest_cells(study, cells, MOST)
            newest = newest_cells(study, cells, FEW)
            functions = function_tables_by_release(figures, shown, parts.links)
            drawn = parts.charts[variant, step]
            results = parts.results(shown, current=None)
            yield MatrixPage(
                place=_place(figures, variant, step),
                opening=parts.opening(cells[-1], cell_sentence),
                summary=level_sentences(figures, variant, step),
                facts=(
                    Fact(label="Variant", value=study.report.variants[variant]),
                    Fact(label="Releases", value=f"{len(cells):,}"),
                ),
                results=results and with_note(results, shown_note(len(shown), len(cells))),
                levels=step_changes_table(figures, variant, step),
                comparison=drawn.comparison,
                charts=tuple(each for each in (drawn.throughput, drawn.latency) if each),
                stability=stability_table(study, newest, current=None),
                percentiles=drawn.percentiles,
                response_times=response_time_tables(figures, newest),
                functions=functions.summary if functions else (),
                function_changes=functions.changes if functions else None,
                matrix=functions.matrix if functions else None,
                others=functions.others if functions else (),
                quality=quality_table(figures, newest, current=None),
                code=code_tables(figures, newest, current=None),
                drilldowns=tuple(
                    newest_of_drilldown(study, key, each)
                    for (_, key), each in parts.drilldowns.items()
                    if key == (variant, step)
                ),
                calltrees=tuple(
                    each for (_, key), each in parts.calltrees.items() if key == (variant, step)
                ),
                downloads=publish_history(figures, cells, parts.directory)
                if len(cells) > len(shown)
                else (),
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
                    url=cell_url(study, CellKey(release, variant, step)),
                )
                for release in newest_releases(
                    study.releases_with(variant, step), study.base_of(variant)
                )
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
    newest = CellKey(releases[-1], variant, step)
    url = comparison_address(study.report, newest, releases[0])
    return (Link(label="Compare any two releases", url=url, note="in your browser"),)

"""The page of a diff: one step of one release against another release."""

from pipeline.display import PERCENT, fixed
from pipeline.node.jobs import Done
from pipeline.site_data.addresses import (
    comparison_address,
    diff_address,
    release_address,
    report_address,
    step_address,
)
from pipeline.site_data.diff_headline import headline_of
from pipeline.site_data.environment_table import environment_table
from pipeline.site_data.figures import Figures
from pipeline.site_data.function_tables import changes_table
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.joined_table import joined_table
from pipeline.site_data.page_shapes import DiffPage, Place, Suspects
from pipeline.site_data.runs_table import correction_notices
from pipeline.site_data.shapes import Graph, Link
from pipeline.site_data.shifts_table import shifts_table
from pipeline.site_data.suspects_sentences import suspects_sentences
from pipeline.site_data.suspects_table import suspects_table
from pipeline.site_data.verdict_words import pair_sentences, verdict_words

MATCHED_ENOUGH = 50
"""Percent of the weight; with less, the table of functions says more than the graph."""


def diff_page(figures: Figures, key: DiffKey, graph: Graph, drawn: Done) -> DiffPage:
    """Put a diff's page together."""
    study = figures.study
    return DiffPage(
        place=_place(figures, key),
        summary=verdict_summary(figures, key),
        headline=headline_of(figures, key.cell, key.base_cell),
        matched=". ".join([matched_text(drawn), *drawn.result["threads"]]),
        functions_first=drawn.result["matched_percent"] < MATCHED_ENOUGH,
        graph=graph,
        suspects=_suspects(drawn, graph),
        functions=changes_table(
            drawn.result["functions"],
            "functions",
            study.label(key.base),
            study.label(key.cell.release),
        ),
        joined=joined_table(
            drawn.result["joined"], study.label(key.base), study.label(key.cell.release)
        ),
        environment=environment_table(
            study, key.cell.release, key.base, key.cell.variant, key.cell.step
        ),
        notices=correction_notices(
            [
                each.run
                for cell in (key.base_cell, key.cell)
                for each in study.of_cell(cell)
                if each.run.corrections or each.exclusion
            ]
        ),
        downloads=graph.downloads,
    )


def verdict_summary(figures: Figures, key: DiffKey) -> tuple[str, ...]:
    """Return whether the change of the throughput is real; nothing where only one side has it."""
    verdict = figures.verdicts.get((key.cell, key.base))
    if verdict is None or verdict.comparison is None:
        return ()
    return (f"Throughput: {verdict_words(figures.study, verdict)}.",)


def _suspects(drawn: Done, graph: Graph) -> Suspects:
    told = drawn.result["suspects"]
    return Suspects(
        summary=suspects_sentences(told),
        table=suspects_table(told, graph.id),
        shifts=shifts_table(told, graph.id),
    )


def matched_text(drawn: Done) -> str:
    """Return how much of both profiles found its like in the other."""
    result = drawn.result
    return (
        f"Matched: {fixed(result['matched_percent'], 1)}{PERCENT} of the weight "
        f"({fixed(result['base_matched_percent'], 1)}{PERCENT} of the base, "
        f"{fixed(result['after_matched_percent'], 1)}{PERCENT} of the other)"
    )


def _place(figures: Figures, key: DiffKey) -> Place:
    study = figures.study
    report = study.report
    cell = key.cell
    label, base = study.label(cell.release), study.label(key.base)
    step_page = step_address(report, cell.release, cell.step, cell.variant)
    return Place(
        path=diff_address(report, cell.release, cell.step, cell.variant, key.base),
        title=f"{cell.step}: {label} against {base}, {report.title}",
        heading=f"{cell.step}: {label} against {base}",
        description=f"Flame graph of {pair_sentences(figures, cell, key.base)}.",
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
            Link(label=label, url=release_address(report, cell.release)),
            Link(label=cell.step, url=step_page),
        ),
        related=(
            Link(
                label=f"{cell.step} on {base}",
                url=step_address(report, key.base, cell.step, cell.variant),
                note="the base",
            ),
            Link(
                label="Compare other releases",
                url=comparison_address(report, cell.step, cell.variant, key.base, cell.release),
                note="any two, in your browser",
            ),
        ),
    )

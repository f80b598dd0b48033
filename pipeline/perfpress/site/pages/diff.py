"""The page of a diff: one step of one release against another release."""

from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.findings import Findings
from perfpress.base.node.messages.graphs import DiffAnswer
from perfpress.site.addresses import (
    comparison_address,
    diff_address,
    frame_link,
    release_address,
    report_address,
    step_address,
)
from perfpress.site.cell_pages import cell_url
from perfpress.site.figures.waterfall import waterfall
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Graph, Link, Sentence
from perfpress.site.shapes.pages import DiffPage, Place, Suspects
from perfpress.site.tables.environment import environment_table
from perfpress.site.tables.functions import changes_table
from perfpress.site.tables.runs import correction_notices
from perfpress.site.tables.shifts import renames_table, shifts_table
from perfpress.site.tables.suspects import changes_tables
from perfpress.site.words.author_rates import relative_cost_sentence
from perfpress.site.words.diff_headline import WORDS, headline_of
from perfpress.site.words.function_changes import cost_change_sentence, diff_share_sentence
from perfpress.site.words.step_headline import pair_headline, pair_words
from perfpress.site.words.suspects import changes_sentences


def diff_page(figures: Figures, key: DiffKey, graph: Graph, drawn: Done[DiffAnswer]) -> DiffPage:
    """Return a diff's page."""
    study = figures.study
    return DiffPage(
        place=_place(figures, key),
        opening=diff_opening(figures, key, drawn.result.changes),
        summary=tuple(filter(None, [relative_cost_sentence(figures, key, drawn.result.changes)])),
        headline=headline_of(figures, key.cell, key.base_cell),
        matched=" ".join([f"{drawn.result.matched}.", *drawn.result.threads]),
        functions_first=drawn.result.functions_first,
        graph=graph,
        suspects=_suspects(drawn, graph),
        functions=changes_table(
            drawn.result.functions,
            "functions",
            study.label(key.base),
            study.label(key.cell.release),
        ),
        renames=renames_table(
            drawn.result.joined, study.label(key.base), study.label(key.cell.release)
        ),
        environment=environment_table(
            study, key.cell.release, key.base, key.cell.variant, key.cell.step
        ),
        corrections=correction_notices(
            [each.run for cell in (key.base_cell, key.cell) for each in study.of_cell(cell)],
            key.cell.step,
        ),
        downloads=graph.downloads,
    )


def diff_opening(figures: Figures, key: DiffKey, found: Findings) -> tuple[Sentence, ...]:
    """Return what all evidence shows of a pair that has two rates, and where the time went."""
    verdict = figures.verdicts.get((key.cell, key.base))
    headline = pair_headline(figures, [verdict]) if verdict and verdict.comparison else ()
    where = cost_change_sentence(figures, key, found) or diff_share_sentence(figures, key, found)
    return tuple(filter(None, (headline, where)))


def _suspects(drawn: Done[DiffAnswer], graph: Graph) -> Suspects:
    findings = drawn.result.changes
    return Suspects(
        waterfall=waterfall(
            findings, "waterfall", lambda change: frame_link(graph.id, change.path)
        ),
        summary=changes_sentences(findings),
        tables=changes_tables(findings, graph.id),
        shifts=shifts_table(findings, graph.id),
    )


def _place(figures: Figures, key: DiffKey) -> Place:
    study = figures.study
    report = study.report
    cell = key.cell
    label, base = study.label(cell.release), study.label(key.base)
    heading = WORDS.heading.format(step=cell.step, after=label, base=base)
    step_page = step_address(report, cell)
    return Place(
        path=diff_address(report, cell, key.base),
        title=f"{heading}, {report.title}",
        heading=heading,
        description=f"Flame graph of {pair_words(figures, cell, key.base)}.",
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
            Link(label=label, url=release_address(report, cell.release)),
            Link(label=cell.step, url=step_page),
        ),
        related=(
            Link(
                label=f"{cell.step} on {base}",
                url=cell_url(study, key.base_cell),
                note="the base",
            ),
            Link(
                label="Compare other releases",
                url=comparison_address(report, cell, key.base),
                note="any two, in your browser",
            ),
        ),
    )

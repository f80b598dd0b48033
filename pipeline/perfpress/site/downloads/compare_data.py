"""Data of the compare page: what to choose from, and a file of each step with its numbers."""

from collections.abc import Mapping

import msgspec

from perfpress.analysis.profiles.cost import Unknown
from perfpress.analysis.study.profiles import CellKey, CellProfile
from perfpress.analysis.study.study import Study
from perfpress.base.display import PERCENT, plural_of
from perfpress.base.groups import grouped
from perfpress.base.slugs import slug
from perfpress.input.corrections.files import Rename
from perfpress.input.corrections.sentences import sentence_of
from perfpress.site.addresses import compare_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.graph_jobs import diffs_by_cell, seconds_captured
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Graph
from perfpress.site.shapes.compare import (
    CompareCell,
    CompareCells,
    CompareChoices,
    CompareCost,
    CompareMetric,
    CompareName,
    CompareProfile,
    CompareRename,
    CompareStep,
)
from perfpress.site.tables.frame_links import flame_graph_id
from perfpress.site.tables.runs import correction_notices
from perfpress.site.words.diff_headline import METRICS, WORDS
from perfpress.site.words.measured import why_missing, work_text
from perfpress.site.words.quality_warnings import warnings_of


def compare_choices(figures: Figures, overdispersion: Mapping[str, float]) -> CompareChoices:
    """Return what the page knows before it fetches the cells of a step.

    Args:
        figures: of the report.
        overdispersion: of the report's captures, by event.
    """
    study = figures.study
    report = study.report
    return CompareChoices(
        base=slug(report.base),
        step=slug(_first_step(figures)),
        metrics=tuple(
            CompareMetric(key=key, label=label, unit="" if "{" in unit else unit)
            for key, label, unit in METRICS
        ),
        words=WORDS,
        releases=tuple(
            CompareName(id=slug(each), label=study.label(each)) for each in study.measured
        ),
        variants=tuple(CompareName(id=key, label=name) for key, name in report.variants.items()),
        steps=tuple(
            CompareStep(
                id=slug(step),
                label=step,
                rate_unit=f"{plural_of(study.operation(step))}/s",
                cells=_cells_address(study, step),
            )
            for step in report.steps
        ),
        renames=tuple(_renames(study)),
        aliases=report.aliases,
        overdispersion=overdispersion,
    )


def _cells_address(study: Study, step: str) -> str:
    return f"{compare_address(study.report)}steps/{slug(step)}.json"


def _first_step(figures: Figures) -> str:
    """Return the step that lost most throughput from the base to the newest release.

    Of those that have a profile, where any has; without rates it is the first of the report.
    """
    study = figures.study
    report, rates = study.report, figures.summaries["throughput"]
    variant = report.default_variant
    profiled = {cell.step for cell, made in study.profiles.items() if made}

    def ratio(step: str) -> float:
        releases = study.releases_with(variant, step)
        ends = [report.base, *releases[-1:]]
        was, *found = (rates.get(CellKey(each, variant, step)) for each in ends)
        return found[0].median / was.median if found and found[0] and was and was.median else 1.0

    return min((each for each in report.steps if not profiled or each in profiled), key=ratio)


def publish_cells(
    figures: Figures,
    graphs: Mapping[CellKey, tuple[Graph, ...]],
    captures: Mapping[tuple[CellKey, str], str],
    diffs: Mapping[DiffKey, str],
    directory: SiteDirectory,
) -> None:
    """Write a file of each step: its cells with the numbers and profiles to compare.

    Args:
        figures: of the report.
        graphs: its flame graphs by cell; they know where their profiles were published.
        captures: by cell and event, the addresses of the weights of each capture.
        diffs: the addresses of the diffs that have a page.
        directory: of the site.
    """
    compared = diffs_by_cell(diffs)
    of_steps = grouped(figures.study.cells, lambda cell: cell.step)
    for step in figures.study.report.steps:
        cells = tuple(
            _cell(
                figures,
                cell,
                graphs.get(cell, ()),
                captures,
                {slug(key.base): diffs[key] for key in compared.get(cell, ())},
            )
            for cell in of_steps.get(step, ())
        )
        content = msgspec.json.encode(CompareCells(cells=cells), order="deterministic")
        directory.write_file(_cells_address(figures.study, step), content)


def _renames(study: Study) -> list[CompareRename]:
    changes = [each.change for each in study.corrections if isinstance(each.change, Rename)]
    variants = study.report.same_configs.variants
    return [
        CompareRename(
            what=each.what,
            old=slug(each.old),
            new=slug(each.new),
            words=sentence_of(each),
        )
        for each in changes
    ] + [
        CompareRename(
            what="variant",
            old=own,
            new=shown.slug,
            words=f"The report declares the configurations of {own} and {shown.slug} the same.",
        )
        for own, shown in variants.items()
        if own != shown.slug
    ]


def _cell(
    figures: Figures,
    cell: CellKey,
    graphs: tuple[Graph, ...],
    captures: Mapping[tuple[CellKey, str], str],
    diffs: dict[str, str],
) -> CompareCell:
    study = figures.study
    metrics = {
        key: summary.median
        for key, _, _ in METRICS
        if (summary := figures.summaries[key].get(cell)) is not None
    }
    urls = {graph.id: graph.profile_url for graph in graphs}
    return CompareCell(
        release=slug(cell.release),
        variant=cell.variant,
        step=slug(cell.step),
        metrics=metrics,
        missing="" if "throughput" in metrics else why_missing(study, cell),
        profiles=tuple(
            _profile(figures, made, url, captures.get((cell, made.event), ""))
            for made in study.profiles.get(cell, ())
            if (url := urls.get(flame_graph_id(figures, made))) is not None
        ),
        diffs=diffs,
        verdicts={
            slug(verdict.base): verdict.words.replace(" %", PERCENT)
            for verdict in figures.verdicts.briefs(cell)
            if verdict.ratio is not None
        },
        notices=tuple(
            notice.text
            for notice in correction_notices([each.run for each in study.of_cell(cell)], cell.step)
        ),
    )


def _profile(figures: Figures, made: CellProfile, url: str, captures: str) -> CompareProfile:
    work = figures.works[made.cell, made.event]
    main = figures.main(made.cell)
    return CompareProfile(
        event=made.event,
        unit=made.unit,
        url=url,
        captures=captures,
        main=main is not None and main.event == made.event,
        work=work_text(figures, made.cell, made.event),
        operations=None if isinstance(work, Unknown) else work.operations,
        cost_of=unit.one_of_base if (unit := figures.cost_unit(made)).base else "",
        seconds=seconds_captured(figures, made),
        scope="" if isinstance(work, Unknown) else work.scope,
        cost=_cost(figures, made),
        warnings=tuple(each.text for each in warnings_of(figures.qualities[made.cell, made.event])),
    )


def _cost(figures: Figures, made: CellProfile) -> CompareCost | None:
    cost = figures.cost_of(made)
    if cost is None:
        return None
    factor, unit = figures.cost_unit(made).shown([cost])
    return CompareCost(value=cost, factor=factor, unit=unit)

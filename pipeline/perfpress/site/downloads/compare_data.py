"""Data of the compare page: the cells to choose from, with their numbers."""

from collections.abc import Mapping

from perfpress.analysis.profiles.cost import Unknown
from perfpress.analysis.study.profiles import CellKey, CellProfile
from perfpress.analysis.study.study import Study
from perfpress.base.display import PERCENT, plural_of
from perfpress.base.slugs import slug
from perfpress.input.corrections.files import Rename
from perfpress.input.corrections.sentences import sentence_of
from perfpress.site.cell_pages import cell_url
from perfpress.site.figures.graph_jobs import diffs_by_cell, seconds_captured
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Graph
from perfpress.site.shapes.compare import (
    CompareCell,
    CompareCost,
    CompareData,
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


def compare_data(
    figures: Figures,
    graphs: Mapping[CellKey, tuple[Graph, ...]],
    captures: Mapping[tuple[CellKey, str], str],
    diffs: Mapping[DiffKey, str],
    overdispersion: Mapping[str, float],
) -> CompareData:
    """Return every measured cell with the numbers and profiles to compare.

    Args:
        figures: of the report.
        graphs: its flame graphs by cell; they know where their profiles were published.
        captures: by cell and event, the addresses of the weights of each capture.
        diffs: the addresses of the diffs that have a page.
        overdispersion: of the report's captures, by event.
    """
    study = figures.study
    report = study.report
    cells = sorted({each.cell for each in study.step_runs})
    compared = diffs_by_cell(diffs)
    measured = {cell.release for cell in cells}
    return CompareData(
        base=slug(report.base),
        metrics=tuple(
            CompareMetric(key=key, label=label, unit="" if "{" in unit else unit)
            for key, label, unit in METRICS
        ),
        words=WORDS,
        releases=tuple(
            CompareName(id=slug(each.id), label=study.label(each.id))
            for each in report.releases
            if each.id in measured
        ),
        variants=tuple(CompareName(id=key, label=name) for key, name in report.variants.items()),
        steps=tuple(_step(study, step) for step in report.steps),
        renames=tuple(_renames(study)),
        aliases=report.aliases,
        overdispersion=overdispersion,
        cells=tuple(
            _cell(
                figures,
                cell,
                graphs.get(cell, ()),
                captures,
                {slug(key.base): diffs[key] for key in compared.get(cell, ())},
            )
            for cell in cells
        ),
    )


def _step(study: Study, step: str) -> CompareStep:
    rate_unit = f"{plural_of(study.operation(step))}/s"
    return CompareStep(id=slug(step), label=step, rate_unit=rate_unit)


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
        url=cell_url(study, cell),
        metrics=metrics,
        missing="" if "throughput" in metrics else why_missing(study, cell),
        profiles=tuple(
            _profile(figures, made, url, captures.get((cell, made.event), ""))
            for made in study.profiles.get(cell, ())
            if (url := urls.get(flame_graph_id(figures, made))) is not None
        ),
        diffs=diffs,
        verdicts={
            slug(base): verdict.words.replace(" %", PERCENT)
            for base in study.bases_of(cell)
            if (verdict := figures.verdicts.get((cell, base))) and verdict.comparison
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

"""What the script of the compare page chooses from, and the numbers of both sides."""

from collections.abc import Mapping

from pipeline.analysis.cost import Unknown
from pipeline.corrections.files import Rename
from pipeline.display import plural_of
from pipeline.site_data.addresses import step_address
from pipeline.site_data.compare_shapes import (
    CompareCell,
    CompareCost,
    CompareData,
    CompareMetric,
    CompareName,
    CompareProfile,
    CompareRename,
    CompareStep,
)
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.diff_headline import METRICS
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey, diffs_by_cell, seconds_captured
from pipeline.site_data.graphs import flame_graph_id
from pipeline.site_data.quality_warnings import warnings_of
from pipeline.site_data.rate_cells import missing_cell
from pipeline.site_data.runs_table import correction_notices
from pipeline.site_data.shapes import Graph
from pipeline.slug import slug
from pipeline.study.profiles import CellKey, CellProfile
from pipeline.study.study import Study
from pipeline.units import shown_in


def compare_data(
    figures: Figures,
    graphs: Mapping[CellKey, tuple[Graph, ...]],
    captures: Mapping[tuple[CellKey, str], str],
    diffs: Mapping[DiffKey, str],
) -> CompareData:
    """Return every cell that was measured, with what a comparison needs of it.

    Args:
        figures: of the report.
        graphs: its flame graphs by cell; they know where their profiles were published.
        captures: by cell and event, the addresses of what the captures of a profile weigh.
        diffs: the addresses of the diffs that have a page.
    """
    study = figures.study
    report = study.report
    cells = sorted({each.cell for each in study.step_runs})
    compared = diffs_by_cell(diffs)
    measured = {cell.release for cell in cells}
    return CompareData(
        report=report.title,
        base=slug(report.base),
        metrics=tuple(
            CompareMetric(key=key, label=label, unit="" if "{" in unit else unit)
            for key, label, unit in METRICS
        ),
        releases=tuple(
            CompareName(id=slug(each.id), label=study.label(each.id))
            for each in report.releases
            if each.id in measured
        ),
        variants=tuple(CompareName(id=key, label=name) for key, name in report.variants.items()),
        steps=tuple(_step(study, step) for step in report.steps),
        renames=tuple(_renames(study)),
        aliases=report.aliases,
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
    operation = study.operation(step)
    return CompareStep(
        id=slug(step), label=step, operation=operation, rate_unit=f"{plural_of(operation)}/s"
    )


def _renames(study: Study) -> list[CompareRename]:
    changes = [each.change for each in study.corrections if isinstance(each.change, Rename)]
    return [
        CompareRename(
            what=each.what,
            old=slug(each.old),
            new=slug(each.new),
            words=f"The {each.what} {each.old} is called {each.new} now: {each.reason}",
        )
        for each in changes
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
        url=step_address(study.report, cell.release, cell.step, cell.variant),
        metrics=metrics,
        missing="" if "throughput" in metrics else missing_cell(study, cell).note,
        profiles=tuple(
            _profile(figures, made, url, captures.get((cell, made.event), ""))
            for made in study.profiles.get(cell, ())
            if (url := urls.get(flame_graph_id(figures, made))) is not None
        ),
        diffs=diffs,
        notices=tuple(
            notice.text
            for notice in correction_notices(
                [
                    each.run
                    for each in study.of_cell(cell)
                    if each.run.corrections or each.exclusion is not None
                ]
            )
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
        seconds=seconds_captured(figures, made),
        scope="" if isinstance(work, Unknown) else work.scope,
        cost=_cost(figures, made),
        warnings=tuple(each.text for each in warnings_of(figures.qualities[made.cell, made.event])),
    )


def _cost(figures: Figures, made: CellProfile) -> CompareCost | None:
    cost = figures.cost_of(made)
    if cost is None:
        return None
    factor, unit = shown_in(made.unit, [cost])
    return CompareCost(value=cost, factor=factor, unit=unit)

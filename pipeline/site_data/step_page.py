"""The page of one step of one release and variant."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from pipeline.analysis.cost import Unknown
from pipeline.analysis.throughput import Comparison, against_base, against_previous
from pipeline.display import fixed, number, percent_change, plural, plural_of, short_name
from pipeline.site_data.addresses import (
    all_releases_address,
    comparison_address,
    diff_address,
    host_address,
    release_address,
    report_address,
    step_address,
)
from pipeline.site_data.course_table import courses_table
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.level_words import level_sentences
from pipeline.site_data.near_releases import cells_of_step, near_cells, near_sentence
from pipeline.site_data.page_shapes import Place, StepPage
from pipeline.site_data.plans import plan_sentences
from pipeline.site_data.quality_table import code_tables, quality_table
from pipeline.site_data.rate_cells import RATIO_DECIMALS, missing_cell
from pipeline.site_data.response_time_tables import response_time_tables
from pipeline.site_data.results_tables import results_table
from pipeline.site_data.runs_table import correction_notices, step_runs_table
from pipeline.site_data.shapes import Chart, Drilldown, Fact, Graph, Link, Notice, Table
from pipeline.site_data.timelines import MOST_TRACES, traces_left_out
from pipeline.site_data.verdict_cells import verdict_cell
from pipeline.site_data.verdict_words import cell_words, interval_words
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import StepRun, Study
from pipeline.units import shown_in


def step_page(
    figures: Figures,
    cell: CellKey,
    *,
    comparison: Chart | None,
    charts: tuple[Chart, ...],
    percentiles: Chart | None,
    traces: tuple[Chart, ...],
    graphs: tuple[Graph, ...],
    drilldowns: tuple[Drilldown, ...],
    diffs: Mapping[DiffKey, str],
    downloads: tuple[Link, ...],
) -> StepPage:
    """Put a step's page together.

    Args:
        figures: of the report.
        cell: which release, variant and step.
        comparison: the releases' ratios to the base.
        charts: its throughput and its latency over time.
        percentiles: the percentile curves of its latency.
        traces: the timelines of single operations.
        graphs: its flame graphs, one an event; those of CPU time come first.
        drilldowns: those that the author defined for the step.
        diffs: all diffs of the report, with what they say of their match.
        downloads: the files beside the page.
    """
    study = figures.study
    step_runs = study.of_cell(cell)
    near = near_cells(study, cell)
    return StepPage(
        place=_place(figures, cell),
        summary=_summary(figures, cell),
        facts=_facts(figures, step_runs),
        near=near_sentence(study, cell),
        results=results_table(figures, near, current=cell.release),
        courses=courses_table(study, near, current=cell.release),
        response_times=response_time_tables(figures, near),
        runs=step_runs_table(step_runs, study.operation(cell.step)),
        comparison=comparison,
        charts=charts,
        percentiles=percentiles,
        traces=traces,
        graphs=graphs,
        drilldowns=tuple(_near_rows(each, near) for each in drilldowns),
        quality=quality_table(figures, near, current=cell.release),
        code=code_tables(figures, near, current=cell.release),
        diffs=_diff_links(figures, cell, diffs),
        notices=(
            *correction_notices([each.run for each in step_runs if _touches(each)]),
            *_traces_notice(study, cell),
            *(() if graphs else (Notice(kind="warning", text="No profile of this step."),)),
        ),
        downloads=downloads,
    )


def _near_rows(drilldown: Drilldown, near: Sequence[CellKey]) -> Drilldown:
    """Return a drilldown of the releases that the page shows."""
    keys = {slug(cell.release) for cell in near}

    def shown(table: Table) -> Table:
        rows = tuple(row for row in table.rows if row.key in keys)
        return msgspec.structs.replace(table, rows=rows)

    return msgspec.structs.replace(
        drilldown,
        along_path=shown(drilldown.along_path),
        whole_profile=shown(drilldown.whole_profile),
    )


def _traces_notice(study: Study, cell: CellKey) -> tuple[Notice, ...]:
    more = traces_left_out(study, cell)
    text = (
        f"{plural(more, 'more trace')} in the logs of the runs; the first {MOST_TRACES} are here."
    )
    return (Notice(kind="warning", text=text),) if more else ()


def _touches(step_run: StepRun) -> bool:
    return bool(step_run.run.corrections) or step_run.exclusion is not None


def _place(figures: Figures, cell: CellKey) -> Place:
    study = figures.study
    report = study.report
    label = study.label(cell.release)
    releases = study.releases_with(cell.variant, cell.step)
    at = releases.index(cell.release)
    variants = [
        variant
        for variant in report.variants
        if variant != cell.variant and cell.release in study.releases_with(variant, cell.step)
    ]
    variant = report.variants[cell.variant]

    def neighbour(index: int) -> Link | None:
        if not 0 <= index < len(releases):
            return None
        url = step_address(report, releases[index], cell.step, cell.variant)
        return Link(label=f"{study.label(releases[index])}: {cell.step}", url=url)

    return Place(
        path=step_address(report, cell.release, cell.step, cell.variant),
        title=f"{cell.step} on {label}, {report.title}",
        heading=f"{cell.step} on {label}",
        description=f"{cell_words(figures, cell)}; {variant}.",
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
            Link(label=label, url=release_address(report, cell.release)),
        ),
        previous=neighbour(at - 1),
        next=neighbour(at + 1),
        related=(
            *(
                Link(
                    label=report.variants[other],
                    url=step_address(report, cell.release, cell.step, other),
                    note="another variant",
                )
                for other in variants
            ),
            Link(
                label=f"{cell.step} on all releases",
                url=all_releases_address(report, cell.step, cell.variant),
            ),
        ),
    )


def _summary(figures: Figures, cell: CellKey) -> tuple[str, ...]:
    """Return what was measured, in sentences with numbers."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    label = study.label(cell.release)
    summary = summaries.get(cell)
    if summary is None:
        return (f"{label} has no rate here: {missing_cell(study, cell).note}.",)
    operation = study.of_cell(cell)[0].step.operation
    runs = len(summary.values)
    spread = (
        "in one run"
        if runs == 1
        else f"the median of {plural(runs, 'run')} between {number(summary.low)} and "
        f"{number(summary.high)}"
    )
    sentences = [
        f"{label} did {number(summary.median)} {plural_of(operation)} per second, {spread}."
    ]
    base = against_base(summaries, study.report, cell)
    previous = against_previous(summaries, study.report, cell)
    if base is not None:
        sentences.append(_against(figures, cell, base))
    if previous is not None and (base is None or previous.base != base.base):
        sentences.append(_against(figures, cell, previous))
    sentences += level_sentences(figures, cell.variant, cell.step)
    sentences += plan_sentences(study, cell)
    profile = figures.main_profile(cell)
    cost = figures.cost(cell)
    if profile is not None and cost is not None:
        work = figures.work[cell]
        scope = "" if isinstance(work, Unknown) else f", counting {work.scope}"
        factor, unit = shown_in(profile.unit, [cost])
        sentences.append(f"One {operation} cost {number(cost * factor)} {unit}{scope}.")
    return tuple(sentences)


def _against(figures: Figures, cell: CellKey, compared: Comparison) -> str:
    """Return how a cell compares with another release, the verdict last."""
    base = figures.study.label(compared.base)
    verdict = verdict_cell(figures, cell, compared.base)
    words = f": {verdict.text}" if verdict else ""
    return (
        f"That is {fixed(compared.ratio, RATIO_DECIMALS)} times {base} "
        f"({percent_change(compared.ratio)}; {interval_words(compared)}){words}."
    )


def _facts(figures: Figures, step_runs: tuple[StepRun, ...]) -> tuple[Fact, ...]:
    first = step_runs[0]
    run, step = first.bundle.run, first.step
    facts = [
        Fact(label="Variant", value=figures.study.report.variants[first.cell.variant]),
        Fact(label="Host", value=short_name(run.host), url=host_address(run.host)),
        Fact(label="Benchmark", value=run.benchmark),
        Fact(
            label="Work",
            value="timed" if step.work == "timed" else "fixed",
            note="runs for a set time" if step.work == "timed" else "the same operations",
        ),
    ]
    commands = [each.step.command for each in step_runs if each.step.command]
    if commands:
        others = len(set(commands)) - 1
        note = f"and {plural(others, 'other')}, in the bundles" if others else ""
        facts.append(Fact(label="Command", value=commands[0], note=note))
    return tuple(facts)


def _diff_links(figures: Figures, cell: CellKey, diffs: Mapping[DiffKey, str]) -> tuple[Link, ...]:
    """Return the diffs that have a page, and where any other is made."""
    study = figures.study
    report = study.report
    label = study.label(cell.release)
    built = {key.base: matched for key, matched in diffs.items() if key.cell == cell}
    return (
        *(
            Link(
                label=f"{label} against {study.label(base)}",
                url=diff_address(report, cell.release, cell.step, cell.variant, base),
                note=matched,
            )
            for base, matched in built.items()
        ),
        *(
            Link(
                label=f"{label} against any other release",
                url=comparison_address(report, cell.step, cell.variant, other, cell.release),
                note="made in your browser",
            )
            for other in _others(figures, cell, built)[:1]
        ),
    )


def _others(figures: Figures, cell: CellKey, built: Collection[str]) -> list[str]:
    """Return the other releases that have a profile: those without a built diff come first."""
    if figures.main(cell) is None:
        return []
    cells = cells_of_step(figures.study, cell.variant, cell.step)
    profiled = [each.release for each in cells if figures.main(each)]
    return sorted((each for each in profiled if each != cell.release), key=built.__contains__)

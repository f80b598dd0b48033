"""The page of one step of one release and variant."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from perfpress.analysis.profiles.cost import Unknown, Work
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.display import number, plural, plural_of, short_name
from perfpress.base.units import shown_in
from perfpress.site.addresses import (
    all_releases_address,
    comparison_address,
    diff_address,
    host_address,
    release_address,
    report_address,
    step_address,
)
from perfpress.site.cell_pages import cell_url, has_page, row_of_cell
from perfpress.site.downloads.metrics_files import publish_metrics
from perfpress.site.figures.comparison_charts import comparison_chart
from perfpress.site.figures.over_time import charts_over_time
from perfpress.site.figures.percentile_charts import percentiles_chart
from perfpress.site.figures.timelines import MOST_TRACES, traces_left_out
from perfpress.site.figures.waterfall import step_waterfall
from perfpress.site.nearby_releases import (
    COMPARED,
    cells_of_step,
    compared_cells,
    drilldown_of,
    near_cells,
    near_sentence,
    shown_note,
)
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Fact, Link, Notice, Sentence
from perfpress.site.shapes.pages import Place, StepPage
from perfpress.site.tables.quality import code_tables, quality_table
from perfpress.site.tables.response_times import response_time_tables
from perfpress.site.tables.runs import correction_notices, step_runs_table
from perfpress.site.tables.stability import stability_table
from perfpress.site.words.author_rates import relative_cost_sentence
from perfpress.site.words.exact_counts import exact_count_sentences
from perfpress.site.words.level_changes import level_sentences
from perfpress.site.words.plans import plan_sentences
from perfpress.site.words.step_headline import step_headline
from perfpress.site.words.unlike_repeats import unlike_repeats_notices
from perfpress.site.words.verdict_sentences import plain


def step_page(parts: ReportParts, cell: CellKey) -> StepPage:
    """Return a step's page, and publish its numbers."""
    figures, directory, charts = parts.figures, parts.directory, parts.drawn_charts
    study = parts.study
    step_runs = study.of_cell(cell)
    near, compared = near_cells(study, cell), compared_cells(study, cell)
    releases = len(study.releases_with(cell.variant, cell.step))
    graphs = parts.graphs.get(cell, ())
    opening = parts.opening(cell, step_headline)
    place = _place(figures, cell, opening)
    return StepPage(
        place=place,
        opening=opening,
        summary=(*_relative_costs(parts, cell), *_summary(figures, cell)),
        facts=_facts(figures, step_runs),
        near=near_sentence(study, cell),
        results=parts.results(near, current=cell.release),
        stability=stability_table(study, near, current=cell.release),
        response_times=response_time_tables(figures, near),
        runs=step_runs_table(step_runs, study.operation(cell.step)),
        comparison=charts.publish(comparison_chart(figures, cell)),
        charts=tuple(filter(None, map(charts.publish, charts_over_time(figures, cell).values()))),
        percentiles=charts.publish(percentiles_chart(figures, cell)),
        traces=parts.traces.get(cell, ()),
        graphs=graphs,
        drilldowns=tuple(
            drilldown_of(
                each,
                [cell.release for cell in compared],
                shown_note(len(compared), releases, COMPARED),
                place.path,
            )
            for (_, step), each in parts.drilldowns.items()
            if step == (cell.variant, cell.step)
        ),
        waterfall=step_waterfall(figures, cell, parts.findings),
        quality=quality_table(figures, compared, current=cell.release),
        code=code_tables(figures, compared, current=cell.release),
        diffs=_diff_links(parts, cell),
        corrections=correction_notices([each.run for each in step_runs], cell.step),
        notices=(
            *unlike_repeats_notices(figures, [cell]),
            *_traces_notice(study, cell),
            *_no_profile(study, has_graphs=bool(graphs)),
        ),
        downloads=(
            *(link for graph in graphs for link in graph.downloads),
            *publish_metrics(figures.rows_of_cell(cell), place.path, directory),
        ),
    )


def redirected_places(study: Study, cells: Iterable[CellKey]) -> Iterator[Place]:
    """Yield the places of cells without a page, each with a link to what is shown instead."""
    report = study.report
    for cell in cells:
        if has_page(study, cell):
            continue
        heading = f"{cell.step} on {study.label(cell.release)}"
        yield Place(
            path=step_address(report, cell),
            title=f"{heading}, {report.title}",
            heading=heading,
            description="",
            breadcrumbs=_breadcrumbs(study, cell),
            related=(Link(label=heading, url=row_of_cell(study, cell)),),
        )


def _traces_notice(study: Study, cell: CellKey) -> tuple[Notice, ...]:
    more = traces_left_out(study, cell)
    text = f"The first {MOST_TRACES} traces; the logs of the runs have {more} more."
    return (Notice(kind="warning", text=text),) if more else ()


def _no_profile(study: Study, *, has_graphs: bool) -> tuple[Notice, ...]:
    """Return that the step has no profile, which is news only where other steps have one."""
    is_news = bool(study.profiles) and not has_graphs
    return (Notice(kind="warning", text="No profile of this step."),) if is_news else ()


def _place(figures: Figures, cell: CellKey, opening: Sequence[Sentence]) -> Place:
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
        other = CellKey(releases[index], cell.variant, cell.step)
        return Link(label=study.label(other.release), url=cell_url(study, other))

    return Place(
        path=step_address(report, cell),
        title=f"{cell.step} on {label}, {report.title}",
        heading=f"{cell.step} on {label}",
        description=f"{plain(opening[:1])} {variant}.",
        breadcrumbs=_breadcrumbs(study, cell),
        previous=neighbour(at - 1),
        next=neighbour(at + 1),
        related=(
            *(
                Link(
                    label=report.variants[other],
                    url=cell_url(study, CellKey(cell.release, other, cell.step)),
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


def _breadcrumbs(study: Study, cell: CellKey) -> tuple[Link, ...]:
    report = study.report
    return (
        Link(label="Reports", url="/reports/"),
        Link(label=report.title, url=report_address(report)),
        Link(label=study.label(cell.release), url=release_address(report, cell.release)),
    )


def _summary(figures: Figures, cell: CellKey) -> tuple[str, ...]:
    """Return the evidence below the headline: rates, the series, plans and costs."""
    study = figures.study
    return (
        *_spread(figures, cell),
        *level_sentences(figures, cell.variant, cell.step),
        *exact_count_sentences(figures, cell),
        *plan_sentences(study, cell),
        *_cost(figures, cell),
    )


def _spread(figures: Figures, cell: CellKey) -> tuple[str, ...]:
    """Return the median and range of the runs; the headline has them of the base."""
    summary = figures.summaries["throughput"].get(cell)
    if summary is None or cell.release == figures.study.base_of(cell.variant):
        return ()
    study, runs = figures.study, len(summary.values)
    counted = f"{runs:,} processes" if summary.has_processes else plural(runs, "run")
    spread = (
        "in one run"
        if runs == 1
        else f"the median of {counted} between {number(summary.low)} and {number(summary.high)}"
    )
    rate = f"{number(summary.median)} {plural_of(study.operation(cell.step))} per second"
    return (f"{study.label(cell.release)} did {rate}, {spread}.",)


def _cost(figures: Figures, cell: CellKey) -> tuple[str, ...]:
    profile = figures.main_profile(cell)
    cost = figures.cost(cell)
    if profile is None or cost is None:
        return ()
    work = figures.work[cell]
    if isinstance(work, Work) and work.base:
        return ()  # by the author's rates: a ratio to the base, in a sentence of its own
    scope = "" if isinstance(work, Unknown) else f", counting {work.scope}"
    factor, unit = shown_in(profile.unit, [cost])
    operation = figures.study.operation(cell.step)
    return (f"One {operation} cost {number(cost * factor)} {unit}{scope}.",)


def _relative_costs(parts: ReportParts, cell: CellKey) -> tuple[str, ...]:
    """Return what an operation costs by the author's rates, but against the base: the headline."""
    sentences = (
        relative_cost_sentence(parts.figures, key, found)
        for key, found in parts.findings.items()
        if key.cell == cell and not parts.figures.is_against_base(key)
    )
    return tuple(filter(None, sentences))


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
    configs = dict.fromkeys(each.bundle.run.config for each in step_runs)
    if first.bundle.variant.slug in figures.study.report.same_configs.variants:
        names = ", ".join(short_name(config) for config in configs if config)
        facts.insert(1, Fact(label="Configuration", value=names))
    commands = [each.step.command for each in step_runs if each.step.command]
    if commands:
        others = len(set(commands)) - 1
        note = f"and {plural(others, 'other')}, in the bundles" if others else ""
        facts.append(Fact(label="Command", value=commands[0], note=note))
    return tuple(facts)


def _diff_links(parts: ReportParts, cell: CellKey) -> tuple[Link, ...]:
    """Return links to built diffs, and to the page that compares any two releases."""
    study, report = parts.study, parts.report
    label = study.label(cell.release)
    built = {
        key.base: drawn.result.matched
        for key, drawn in parts.drawings.diffs.items()
        if key.cell == cell
    }
    return (
        *(
            Link(
                label=f"{label} against {study.label(base)}",
                url=diff_address(report, cell, base),
                note=matched,
            )
            for base, matched in built.items()
        ),
        *(
            Link(
                label=f"{label} against any other release",
                url=comparison_address(report, cell, other),
                note="made in your browser",
            )
            for other in _others(parts.figures, cell, built)[:1]
        ),
    )


def _others(figures: Figures, cell: CellKey, built: Collection[str]) -> list[str]:
    """Return the other releases with a profile, those without a built diff first."""
    if figures.main(cell) is None:
        return []
    cells = cells_of_step(figures.study, cell.variant, cell.step)
    profiled = [each.release for each in cells if figures.main(each)]
    return sorted((each for each in profiled if each != cell.release), key=built.__contains__)

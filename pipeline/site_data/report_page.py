"""The page of a report: what its text can show, and its summary."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from pipeline.corrections.files import Rename
from pipeline.display import NO_VALUE, plural
from pipeline.site_data.addresses import (
    compare_address,
    release_address,
    report_address,
    variant_address,
)
from pipeline.site_data.cells_in_text import cells_in_text
from pipeline.site_data.charts import StepCharts
from pipeline.site_data.figures import Figures
from pipeline.site_data.missing_in_text import (
    missing_charts,
    missing_of_cells,
    missing_profiles,
)
from pipeline.site_data.named_in_text import NamedInText
from pipeline.site_data.page_shapes import Place, ReportPage
from pipeline.site_data.profile_cells import profiles_overview, variant_tells_rates
from pipeline.site_data.runs_table import correction_notices
from pipeline.site_data.shapes import (
    CallTree,
    Cell,
    Chart,
    Column,
    Drilldown,
    Graph,
    Link,
    Notice,
    Row,
    Table,
)
from pipeline.site_data.shown_verdicts import ShownVerdicts
from pipeline.site_data.throughput_tables import relative_tables, throughput_table
from pipeline.site_data.verdict_sentences import brief_counts, newest_sentences, plain
from pipeline.slug import slug
from pipeline.study.study import Study

Named = TypeVar("Named")


def report_page(
    figures: Figures,
    *,
    named: NamedInText,
    charts: Mapping[str, StepCharts],
    by_release: tuple[Chart, ...],
    drilldowns: Mapping[tuple[str, str], Drilldown],
    calltrees: Mapping[tuple[str, str], CallTree],
    graphs: Mapping[str, Graph],
    diffs: Mapping[str, Graph],
    traces: Mapping[str, Chart],
    judged: ShownVerdicts,
    names: Mapping[str, Iterable[str]],
    values: Mapping[str, str],
    downloads: tuple[Link, ...],
) -> ReportPage:
    """Put a report's page together.

    Args:
        figures: of the report.
        named: what its text mentions; all that follows is of that alone.
        charts: by step.
        by_release: all steps relative to the base, a chart a variant.
        drilldowns: by name and step.
        calltrees: by name and step.
        graphs: flame graphs of the default variant, by `<release>/<step>`.
        diffs: by `<release>/<step>/vs/<base>`.
        traces: of single operations, by `<release>/<step>` and `<release>/<step>/<number>`.
        judged: its verdicts and suspects.
        names: all that there are, by the part of the page that would hold them.
        values: addresses of what ratios are made from, by variant.
        downloads: the files beside the page.
    """
    study = figures.study
    report = study.report
    now = newest_sentences(figures, report.default_variant)
    by_name = _by_name(drilldowns, named)
    trees = _by_name(calltrees, named)
    shown = {step: each for step, each in charts.items() if step in named.steps}
    rates = {step: each.throughput for step, each in shown.items() if each.throughput}
    latency = {step: each.latency for step, each in shown.items() if each.latency}
    percentiles = {step: each.percentiles for step, each in shown.items() if each.percentiles}
    missing = (
        missing_charts(named, rates, latency, percentiles)
        | ({} if by_release else {"releases ": "no two releases of a step can be compared"})
        | missing_profiles(figures, named, by_name, trees)
        | missing_of_cells(figures, named, graphs, diffs, traces)
    )
    throughput = tuple(throughput_table(figures, variant) for variant in report.variants)
    relative = tuple(
        table
        for variant in report.variants
        for table in relative_tables(figures, variant, values[variant])
    )
    return ReportPage(
        place=Place(
            path=report_address(report),
            title=report.title,
            heading=report.title,
            description=" ".join(
                (_sentence(report.summary or summary_of(study)), plain(now))
            ).strip(),
            breadcrumbs=(Link(label="Reports", url="/reports/"),),
            related=_comparison(study),
        ),
        now=now,
        releases=_releases_table(figures),
        overview=(relative[0], throughput[0])
        if variant_tells_rates(figures, report.default_variant)
        else (profiles_overview(figures, report.default_variant),),
        throughput=throughput,
        relative=relative,
        variants=tuple(
            Link(label=name, url=variant_address(report, variant))
            for variant, name in report.variants.items()
            if len(report.variants) > 1 or variant_tells_rates(figures, variant)
        ),
        charts=_under_old_names(rates, study),
        latency=_under_old_names(latency, study),
        percentiles=_under_old_names(percentiles, study),
        by_release=by_release,
        drilldowns=_under_old_names(by_name, study),
        calltrees=_under_old_names(trees, study),
        graphs=_under_old_names(graphs, study),
        diffs=_under_old_names(diffs, study),
        traces=_under_old_names(traces, study),
        verdicts=_under_old_names(judged.verdicts, study),
        suspects=_under_old_names(judged.suspects, study),
        cells=_under_old_names(cells_in_text(figures, named), study),
        names={part: named.nearest(each) for part, each in names.items()},
        withdrawn={
            key: Notice(kind="warning", text=text)
            for key, text in _under_old_names(missing | dict(judged.missing), study).items()
        },
        notices=correction_notices(study.runs),
        downloads=downloads,
    )


def _comparison(study: Study) -> tuple[Link, ...]:
    """Return the link to comparisons, where there are two releases to compare."""
    if len({each.cell.release for each in study.step_runs}) < 2:
        return ()
    url = compare_address(study.report)
    return (Link(label="Compare any two releases", url=url, note="in your browser"),)


def _by_name(made: Mapping[tuple[str, str], Named], named: NamedInText) -> dict[str, Named]:
    """Return what a text names, by its name alone for the first step, or with any step."""
    found: dict[str, Named] = {}
    for (name, step), each in made.items():
        if name in named.mentions:
            found.setdefault(name, each)
            if step in named.steps:
                found[f"{name}/{step}"] = each
    return found


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def summary_of(study: Study) -> str:
    """Return the report in one line: `4 releases, 3 steps, 28 runs; newest run 2026-11-21`."""
    started = [run.bundle.run.started for run in study.runs if run.bundle.run.started]
    counts = ", ".join(
        (
            plural(len(study.measured), "release"),
            plural(len(study.report.steps), "step"),
            plural(len(study.runs), "run"),
        )
    )
    return f"{counts}; newest run {max(started):%Y-%m-%d}" if started else counts


def _releases_table(figures: Figures) -> Table:
    study = figures.study
    report = study.report
    rows = []
    for release in map(report.release, study.measured):
        runs = study.runs_of(release.id)
        previous = report.previous(release.id)
        rows.append(
            Row(
                key=slug(release.id),
                label=study.label(release.id),
                url=release_address(report, release.id),
                note="base" if release.id == report.base else "",
                cells=(
                    _counts(figures, release.id, report.base),
                    _counts(figures, release.id, previous.id if previous else None),
                    Cell(text=release.version or NO_VALUE),
                    Cell(text=release.date.isoformat() if release.date else NO_VALUE),
                    Cell(text=release.branch or NO_VALUE),
                    Cell(text=str(len(runs)), sort=len(runs)),
                ),
            )
        )
    return Table(
        id="releases-table",
        caption="The releases of this report",
        row_head="Release",
        columns=(
            Column(
                key="base",
                label=f"Steps against {study.label(report.base)}",
                numeric=False,
                meaning=f"verdicts on {report.variants[report.default_variant]}",
            ),
            Column(key="previous", label="Steps against previous", numeric=False),
            Column(key="version", label="Version", numeric=False),
            Column(key="date", label="Date", numeric=False),
            Column(key="branch", label="Branch", numeric=False),
            Column(key="runs", label="Runs"),
        ),
        rows=tuple(rows),
    )


def _counts(figures: Figures, release: str, base: str | None) -> Cell:
    """Return the verdicts on the default variant of a release, counted."""
    variant = figures.study.report.default_variant
    counts = brief_counts(figures, release, variant, base) if base else ""
    return Cell(text=counts or NO_VALUE)


def _under_old_names(known: Mapping[str, Named], study: Study) -> dict[str, Named]:
    """Return what a text may name, under the names from before renames too.

    Names are parts with slashes between: `<release>/<step>/vs/<base>`.
    """
    found = dict(known)
    renames = [each.change for each in study.corrections if isinstance(each.change, Rename)]
    for rename in reversed(renames):
        for name, item in tuple(found.items()):
            parts = name.split("/")
            former = [rename.old if part == rename.new else part for part in parts]
            found.setdefault("/".join(former), item)
    return found

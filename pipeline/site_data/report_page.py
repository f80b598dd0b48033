"""The page of a report: what its text can show, and its summary."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from pipeline.analysis.throughput import Summary, against_base, against_previous
from pipeline.corrections.files import Rename
from pipeline.display import NO_VALUE, fixed, number, plural
from pipeline.site_data.addresses import (
    compare_address,
    release_address,
    report_address,
    step_address,
    variant_address,
)
from pipeline.site_data.charts import ReportCharts
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.figures import SHOWN_METRICS, Figures
from pipeline.site_data.rate_cells import missing_cell, ratio_cell
from pipeline.site_data.runs_table import correction_notices
from pipeline.site_data.shapes import (
    CallTree,
    Cell,
    Column,
    Drilldown,
    Graph,
    Link,
    Notice,
    Place,
    ReportPage,
    Row,
    Table,
)
from pipeline.site_data.shown_verdicts import ShownVerdicts
from pipeline.site_data.throughput_tables import relative_tables, throughput_table
from pipeline.site_data.verdict_sentences import brief_counts, newest_sentences, plain
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

Named = TypeVar("Named")


def report_page(
    figures: Figures,
    *,
    charts: ReportCharts,
    drilldowns: Mapping[tuple[str, str], Drilldown],
    calltrees: Mapping[tuple[str, str], CallTree],
    graphs: Mapping[str, Graph],
    diffs: Mapping[str, Graph],
    judged: ShownVerdicts,
    values: Mapping[str, str],
    downloads: tuple[Link, ...],
) -> ReportPage:
    """Put a report's page together.

    Args:
        figures: of the report.
        charts: those that its text can show.
        drilldowns: by name and step.
        calltrees: by name and step.
        graphs: flame graphs of the default variant, by `<release>/<step>`.
        diffs: by `<release>/<step>/vs/<base>`.
        judged: its verdicts and suspects.
        values: addresses of what ratios are made from, by variant.
        downloads: the files beside the page.
    """
    study = figures.study
    report = study.report
    now = newest_sentences(figures, report.default_variant)
    by_name = _by_name(drilldowns)
    trees = _by_name(calltrees)
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
        throughput=tuple(throughput_table(figures, variant) for variant in report.variants),
        relative=tuple(
            table
            for variant in report.variants
            for table in relative_tables(figures, variant, values[variant])
        ),
        variants=tuple(
            Link(label=name, url=variant_address(report, variant))
            for variant, name in report.variants.items()
        ),
        charts=_under_old_names(charts.throughput, study),
        latency=_under_old_names(charts.latency, study),
        percentiles=_under_old_names(charts.percentiles, study),
        by_release=tuple(charts.by_release.values()),
        drilldowns=_under_old_names(by_name, study),
        calltrees=_under_old_names(trees, study),
        graphs=_under_old_names(graphs, study),
        diffs=_under_old_names(diffs, study),
        verdicts=_under_old_names(judged.verdicts, study),
        suspects=_under_old_names(judged.suspects, study),
        cells=_under_old_names(_cells(figures), study),
        withdrawn=_withdrawn(figures, charts, by_name, trees, graphs, diffs)
        | {
            key: Notice(kind="warning", text=text)
            for key, text in _under_old_names(judged.missing, study).items()
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


def _by_name(made: Mapping[tuple[str, str], Named]) -> dict[str, Named]:
    """Return what a text may name, by its name alone for the first step, or with any step."""
    found: dict[str, Named] = {}
    for (name, step), each in made.items():
        found.setdefault(name, each)
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
    counts = brief_counts(figures, release, variant, base) if base and base != release else ""
    return Cell(text=counts or NO_VALUE)


def _cells(figures: Figures) -> dict[str, Cell]:
    """Return the numbers that a sentence may hold, of the default variant."""
    study = figures.study
    cells: dict[str, Cell] = {}
    for metric in SHOWN_METRICS:
        for cell, summary in figures.summaries[metric].items():
            if cell.variant == study.report.default_variant:
                cells[f"{cell.release}/{cell.step}/{metric}"] = _median_cell(study, cell, summary)
    for cell in figures.summaries["throughput"]:
        if cell.variant == study.report.default_variant:
            name = f"{cell.release}/{cell.step}"
            cells |= {f"{name}/{key}": each for key, each in _rate_cells(figures, cell).items()}
    for cell in study.profiles:
        cost = figures.cost(cell)
        made = figures.main(cell)
        if made and cost is not None and cell.variant == study.report.default_variant:
            cells[f"{cell.release}/{cell.step}/cost"] = Cell(
                text=number(cost),
                note=f"{made.unit} of the profile, per operation: {work_text(figures, cell)}",
                url=step_address(study.report, cell.release, cell.step, cell.variant),
            )
    return cells


def _median_cell(study: Study, cell: CellKey, summary: Summary) -> Cell:
    runs = plural(len(summary.values), "run")
    return Cell(
        text=number(summary.median),
        note=f"median of {runs}, {number(summary.low)} to {number(summary.high)}",
        url=step_address(study.report, cell.release, cell.step, cell.variant),
    )


def _rate_cells(figures: Figures, cell: CellKey) -> dict[str, Cell]:
    """Return how a cell's throughput spreads, and how it compares."""
    summaries = figures.summaries["throughput"]
    report = figures.study.report
    summary = summaries[cell]
    compared = {
        "against-base": against_base(summaries, report, cell),
        "against-previous": against_previous(summaries, report, cell),
    }
    cells = {
        key: ratio_cell(figures, cell, each) for key, each in compared.items() if each is not None
    }
    if summary.low > 0:
        runs = plural(len(summary.values), "run")
        cells["spread"] = Cell(
            text=fixed(summary.high / summary.low, 2),
            note=f"the fastest of {runs} ÷ the slowest",
        )
    return cells


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


def _withdrawn(
    figures: Figures,
    charts: ReportCharts,
    drilldowns: Mapping[str, Drilldown],
    calltrees: Mapping[str, CallTree],
    graphs: Mapping[str, Graph],
    diffs: Mapping[str, Graph],
) -> dict[str, Notice]:
    """Return a notice for what the text may name although there is nothing to show."""
    study = figures.study
    report = study.report
    found = {
        f"{shortcode} {step}": f"no log of {step} that counts tells {what}"
        for shortcode, there, what in (
            ("chart", charts.throughput, "its throughput over time"),
            ("latency", charts.latency, "its latency over time"),
            ("percentiles", charts.percentiles, "two percentiles of its latency"),
        )
        for step in report.steps
        if step not in there
    }
    if not charts.by_release:
        found["releases "] = "no two releases of a step have a throughput to compare"
    titles = {each.name: each.title or each.name for each in report.drilldowns}
    found |= _without_profile("drilldown", titles, drilldowns, report.steps)
    titles = {each.name: each.title or each.name for each in report.calltrees}
    found |= _without_profile("calltree", titles, calltrees, report.steps)
    for release in report.releases:
        for step in report.steps:
            cell = CellKey(release.id, report.default_variant, step)
            found |= _withdrawn_of_cell(figures, cell, graphs, diffs)
    return {key: Notice(kind="warning", text=text) for key, text in found.items()}


def _without_profile(
    shortcode: str, titles: Mapping[str, str], shown: Collection[str], steps: Sequence[str]
) -> dict[str, str]:
    """Return what the author defined that no profile is for, with the reason."""
    return {
        f"{shortcode} {name}": f"no profile for {title}"
        for own, title in titles.items()
        for name in (own, *(f"{own}/{step}" for step in steps))
        if name not in shown
    }


def _withdrawn_of_cell(
    figures: Figures, cell: CellKey, graphs: Mapping[str, Graph], diffs: Mapping[str, Graph]
) -> dict[str, str]:
    """Return what cannot be shown of one release and step, with the reason."""
    study = figures.study
    name = f"{cell.release}/{cell.step}"
    label = study.label(cell.release)
    found = {}
    if name not in graphs:
        found[f"flamegraph {name}"] = f"no profile of {cell.step} on {label}"
    for base in study.report.releases:
        if base.id != cell.release and f"{name}/vs/{base.id}" not in diffs:
            found[f"diff {name}/vs/{base.id}"] = (
                f"no diff of {cell.step}, {label} against {study.label(base.id)}: a profile is "
                "missing, or the pair is neither with the base, nor with the release before, nor "
                "under diffs"
            )
    for metric in SHOWN_METRICS:
        if cell not in figures.summaries[metric]:
            reason = missing_cell(study, cell, metric).note
            found[f"cell {name}/{metric}"] = f"no {metric} of {cell.step} on {label}: {reason}"
    if figures.cost(cell) is None:
        found[f"cell {name}/cost"] = f"no cost of {cell.step} on {label}"
    return found

"""The jobs that draw charts of releases against their base."""

from collections.abc import Iterator

from msgspec.structs import replace

from perfpress.analysis.metrics.throughput import Summary
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.study.study import Study
from perfpress.base.node.jobs import Job
from perfpress.base.node.messages.charts import RelativeRequest, RelativeRow
from perfpress.site.addresses import all_releases_address, step_address
from perfpress.site.figures.chart_files import chart_files
from perfpress.site.report_figures import Figures
from perfpress.site.tables.nearby_releases import cells_of_step, shows_all
from perfpress.site.words.level_changes import mark


def comparison_jobs(figures: Figures) -> Iterator[tuple[CellKey, Job[RelativeRequest]]]:
    """Yield the charts of ratios to the base of all cells whose pages show all releases."""
    for (_, step), rows in _rows_of_steps(figures).items():
        for current in rows:
            if not shows_all(figures.study, current):
                continue
            shown = [replace(row, current=cell == current) for cell, row in rows.items()]
            page = step_address(figures.study.report, current.release, step, current.variant)
            yield current, _comparison_job(figures.study, step, shown, page)


def comparison_step_jobs(
    figures: Figures,
) -> Iterator[tuple[StepKey, Job[RelativeRequest]]]:
    """Yield the charts of ratios to the base by variant and step, all releases alike."""
    for (variant, step), rows in _rows_of_steps(figures).items():
        page = all_releases_address(figures.study.report, step, variant)
        yield (variant, step), _comparison_job(figures.study, step, list(rows.values()), page)


def _rows_of_steps(figures: Figures) -> dict[StepKey, dict[CellKey, RelativeRow]]:
    """Return the rows of the charts by variant and step, where there is something to compare."""
    study = figures.study
    found = {}
    for variant in study.report.variants:
        for step in study.report.steps:
            cells = cells_of_step(study, variant, step)
            base = figures.summaries["throughput"].get(CellKey(study.report.base, variant, step))
            if base is None or base.median <= 0 or len(cells) < 2:
                continue
            levels = figures.levels["throughput"].get((variant, step))
            marks = {each.release: mark(each) for each in levels.changes} if levels else {}
            found[variant, step] = {
                cell: _comparison_row(figures, cell, base, marks.get(cell.release, ""))
                for cell in cells
            }
    return found


def _comparison_row(figures: Figures, cell: CellKey, base: Summary, marked: str) -> RelativeRow:
    study = figures.study
    summaries = figures.summaries["throughput"]
    summary = summaries.get(cell)
    verdict = figures.verdicts.get((cell, study.report.base))
    interval = verdict.interval if verdict else None
    return RelativeRow(
        label=study.label(cell.release),
        current=False,
        ratio=summary.median / base.median if summary else None,
        interval=(interval.low, interval.high) if interval else None,
        runs=[value / base.median for value in summary.values] if summary else [],
        mark=marked,
    )


def comparison_caption(study: Study, step: str) -> str:
    """Return `Throughput of select relative to 17, every run a dot`."""
    return f"Throughput of {step} relative to {study.label(study.report.base)}, every run a dot"


def _comparison_job(
    study: Study, step: str, rows: list[RelativeRow], page: str
) -> Job[RelativeRequest]:
    title = comparison_caption(study, step)
    request = RelativeRequest(
        releases=rows,
        base=study.label(study.report.base),
        title=title,
        description=(
            "One row a release: the ratio of the medians, its interval where there are runs enough "
            "for one, and the ratio of every run to the base's median. The table above has them."
            + "".join(f" {row.label}: {row.mark}." for row in rows if row.mark)
        ),
        **chart_files(page),
    )
    return Job(title, request)

"""The jobs that draw charts of releases against their base."""

from typing import Any

from pipeline.analysis.throughput import Summary, against_base
from pipeline.node.jobs import Job, Output
from pipeline.site_data.figures import Figures
from pipeline.site_data.level_words import mark
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study


def comparison_jobs(figures: Figures) -> dict[CellKey, Job]:
    """Return the charts of ratios to the base of all cells that are compared with one."""
    study = figures.study
    summaries = figures.summaries["throughput"]
    jobs: dict[CellKey, Job] = {}
    for variant in study.report.variants:
        for step in study.report.steps:
            cells = [
                CellKey(release, variant, step) for release in study.releases_with(variant, step)
            ]
            base = summaries.get(CellKey(study.report.base, variant, step))
            if base is None or base.median <= 0 or len(cells) < 2:
                continue
            levels = figures.levels.get((variant, step))
            marks = {each.release: mark(each) for each in levels.changes} if levels else {}
            for current in cells:
                rows = [
                    {
                        **_comparison_row(figures, cell, base, cell == current),
                        "mark": marks.get(cell.release, ""),
                    }
                    for cell in cells
                ]
                jobs[current] = _comparison_job(study, step, rows)
    return jobs


def _comparison_row(
    figures: Figures, cell: CellKey, base: Summary, current: bool
) -> dict[str, Any]:
    study = figures.study
    summaries = figures.summaries["throughput"]
    summary = summaries.get(cell)
    compared = against_base(summaries, study.report, cell)
    interval = compared.interval if compared else None
    return {
        "label": study.label(cell.release),
        "current": current,
        "ratio": summary.median / base.median if summary else None,
        "interval": [interval.low, interval.high] if interval else None,
        "runs": [value / base.median for value in summary.values] if summary else [],
    }


def _comparison_job(study: Study, step: str, rows: list[dict[str, Any]]) -> Job:
    base = study.label(study.report.base)
    title = f"Throughput of {step} relative to {base}"
    request = {
        "releases": rows,
        "base": base,
        "title": title,
        "description": (
            "One row a release: the ratio of the medians, its interval where there are runs enough "
            "for one, and the ratio of every run to the base's median. The table above has them."
            + "".join(f" {row['label']}: {row['mark']}." for row in rows if row["mark"])
        ),
        "out": Output("chart.svg"),
        "file": Output("file.svg"),
    }
    return Job("relative", title, request)

"""The jobs that draw charts: throughput over time, and releases against their base."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.analysis.series import throughput_by_release
from pipeline.analysis.throughput import Summary, against_base
from pipeline.display import plural_of
from pipeline.jobs import Job, Output
from pipeline.profiles import CellKey
from pipeline.readings import Series
from pipeline.site_data.figures import Figures
from pipeline.study import Study


def throughput_jobs(study: Study) -> dict[CellKey, Job]:
    """Return the charts over time of all cells that have series, each with its release in front."""
    return {
        CellKey(release, variant, step): _throughput_job(study, step, series, current=release)
        for (variant, step), series in _series_of_steps(study).items()
        for release in series
    }


def throughput_step_jobs(study: Study) -> dict[tuple[str, str], Job]:
    """Return the charts over time by variant and step, all releases alike."""
    return {
        (variant, step): _throughput_job(study, step, series, current=None)
        for (variant, step), series in _series_of_steps(study).items()
    }


def _series_of_steps(study: Study) -> dict[tuple[str, str], Mapping[str, Sequence[Series]]]:
    """Return the throughput over time by variant and step, then by release."""
    found = {
        (variant, step): throughput_by_release(study, variant, step)
        for variant in study.report.variants
        for step in study.report.steps
    }
    return {key: series for key, series in found.items() if series}


def _throughput_job(
    study: Study, step: str, series: Mapping[str, Sequence[Series]], current: str | None
) -> Job:
    runs = max(len(many) for many in series.values())
    title = f"Throughput over time, {step}"
    request = {
        "series": [
            {
                "label": study.label(release),
                "current": release == current,
                "runs": [{"seconds": each.seconds, "values": each.values} for each in many],
            }
            for release, many in series.items()
        ],
        "unit": f"{plural_of(study.operation(step))} per second",
        "title": title,
        "description": (
            f"One line a release: {', '.join(study.label(each) for each in series)}; "
            f"the median of up to {runs} runs, with the runs themselves behind it."
        ),
        "out": Output("chart.svg"),
    }
    return Job("throughput", title, request)


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
            for current in cells:
                rows = [_comparison_row(figures, cell, base, cell == current) for cell in cells]
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
        ),
        "out": Output("chart.svg"),
    }
    return Job("relative", title, request)

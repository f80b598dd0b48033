"""Charts of throughput and latency over time: the jobs that draw them, and their words."""

from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.analysis.series import LATENCY_PERCENTILE, OverTime, Stretch, pieces
from pipeline.display import plural_of
from pipeline.logs.readings import Series
from pipeline.node.jobs import Job
from pipeline.site_data.addresses import all_releases_address, step_address
from pipeline.site_data.chart_files import chart_files
from pipeline.site_data.figures import Figures
from pipeline.site_data.near_releases import near_cells, newest_releases
from pipeline.study.profiles import CellKey

THINNED = (
    "The logs hold more values than fit: each point is the median of a stretch of time, and the "
    "shade reaches from the lowest to the highest value in it."
)


def over_time_jobs(figures: Figures) -> Iterator[tuple[tuple[CellKey, str], Job]]:
    """Yield the charts of all cells that have series, by metric: its own release in front."""
    for (variant, step), many in figures.over_time.items():
        for each in many:
            for release in each.series:
                cell = CellKey(release, variant, step)
                near = near_over_time(figures, cell, each)
                page = step_address(figures.study.report, release, step, variant)
                yield (cell, each.metric), _job(figures, step, near, release, page)


def over_time_step_jobs(figures: Figures) -> Iterator[tuple[tuple[str, str, str], Job]]:
    """Yield the charts by variant, step and metric, all releases alike."""
    for (variant, step), many in figures.over_time.items():
        for each in many:
            newest = newest_over_time(figures, each)
            page = all_releases_address(figures.study.report, step, variant)
            yield (variant, step, each.metric), _job(figures, step, newest, None, page)


def near_over_time(figures: Figures, cell: CellKey, each: OverTime) -> OverTime:
    """Return what the page of a cell shows of a metric of its step."""
    return each.of_releases([near.release for near in near_cells(figures.study, cell)])


def newest_over_time(figures: Figures, each: OverTime) -> OverTime:
    """Return what a chart of all releases shows of a metric of a step."""
    return each.of_releases(newest_releases(tuple(each.series), figures.study.report.base))


def caption(step: str, metric: str) -> str:
    """Return `Throughput of select over time`."""
    return f"{what(metric)} of {step} over time"


def what(metric: str) -> str:
    """Return what is drawn: `Throughput`, `95th percentile of latency`, `Mean latency`."""
    if metric == "throughput":
        return "Throughput"
    found = LATENCY_PERCENTILE.fullmatch(metric)
    return f"Latency, percentile {found[1]} of each interval," if found else "Mean latency"


def unit_of(figures: Figures, step: str, each: OverTime) -> str:
    """Return the unit of the values, in words: `transactions per second`, `ms`."""
    if each.metric == "throughput":
        return f"{plural_of(figures.study.operation(step))} per second"
    return next(series.unit for many in each.series.values() for series in many)


def _job(figures: Figures, step: str, each: OverTime, current: str | None, page: str) -> Job:
    study = figures.study
    title = caption(step, each.metric)
    labels = ", ".join(study.label(release) for release in each.series)
    runs = max(len(many) for many in each.series.values())
    thinned = each.stretches.intervals > 1
    request = {
        "series": [
            {
                "label": study.label(release),
                "current": release == current,
                "pieces": list(_pieces(each, release)),
                # Where points stand for several values, the shade shows what the runs would.
                "runs": [_run(series) for series in many]
                if release == current and not thinned
                else [],
            }
            for release, many in each.series.items()
        ],
        "end": each.stretches.end(max(each.stretches.numbers, default=1)),
        "stretch": each.stretches.seconds if thinned else None,
        "unit": unit_of(figures, step, each),
        "title": title,
        "description": (
            f"One line a release: {labels}; the median of up to {runs} runs. Where values are "
            f"missing, lines are broken.{f' {THINNED}' if thinned else ''}"
        ),
        **chart_files(page),
    }
    return Job("over-time", title, request)


def _pieces(each: OverTime, release: str) -> Iterator[list[list[float]]]:
    """Yield the unbroken parts of a release's line: second, median, lowest and highest value."""
    stretches = each.stretches
    found: Sequence[tuple[int, Stretch]] = tuple(stretches.by_release[release].items())
    seconds = [stretches.middle(number) for number, _ in found]
    for piece in pieces(seconds):
        yield [[seconds[at], *found[at][1]] for at in piece]


def _run(series: Series) -> list[list[list[Any]]]:
    """Return the unbroken parts of a run: second and value."""
    return [
        [[series.seconds[at], series.values[at]] for at in piece]
        for piece in pieces(series.seconds)
    ]

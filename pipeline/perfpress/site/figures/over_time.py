"""Charts of throughput and latency over time, and their tables."""

from collections.abc import Iterator, Sequence
from functools import partial

from perfpress.analysis.metrics.series import (
    LATENCY_PERCENTILE,
    OverTime,
    Stretch,
    Stretches,
    pieces,
)
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import NO_VALUE, decimals_for, fixed, plural_of
from perfpress.base.node.messages.charts import OverTimeRequest, SeriesLine
from perfpress.base.slugs import slug
from perfpress.input.logs.readings import Series
from perfpress.site.addresses import all_releases_address
from perfpress.site.figures.planned_chart import PlannedChart, chart_files, page_of
from perfpress.site.nearby_releases import (
    NEWEST_IN_CHART,
    near_cells,
    newest_releases,
    shown_note,
    with_note,
)
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled

THINNED = (
    "The logs hold more values than fit: each point is the median of a stretch of time, and the "
    "shade reaches from the lowest to the highest value in it."
)


def charts_over_time(figures: Figures, cell: CellKey) -> dict[str, PlannedChart]:
    """Return the charts on the page of a cell, by metric: its own release in front."""
    return {
        each.metric: PlannedChart(
            page=page_of(figures, cell),
            name=slug(each.metric),
            caption=caption(cell.step, each.metric),
            request=partial(_request, figures, cell, each),
            table=partial(_near_table, figures, cell, each),
            cell=cell,
        )
        for each in figures.over_time.get(cell.step_key, ())
        if cell.release in each.series
    }


def step_charts_over_time(figures: Figures, variant: str, step: str) -> dict[str, PlannedChart]:
    """Return the charts of all releases of a step, by metric."""
    page = all_releases_address(figures.study.report, step, variant)
    return {
        each.metric: PlannedChart(
            page=page,
            name=slug(each.metric),
            caption=caption(step, each.metric),
            request=partial(_request_of_step, figures, step, each, page),
            table=partial(_newest_table, figures, step, each),
            has_embed=False,
        )
        for each in figures.over_time[variant, step]
    }


def near_over_time(figures: Figures, cell: CellKey, each: OverTime) -> OverTime:
    """Return what the page of a cell shows of a metric of its step."""
    return each.of_releases([near.release for near in near_cells(figures.study, cell)])


def newest_over_time(figures: Figures, each: OverTime) -> OverTime:
    """Return what a chart of all releases shows of a metric of a step."""
    return each.of_releases(newest_releases(tuple(each.series), figures.study.report.base))


def _near_table(figures: Figures, cell: CellKey, each: OverTime) -> Table:
    return series_table(figures, cell.step, near_over_time(figures, cell, each))


def _newest_table(figures: Figures, step: str, each: OverTime) -> Table:
    shown = newest_over_time(figures, each)
    note = shown_note(len(shown.series), each.measured, NEWEST_IN_CHART)
    return with_note(series_table(figures, step, shown), note)


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
    return _log_unit(each)


def _request(figures: Figures, cell: CellKey, each: OverTime) -> OverTimeRequest:
    near = near_over_time(figures, cell, each)
    return _request_of(figures, cell.step, near, page_of(figures, cell), cell.release)


def _request_of_step(figures: Figures, step: str, each: OverTime, page: str) -> OverTimeRequest:
    return _request_of(figures, step, newest_over_time(figures, each), page)


def _request_of(
    figures: Figures, step: str, each: OverTime, page: str, current: str | None = None
) -> OverTimeRequest:
    study = figures.study
    labels = ", ".join(study.label(release) for release in each.series)
    runs = max(len(many) for many in each.series.values())
    thinned = each.stretches.intervals > 1
    return OverTimeRequest(
        series=[
            SeriesLine(
                label=study.label(release),
                current=release == current,
                pieces=list(_pieces(each, release)),
                # Where points are means of several values, the shade shows what the runs would.
                runs=[_run(series) for series in many]
                if release == current and not thinned
                else [],
            )
            for release, many in each.series.items()
        ],
        end=each.stretches.end(max(each.stretches.numbers, default=1)),
        stretch=each.stretches.seconds if thinned else None,
        unit=unit_of(figures, step, each),
        title=caption(step, each.metric),
        description=(
            f"One line a release: {labels}; the median of up to {runs} runs. Where values are "
            f"missing, lines are broken.{f' {THINNED}' if thinned else ''}"
        ),
        **chart_files(page),
    )


def _pieces(each: OverTime, release: str) -> Iterator[list[tuple[float, float, float, float]]]:
    """Yield the unbroken parts of a release's line: second, median, lowest and highest value."""
    stretches = each.stretches
    found: Sequence[tuple[int, Stretch]] = tuple(stretches.by_release[release].items())
    seconds = [stretches.middle(number) for number, _ in found]
    for piece in pieces(seconds):
        yield [(seconds[at], *found[at][1]) for at in piece]


def _run(series: Series) -> list[list[tuple[float, float]]]:
    """Return the unbroken parts of a run: second and value."""
    return [
        [(series.seconds[at], series.values[at]) for at in piece]
        for piece in pieces(series.seconds)
    ]


def series_table(figures: Figures, step: str, each: OverTime) -> Table:
    """Return a step's metric over time: rows are stretches of time, columns releases."""
    study = figures.study
    stretches = each.stretches
    throughput = each.metric == "throughput"
    unit = f"{plural_of(study.operation(step))}/s" if throughput else _log_unit(each)
    decimals = decimals_for(
        stretch.median for found in stretches.by_release.values() for stretch in found.values()
    )

    def column(release: str) -> Column[int]:
        own = stretches.by_release[release]
        return Column(
            slug(release),
            study.label(release),
            lambda number: _cell(stretches, own.get(number), decimals),
            unit=unit,
        )

    columns = tuple(map(column, each.series))
    return filled(
        Table(
            id=slug(f"{each.metric}-over-time-{step}-table"),
            caption=caption(step, each.metric),
            row_head="Seconds",
            notes=(_note(each),),
        ),
        columns,
        (
            (Row(key=f"s{number}", label=_seconds(stretches, number)), number)
            for number in stretches.numbers
        ),
    )


def _log_unit(each: OverTime) -> str:
    return next(series.unit for many in each.series.values() for series in many)


def _cell(stretches: Stretches, stretch: Stretch | None, decimals: int) -> Cell:
    if stretch is None:
        return Cell(text=NO_VALUE, note="fewer than half of the runs have a value")
    text = fixed(stretch.median, decimals)
    if stretches.intervals > 1:
        lowest, highest = fixed(stretch.lowest, decimals), fixed(stretch.highest, decimals)
        text = f"{text} ({lowest}\N{EN DASH}{highest})"
    return Cell(text=text, sort=stretch.median)


def _seconds(stretches: Stretches, number: int) -> str:
    """Return `5`, or `40–50` where a row is of several intervals."""
    decimals = 0 if abs(stretches.interval - round(stretches.interval)) < 0.01 else 2
    end = fixed(stretches.end(number), decimals)
    if stretches.intervals == 1:
        return end
    return f"{fixed(stretches.end(number - 1), decimals)}\N{EN DASH}{end}"


def _note(each: OverTime) -> str:
    if each.stretches.intervals == 1:
        return "Medians of the runs that count, by the second in which an interval ends."
    return (
        "Medians of the runs that count, with the lowest and the highest value; each row holds "
        f"{each.stretches.intervals} intervals of the logs, as there are more than {each.most}."
    )

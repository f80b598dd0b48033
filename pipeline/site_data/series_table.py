"""The table of a metric over time: the chart's equal for those who do not see it."""

from pipeline.analysis.series import OverTime, Stretch, Stretches
from pipeline.display import NO_VALUE, decimals_for, fixed, plural_of
from pipeline.site_data.figures import Figures
from pipeline.site_data.over_time import caption
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug


def series_table(figures: Figures, step: str, each: OverTime) -> Table:
    """Return a step's metric over time: rows are stretches of time, columns releases."""
    study = figures.study
    stretches = each.stretches
    throughput = each.metric == "throughput"
    unit = f"{plural_of(study.operation(step))}/s" if throughput else _unit(each)
    decimals = decimals_for(
        stretch.median for found in stretches.by_release.values() for stretch in found.values()
    )
    text = caption(step, each.metric)
    return Table(
        id=slug(f"{each.metric}-over-time-{step}-table"),
        caption=text,
        row_head="Seconds",
        columns=tuple(
            Column(key=slug(release), label=study.label(release), unit=unit)
            for release in each.series
        ),
        rows=tuple(
            Row(
                key=f"s{number}",
                label=_seconds(stretches, number),
                cells=tuple(
                    _cell(stretches, stretches.by_release[release].get(number), decimals)
                    for release in each.series
                ),
            )
            for number in stretches.numbers
        ),
        notes=(_note(each),),
    )


def _unit(each: OverTime) -> str:
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

"""The table of throughput over time: the chart's equal for those who do not see it."""

from pipeline.analysis.series import Stretches, stretches_of, throughput_by_release
from pipeline.display import NO_VALUE, decimals_for, fixed, plural_of
from pipeline.site_data.shapes import Cell, Column, Row, Table
from pipeline.slug import slug
from pipeline.study import Study

MOST_ROWS = 60


def throughput_series_table(study: Study, variant: str, step: str) -> Table | None:
    """Return a step's throughput over time: rows are stretches of time, columns releases.

    None where no run that counts has a series.
    """
    series = throughput_by_release(study, variant, step)
    if not series:
        return None
    stretches = stretches_of(series, MOST_ROWS)
    unit = f"{plural_of(study.operation(step))}/s"
    decimals = decimals_for(
        value for medians in stretches.medians.values() for value in medians.values()
    )
    return Table(
        id=slug(f"throughput-over-time-{step}-table"),
        caption=f"Throughput of {step} over time",
        row_head="Seconds",
        columns=tuple(
            Column(key=slug(release), label=study.label(release), unit=unit) for release in series
        ),
        rows=tuple(
            Row(
                key=f"s{number}",
                label=_seconds(stretches, number),
                cells=tuple(
                    _cell(stretches.medians[release].get(number), decimals) for release in series
                ),
            )
            for number in stretches.numbers
        ),
        notes=(_note(stretches),),
    )


def _cell(value: float | None, decimals: int) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note="fewer than half of the runs have a value")
    return Cell(text=fixed(value, decimals), sort=value)


def _seconds(stretches: Stretches, number: int) -> str:
    """Return `5`, or `40–50` where a row is of several intervals."""
    decimals = 0 if abs(stretches.interval - round(stretches.interval)) < 0.01 else 2
    end = fixed(stretches.end(number), decimals)
    if stretches.intervals == 1:
        return end
    return f"{fixed(stretches.end(number - 1), decimals)}\N{EN DASH}{end}"


def _note(stretches: Stretches) -> str:
    if stretches.intervals == 1:
        return "Medians of the runs that count, by the second in which an interval ends."
    return (
        f"Medians of the runs that count; each row holds {stretches.intervals} intervals of the "
        f"logs, as there are more than {MOST_ROWS}."
    )

"""Throughput over time as a table."""

from pathlib import Path
from typing import cast

import msgspec
from bundle_samples import pgbench_log
from perfpress.analysis.study.study import StepRun
from perfpress.base.node.messages.charts import OverTimeRequest
from perfpress.input.logs.readings import Series
from perfpress.site.figures.over_time import charts_over_time, series_table
from perfpress.site.report_figures import MOST_STRETCHES, Figures
from perfpress.site.shapes.blocks import Table
from step_run_samples import step_run, with_readings
from study_samples import study_of


def run_of(directory: Path, release: str, values: list[float], every: int = 1) -> StepRun:
    progress = "".join(
        f"progress: {every * at}.0 s, {value} tps, lat 1.000 ms stddev 0.1\n"
        for at, value in enumerate(values, start=1)
    )
    name = f"{release}-{len(list(directory.iterdir()))}"
    return step_run(
        directory / name,
        changes={"release": release},
        files={"select.txt": progress + pgbench_log(values[0])},
    )


def table_of(*step_runs: StepRun) -> Table:
    figures = Figures(study_of(step_runs))
    table = series_table(figures, "select", figures.over_time["socket2", "select"][0])
    assert all(len(row.cells) == len(table.columns) for row in table.rows)
    return table


def texts(table: Table) -> dict[str, list[str]]:
    return {row.label: [cell.text for cell in row.cells] for row in table.rows}


def test_rows_are_seconds_and_cells_medians_of_the_runs(tmp_path: Path) -> None:
    table = table_of(
        run_of(tmp_path, "17", [100.0, 200.0, 300.0]),
        run_of(tmp_path, "17", [110.0, 220.0, 330.0]),
        run_of(tmp_path, "17", [900.0, 240.0, 360.0]),
        run_of(tmp_path, "18", [50.0, 60.0]),
    )
    assert [(column.label, column.unit) for column in table.columns] == [
        *(("17", "transactions/s"), ("18", "transactions/s"))
    ]
    assert texts(table) == {"1": ["110.0", "50.0"], "2": ["220.0", "60.0"], "3": ["330.0", "–"]}
    assert table.rows[2].cells[1].note == "fewer than half of the runs have a value"
    assert table.notes == (
        "Medians of the runs that count, by the second in which an interval ends.",
    )


def test_intervals_of_ten_seconds_keep_their_seconds(tmp_path: Path) -> None:
    assert list(texts(table_of(run_of(tmp_path, "17", [1.0, 2.0], every=10)))) == ["10", "20"]


def test_a_long_series_is_summarized_in_stretches_with_their_extremes(tmp_path: Path) -> None:
    table = table_of(run_of(tmp_path, "17", [float(at) for at in range(1, 402)]))
    # 401 seconds in stretches of six
    assert len(table.rows) == 67 <= MOST_STRETCHES
    assert texts(table)["0–6"] == ["3.5 (1.0–6.0)"]
    assert texts(table)["6–12"] == ["9.5 (7.0–12.0)"]
    assert table.notes == (
        "Medians of the runs that count, with the lowest and the highest value; each row holds 6 "
        "intervals of the logs, as there are more than 80.",
    )


def test_latency_has_its_table_beside_that_of_throughput(tmp_path: Path) -> None:
    figures = Figures(study_of([run_of(tmp_path, "17", [100.0, 200.0])]))
    throughput, latency = figures.over_time["socket2", "select"]
    assert throughput.metric == "throughput"
    table = series_table(figures, "select", latency)
    assert (table.caption, table.columns[0].unit) == ("Mean latency of select over time", "ms")
    assert texts(table) == {"1": ["1.000"], "2": ["1.000"]}


def test_no_series_no_table(tmp_path: Path) -> None:
    assert Figures(study_of([step_run(tmp_path / "a")])).over_time["socket2", "select"] == ()


def test_of_100_000_values_the_chart_gets_few_with_the_extremes(tmp_path: Path) -> None:
    values = [1000.0 + at % 97 for at in range(100_000)]
    values[77_777] = 1.0
    seconds = tuple(float(at) for at in range(1, 100_001))
    series = Series(name="throughput", unit="operations/s", seconds=seconds, values=tuple(values))
    made = step_run(tmp_path / "a")
    (reading,) = made.readings
    made = with_readings(made, msgspec.structs.replace(reading, series=(series,)))
    figures = Figures(study_of([made]))
    (planned,) = charts_over_time(figures, made.cell).values()
    request = cast(OverTimeRequest, planned.request())
    (only,) = request.series
    points = [point for piece in only.pieces for point in piece]
    assert len(points) == MOST_STRETCHES
    assert only.runs == []
    assert min(lowest for _, _, lowest, _ in points) == 1.0
    assert max(highest for *_, highest in points) == 1096.0
    assert request.stretch == 1250
    assert "from the lowest to the highest value" in request.description


def test_the_current_release_shows_its_runs_and_all_are_broken_at_gaps(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, "17", [5.0] * 9), run_of(tmp_path, "18", [7.0] * 9)]
    gap = runs[1].readings[0]
    (series, *others) = [
        msgspec.structs.replace(
            each,
            seconds=each.seconds[:3] + each.seconds[5:],
            values=each.values[:3] + each.values[5:],
        )
        for each in gap.series
    ]
    runs[1] = with_readings(runs[1], msgspec.structs.replace(gap, series=(series, *others)))
    planned = charts_over_time(Figures(study_of(runs)), runs[1].cell)["throughput"]
    before, current = cast(OverTimeRequest, planned.request()).series
    assert (before.runs, before.current, current.current) == ([], False, True)
    assert [[second for second, *_ in piece] for piece in current.pieces] == [
        [1.0, 2.0, 3.0],
        [6.0, 7.0, 8.0, 9.0],
    ]
    assert [[len(piece) for piece in run] for run in current.runs] == [[3, 4]]
    assert [len(piece) for piece in before.pieces] == [9]


def test_only_what_a_page_shows_is_cut_into_stretches(tmp_path: Path) -> None:
    """An old release that ran longer does not change the charts of the newest."""
    releases = [f"1.{minor:02}" for minor in range(16)]
    runs = [
        run_of(tmp_path, release, [5.0] * (400 if release == "1.02" else 9)) for release in releases
    ]
    (throughput, _) = Figures(study_of(runs)).over_time["socket2", "select"]
    assert throughput.measured == 16
    assert [*throughput.series] == ["1.00", *releases[5:]]
    assert throughput.stretches.intervals == 1

"""Response times: percentiles from logs or histograms, and buckets side by side."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.response_times import MOST_BUCKETS, edges_of, percentile_of, shares
from perfpress.analysis.study.study import StepRun, Study
from perfpress.input.logs.readings import Histogram
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.response_times import response_time_tables
from step_run_samples import step_run, with_readings
from study_samples import study_of


def tables_of(study: Study) -> tuple[Table, ...]:
    return response_time_tables(Figures(study), cells_of_step(study, "socket2", "select"))


def histogram(values: list[float], counts: list[int], name: str = "latency") -> Histogram:
    return Histogram(
        name=name, unit="ms", values=tuple(values), values_are="upper", counts=tuple(counts)
    )


def run(directory: Path, release: str, *histograms: Histogram) -> StepRun:
    made = step_run(directory / release, changes={"release": release})
    reading = msgspec.structs.replace(made.readings[0], histograms=histograms)
    return with_readings(made, reading)


COUNTED = st.lists(st.integers(0, 50), min_size=1, max_size=40).filter(any)


@given(COUNTED, st.floats(0.001, 1))
def test_a_percentile_is_where_that_part_is_reached(counts: list[int], part: float) -> None:
    values = [float(at + 1) for at in range(len(counts))]
    found = percentile_of(histogram(values, counts), part)
    total = sum(counts)
    assert sum(counts[: int(found)]) >= part * total
    assert sum(counts[: int(found) - 1]) < part * total


@given(COUNTED)
def test_all_that_was_counted_is_in_some_bucket(counts: list[int]) -> None:
    each = histogram([0.01 * 1.1**at for at in range(len(counts))], counts)
    edges = edges_of({"18": [each]})
    assert sum(shares([each], edges)) == pytest.approx(1)
    assert len(edges) <= MOST_BUCKETS


def test_percentiles_are_read_from_the_histogram_and_say_of_what(tmp_path: Path) -> None:
    study = study_of(
        [
            run(tmp_path, "17", histogram([1, 2, 4], [90, 9, 1])),
            run(tmp_path, "18", histogram([1, 2, 4], [40, 50, 10])),
        ]
    )
    percentiles, buckets = response_time_tables(
        Figures(study), cells_of_step(study, "socket2", "select")
    )
    assert [column.label for column in percentiles.columns] == ["p50", "p95", "p99", "p99.9", "Of"]
    assert [[cell.text for cell in row.cells] for row in percentiles.rows] == [
        ["1.000", "2.000", "2.000", "4.000", "all 100 transactions"],
        ["2.000", "4.000", "4.000", "4.000", "all 100 transactions"],
    ]
    assert percentiles.rows[0].cells[0].note == "read from the ends of the buckets of its histogram"
    assert [row.label for row in buckets.rows] == ["1.00", "2.00", "4.00"]
    assert [[cell.sort for cell in row.cells] for row in buckets.rows] == [
        *([90.0, 40.0], [9.0, 50.0], [1.0, 10.0])
    ]


def test_histograms_of_other_operations_stand_apart(tmp_path: Path) -> None:
    other = histogram([1, 2], [1, 1], "latency of insert")
    study = study_of([run(tmp_path, "18", histogram([1], [5]), other)])
    ids = [table.id for table in tables_of(study)]
    assert ids == ["response-times", "histogram-latency", "histogram-latency-of-insert"]


def test_a_step_without_response_times_has_no_tables(tmp_path: Path) -> None:
    study = study_of([step_run(tmp_path / "a", changes={"release": "18"})])
    assert tables_of(study) == ()


def test_a_histogram_that_counted_nothing_makes_no_table(tmp_path: Path) -> None:
    study = study_of([run(tmp_path, "18", histogram([], []), histogram([1, 2], [0, 0]))])
    assert tables_of(study) == ()

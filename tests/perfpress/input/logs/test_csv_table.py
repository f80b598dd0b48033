"""A plain CSV with declared columns."""

import csv
import io
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_samples import benchmark_of, metric_of, metrics_of, names_of, read_text, reading_of
from perfpress.base.limits import LARGEST, can_be_computed_with
from perfpress.input.logs.formats import parser_of

HEADING = "benchmark,metric,value,unit,better\n"


def test_rows_are_metrics_with_their_own_units_and_directions() -> None:
    reading = reading_of("csv-table.csv")
    assert (reading.format, reading.problems) == ("csv", ())
    assert names_of(reading) == ["load", "scan, full"]
    memory = metric_of(benchmark_of(reading, "load"), "memory")
    assert (memory.value, memory.unit, memory.better, memory.line) == (512, "MiB", "lower", 3)


def test_rows_with_seconds_are_a_series() -> None:
    (series,) = benchmark_of(reading_of("csv-table.csv"), "load").series
    assert (series.name, series.unit, series.better) == ("throughput", "operations/s", "higher")
    assert (series.seconds, series.values, series.first_line) == ((1, 2), (80000, 82469), 4)


def test_rows_of_one_metric_are_repeats() -> None:
    scan = benchmark_of(reading_of("csv-table.csv"), "scan, full")
    time = metric_of(scan, "time_per_operation")
    assert (time.value, time.note) == (1200, "median of 3 repeats")


def test_a_log_of_one_benchmark_needs_no_column_for_it(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "unit,value,metric\noperations/s,5,throughput\n")
    assert reading.benchmarks == ()
    assert [(each.name, each.value) for each in reading.metrics] == [("throughput", 5)]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ('a,throughput,"1,5",operations/s,higher', "the value '1,5'"),
        ("a,throughput,1.5,operations/s", "4 values"),
        ("a,throughput,1,5,operations/s,higher", "6 values"),
        ("a,throughput,nan,operations/s,higher", "the value 'nan'"),
        ("a,throughput,1e999,operations/s,higher", "the value '1e999'"),
        ("a,throughput,1_000,operations/s,higher", "the value '1_000'"),
        ("a,throughput,15,MB/s,higher", "throughput in 'MB/s'"),
        ("a,speed,15,MB/s,more", "better 'more'"),
        ("a,,15,MB/s,", "no metric"),
    ],
)
def test_a_bad_row_is_reported_and_the_others_are_read(
    row: str, found: str, tmp_path: Path
) -> None:
    reading = read_text(tmp_path, f"{HEADING}{row}\nb,speed,7,MB/s,higher\n")
    (problem,) = reading.problems
    assert (problem.line, problem.found) == (2, found)
    assert metrics_of(benchmark_of(reading, "b")) == {"speed": 7}


@pytest.mark.parametrize("mark", [";", "\t"])
def test_another_mark_than_a_comma_between_columns_is_reported(mark: str, tmp_path: Path) -> None:
    reading = read_text(tmp_path, HEADING.replace(",", mark) + mark.join("abcde"))
    assert reading.format == "csv"
    assert "the heading" in reading.problems[0].found


def test_any_other_csv_is_no_log_of_ours(tmp_path: Path) -> None:
    for text in ("time,value\n1,2\n", "metric,value,unit,host\n", "value\n1\n"):
        assert read_text(tmp_path, text).format == ""


NAMES = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=9)
NUMBERS = st.floats(-LARGEST, LARGEST).filter(can_be_computed_with)


@given(
    st.dictionaries(
        st.tuples(NAMES, NAMES.map("own_{}".format)),
        st.lists(NUMBERS, min_size=1, max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_numbers_survive(values: dict[tuple[str, str], list[float]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["benchmark", "metric", "value", "unit"])
    for (benchmark, metric), repeats in values.items():
        writer.writerows([benchmark, metric, repr(value), "u"] for value in repeats)
    reading = parser_of("csv").parse(text.getvalue().split("\n"), "log")
    assert reading.problems == ()
    assert {
        (benchmark.name, metric.name): metric.value
        for benchmark in reading.benchmarks
        for metric in benchmark.metrics
    } == {key: pytest.approx(median(repeats)) for key, repeats in values.items()}

"""Throughput by interval, as block_writer prints it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_samples import read_text, reading_of, skips_of
from perfpress.input.logs.formats import interval_throughput


def test_intervals_are_a_series_and_their_mean_is_the_rate() -> None:
    # Written by hand, as the source of block_writer prints it.
    reading = reading_of("interval-throughput.txt")
    assert reading.format == "interval-throughput"
    (series,) = reading.series
    assert series.seconds == (1, 2, 3, 59, 60, 3601)
    assert series.values == (1830.2, 1044.9, 791.5, 121, 118.4, 110.1)
    rate, failed = reading.metrics
    assert rate.name == "throughput"
    assert rate.value == pytest.approx(sum(series.values) / 6)
    assert rate.note == "mean of 6 intervals"
    assert (failed.name, failed.value, failed.line) == ("failed_operations", 2, 7)


def test_missing_intervals_are_reported() -> None:
    (problem,) = reading_of("interval-throughput.txt").problems
    assert problem.found == "no intervals between 3 s and 59 s, 60 s and 3601 s"


def test_of_two_runs_the_first_is_read(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "    1s: 10.0/sec\n    2s: 20.0/sec\n    1s: 70.0/sec\n")
    assert reading.series[0].values == (10, 20)
    assert reading.problems[0].line == 3
    assert skips_of(reading) == {"line of a later run": 1}


@given(st.lists(st.decimals(0, 10**9, places=1), min_size=1, max_size=30))
def test_numbers_survive(rates: list[object]) -> None:
    lines = [f"{second:5}s: {rate:6}/sec" for second, rate in enumerate(rates, start=1)]
    (series,) = interval_throughput.parse(lines, "log").series
    assert series.values == tuple(float(str(rate)) for rate in rates)

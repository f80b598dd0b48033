"""Percentile curves of latency, from histograms and from stated percentiles."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.percentile_curves import Point, curve_of, of_histograms
from perfpress.analysis.study.study import StepRun
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.logs.readings import Histogram
from step_run_samples import step_run, with_readings


def histogram(counts: Mapping[float, int], name: str = "latency") -> Histogram:
    return Histogram(
        name=name,
        unit="ms",
        values=tuple(counts),
        values_are="upper",
        counts=tuple(counts.values()),
    )


def run_with(directory: Path, *found: Histogram, exclusion: Exclusion | None = None) -> StepRun:
    made = step_run(directory, exclusion=exclusion)
    (reading,) = made.readings
    return with_readings(made, msgspec.structs.replace(reading, histograms=found))


def test_the_curve_is_of_all_operations_of_the_runs_that_count(tmp_path: Path) -> None:
    runs = [
        run_with(tmp_path / "a", histogram({1.0: 50, 2.0: 49, 9.0: 1})),
        run_with(
            tmp_path / "b", histogram({1.0: 70, 4.0: 30}), histogram({99.0: 5}, "latency of x")
        ),
        run_with(
            tmp_path / "c",
            histogram({500.0: 1000}),
            exclusion=Exclusion("invalid", "wrong host", None),
        ),
    ]
    assert curve_of(runs) == (
        Point(0.6, 1.0),
        Point(169 / 200, 2.0),
        Point(199 / 200, 4.0),
        # one of 200 is the slowest: there is no more to say than that
        Point(199 / 200, 9.0),
    )


def test_stated_percentiles_make_a_curve_where_there_is_no_histogram(tmp_path: Path) -> None:
    def stated(name: str, **metrics: float) -> StepRun:
        table = {
            key.replace("_5", ".5"): {"value": value, "unit": "ms", "better": "lower"}
            for key, value in metrics.items()
        }
        return step_run(tmp_path / name, step={"metrics": table})

    two = [
        stated("a", latency_p50=1.0, latency_p99=10.0, latency_maximum=80.0),
        stated("b", latency_p50=3.0, latency_p99=20.0, latency_maximum=90.0),
    ]
    assert curve_of(two) == (Point(0.5, 2.0), Point(0.99, 15.0))
    assert curve_of([stated("c", latency_p95=7.0)]) == ()


def test_without_either_there_is_no_curve(tmp_path: Path) -> None:
    assert curve_of([step_run(tmp_path / "a")]) == ()
    assert curve_of([]) == ()
    assert of_histograms([histogram({1.0: 0})]) == ()


@given(
    st.dictionaries(
        st.floats(min_value=0.001, max_value=1e6), st.integers(min_value=0, max_value=10**9)
    )
)
def test_a_curve_ascends_below_one_and_keeps_the_slowest(counts: dict[float, int]) -> None:
    points = of_histograms([histogram(dict(sorted(counts.items())))])
    counted = [value for value, count in counts.items() if count]
    assert sorted(counted) == [point.value for point in points]
    assert all(0 <= point.part < 1 for point in points)
    assert all(before.part <= after.part for before, after in pairwise(points))
    total = sum(counts.values())
    for point in points[:-1]:
        slower = sum(count for value, count in counts.items() if value > point.value)
        assert point.part == pytest.approx(1 - slower / total)

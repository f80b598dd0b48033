"""Stretches of time, gaps, and which latency is shown over time."""

from itertools import pairwise
from pathlib import Path

import pytest
from bundle_samples import pgbench_log
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.series import (
    Stretch,
    latency_over_time,
    over_time,
    pieces,
    stretches_of,
)
from perfpress.input.logs.readings import Series
from step_run_samples import step_run
from study_samples import study_of


def series_of(*values: float, interval: float = 1.0) -> Series:
    seconds = tuple(interval * (at + 1) for at in range(len(values)))
    return Series(name="throughput", unit="operations/s", seconds=seconds, values=values)


def medians(runs: dict[str, list[Series]], most: int, release: str = "a") -> dict[int, float]:
    of_release = stretches_of(runs, most).by_release[release]
    return {number: stretch.median for number, stretch in of_release.items()}


def test_stretches_are_medians_over_runs_and_time() -> None:
    runs = {"a": [series_of(1, 2, 3, 4), series_of(3, 4, 5, 6)], "b": [series_of(10, 20)]}
    each = stretches_of(runs, 4)
    assert (each.intervals, each.numbers) == (1, (1, 2, 3, 4))
    assert medians(runs, 4) == {1: 2.0, 2: 3.0, 3: 4.0, 4: 5.0}
    assert medians(runs, 4, "b") == {1: 10.0, 2: 20.0}
    pairs = stretches_of(runs, 3)
    assert (pairs.intervals, pairs.end(1), pairs.end(2)) == (2, 2.0, 4.0)
    assert (pairs.middle(1), pairs.middle(2)) == (1.5, 3.5)
    assert pairs.by_release["a"] == {1: Stretch(2.5, 1, 4), 2: Stretch(4.5, 3, 6)}


def test_one_long_run_of_three_does_not_pass_for_all() -> None:
    assert medians({"a": [series_of(1), series_of(2), series_of(3, 3, 3)]}, 60) == {1: 2.0}


def test_clocks_that_are_a_little_off_end_the_same_interval() -> None:
    early = Series(name="throughput", unit="", seconds=(0.998, 1.999, 2.998), values=(1, 2, 3))
    late = Series(name="throughput", unit="", seconds=(1.001, 2.001, 3.002), values=(3, 4, 5))
    assert medians({"a": [early, late]}, 60) == {1: 2.0, 2: 3.0, 3: 4.0}
    assert pieces(late.seconds) == [range(3)]


def test_a_run_of_one_interval_has_a_length_all_the_same() -> None:
    (only,) = stretches_of({"a": [series_of(7, interval=30)]}, 60).by_release["a"].values()
    assert only == Stretch(7, 7, 7)
    assert pieces((30.0,)) == [range(1)]


@given(
    st.lists(st.floats(min_value=0, max_value=1e9), min_size=1, max_size=400),
    st.integers(min_value=1, max_value=40),
)
def test_thinning_keeps_the_extremes_of_every_stretch(values: list[float], most: int) -> None:
    each = stretches_of({"a": [series_of(*values)]}, most)
    found = each.by_release["a"]
    assert len(found) <= most
    for number, stretch in found.items():
        inside = values[(number - 1) * each.intervals : number * each.intervals]
        assert (stretch.lowest, stretch.highest) == (min(inside), max(inside))
        assert stretch.lowest <= stretch.median <= stretch.highest
    assert sum(min(each.intervals, len(values)) for _ in found) >= len(values)


@given(st.sets(st.integers(min_value=1, max_value=60), min_size=1))
def test_lines_are_broken_exactly_where_intervals_are_missing(there: set[int]) -> None:
    seconds = sorted(there | set(range(100, 250)))
    parts = [[seconds[at] for at in part] for part in pieces([float(each) for each in seconds])]
    assert [second for part in parts for second in part] == seconds
    for part in parts:
        assert part == list(range(part[0], part[-1] + 1))
    for before, after in pairwise(parts):
        assert after[0] - before[-1] > 1


@pytest.mark.parametrize("percentile", [95, 99])
def test_the_latency_of_the_logs_own_percentile_is_reported(
    tmp_path: Path, percentile: int
) -> None:
    log = (
        "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n"
        + "".join(
            f"[ {at}s ] thds: 4 tps: 9.00 qps: 9.00 (r/w/o: 9.00/0.00/0.00) "
            f"lat (ms,{percentile}%): {at}.50 err/s: 0.00 reconn/s: 0.00\n"
            for at in range(1, 4)
        )
        + "    transactions:                        60   (9.00 per sec.)\n"
        + "    total time:                          3.0000s\n"
        + "    total number of events:              60\n\nLatency (ms):\n"
    )
    study = study_of([step_run(tmp_path / "a", files={"select.txt": log})])
    metric = latency_over_time(study, "socket2", "select")
    assert metric == f"latency_p{percentile}"
    each = over_time(study, "socket2", "select", metric, 80, list)
    assert each is not None
    (found,) = each.stretches.by_release.values()
    assert [stretch.median for stretch in found.values()] == [1.5, 2.5, 3.5]


def test_the_mean_without_percentiles_and_nothing_without_either(
    tmp_path: Path,
) -> None:
    lines = "".join(
        f"progress: {at}.0 s, 100.0 tps, lat {at}.000 ms stddev 0.1\n" for at in range(1, 4)
    )
    run = step_run(tmp_path / "a", files={"select.txt": lines + pgbench_log(100.0)})
    assert latency_over_time(study_of([run]), "socket2", "select") == "latency_average"
    silent = study_of([step_run(tmp_path / "b")])
    assert latency_over_time(silent, "socket2", "select") is None
    assert over_time(silent, "socket2", "select", None, 80, list) is None

"""Logs that hold several named benchmarks: what is read from real output of each tool."""

import json
import math
from decimal import Decimal
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_samples import (
    SAMPLES,
    benchmark_of,
    metric_of,
    metrics_of,
    names_of,
    read_text,
    reading_of,
    skips_of,
)
from perfpress.input.logs.formats import db_bench, go_bench, hyperfine

TIMES = st.floats(1e-12, 1e12)


def test_go_repeats_are_one_number_that_says_of_how_many() -> None:
    reading = reading_of("go-bench-count.txt")
    assert (reading.format, reading.problems, reading.partial) == ("go-bench", (), False)
    assert names_of(reading) == ["Sort/size=10", "Sort/size=1000", "Map"]
    sort = benchmark_of(reading, "Sort/size=10")
    assert metrics_of(sort) == {
        "time_per_operation": 581.7,
        "time_per_operation_minimum": 286.6,
        "time_per_operation_maximum": 2769,
        "repeats": 5,
        "iterations": 200,
        "bytes_per_second": 137_520_000,
        "compares/op": 29.24,
        "allocated_per_operation": 80,
        "allocations_per_operation": 1,
    }
    time = metric_of(sort, "time_per_operation")
    assert (time.unit, time.better, time.line) == ("ns", "lower", 5)
    assert time.note == "median of 5 repeats"
    assert ("cpu", "AMD EPYC") in reading.facts
    assert ("GOMAXPROCS", "2") in reading.facts


def test_go_numbers_of_cpus_stay_in_the_names_where_they_distinguish_benchmarks() -> None:
    reading = reading_of("go-bench-cpu.txt")
    assert names_of(reading)[:3] == ["Sort/size=10", "Sort/size=10-2", "Sort/size=10-4"]
    assert "GOMAXPROCS" not in dict(reading.facts)


def test_go_benchmarks_that_fail_have_no_number_and_the_others_have() -> None:
    reading = reading_of("go-bench-failures.txt")
    assert {each.name: (each.partial, len(each.metrics)) for each in reading.benchmarks} == {
        "Map": (False, 2),
        "Fails": (True, 0),
        "Panics": (True, 0),
    }
    assert not reading.partial
    assert [problem.line for problem in reading.problems] == [9, 11, 22, 23]


def test_go_verbose_output_has_the_same_benchmarks() -> None:
    reading = reading_of("go-bench-verbose.txt")
    assert names_of(reading) == ["Sort/size=10", "Sort/size=1000", "Map"]
    assert reading.problems == ()


def test_go_benchmark_is_not_reported_as_failed_for_its_part(tmp_path: Path) -> None:
    text = "BenchmarkA-2 5 7 ns/op\n--- FAIL: BenchmarkB/x=1\n--- FAIL: BenchmarkB\n"
    assert names_of(read_text(tmp_path, text)) == ["A", "B/x=1"]


def test_go_benchmarks_of_several_packages_are_distinguished(tmp_path: Path) -> None:
    text = "pkg: a.org/x\nBenchmarkA-2 5 7 ns/op\npkg: a.org/y\nBenchmarkA-2 5 9 ns/op\n"
    reading = read_text(tmp_path, text)
    assert names_of(reading) == ["a.org/x A", "a.org/y A"]


def test_go_unit_has_the_direction_that_the_log_declares(tmp_path: Path) -> None:
    text = "Unit hits/op better=higher assume=exact\nBenchmarkA 5 7 ns/op 3 hits/op 4 misses/op\n"
    (benchmark,) = read_text(tmp_path, text).benchmarks
    assert metric_of(benchmark, "hits/op").better == "higher"
    assert metric_of(benchmark, "misses/op").better is None


def test_go_number_with_a_locale_comma_is_no_number(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "BenchmarkB 5 7 ns/op\nBenchmarkA 5 7,5 ns/op\n")
    assert benchmark_of(reading, "A").partial
    assert "'7,5' ns/op" in reading.problems[0].found


@given(st.lists(TIMES, min_size=1, max_size=9))
def test_go_numbers_survive(times: list[float]) -> None:
    lines = [f"BenchmarkA-8 10 {time!r} ns/op" for time in times]
    (benchmark,) = go_bench.parse(lines, "log").benchmarks
    metrics = metrics_of(benchmark)
    assert metrics["time_per_operation"] == median(times)
    if len(times) > 1:
        assert metrics["time_per_operation_minimum"] == min(times)
        assert metrics["time_per_operation_maximum"] == max(times)


def test_google_benchmark_times_counters_and_rates() -> None:
    reading = reading_of("google-benchmark-1.7.json")
    assert reading.format == "google-benchmark"
    sort = benchmark_of(reading, "BM_Sort/4096")
    assert metrics_of(sort) == {
        "time_per_operation": 39402.03227572173,
        "process_cpu_per_operation": 39407.48387096775,
        "iterations": 31,
        "items_per_second": 103939647.9463537,
        "bytes_per_second": 415758591.7854148,
    }
    assert metric_of(sort, "time_per_operation").line == 55
    assert ("num_cpus", "2") in reading.facts


def test_google_benchmark_time_of_several_threads_makes_no_rate() -> None:
    reading = reading_of("google-benchmark-1.7.json")
    counter = benchmark_of(reading, "BM_Counter/real_time/threads:2")
    metrics = metrics_of(counter)
    assert "time_per_operation" not in metrics
    assert metrics["real_time of 2 threads"] == 2.9500994886050775
    assert metrics["hit rate"] == 1.5
    assert (metric_of(counter, "hit rate").unit, metric_of(counter, "hit rate").better) == (
        "",
        None,
    )


def test_google_benchmark_that_failed_has_no_number_and_is_reported() -> None:
    reading = reading_of("google-benchmark-1.7.json")
    failed = benchmark_of(reading, "BM_Fails")
    assert (failed.partial, failed.metrics) == (True, ())
    (problem,) = reading.problems
    assert (problem.line, problem.found) == (87, "BM_Fails: no such table")


def test_google_benchmark_repetitions_are_read_rather_than_their_aggregates() -> None:
    reading = reading_of("google-benchmark-1.7-repetitions.json")
    entries = json.loads((SAMPLES / "google-benchmark-1.7-repetitions.json").read_text())
    times = [
        each["real_time"]
        for each in entries["benchmarks"]
        if each["run_name"] == "BM_Sort/64" and each["run_type"] == "iteration"
    ]
    time = metric_of(benchmark_of(reading, "BM_Sort/64"), "time_per_operation")
    assert len(times) == 3
    assert time.value == pytest.approx(median(times) * 1000)
    assert time.note == "median of 3 repeats"
    assert skips_of(reading) == {"number made of repeats": 8}


def test_google_benchmark_aggregates_are_read_where_there_is_nothing_else() -> None:
    reading = reading_of("google-benchmark-1.7-aggregates.json")
    (benchmark,) = reading.benchmarks
    assert benchmark.name == "BM_Sort/64"
    metrics = metrics_of(benchmark)
    assert metrics["time_per_operation"] == 263.73157888336657
    assert metrics["time_per_operation_stddev"] == 12.107238131327733
    assert metric_of(benchmark, "time_per_operation").note == "median of 3 repeats"


def test_hyperfine_median_of_the_runs_of_each_command() -> None:
    reading = reading_of("hyperfine-1.15.json")
    assert (reading.format, reading.problems) == ("hyperfine", ())
    assert names_of(reading) == ["sleep 0.01", "sleep 0.02"]
    command = reading.benchmarks[0]
    assert metrics_of(command) == {
        "time_per_operation": 15604917.000000001,
        "time_per_operation_mean": 15651583.8,
        "time_per_operation_stddev": 3035213.464751978,
        "time_per_operation_minimum": 11805969.000000001,
        "time_per_operation_maximum": 20274015.000000003,
        "process_cpu_per_operation": 1672999.9999999998,
        "repeats": 5,
        "failed_operations": 0,
    }
    assert command.first_line == 3


def test_hyperfine_commands_that_fail_are_reported() -> None:
    reading = reading_of("hyperfine-1.15-failures.json")
    assert metrics_of(reading.benchmarks[0])["failed_operations"] == 3
    assert "3 of 3 runs ended with another exit code than 0" in reading.problems[0].found


def test_hyperfine_memory_is_the_median_of_the_runs_that_have_it(tmp_path: Path) -> None:
    results = json.loads((SAMPLES / "hyperfine-1.15.json").read_text())["results"]
    results[0]["memory_usage_byte"] = [4096, 0, 1024 * 1000, 1024 * 2000, 1024 * 3000]
    results[1]["memory_usage_byte"] = None
    first, second = read_text(tmp_path, json.dumps({"results": results}, indent=2)).benchmarks
    assert metrics_of(first)["command_memory"] == 1500
    assert "command_memory" not in metrics_of(second)


def test_hyperfine_command_that_ran_twice_is_read_once(tmp_path: Path) -> None:
    results = json.loads((SAMPLES / "hyperfine-1.15.json").read_text())["results"]
    results[1]["command"] = results[0]["command"]
    reading = read_text(tmp_path, json.dumps({"results": results}, indent=2))
    (benchmark,) = reading.benchmarks
    assert metrics_of(benchmark)["time_per_operation_mean"] == 15651583.8
    assert "a second result of 'sleep 0.01'; the first one is read" in reading.problems[0].found


@given(TIMES, TIMES, TIMES, st.lists(TIMES, max_size=3))
def test_hyperfine_numbers_survive(
    middle: float, mean: float, least: float, times: list[float]
) -> None:
    result = {
        "command": "c",
        "median": middle,
        "mean": mean,
        "min": least,
        "max": 1,
        "times": times,
    }
    lines = json.dumps({"results": [result]}, indent=1).splitlines()
    (benchmark,) = hyperfine.parse(lines, "log").benchmarks
    metrics = metrics_of(benchmark)
    for name, value in (("", middle), ("_mean", mean), ("_minimum", least)):
        in_log = Decimal(repr(value)) * 10**9
        assert metrics[f"time_per_operation{name}"] == float(in_log)


def test_pytest_benchmark_rounds_are_repeats() -> None:
    reading = reading_of("pytest-benchmark-5.3.json")
    assert (reading.format, reading.problems) == ("pytest-benchmark", ())
    assert names_of(reading) == ["test_sorted", "test_sum[10]", "test_sum[1000]", "test_fails"]
    test = benchmark_of(reading, "test_sorted")
    metrics = metrics_of(test)
    assert metrics["time_per_operation"] == 516.7999916011467
    assert (metrics["repeats"], metrics["iterations"], metrics["rows"]) == (79, 20, 100)
    assert metric_of(test, "time_per_operation").note == "median of 79 repeats"
    assert ("version", "5.3.1") in reading.facts


def test_pytest_benchmarks_of_one_name_in_two_files_keep_their_files(tmp_path: Path) -> None:
    log = json.loads((SAMPLES / "pytest-benchmark-5.3.json").read_text())
    log["benchmarks"][3] |= {"name": "test_sorted", "fullname": "other.py::test_sorted"}
    assert names_of(read_text(tmp_path, json.dumps(log, indent=1))) == [
        "test_b.py::test_sorted",
        "test_sum[10]",
        "test_sum[1000]",
        "other.py::test_sorted",
    ]


def test_db_bench_results_and_what_is_above_their_histograms() -> None:
    reading = reading_of("db-bench-7.8-histograms.txt")
    assert (reading.format, reading.problems, reading.partial) == ("db-bench", (), False)
    assert names_of(reading) == ["fillseq", "readrandom", "readwhilewriting", "overwrite"]
    fill = benchmark_of(reading, "fillseq")
    assert metrics_of(fill) == {
        "throughput": 114023,
        "latency_average": 0.016253,
        "seconds": 1.052,
        "operations": 120000,
        "bytes_per_second": 12.6 * 1024 * 1024,
        "latency_stddev": 0.37852,
        "latency_minimum": 0.002,
        "latency_maximum": 53.783,
        "latency_p50": 0.00352,
        "latency_p75": 0.00471,
        "latency_p99": 0.02998,
        "latency_p99.9": 3.67344,
        "latency_p99.99": 13.65833,
    }
    assert ("RocksDB", "version 7.8.3") in reading.facts


def test_db_bench_intervals_of_all_threads_are_added() -> None:
    overwrite = benchmark_of(reading_of("db-bench-7.8-histograms.txt"), "overwrite")
    (series,) = overwrite.series
    assert (series.name, series.seconds) == ("throughput", (1.013275,))
    assert series.values == pytest.approx((56851.3 + 43423.6,))


def test_db_bench_threads_that_print_at_other_times_are_not_added(tmp_path: Path) -> None:
    interval = (
        "2026/11/21-20:39:05  ... thread {}: (9,9) ops and ({},1.0) ops/second"
        " in (1.0,{}) seconds\n"
    )
    text = (
        interval.format(0, "10.0", "1.0")
        + interval.format(1, "20.0", "1.5")
        + "fillseq      :       2.123 micros/op 471000 ops/sec;   52.1 MB/s\n"
    )
    reading = read_text(tmp_path, text)
    assert reading.benchmarks[0].series == ()
    assert skips_of(reading) == {"interval of one thread, which ends when no other's does": 2}
    # Before RocksDB 7.0 the line had neither seconds nor operations.
    assert metrics_of(reading.benchmarks[0]) == {
        "throughput": 471000,
        "latency_average": 0.002123,
        "bytes_per_second": 52.1 * 1024 * 1024,
    }


def test_db_bench_repeats_count_once_and_its_warm_ups_do_not() -> None:
    reading = reading_of("db-bench-7.8-repeats.txt")
    read = benchmark_of(reading, "readrandom")
    assert metrics_of(read)["throughput"] == median([443626, 1101018, 1164958])
    assert metric_of(read, "throughput").note == "median of 3 repeats"
    assert skips_of(reading)["result of a warm-up"] == 1


def test_db_bench_warm_up_of_a_benchmark_that_is_not_repeated(tmp_path: Path) -> None:
    line = "readrandom   :       2.0 micros/op {} ops/sec 0.045 seconds 20000 operations;\n"
    announced = "Warming up benchmark by running 1 times\n"
    reading = read_text(tmp_path, announced + line.format(500) + line.format(700))
    assert metrics_of(reading.benchmarks[0])["throughput"] == 700
    assert reading.problems == ()


def test_db_bench_second_result_of_a_name_is_another_measurement(tmp_path: Path) -> None:
    line = "readrandom   :       2.0 micros/op {} ops/sec 0.045 seconds 20000 operations;\n"
    reading = read_text(tmp_path, line.format(500) + line.format(700))
    assert metrics_of(reading.benchmarks[0])["throughput"] == 500
    assert "a second result of 'readrandom'" in reading.problems[0].found


def test_db_bench_that_was_killed_has_no_number() -> None:
    reading = reading_of("db-bench-7.8-killed.txt")
    assert (reading.partial, reading.benchmarks, reading.metrics) == (True, (), ())
    assert "the log breaks off" in reading.problems[0].found


@given(st.integers(0, 10**12), st.decimals(0, 10**6, places=3))
def test_db_bench_numbers_survive(rate: int, micros: Decimal) -> None:
    line = f"fillseq      : {micros:11.3f} micros/op {rate} ops/sec 1.0 seconds 5 operations;"
    (benchmark,) = db_bench.parse([line], "log").benchmarks
    metrics = metrics_of(benchmark)
    assert metrics["throughput"] == rate
    assert math.isclose(metrics["latency_average"], float(micros / 1000), rel_tol=1e-15)

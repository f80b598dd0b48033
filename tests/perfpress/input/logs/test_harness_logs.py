"""Each number of benchmark harnesses and tools, checked by eye against the sample of its format.

Made by running the tool, except for those whose documentation or source is named here:
benchbase    https://github.com/cmu-db/benchbase (summary.json)
benchmarkdotnet  https://benchmarkdotnet.org/articles/configs/exporters.html#json
clickhouse-benchmark  https://clickhouse.com/docs/operations/utilities/clickhouse-benchmark
gatling      https://docs.gatling.io/reference/stats/reports/oss/ (js/global_stats.json)
gungraun     https://github.com/gungraun/gungraun (README)
memtier      https://github.com/RedisLabs/memtier_benchmark (--json-out-file)
mysqlslap    https://mariadb.com/kb/en/mariadb-slap/
nanobench    https://nanobench.ankerl.com/reference.html (templates::json)
py-tpcc      https://github.com/apavlo/py-tpcc (util/results.py)
oha          https://github.com/hatoo/oha (--output-format json)
tsbs         https://github.com/timescale/tsbs (docs)
"""

from pathlib import Path

import pytest
from log_samples import SAMPLES, benchmark_of, metric_of, metrics_of, names_of, reading_of
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading

ALONE = ""
"""The benchmark of a log that names none."""

NUMBERS: tuple[tuple[str, str, dict[str, float]], ...] = (
    ("jmh-1.37-threads.json", "Sums.sum (size=100)", {"latency_average": 0.000712526956477187}),
    (
        "criterion-text-0.5.txt",
        "sum/100",
        {"time_per_operation": 41.985, "items_per_second": 2.3818e9},
    ),
    ("criterion-text-0.5.txt", "sort 100", {"time_per_operation": 2378.7}),
    ("libtest-criterion.txt", "sum/1000", {"time_per_operation": 407}),
    ("libtest.txt", "sort_100", {"time_per_operation": 1274, "bytes_per_second": 627e6}),
    (
        "gungraun.txt",
        "test_lib_bench_readme_example_fibonacci::bench_fibonacci_group::bench_fibonacci short:10",
        {
            "executed_instructions": 1733,
            "L1 hits per operation": 2359,
            "L2 hits per operation": 0,
            "RAM hits per operation": 2,
            "memory accesses per operation": 2361,
            "estimated_cycles": 2429,
        },
    ),
    (
        "benchmarkdotnet.json",
        "Samples.Sums.Sort(N: 1000)",
        {
            "time_per_operation": 10022.5,
            "time_per_operation_mean": 10028.458333333334,
            "time_per_operation_stddev": 70.5,
            "time_per_operation_minimum": 9961.125,
            "time_per_operation_maximum": 10101.75,
            "repeats": 3,
            "allocated_per_operation": 4024,
            "collections of generation 0": 12,
            "collections of generation 1": 0,
            "collections of generation 2": 0,
        },
    ),
    (
        "catch2-2.13.xml",
        "vector<int> & copy",
        {
            "repeats": 10,
            "iterations": 584,
            "time_per_operation": 71.7515,
            "time_per_operation_stddev": 113.259,
        },
    ),
    (
        "nanobench.json",
        "shuffle std::vector",
        {
            "time_per_operation": 100.62,
            "repeats": 11,
            "instructions_per_operation": 532.25,
            "cycles_per_operation": 321.5,
            "branch misses per operation": 12.5,
            "median absolute error of the time": 0.0162,
        },
    ),
    (
        "vitest-3.json",
        "vt/sums.bench.js > sum > 100",
        {
            "time_per_operation": 69.99999993695383,
            "time_per_operation_mean": 241.41542015905713,
            "time_per_operation_stddev": 48063.62516872421,
            "time_per_operation_minimum": 55.99999997230043,
            "time_per_operation_maximum": 22704203,
            "repeats": 414224,
        },
    ),
    (
        "tinybench.txt",
        "sort",
        {"time_per_operation": 239, "time_per_operation_mean": 3494.3, "repeats": 66192},
    ),
    (
        "divan-0.1.txt",
        "sized/1000",
        {
            "time_per_operation": 138.1,
            "time_per_operation_mean": 157,
            "time_per_operation_minimum": 136.8,
            "time_per_operation_maximum": 2014,
            "repeats": 100,
        },
    ),
    ("bench-node-0.15.txt", "small", {"throughput": 1748795, "repeats": 6}),
    (
        "mitata-text-1.0-colours.txt",
        "small",
        {
            "time_per_operation": 33.62,
            "time_per_operation_minimum": 28.56,
            "time_per_operation_maximum": 1130,
        },
    ),
    (
        "mitata-json-1.0.json",
        "sum 100",
        {
            "time_per_operation": 31.5732421875,
            "time_per_operation_mean": 75.38541997602819,
            "time_per_operation_minimum": 31.47607421875,
            "time_per_operation_maximum": 3951.25732421875,
            "heap per operation": 0.15598026125866052,
        },
    ),
    (
        "mitata-text-1.0.txt",
        "b",
        {
            "time_per_operation": 5710,
            "time_per_operation_minimum": 2650,
            "time_per_operation_maximum": 10_910_000,
        },
    ),
    ("benchmarkjs-2.1.txt", "String#indexOf", {"throughput": 272485770, "repeats": 40}),
    ("scalameter-0.21.txt", "Range.sum size -> 90000", {"time_per_operation": 351_410}),
    ("py-tpcc.txt", "NEW_ORDER", {"operations": 18240, "throughput": 586.92}),
    ("asv-2.json", "sums.Sums.time_sum(1000)", {"time_per_operation": 12458.998753572814}),
    ("asv-2.json", "sums.Sums.peakmem_list(100)", {"command_memory": 24216}),
    ("asv-2.json", "sums.mem_list", {"memory of the object": 8056}),
    (
        "k6-export.json",
        ALONE,
        {
            "throughput": 8551.809663716705,
            "operations": 17105,
            "part of requests that failed": 0,
            "latency_average": 0.19444131908798623,
            "latency_minimum": 0.019859,
            "latency_maximum": 58.363831,
            "latency_p50": 0.065455,
            "latency_p90": 0.18668880000000002,
            "latency_p95": 0.35148239999999886,
            "failed checks": 0,
        },
    ),
    (
        "oha.json",
        ALONE,
        {
            "throughput": 12874.5,
            "seconds": 2.0012,
            "latency_average": 0.31,
            "latency_minimum": 0.0412,
            "latency_maximum": 42.1,
            "latency_p50": 0.22,
            "latency_p75": 0.31,
            "latency_p90": 0.52,
            "latency_p95": 0.81,
            "latency_p99": 2.1,
            "latency_p99.9": 12.2,
            "part of requests that succeeded": 1,
        },
    ),
    (
        "hey-0.1.txt",
        ALONE,
        {
            "throughput": 14724.3435,
            "seconds": 2.0013,
            "latency_average": 0.3,
            "latency_minimum": 0,
            "latency_maximum": 76.8,
            "latency_p10": 0,
            "latency_p25": 0.1,
            "latency_p50": 0.1,
            "latency_p75": 0.1,
            "latency_p90": 0.2,
            "latency_p95": 0.3,
            "latency_p99": 2.8,
            "responses with status 200": 29468,
        },
    ),
    (
        "wrk-4.1.txt",
        ALONE,
        {
            "throughput": 53540.16,
            "operations": 108659,
            "latency_average": 5.78,
            "latency_stddev": 14.69,
            "latency_maximum": 106.19,
            "latency_p50": 0.046,
            "latency_p75": 1.59,
            "latency_p90": 20.99,
            "latency_p99": 78.21,
        },
    ),
    (
        "siege-4.0.txt",
        ALONE,
        {
            "throughput": 645.16,
            "operations": 200,
            "failed_operations": 0,
            "seconds": 0.31,
            "latency_average": 0,
            "latency_maximum": 230,
            "latency_minimum": 0,
        },
    ),
    (
        "siege-4.0-json.txt",
        ALONE,
        {
            "throughput": 800,
            "operations": 8,
            "failed_operations": 0,
            "seconds": 0.01,
            "latency_average": 0,
            "latency_maximum": 10,
            "latency_minimum": 0,
        },
    ),
    (
        "httperf-0.9.txt",
        ALONE,
        {
            "throughput": 275.6,
            "operations": 200,
            "seconds": 0.726,
            "time to the first byte of a reply": 7.3,
            "time from the first to the last byte of a reply": 42.3,
            "connection_time": 0.6,
            "replies with status 4xx": 0,
            "replies with status 5xx": 0,
            "failed_operations": 0,
        },
    ),
    (
        "loadtest-8.txt",
        ALONE,
        {
            "throughput": 342,
            "operations": 200,
            "failed_operations": 0,
            "seconds": 0.585,
            "latency_average": 11,
            "latency_p50": 2,
            "latency_p90": 27,
            "latency_p95": 61,
            "latency_p99": 121,
            "latency_maximum": 121,
        },
    ),
    (
        "gatling.json",
        "All Requests",
        {
            "throughput": 452.516,
            "operations": 30000,
            "failed_operations": 14844,
            "latency_minimum": 0,
            "latency_maximum": 870,
            "latency_average": 3,
            "latency_stddev": 18,
            "latency_p50": 2,
            "latency_p75": 2,
            "latency_p95": 3,
            "latency_p99": 18,
        },
    ),
    ("ycsb-0.17.txt", "OVERALL", {"throughput": 40322.58064516129, "seconds": 0.496}),
    (
        "ycsb-0.17.txt",
        "READ",
        {
            "operations": 9950,
            "latency_average": 0.000027939698492462313,
            "latency_minimum": 0,
            "latency_maximum": 0.153,
            "latency_p95": 0,
            "latency_p99": 0,
        },
    ),
    (
        "memtier.json",
        "Sets",
        {
            "throughput": 18174.63,
            "operations": 181819,
            "latency_average": 1.0021,
            "latency_minimum": 0.063,
            "latency_maximum": 12.607,
            "latency_p50": 0.951,
            "latency_p99": 2.047,
            "latency_p99.9": 3.295,
            "hits per second": 0,
            "misses per second": 0,
        },
    ),
    (
        "mysqlslap.txt",
        ALONE,
        {
            "time_per_operation": 267e6,
            "time_per_operation_minimum": 265e6,
            "time_per_operation_maximum": 271e6,
            "queries of each client": 1,
        },
    ),
    (
        "benchbase.json",
        ALONE,
        {
            "throughput": 447.1005407,
            "goodput": 445.2338718,
            "operations": 26826,
            "seconds": 59.999927432,
            "latency_average": 2.234,
            "latency_minimum": 0.311,
            "latency_maximum": 101.214,
            "latency_p50": 1.842,
            "latency_p75": 3.121,
            "latency_p90": 4.213,
            "latency_p95": 5.512,
            "latency_p99": 9.871,
        },
    ),
    (
        "tsbs-load.txt",
        ALONE,
        {
            "throughput": 110707.044978,
            "operations": 103680000,
            "metrics loaded per second": 1107070.449780,
        },
    ),
    (
        "iperf3-3.12.json",
        ALONE,
        {
            "throughput": 22096819539.7848 / 8,
            "operations": 5528223744,
            "seconds": 2.001455,
            "retransmits": 2,
            "CPU of the client": 46.2329674021521,
            "CPU of the server": 43.9429080196975,
        },
    ),
    (
        "openssl-speed-3.0.txt",
        "sha256 1024 bytes",
        {"throughput": 1673129770 / 1024, "bytes_per_second": 1673129770},
    ),
    ("openssl-speed-3.0.txt", "256 bits ecdsa (nistp256) verify", {"throughput": 18048.7}),
    ("openssl-speed-3.0-table.txt", "rsa 2048 bits sign", {"throughput": 3852.4}),
    ("openssl-speed-3.0-keys.txt", "rsa 2048 bits verify", {"throughput": 78290.6}),
    (
        "openssl-speed-3.0-multi.txt",
        "sha256 1024 bytes",
        {"throughput": 1200636930 / 1024, "bytes_per_second": 1200636930},
    ),
    (
        "openssl-speed-3.0-mr.txt",
        "sha256 1024 bytes",
        {"throughput": 1661383111.11 / 1024, "bytes_per_second": 1661383111.11},
    ),
    (
        "stress-ng-0.15.txt",
        "vm",
        {
            "operations": 13812,
            "seconds": 3.52,
            "throughput": 3924.62,
            "operations per second of CPU time": 24209.28,
        },
    ),
    (
        "perf-bench-6.1.txt",
        "sched/pipe",
        {"seconds": 0.108, "throughput": 9201, "latency_average": 0.108677},
    ),
    ("perf-bench-6.1.txt", "mem/memcpy 'x86-64-movsq'", {"throughput": 35.128147 * 2**30}),
    ("benny-3.7.json", "Reduce five", {"throughput": 25170023}),
    ("7z-26.txt", "compressing", {"throughput": 1736 * 1024, "rating": 1547}),
    ("7z-26.txt", "decompressing", {"throughput": 16564 * 1024, "rating": 1340}),
)
"""A sample, one of its benchmarks, and all that is read of it."""


def numbers_of(reading: LogReading, name: str) -> dict[str, float]:
    if name == ALONE:
        return {metric.name: metric.value for metric in reading.metrics}
    return metrics_of(benchmark_of(reading, name))


@pytest.mark.parametrize(
    ("sample", "name", "numbers"), NUMBERS, ids=[f"{each[0]} {each[1]}" for each in NUMBERS]
)
def test_all_numbers_of_a_benchmark_are_read(
    sample: str, name: str, numbers: dict[str, float]
) -> None:
    reading = reading_of(sample)
    assert not reading.partial
    assert numbers_of(reading, name) == pytest.approx(numbers, rel=1e-12)


def test_a_fork_of_jmh_is_a_process_and_an_iteration_is_not() -> None:
    reading = reading_of("jmh-1.37.json")
    assert names_of(reading) == [
        "Sums.copy (size=100)",
        "Sums.sum (size=100)",
        "Sums.sum (size=1000)",
        "Sums.sort (size=1000)",
    ]
    rate = metric_of(benchmark_of(reading, "Sums.copy (size=100)"), "throughput")
    # "rawData": [[1.9086…, 1.7387…], [1.5137…, …], …] in ops/us: two iterations in each fork.
    assert rate.value == pytest.approx(1596953.8464665837)
    assert len(rate.processes) == 3
    assert sorted(rate.processes)[1] == rate.value
    assert rate.note == "median of 3 forks"
    allocated = metric_of(benchmark_of(reading, "Sums.copy (size=100)"), "allocated_per_operation")
    assert allocated.value == pytest.approx(416.03243434214676)


def test_sampled_times_of_jmh_have_percentiles_of_single_calls() -> None:
    sort = benchmark_of(reading_of("jmh-1.37.json"), "Sums.sort (size=1000)")
    assert metrics_of(sort)["latency_p99"] == pytest.approx(0.009176)
    assert metrics_of(sort)["latency_maximum"] == pytest.approx(8.306688)
    assert len(metric_of(sort, "time_per_operation").processes) == 2


def test_a_worker_of_pyperf_is_a_process_and_its_values_are_not() -> None:
    first = benchmark_of(reading_of("pyperf-2.json"), "sum 100")
    time = metric_of(first, "time_per_operation")
    # The first worker's values: 5.219750000833301e-07, 5.80546000492177e-07, 5.953489999228623e-07
    assert time.processes[0] == pytest.approx((521.975 + 580.546 + 595.349) / 3, rel=1e-6)
    assert (len(time.processes), time.value) == (3, sorted(time.processes)[1])
    assert metrics_of(first)["repeats"] == 9


def test_a_run_of_hyperfine_is_a_process() -> None:
    command = reading_of("hyperfine-1.15.json").benchmarks[0]
    time = metric_of(command, "time_per_operation")
    assert len(time.processes) == 5
    assert sorted(time.processes)[2] == time.value


def test_criterion_s_estimates_are_named_by_their_directory() -> None:
    path = SAMPLES / "criterion-estimates-0.5.json"
    (one,) = read_log(path, "b/criterion/sum/100/new/estimates.json").benchmarks
    assert one.name == "sum/100"
    assert metrics_of(one) == {
        "time_per_operation": 25.780886330359564,
        "time_per_operation_mean": 26.905305232861956,
        "time_per_operation_stddev": 9.639233943766415,
    }
    elsewhere = read_log(path, "estimates.json")
    assert elsewhere.benchmarks == ()
    assert elsewhere.metrics[0].value == 25.780886330359564


def test_the_last_of_several_reports_is_of_all_queries() -> None:
    found = numbers_of(reading_of("clickhouse-benchmark.txt"), ALONE)
    assert (found["throughput"], found["operations"], found["latency_p50"]) == (6.772, 10, 148)
    assert numbers_of(reading_of("tsbs-queries.txt"), ALONE)["latency_average"] == 5.91


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("smaller", {"startup": ("time_per_operation", 125.5e6), "binary size": ("value", 4.5)}),
        ("bigger", {"requests": ("throughput", 81234.5), "coverage": ("value", 88.2)}),
    ],
)
def test_lists_of_github_action_benchmark_take_their_direction_from_the_name(
    name: str, numbers: dict[str, tuple[str, float]]
) -> None:
    sample = f"custom-{name}-is-better"
    reading = read_log(SAMPLES / f"{sample}.json", "log", sample)
    better = {"smaller": "lower", "bigger": "higher"}[name]
    for each in reading.benchmarks:
        (metric,) = each.metrics
        assert (metric.name, metric.value) == numbers[each.name]
        assert metric.better == better


def test_go_s_json_holds_the_same_lines() -> None:
    reading = reading_of("go-bench-json.txt")
    assert names_of(reading) == ["Sort/size=10", "Map"]
    assert metrics_of(benchmark_of(reading, "Map"))["time_per_operation"] == 10.54
    assert ("pkg", "example.org/sorting") in reading.facts


def test_failures_of_a_benchmark_are_reported() -> None:
    (problem,) = reading_of("benchmarkjs-2.1.txt").problems
    assert (problem.line, problem.found) == (4, "fails: ")
    reading = reading_of("tinybench-6.2-failures.txt")
    assert names_of(reading) == ["small", "large task"]
    assert [problem.line for problem in reading.problems] == [6]


def test_benchmarks_of_divan_are_named_by_the_branches_that_they_are_on() -> None:
    names = ["bytes", "sized/10", "sized/1000", "small", "group/inner"]
    assert names_of(reading_of("divan-0.1.txt")) == names


@pytest.mark.parametrize(
    "name", ["hey-0.1-failures.txt", "siege-4.0-failures.txt", "bombardier-text-failures.txt"]
)
def test_a_load_generator_whose_requests_all_failed_has_no_rate(name: str) -> None:
    reading = reading_of(name)
    assert {metric.name: metric.value for metric in reading.metrics}["throughput"] == 0
    assert "connection refused" in reading.problems[-1].found.lower()


def test_memory_that_pyperf_measured_is_better_where_it_is_less() -> None:
    memory = metric_of(benchmark_of(reading_of("pyperf-2-memory.json"), "timeit"), "bytes")
    assert (memory.value, memory.unit, memory.better) == (16492544, "bytes", "lower")


@pytest.mark.parametrize(
    ("unit", "found"), [("ns/iter", 5.0), ("us", 5000.0), ("s", 5e9), ("parsecs", None)]
)
def test_a_number_is_converted_to_the_unit_of_its_metric(
    unit: str, found: float | None, tmp_path: Path
) -> None:
    log = tmp_path / "log.json"
    log.write_text(f'[{{"name": "a", "unit": "{unit}", "value": 5}}]')
    (one,) = read_log(log, "log", "custom-smaller-is-better").benchmarks
    assert metrics_of(one).get("time_per_operation") == found

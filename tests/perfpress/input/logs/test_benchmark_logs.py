"""pgbench, sysbench and vmstat: what is read from real output."""

from pathlib import Path

import pytest
from perfpress.input.logs.metric_names import meaning_of, unit_of
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading, Metric, Series

SAMPLES = Path(__file__).parent / "samples"


def reading_of(name: str) -> LogReading:
    return read_log(SAMPLES / name, name)


def metrics_of(reading: LogReading) -> dict[str, float]:
    return {metric.name: metric.value for metric in reading.metrics}


def metric_of(reading: LogReading, name: str) -> Metric:
    return next(metric for metric in reading.metrics if metric.name == name)


def series_of(reading: LogReading, name: str) -> Series:
    return next(series for series in reading.series if series.name == name)


def skips_of(reading: LogReading) -> dict[str, int]:
    return {skipped.reason: skipped.count for skipped in reading.skipped}


def test_pgbench_summary_and_progress() -> None:
    reading = reading_of("pgbench-15-select.txt")
    assert (reading.format, reading.partial, reading.problems) == ("pgbench", False, ())
    assert metrics_of(reading) == {
        "operations": 100065,
        "failed_operations": 0,
        "latency_average": 0.078,
        "latency_stddev": 0.054,
        "connection_time": 5.515,
        "throughput": 25028.576574,
    }
    throughput = metric_of(reading, "throughput")
    assert (throughput.unit, throughput.better, throughput.line) == ("operations/s", "higher", 19)
    progress = series_of(reading, "throughput")
    assert progress.seconds == (1, 2, 3, 4)
    assert progress.values == (22871.9, 22747.0, 25957.2, 28485.9)
    assert progress.first_line == 3
    assert series_of(reading, "latency_average").values[0] == 0.085
    assert ("number of clients", "2") in reading.facts


def test_pgbench_12_states_two_rates_and_the_one_without_connecting_is_the_throughput() -> None:
    reading = reading_of("pgbench-12.txt")
    metrics = metrics_of(reading)
    assert metrics["throughput"] == 667.104002
    assert metrics["throughput_with_connecting"] == 666.512001
    assert "failed_operations" not in metrics
    # Nothing ended in the second interval: a rate of 0, and no latency rather than one of 0.
    assert series_of(reading, "throughput").values == (1016.1, 0.0, 983.3)
    assert series_of(reading, "latency_average").seconds == (1, 3)


def test_pgbench_interval_without_a_transaction_has_no_latency(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        "progress: 1.0 s, 0.0 tps, lat 0.000 ms stddev 0.000, 0 failed\n"
        "progress: 2.0 s, 10.0 tps, lat 1.500 ms stddev 0.100, 0 failed\n"
    )
    reading = read_log(log, "log")
    assert series_of(reading, "throughput").values == (0.0, 10.0)
    assert series_of(reading, "latency_average").values == (1.5,)


@pytest.mark.parametrize("rate", ["9" * 400, "9" * 61, "0." + "0" * 60 + "1"], ids=len)
def test_a_number_out_of_range_is_skipped(tmp_path: Path, rate: str) -> None:
    log = tmp_path / "log"
    log.write_text(f"pgbench (15)\ntps = {rate} (without initial connection time)\n")
    reading = read_log(log, "log")
    assert reading.metrics == ()
    assert skips_of(reading)["number that is out of range"] == 1


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ("reconnect", {"throughput": 345.471705, "connection_time": 2.744}),
        ("transactions", {"throughput": 3768.962593, "operations": 200}),
        ("scripts", {"throughput": 212.338293, "operations": 635, "skipped_operations": 0}),
        (
            "retries",
            {"failed_operations": 3893, "retried_operations": 6073, "retries": 10883},
        ),
    ],
)
def test_pgbench_options_change_the_summary(sample: str, expected: dict[str, float]) -> None:
    reading = reading_of(f"pgbench-15-{sample}.txt")
    assert metrics_of(reading) == metrics_of(reading) | expected
    assert reading.problems == ()


def test_pgbench_numbers_of_single_scripts_and_statements_are_counted_as_left_out() -> None:
    skips = skips_of(reading_of("pgbench-15-scripts.txt"))
    assert skips["number of a single script"] == 18
    assert skips["latency of a single statement"] == 13
    assert "line that is not pgbench's" not in skips


def test_pgbench_progress_with_timestamps_starts_at_the_first_interval() -> None:
    seconds = series_of(reading_of("pgbench-15-timestamps.txt"), "throughput").seconds
    assert seconds == pytest.approx((1, 2, 3))


def test_pgbench_whose_server_dies_is_partial_and_says_which_line() -> None:
    reading = reading_of("pgbench-15-server-killed.txt")
    assert reading.partial
    assert metrics_of(reading)["aborted_clients"] == 2
    texts = [str(problem) for problem in reading.problems]
    assert texts[0].startswith("pgbench-15-server-killed.txt:6: pgbench: error: client 0 aborted")
    assert "and 1 more like it" in texts[0]
    assert "incomplete" in texts[1]


def test_pgbench_that_never_started_gives_no_metric() -> None:
    reading = reading_of("pgbench-15-no-script.txt")
    assert reading.format == "pgbench"
    assert reading.metrics == ()
    assert 'could not open file "nofile.sql"' in reading.problems[0].found


def test_of_several_pgbench_runs_in_one_log_the_first_whole_one_is_read(tmp_path: Path) -> None:
    first, second = (
        (SAMPLES / f"pgbench-15-{name}.txt").read_bytes() for name in ("select", "timestamps")
    )
    log = tmp_path / "log"
    log.write_bytes(first + second)
    reading, expected = read_log(log, "log"), reading_of("pgbench-15-select.txt")
    assert reading.metrics == expected.metrics
    assert reading.series == expected.series
    (problem,) = reading.problems
    assert problem.line == len(first.splitlines()) + 1
    assert "another run begins; the first one is read" in problem.found
    assert skips_of(reading)["line of a later run"] == len(second.splitlines())


@pytest.mark.parametrize("heading", [b"", b"pgbench (15.18)\nstarting vacuum...end.\n"])
def test_progress_of_a_pgbench_run_that_broke_off_is_not_joined_to_that_of_the_next(
    heading: bytes, tmp_path: Path
) -> None:
    progress = b"".join(
        b"progress: %d.0 s, 10.0 tps, lat 1.500 ms stddev 0.100, 0 failed\n" % second
        for second in range(1, 4)
    )
    summary = b"tps = 25.5 (without initial connection time)\n"
    log = tmp_path / "log"
    log.write_bytes(heading + progress + heading + progress + summary)
    reading = read_log(log, "log")
    assert series_of(reading, "throughput").seconds == (1, 2, 3)
    assert metrics_of(reading)["throughput"] == 25.5
    assert "another run begins; the one before it broke off" in reading.problems[0].found


def test_sysbench_statistics_alone_are_enough() -> None:
    # Published by its author; Monday, January 10, 2022.
    reading = reading_of("sysbench-1.0-statistics.txt")
    assert (reading.format, reading.partial, reading.problems) == ("sysbench", False, ())
    assert metrics_of(reading) == {
        "operations": 6563,
        "throughput": 54.60,
        "queries": 39378,
        "queries_per_second": 327.59,
        "failed_operations": 0,
        "reconnects": 0,
        "seconds": 120.2017,
        "latency_minimum": 66.37,
        "latency_average": 292.94,
        "latency_maximum": 1222.92,
        "latency_p95": 530.08,
        "operations_per_client": 410.1875,
        "operations_per_client_stddev": 4.69,
    }
    assert metric_of(reading, "latency_p95").unit == "ms"


def test_sysbench_intervals_and_the_percentile_that_was_asked_for() -> None:
    reading = reading_of("sysbench-1.0-intervals.txt")
    assert series_of(reading, "throughput").values == (54.59, 60.0)
    assert series_of(reading, "queries_per_second").values == (327.56, 360.0)
    assert series_of(reading, "latency_p99").values == (530.08, 419.45)
    assert series_of(reading, "failed_per_second").values == (0.2, 0.0)
    assert reading.partial
    assert reading.problems[0].line == 16
    assert "and 1 more like it" in reading.problems[0].found
    assert "the log breaks off" in reading.problems[1].found


def test_sysbench_05() -> None:
    reading = reading_of("sysbench-0.5.txt")
    metrics = metrics_of(reading)
    assert (metrics["throughput"], metrics["queries_per_second"]) == (399.97, 3999.70)
    assert (metrics["latency_p95"], metrics["latency_maximum"]) == (12.45, 31.07)
    assert metrics["failed_operations"] == 1
    assert series_of(reading, "latency_p95").values == (12.40, 12.50)
    assert series_of(reading, "throughput").seconds == (2, 4)


def test_sysbench_11_rate_with_more_digits_wins() -> None:
    reading = reading_of("sysbench-1.1-end.txt")
    throughput = metric_of(reading, "throughput")
    assert (throughput.value, throughput.line) == (9.7868, 17)
    assert metrics_of(reading)["operations"] == 327


def test_of_several_sysbench_runs_in_one_log_the_first_is_read(tmp_path: Path) -> None:
    first, second = (
        (SAMPLES / f"sysbench-{name}.txt").read_bytes() for name in ("1.0-statistics", "1.1-end")
    )
    log = tmp_path / "log"
    for text, later in ((first + second, second), (second + first, first)):
        log.write_bytes(text)
        alone = tmp_path / "alone"
        alone.write_bytes(text.removesuffix(later))
        reading = read_log(log, "log")
        assert metrics_of(reading) == metrics_of(read_log(alone, "log"))
        (problem,) = reading.problems
        assert "another run begins; the first one is read" in problem.found
        assert skips_of(reading)["line of a later run"] > 10


def test_a_sysbench_run_that_broke_off_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    begins = b"Running the test with following options:\n"
    whole = begins + (SAMPLES / "sysbench-0.5.txt").read_bytes().partition(begins)[2]
    log, alone = tmp_path / "log", tmp_path / "alone"
    log.write_bytes(begins + b"[ 5s ] thds: 16 tps: 54.59 qps: 327.56\n" + whole)
    alone.write_bytes(whole)
    reading, expected = read_log(log, "log"), read_log(alone, "log")
    assert metrics_of(reading) == metrics_of(expected)
    assert series_of(reading, "throughput").values == series_of(expected, "throughput").values
    assert "another run begins; the one before it broke off" in reading.problems[0].found
    assert skips_of(reading)["line of a run that broke off"] == 2


def test_vmstat_leaves_out_what_was_before_the_run() -> None:
    reading = reading_of("vmstat-t.txt")
    assert reading.format == "vmstat"
    rows = [row.split() for row in (SAMPLES / "vmstat-t.txt").read_text().splitlines()[3:]]
    switches = [float(row[11]) for row in rows]
    metrics = metrics_of(reading)
    assert metrics["context_switches"] == pytest.approx(sum(switches) / len(switches))
    assert metrics["cpu_idle"] == pytest.approx(sum(float(row[14]) for row in rows) / len(rows))
    assert series_of(reading, "context_switches").values == tuple(switches)
    assert series_of(reading, "context_switches").seconds == (1, 2, 3)
    assert skips_of(reading)["first report: averages since the host was started"] == 1


def test_vmstat_without_clock_gives_averages_and_says_why_there_is_no_series() -> None:
    reading = reading_of("vmstat.txt")
    assert metrics_of(reading)["cpu_idle"] == 99.5
    assert reading.series == ()
    assert skips_of(reading)["values of single intervals: without -t the log holds no clock"] == 2


def test_vmstat_wide_and_with_guests() -> None:
    metrics = metrics_of(reading_of("vmstat-w.txt"))
    assert (metrics["blocks_in"], metrics["cpu_guest"]) == (32946, 0)


def test_vmstat_repeats_its_heading() -> None:
    reading = reading_of("vmstat-long.txt")
    rows = [
        line.split()
        for line in (SAMPLES / "vmstat-long.txt").read_text().splitlines()
        if line.split()[0].isdigit()
    ]
    assert skips_of(reading)["heading"] > 1
    assert metrics_of(reading)["cpu_user"] == pytest.approx(
        sum(float(row[12]) for row in rows[1:]) / (len(rows) - 1)
    )


@pytest.mark.parametrize("sample", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_metric_and_series_of_the_table_is_as_the_table_says(sample: Path) -> None:
    reading = read_log(sample, sample.name)
    for metric in reading.metrics:
        if unit_of(metric.name) is not None:
            assert (metric.unit, metric.better) == meaning_of(metric.name)[:2]
    for series in reading.series:
        if unit_of(series.name) is not None:
            assert (series.unit, series.better) == meaning_of(series.name)[:2]
        assert len(series.seconds) == len(series.values) > 0

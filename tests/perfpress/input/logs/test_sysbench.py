"""sysbench's histograms, scans, tests and damaged logs.

`sysbench-1.0-histogram.txt` is real output with most of the buckets left out;
`sysbench-1.1-scan.txt` is written by hand in the form of the logs that have a scan test.
"""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perfpress.input.logs.formats.sysbench.command import command_facts, name_facts
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading

SAMPLES = Path(__file__).parent / "samples"
WHOLE = (SAMPLES / "sysbench-1.0-statistics.txt").read_text()
LONG = 1_000_000
SCAN = (SAMPLES / "sysbench-1.1-scan.txt").read_text()


def reading_of(directory: Path, text: str, name: str = "log") -> LogReading:
    log = directory / "log"
    log.write_text(text)
    return read_log(log, name)


def sample(name: str) -> LogReading:
    return read_log(SAMPLES / f"sysbench-{name}.txt", name)


def metrics_of(reading: LogReading) -> dict[str, float]:
    return {metric.name: metric.value for metric in reading.metrics}


def found_in(reading: LogReading) -> list[str]:
    return [problem.found for problem in reading.problems]


def test_a_histogram_is_kept_as_a_distribution_of_times() -> None:
    reading = sample("1.0-histogram")
    (histogram,) = reading.histograms
    assert (histogram.name, histogram.unit, histogram.values_are) == ("latency", "ms", "middle")
    assert histogram.values == (0.782, 0.797, 0.811, 0.826, 0.841, 0.856, 38.942, 40.370)
    assert histogram.counts == (2, 3, 3, 6, 4, 1, 1, 1)
    assert histogram.first_line == 18
    assert "line that is not sysbench's" not in {each.reason for each in reading.skipped}


def test_a_scan_counts_the_rows_that_each_client_reads() -> None:
    reading = sample("1.1-scan")
    (scanned,) = (each for each in reading.metrics if each.name == "rows_scanned_per_client")
    # 4800 events × (2,000,000 rows ÷ 16 threads) ÷ 60 s ÷ 1000
    assert scanned.value == pytest.approx(4800 * (2_000_000 / 16) / 60 / 1000)
    assert (scanned.unit, scanned.better, scanned.line) == ("krows/s", "higher", 32)


@pytest.mark.parametrize(
    "without", ["--table-size=2000000 ", "Number of threads: 16", "oltp_scan.lua", "60.0000/0.02"]
)
def test_a_scan_of_which_a_number_is_missing_counts_no_rows(without: str, tmp_path: Path) -> None:
    reading = reading_of(tmp_path, SCAN.replace(without, ""))
    assert "rows_scanned_per_client" not in metrics_of(reading)
    assert metrics_of(reading)["throughput"] == 79.8403


def test_a_test_that_states_no_rate_gets_its_events_over_the_time() -> None:
    reading = sample("1.0-memory")
    (throughput,) = (each for each in reading.metrics if each.name == "throughput")
    assert throughput.value == pytest.approx(6_106_579 / 1.0001)
    assert throughput.note == "events ÷ total time"
    assert (reading.problems, reading.partial) == ((), False)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "LUA_PATH=lua/?.lua /opt/sysbench --range-size=10 --threads=4 /opt/oltp_scan.lua run"
            " --mysql-password=hush",
            {"script": "oltp_scan", "range": "10"},
        ),
        (
            "+ sysbench oltp_read_write --table_size=5 --tables=2 run",
            {"script": "oltp_read_write", "table size": "5", "tables": "2"},
        ),
        (
            "sysbench --test=/usr/share/oltp.lua --oltp-table-size=7 run",
            {"script": "oltp", "table size": "7"},
        ),
        (
            "sysbench --mysql-password=[redacted password] oltp_insert --time=9 run",
            {"script": "oltp_insert", "time": "9"},
        ),
        ("sysbench oltp_read_write prepare", {}),
        ("we run sysbench with oltp_scan run", {}),
        ("sysbench 1.0.20 (using system LuaJIT)", {}),
        ("sysbench run", {}),
    ],
)
def test_the_test_is_read_from_the_command_and_no_secret_is_kept(
    command: str, expected: dict[str, str]
) -> None:
    assert command_facts(command) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "a/b/sb.o.points-covered-si.warm.range100.pk1.dop40",
            ("points-covered-si.warm", "100", "40"),
        ),
        ("sb.o.range-covered-pk.range10.pk1.gz", ("range-covered-pk", "10", "")),
        ("sysbench.txt", ("", "", "")),
    ],
)
def test_a_file_name_has_test_range_and_threads(name: str, expected: tuple[str, str, str]) -> None:
    assert name_facts(name) == expected


def test_a_log_under_the_name_of_another_run_is_reported(tmp_path: Path) -> None:
    name = "sb.o.scan.range10.pk1.dop8"
    reading = reading_of(tmp_path, SCAN, name)
    assert found_in(reading) == [
        "threads 16, where the name of the file says 8",
        "range 100, where the name of the file says 10",
    ]
    assert found_in(reading_of(tmp_path, SCAN, "sb.o.scan.range100.pk1.dop16")) == []


def test_runs_of_different_tests_in_one_log_are_benchmarks(tmp_path: Path) -> None:
    other = "sysbench oltp_insert --threads=4 run\n" + WHOLE
    reading = reading_of(tmp_path, SCAN + other)
    assert (reading.metrics, reading.partial, reading.problems) == ((), False, ())
    scan, insert = reading.benchmarks
    assert (scan.name, insert.name) == ("oltp_scan", "oltp_insert")
    assert insert.first_line == SCAN.count("\n") + 1
    rates = {
        each.name: metric.value
        for each in reading.benchmarks
        for metric in each.metrics
        if metric.name == "throughput"
    }
    assert rates == {"oltp_scan": 79.8403, "oltp_insert": 54.60}
    assert (len(scan.plans), len(insert.plans)) == (1, 0)


def test_of_two_runs_of_one_test_the_first_is_read(tmp_path: Path) -> None:
    reading = reading_of(tmp_path, SCAN + SCAN.replace("79.8403", "70.0000"))
    assert reading.benchmarks == ()
    assert metrics_of(reading)["throughput"] == 79.8403
    assert found_in(reading) == ["another run begins; the first one is read"]
    assert reading.problems[0].line == SCAN.count("\n") + 1


def test_an_error_of_a_run_that_broke_off_is_still_reported(tmp_path: Path) -> None:
    broken = SCAN.partition("SQL statistics:")[0] + "FATAL: lost the server\n"
    reading = reading_of(tmp_path, broken + SCAN)
    assert metrics_of(reading)["throughput"] == 79.8403
    assert not reading.partial
    assert "FATAL: lost the server" in found_in(reading)
    assert "another run begins; the one before it broke off" in found_in(reading)


def test_a_run_that_died_is_no_whole_run_though_it_printed_statistics(tmp_path: Path) -> None:
    died = "FATAL: The --max-time limit has expired, forcing shutdown...\n"
    reading = reading_of(tmp_path, SCAN.replace("SQL statistics:", died + "SQL statistics:"))
    assert reading.partial
    assert died.strip() in found_in(reading)


def test_checkpoints_are_of_a_part_of_the_run_and_no_number_of_it() -> None:
    reading = sample("1.0-checkpoints")
    assert reading.partial
    (problem,) = reading.problems
    assert "a checkpoint report" in problem.found
    assert problem.line == 15


def test_zero_throughput_is_reported_with_its_line(tmp_path: Path) -> None:
    text = re.sub(r"6563\s+\(54.60 per", "0 (0.00 per", WHOLE)
    reading = reading_of(tmp_path, text)
    assert metrics_of(reading)["throughput"] == 0
    assert [(each.found, each.line) for each in reading.problems] == [
        ("no operation was finished", 7)
    ]


def test_a_number_with_a_comma_is_not_guessed(tmp_path: Path) -> None:
    text = WHOLE.replace(".", ",")
    reading = reading_of(tmp_path, text)
    assert reading.partial
    assert "throughput" not in metrics_of(reading)
    assert any("a number with a comma: transactions:" in each for each in found_in(reading))
    assert reading.problems[0].line == 7


def test_an_interval_with_commas_gives_no_values_and_is_reported(tmp_path: Path) -> None:
    interval = "[ 5s ] thds: 16 tps: 54,59 qps: 327,56\n"
    reading = reading_of(tmp_path, interval + WHOLE)
    assert reading.series == ()
    assert any("a number with a comma: tps: 54,59" in each for each in found_in(reading))


def test_a_log_of_another_program_is_reported_where_the_format_is_given(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text((SAMPLES / "pgbench-15-select.txt").read_text())
    reading = read_log(log, "log", "sysbench")
    assert found_in(reading) == ["no line that sysbench prints"]
    assert (reading.partial, reading.metrics) == (True, ())


def test_a_number_at_the_end_of_the_file_may_be_cut_and_is_left_out(tmp_path: Path) -> None:
    until, _, _ = SCAN.partition("0.55")
    reading = reading_of(tmp_path, until + "0.5")
    assert reading.partial
    assert "latency_maximum" not in metrics_of(reading)
    assert metrics_of(reading)["latency_average"] == 200.10
    (problem,) = reading.problems
    assert problem.found == "the log ends with the latency maximum, which may be cut"
    assert problem.line == until.count("\n") + 1


@given(cut=st.integers(0, len(SCAN.encode())))
@settings(max_examples=80)
def test_wherever_a_log_is_cut_no_number_is_invented(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = SCAN.encode()[:cut].decode(errors="ignore")
    reading = reading_of(tmp_path_factory.mktemp("cut"), text)
    whole = reading_of(tmp_path_factory.mktemp("whole"), SCAN)
    rates = {("throughput", 79.84), *metrics_of(whole).items()}
    assert set(metrics_of(reading).items()) <= rates
    if "throughput" not in metrics_of(reading):
        assert reading.problems


@given(
    lines=st.lists(
        st.one_of(
            st.text(max_size=60),
            st.sampled_from(
                [
                    line
                    for path in sorted(SAMPLES.glob("sysbench-*.txt"))
                    for line in path.read_text().splitlines()
                ]
            ),
            st.from_regex(r"table [0-9]{1,3} : explain [a-z]{0,9}", fullmatch=True),
            st.from_regex(r"\t[0-9]{1,20}(\t[a-z0-9_<>]{0,9}){0,14}", fullmatch=True),
            st.from_regex(r"    (transactions|min|avg): {1,9}[0-9.,e]{1,9}", fullmatch=True),
        ),
        max_size=30,
    )
)
@settings(max_examples=150)
def test_no_order_of_lines_makes_it_raise(
    lines: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = tmp_path_factory.mktemp("any") / "log"
    log.write_bytes("\n".join(lines).encode("utf-8", errors="surrogatepass"))
    reading = read_log(log, "log", "sysbench")
    assert reading.metrics or reading.benchmarks or reading.problems
    assert all(str(problem).isprintable() for problem in reading.problems)
    for plan in reading.plans:
        assert plan.count > 0
        assert len(plan.query) <= 200


@pytest.mark.parametrize(
    "line",
    [
        " " * LONG,
        "    transactions:" + " " * LONG,
        "    transactions: " + "1" * LONG,
        "table 1 : explain " + "(1, " * (LONG // 4),
        "table 1 : explain " + "'" * LONG,
        "table 1 : explain " + "?," + " " * LONG,
        "\t" + "1\t" * (LONG // 2),
        "\t" + " " * LONG + "(cost=1..2 rows=1 width=1",
        "sysbench " + "a=" * (LONG // 2) + " run",
        "sysbench " + "--a=b " * (LONG // 6) + " run",
        "[ 1s ] thds: 1 " + "lat (ms,9" * (LONG // 9),
        "       1.044 |" + "*" * LONG,
        "       1.044 |*   " + "1" * LONG,
    ],
    ids=lambda line: line[:20].strip(),
)
def test_no_line_takes_longer_than_it_is_long(line: str, tmp_path: Path) -> None:
    started = time.process_time()
    reading_of(tmp_path, f"sysbench 1.0.20\n{line}\n" + WHOLE)
    assert time.process_time() - started < 2

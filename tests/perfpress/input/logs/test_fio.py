"""What fio prints, as text and as JSON: one job a benchmark, jobs that ran together added up."""

from pathlib import Path

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
)

JOB = """\
a: (groupid=0, jobs=1): err= 0: pid=1: Tue Nov 24 14:51:02 2026
  write: IOPS={iops}, BW=13.7MiB/s (14.4MB/s)(13.7MiB/{msec}msec); 0 zone resets
     lat (usec): min=10, max=20k, avg=30.00, stdev=1.50
     issued rwts: total=0,{count},0,0 short=0,0,0,0 dropped=0,0,0,0
"""


def test_a_job_that_reads_and_writes_is_two_benchmarks() -> None:
    reading = reading_of("fio-3.33.txt")
    assert names_of(reading) == ["mixed read", "mixed write", "four", "seqwrite"]
    assert (reading.format, reading.problems, reading.partial) == ("fio", (), False)
    read = benchmark_of(reading, "mixed read")
    # 3514 reads in 1001 ms; fio rounds to IOPS=3510.
    assert metric_of(read, "throughput").value == 3514 / 1.001
    assert metric_of(read, "throughput").better == "higher"
    of_write = metrics_of(benchmark_of(reading, "mixed write"))
    assert (of_write["operations"], of_write["throughput"]) == (3634, 3634 / 1.001)


def test_times_are_milliseconds_whatever_unit_fio_chose() -> None:
    write = metrics_of(benchmark_of(reading_of("fio-3.33.txt"), "seqwrite"))
    assert write["latency_average"] == pytest.approx(1.62875)
    assert write["latency_p99"] == pytest.approx(25.822)
    assert write["sync_latency_average"] == pytest.approx(6.53863)
    assert write["sync_latency_maximum"] == pytest.approx(89.936)
    assert write["bytes_per_second"] == 122 * 2**20


@pytest.mark.parametrize("name", ["fio-3.33.txt", "fio-3.33.json"])
def test_jobs_of_one_name_that_ran_together_are_added_up(name: str) -> None:
    four = benchmark_of(reading_of(name), "four")
    single = {
        "fio-3.33.txt": (13873 / 1.001, 14103 / 1.002, 14351 / 1.001),
        "fio-3.33.json": (14392 / 1.002, 13821 / 1.001, 14337 / 1.003),
    }[name]
    assert metric_of(four, "throughput").value == pytest.approx(sum(single), rel=1e-9)
    assert metric_of(four, "throughput").note == "of 3 jobs together"
    assert "latency_p99" not in metrics_of(four)
    assert "latency_average" in metrics_of(four)


def test_jobs_together_that_did_nothing_have_no_times(tmp_path: Path) -> None:
    """Found by fuzzing."""
    job = JOB.format(iops=10, msec=1001, count=0)
    reading = read_text(tmp_path, f"{job}\n{job}")
    assert not [name for each in reading.benchmarks for name in metrics_of(each) if "lat" in name]


def test_json_has_the_same_metrics_as_text() -> None:
    reading = reading_of("fio-3.33.json")
    assert (names_of(reading), reading.problems) == (["four", "sync"], ())
    sync = metrics_of(benchmark_of(reading, "sync"))
    assert sync["throughput"] == pytest.approx(165 / 1.047)
    assert sync["sync_latency_average"] == pytest.approx(6.328893224242)
    assert sync["latency_p50"] < sync["latency_p99"]
    of_text = metrics_of(benchmark_of(reading_of("fio-3.33.txt"), "seqwrite"))
    assert sync.keys() == of_text.keys()


def test_json_is_read_between_what_fio_says_and_its_text(tmp_path: Path) -> None:
    alone = reading_of("fio-3.33.json")
    json, text = ((SAMPLES / f"fio-3.33.{ending}").read_text() for ending in ("json", "txt"))
    among = read_text(tmp_path, f"a: (g=0): rw=read\nfio-3.33\nStarting 2 processes\n{json}{text}")
    assert among.problems == ()
    assert list(map(metrics_of, among.benchmarks)) == list(map(metrics_of, alone.benchmarks))
    assert among.benchmarks[0].first_line == alone.benchmarks[0].first_line + 3


@pytest.mark.parametrize("begin", ["", '{\n"fio version" : "fio-3.33",\n"jobs" : [\n]\n}\n'])
def test_a_run_that_a_signal_stopped_has_no_numbers(begin: str, tmp_path: Path) -> None:
    text = (SAMPLES / "fio-3.33-killed.txt").read_text()
    if begin:
        text = f"\nfio: terminating on signal 2\n{begin}"
    reading = read_text(tmp_path, text)
    assert (reading.format, reading.benchmarks, reading.partial) == ("fio", (), True)
    assert "terminating on signal 2" in reading.problems[0].found


def test_a_job_that_failed_or_breaks_off_has_no_numbers(tmp_path: Path) -> None:
    whole = JOB.format(iops=3510, msec=1001, count=3514)
    failed = read_text(tmp_path, whole.replace("err= 0", "err= 5"))
    assert failed.benchmarks == ()
    assert "error 5" in failed.problems[0].found
    cut = read_text(tmp_path, whole[: whole.index("     issued")])
    assert (cut.benchmarks, cut.partial) == ((), True)
    assert "break off" in cut.problems[0].found


def test_of_two_runs_of_one_job_the_first_counts_and_the_other_is_reported(tmp_path: Path) -> None:
    one = "fio-3.33\n" + JOB.format(iops=3510, msec=1001, count=3514)
    reading = read_text(tmp_path, one + one.replace("3514", "3500"))
    assert metrics_of(benchmark_of(reading, "a"))["operations"] == 3514
    assert "a second result of 'a'" in reading.problems[0].found


def test_the_numbers_of_fio_2_are_read(tmp_path: Path) -> None:
    reading = read_text(
        tmp_path,
        "a: (groupid=0, jobs=1): err= 0: pid=2: Fri Nov 20 10:00:00 2015\n"
        "  write: io=244736KB, bw=4078.9KB/s, iops=1019 , runt= 60001msec\n"
        "    issued    : total=r=0/w=61184/d=0, short=r=0/w=0/d=0\n",
    )
    found = metrics_of(benchmark_of(reading, "a"))
    assert found == {"throughput": 61184 / 60.001, "operations": 61184, "seconds": 60.001}


@given(count=st.integers(1, 10**9), msec=st.integers(1, 10**7))
def test_throughput_is_operations_over_time(
    count: int, msec: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = JOB.format(iops=f"{count * 1000 / msec:.2f}", msec=msec, count=count)
    reading = read_text(tmp_path_factory.mktemp("fio"), text)
    found = metrics_of(benchmark_of(reading, "a"))
    assert found["throughput"] == pytest.approx(count * 1000 / msec)
    assert found["latency_maximum"] == 20

"""What HammerDB prints of TPROC-C."""

from pathlib import Path

import pytest
from log_samples import (
    SAMPLES,
    benchmark_of,
    metric_of,
    metrics_of,
    names_of,
    read_text,
    reading_of,
)

TEXT = (SAMPLES / "hammerdb-4.10.txt").read_text()
FORMER = "System achieved 115220 PostgreSQL TPM at 50220 NOPM"


def test_new_orders_are_the_operations() -> None:
    reading = reading_of("hammerdb-4.10.txt")
    assert (reading.format, reading.problems, reading.partial) == ("hammerdb", (), False)
    metrics = {metric.name: metric for metric in reading.metrics}
    assert metrics["throughput"].value == 50220 / 60
    assert metrics["database_transactions_per_minute"].value == 115220
    assert metrics["database_transactions_per_minute"].better is None
    assert (metrics["seconds"].value, metrics["throughput"].line) == (300, 16)
    assert dict(reading.facts)["virtual users"] == "16"


def test_the_former_order_of_both_numbers_is_read(tmp_path: Path) -> None:
    text = TEXT.replace("System achieved 50220 NOPM from 115220 MySQL TPM", FORMER)
    assert {m.name: m.value for m in read_text(tmp_path, text).metrics}["throughput"] == 837


def test_tests_of_several_numbers_of_users_are_benchmarks(tmp_path: Path) -> None:
    more = TEXT.replace("16 Active", "64 Active").replace("50220", "90000")
    reading = read_text(tmp_path, TEXT + more)
    assert names_of(reading) == ["16 virtual users", "64 virtual users"]
    assert metrics_of(benchmark_of(reading, "64 virtual users"))["throughput"] == 1500
    again = read_text(tmp_path, TEXT + TEXT)
    assert "a second result of '16 virtual users'" in again.problems[0].found


def test_a_test_without_its_result_has_no_number(tmp_path: Path) -> None:
    reading = read_text(tmp_path, TEXT[: TEXT.index("Vuser 1:TEST RESULT")])
    assert (reading.metrics, reading.partial) == ((), True)
    assert "a test without its result" in reading.problems[0].found


def test_users_that_failed_are_counted_and_reported(tmp_path: Path) -> None:
    failed = TEXT.replace("Vuser 1:Test complete", "Vuser 3:FINISHED FAILED\nVuser 1:Test complete")
    reading = read_text(tmp_path, failed + TEXT.replace("16 Active", "64 Active"))
    first = benchmark_of(reading, "16 virtual users")
    assert metric_of(first, "aborted_clients").value == 1
    assert "aborted_clients" not in metrics_of(benchmark_of(reading, "64 virtual users"))
    assert "FINISHED FAILED" in reading.problems[0].found


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_number_of_too_many_digits_is_skipped(tmp_path: Path, digits: int) -> None:
    """Python has no float of 400 digits, and reads no integer of 5,000."""
    reading = read_text(tmp_path, TEXT.replace("50220", "5" * digits))
    assert "throughput" not in {metric.name for metric in reading.metrics}

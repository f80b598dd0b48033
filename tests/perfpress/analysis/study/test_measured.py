"""The numbers of a step come from run.toml and its logs, each with its source."""

from pathlib import Path
from typing import Any

import pytest
from bundle_samples import good_bundle, pgbench_log
from perfpress.analysis.study.measured import Measurement, measurements, read_logs

LOGS: dict[str, str | bytes] = {"1.txt": pgbench_log(1000), "2.txt": pgbench_log(77)}


def measured(directory: Path, **step: Any) -> dict[str, Measurement]:
    entry = {"name": "s", "operation": "insert", **step}
    bundle = good_bundle(directory, {"step": [entry]}, LOGS)
    (resolved,) = bundle.steps
    (readings,) = read_logs(bundle, [resolved])
    return measurements(resolved, readings)


def test_a_number_of_a_log_has_its_file_and_line(tmp_path: Path) -> None:
    found = measured(tmp_path, logs=["1.txt"])
    lines = pgbench_log(1000).splitlines()
    line = lines.index("tps = 1000.000000 (without initial connection time)")
    assert found["throughput"] == Measurement(1000.0, "operations/s", "higher", "1.txt", line + 1)


def test_an_earlier_log_comes_before_a_later_one(tmp_path: Path) -> None:
    assert measured(tmp_path, logs=["2.txt", "1.txt"])["throughput"].value == 77


def test_a_number_of_run_toml_comes_before_logs(tmp_path: Path) -> None:
    metrics = {"throughput": {"value": 5.0, "unit": "operations/s", "better": "higher"}}
    found = measured(tmp_path, logs=["1.txt"], metrics=metrics)
    assert found["throughput"] == Measurement(5.0, "operations/s", "higher", "run.toml", 0)
    assert found["latency_average"].file == "1.txt"


@pytest.mark.parametrize(
    ("step", "rate"),
    [
        ({"operations": 240, "seconds": 120.0}, 2.0),
        ({"operations": 240, "seconds": 120.0, "logs": ["1.txt"]}, 1000.0),
        ({"operations": 240}, None),
        ({"seconds": 120.0}, None),
    ],
)
def test_operations_over_seconds_are_the_rate_without_one_in_a_log(
    tmp_path: Path, step: dict[str, Any], rate: float | None
) -> None:
    found = measured(tmp_path, **step).get("throughput")
    assert (found.value if found else None) == rate

"""The measurements of a step of a run, in few bytes."""

import tracemalloc
from collections.abc import Callable, Mapping

from perfpress.analysis.study.measured import Measurement
from perfpress.analysis.study.packed_measurements import PackedMeasurements, packed

RATE = Measurement(1234.5, "operations/s", "higher", "select.txt", 20)
MEMORY = Measurement(4096.0, "KiB", "lower", "command-times.json", 0, "median of 5")
FORKS = Measurement(3.5, "ns", "lower", "jmh.json", 7, "", (3.0, 3.5, 4.0))


def test_packed_measurements_are_the_same() -> None:
    measured = {"time": FORKS, "throughput": RATE, "command_memory": MEMORY}
    found = PackedMeasurements(*packed(measured))
    assert dict(found) == measured
    assert [*found] == [*measured]
    assert len(found) == 3
    assert isinstance(found["throughput"].line, int)


def test_what_was_not_measured_is_not_there() -> None:
    found = PackedMeasurements(*packed({"throughput": RATE}))
    assert "latency_p95" not in found
    assert found.get("latency_p95") is None
    assert not PackedMeasurements(*packed({}))


def test_runs_of_other_numbers_share_what_they_say_alike() -> None:
    def measured(run: int) -> Mapping[str, Measurement]:
        return {
            f"metric {number}": Measurement(run / 7, f"unit {number}", "lower", "log.txt", run)
            for number in range(4)
        }

    def memory_of(make: Callable[[int], object]) -> int:
        tracemalloc.start()
        made = [make(run) for run in range(500)]
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert made
        return size

    assert (
        memory_of(lambda run: PackedMeasurements(*packed(measured(run)))) < memory_of(measured) / 3
    )

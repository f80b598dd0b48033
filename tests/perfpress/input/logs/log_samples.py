"""Helpers for the tests of logs that hold several named benchmarks."""

from pathlib import Path

from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import Benchmark, LogReading, Metric

SAMPLES = Path(__file__).parent / "samples"


def reading_of(name: str) -> LogReading:
    return read_log(SAMPLES / name, name)


def read_text(folder: Path, text: str) -> LogReading:
    log = folder / "log"
    log.write_text(text)
    return read_log(log, "log")


def benchmark_of(reading: LogReading, name: str) -> Benchmark:
    return next(each for each in reading.benchmarks if each.name == name)


def names_of(reading: LogReading) -> list[str]:
    return [each.name for each in reading.benchmarks]


def metric_of(benchmark: Benchmark, name: str) -> Metric:
    return next(metric for metric in benchmark.metrics if metric.name == name)


def metrics_of(benchmark: Benchmark) -> dict[str, float]:
    return {metric.name: metric.value for metric in benchmark.metrics}


def skips_of(reading: LogReading) -> dict[str, int]:
    return {skipped.reason: skipped.count for skipped in reading.skipped}

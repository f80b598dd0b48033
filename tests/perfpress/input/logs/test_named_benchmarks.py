"""A log may hold several named benchmarks: a step takes the one that is called as it is."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from bundle_samples import good_bundle
from msgspec.structs import replace
from perfpress.analysis.study import measured
from perfpress.analysis.study.measured import measurements
from perfpress.host.drafting.draft import draft
from perfpress.input.bundles.schema import Step
from perfpress.input.logs.named_benchmarks import of_step, step_name
from perfpress.input.logs.readings import Benchmark, LogReading, Metric
from perfpress.input.logs.workers import LogFile, read_each


def timed(name: str, nanoseconds: float, partial: bool = False) -> Benchmark:
    metric = Metric(
        name="time_per_operation", value=nanoseconds, unit="ns", better="lower", line=7, note="x"
    )
    return Benchmark(name=name, metrics=(metric,), partial=partial)


def log_of(*benchmarks: Benchmark) -> LogReading:
    return LogReading(format="go-bench", file="bundle/bench.txt", benchmarks=benchmarks)


def taken(reading: LogReading, step: str, only_step: bool = True) -> LogReading:
    return of_step(reading, step, "bundle/run.toml", only_step=only_step)


def chosen(step: str, *names: str, only_step: bool = True) -> str | None:
    reading = taken(log_of(*(timed(name, 1) for name in names)), step, only_step)
    return reading.benchmarks[0].name if reading.benchmarks else None


@pytest.mark.parametrize(
    ("step", "names", "expected"),
    [
        ("Sort/10", ("Sort/100", "Sort/10"), "Sort/10"),
        ("sort-10", ("Sort/100", "Sort/10"), "Sort/10"),
        ("Sort/10", ("sort/10", "Sort/10"), "Sort/10"),
        ("sort-10", ("sort/10", "Sort/10"), None),
        ("Find", ("Sort/100", "Sort/10"), None),
        ("whatever", ("Sort/100",), "Sort/100"),
        ("run a READ", ("READ", "a READ"), "a READ"),
        ("run READ", ("READ", "UPDATE"), "READ"),
        ("run-READ", ("READ", "UPDATE"), None),
    ],
)
def test_exactly_the_same_name_comes_first_then_the_same_slug_then_the_only_one(
    step: str, names: tuple[str, ...], expected: str | None
) -> None:
    assert chosen(step, *names) == expected


def test_of_several_steps_none_takes_a_benchmark_of_another_name() -> None:
    assert chosen("Find", "Sort", only_step=False) is None
    assert chosen("sort", "Sort", only_step=False) == "Sort"


def test_an_unknown_step_gets_an_error_with_the_names() -> None:
    reading = taken(log_of(timed("A", 1), timed("B", 2)), "C")
    assert (reading.metrics, reading.benchmarks) == ((), ())
    assert str(reading.problems[0]) == (
        "bundle/run.toml: step 'C': bundle/bench.txt holds no benchmark of that name; "
        "expected one of 'A', 'B'; name the step as the benchmark is named"
    )


def test_of_thousands_of_names_some_are_listed() -> None:
    reading = taken(log_of(*(timed(f"B{n}", 1) for n in range(5000))), "C")
    assert reading.problems[0].expected.endswith("'B19' and 4980 more")


def test_a_log_without_named_benchmarks_is_left_as_it_is() -> None:
    reading = replace(log_of(), metrics=timed("A", 1).metrics)
    assert taken(reading, "C") is reading


def test_a_benchmark_that_failed_says_nothing_of_the_others() -> None:
    log = log_of(timed("A", 1, partial=True), timed("B", 2))
    assert taken(log, "A").partial
    assert not taken(log, "B").partial


def test_a_name_too_long_for_a_step_is_found_by_the_name_drafted_for_it() -> None:
    names = [f"{'deep/' * 60}{end}" for end in ("a", "b")]
    assert len(step_name(names[1])) <= 200
    assert chosen(step_name(names[1]), *names) == names[1]


def test_throughput_is_one_over_the_time_of_an_operation_and_says_so() -> None:
    step = Step(name="A", operation="sort", logs=("bench.txt",))
    readings = (taken(log_of(timed("A", 250)), "A"),)
    found = measurements(step, readings)
    assert found["throughput"].value == 4_000_000
    assert found["throughput"].note == "1 ÷ time per operation, x"
    assert (found["throughput"].file, found["throughput"].line) == ("bench.txt", 7)
    assert found["time_per_operation"].value == 250


def test_no_time_at_all_gives_no_throughput() -> None:
    step = Step(name="A", operation="sort", logs=("bench.txt",))
    assert "throughput" not in measurements(step, (taken(log_of(timed("A", 0)), "A"),))


def test_init_drafts_a_step_for_each_benchmark_of_a_log(tmp_path: Path) -> None:
    (tmp_path / "bench.txt").write_text("BenchmarkA-2 5 7 ns/op\nBenchmarkB/x=1-2 5 9 ns/op\n")
    (tmp_path / "trace.txt").write_text("417ns | 1 | node | event\n")
    made = draft(tmp_path, ["bench.txt", "trace.txt"], {"report": "r", "release": "1"})
    assert made.steps == ("A", "B/x=1")
    assert made.text.count('"bench.txt"') == 2
    assert made.left_out == ("trace.txt",)


def test_a_bundle_reads_a_log_of_several_benchmarks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [{"name": name, "operation": "call", "logs": ["b.txt"]} for name in ("A", "b", "C")]
    text = "BenchmarkA-2 5 7 ns/op\nBenchmarkB-2 5 9 ns/op\n"
    bundle = good_bundle(tmp_path, {"step": steps}, {"b.txt": text})
    read: list[str] = []

    def counting(logs: Sequence[LogFile], processes: int) -> list[LogReading]:
        read.extend(log.path.name for log in logs)
        return read_each(logs, processes)

    monkeypatch.setattr(measured, "read_each", counting)
    readings = measured.read_logs(bundle, bundle.steps)
    rates = [
        measured.measurements(step, of_one).get("throughput")
        for step, of_one in zip(bundle.steps, readings, strict=True)
    ]
    assert read == ["b.txt"]
    assert [each and round(each.value) for each in rates] == [142857143, 111111111, None]

"""Damaged and hostile logs give problems, never an exception, and no number that is none."""

import json
import re
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_samples import SAMPLES, names_of, read_text, reading_of
from perfpress.base.limits import LIMITS
from perfpress.input.logs import json_results
from perfpress.input.logs.formats import FORMATS, parser_of
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import Benchmark, LogReading

REAL = sorted(SAMPLES.iterdir())
JSON = [
    path
    for path in REAL
    if path.suffix == ".json" and "plan" not in path.name and not path.name.startswith("custom")
]


NOT_NUMBERS = (
    *("NaN", "Infinity", "1e999", "-1e999", "-1", "9" * 400, "9" * 5000),
    *('"7"', "null", "[]", "true"),
)
JSON_NUMBER = re.compile(r":\s*(-?\d[\d.e+-]*)")


def numbers_of(reading: LogReading) -> list[float]:
    parts: list[LogReading | Benchmark] = [reading, *reading.benchmarks]
    numbers = [metric.value for part in parts for metric in part.metrics]
    for series in (series for part in parts for series in part.series):
        numbers += [*series.seconds, *series.values]
    for span in (span for trace in reading.traces for span in trace.spans):
        numbers += [span.start, span.seconds]
    return numbers


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda content: b"\xef\xbb\xbf" + content, id="byte order mark"),
        pytest.param(lambda content: content.replace(b"\n", b"\r\n"), id="CRLF"),
    ],
)
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_how_windows_writes_lines_changes_nothing(
    changed: Callable[[bytes], bytes], path: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    content = path.read_bytes().replace(b"\r\n", b"\n")
    log.write_bytes(changed(content))
    alike = tmp_path / "alike"
    alike.write_bytes(content)
    assert read_log(log, "x") == read_log(alike, "x")


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_reported(coding: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes((SAMPLES / "go-bench-count.txt").read_text().encode(coding))
    (problem,) = read_log(log, "log").problems
    assert "text in UTF-16" in problem.found


@pytest.mark.parametrize("path", JSON, ids=lambda path: path.name)
def test_json_that_breaks_off_keeps_what_was_whole(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    whole = reading_of(path.name)
    for end in range(0, len(text) - 2, max(1, len(text) // 40)):
        reading = read_text(tmp_path, text[:end])
        known = reading.format == whole.format
        assert reading.problems
        if known and not whole.traces:
            assert reading.problems[0].found.startswith(("JSON that breaks off", "no list"))
            assert names_of(reading) == names_of(whole)[: len(reading.benchmarks)]


def test_json_nested_too_deep_is_reported(tmp_path: Path) -> None:
    deep = "[" * 100_000
    for text in (
        f'{{"results": [{{"command": "c", "mean": {deep}',
        f'{{"context": {{"num_cpus": {deep}, "benchmarks": [',
        f'[{{"benchmark": "b", "mode": "avgt", "primaryMetric": {deep}',
        f'{{"machine_info": {{}}, "benchmarks": [{deep}',
        f'[{{"Plan": {{"Node Type": "x", "Plans": {deep}',
        '{"results": [{"command": "c", "mean": ' + '{"a":' * 100_000,
    ):
        reading = read_text(tmp_path, text)
        assert reading.format
        assert reading.problems
        assert numbers_of(reading) == []


def test_a_plan_of_very_many_nodes_is_read(tmp_path: Path) -> None:
    node = {"Node Type": "x", "Actual Total Time": 1, "Actual Loops": 1}
    text = json.dumps([{"Plan": node | {"Plans": [node] * 5000}}])
    (trace,) = read_text(tmp_path, text).traces
    assert len(trace.spans) == 5001


@pytest.mark.parametrize("number", NOT_NUMBERS, ids=lambda text: text[:9])
@pytest.mark.parametrize("path", JSON, ids=lambda path: path.name)
def test_json_numbers_that_are_none_never_come_through(
    number: str, path: Path, tmp_path: Path
) -> None:
    # Every number of the log in turn; the text around it stays as it is.
    text = path.read_text()
    numbers = [found.span(1) for found in JSON_NUMBER.finditer(text)]
    for start, end in numbers[:: max(1, len(numbers) // 25)]:
        reading = read_text(tmp_path, text[:start] + number + text[end:])
        assert all(map(isfinite, numbers_of(reading)))


def test_a_log_that_is_one_line_of_megabytes_is_reported(tmp_path: Path) -> None:
    (problem,) = read_text(tmp_path, "x" * (3 * LIMITS.line_bytes)).problems
    assert problem.found == "a line longer than 1 MiB"


@pytest.mark.parametrize("path", JSON, ids=lambda path: path.name)
def test_json_may_be_one_line_of_megabytes(path: Path, tmp_path: Path) -> None:
    document = json.loads(path.read_text())
    first = document[0] if isinstance(document, list) else document
    first["padding"] = "x" * LIMITS.line_bytes
    reading = read_text(tmp_path, json.dumps(document))
    assert "line longer" not in str(reading.skipped)
    assert numbers_of(reading) == numbers_of(reading_of(path.name))


def test_a_log_too_large_to_be_read_whole_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_results, "LARGEST", 500)
    for name in ("hyperfine-1.15.json", "postgres-explain-15-analyze.json"):
        reading = read_log(SAMPLES / name, name)
        assert "a log of more than" in reading.problems[0].found
        assert numbers_of(reading) == []


def test_more_results_than_a_run_can_have_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_results, "MOST_RESULTS", 1)
    reading = read_text(tmp_path, (SAMPLES / "hyperfine-1.15.json").read_text())
    assert names_of(reading) == ["sleep 0.01"]
    assert "more than 1 results; of the results before it, 1 are read" in reading.problems[0].found


def test_two_json_logs_in_one_file_are_reported(tmp_path: Path) -> None:
    text = (SAMPLES / "hyperfine-1.15.json").read_text()
    reading = read_text(tmp_path, text + text)
    assert names_of(reading) == ["sleep 0.01", "sleep 0.02"]
    assert "more text behind the end of the JSON" in reading.problems[0].found


@settings(max_examples=150)
@given(st.sampled_from(FORMATS), st.data())
def test_no_content_makes_a_parser_fail(name: str, data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(REAL)).read_text().split("\n")
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(
            st.one_of(
                st.text(max_size=40),
                st.sampled_from(lines),
                st.just(lines[at].replace(".", ",")),
                st.just(lines[at][: len(lines[at]) // 2]),
            )
        )
    parser = parser_of(name)
    assert all(map(isfinite, numbers_of(parser.parse(lines, "log"))))


LONG = 1 << 18


@pytest.mark.parametrize(
    "line",
    [
        "--- FAIL: Benchmark" + "/" * LONG,
        "Benchmark" + " " * LONG + "x",
        "a: " * (LONG // 3),
        "x" * LONG + " :  1.0 micros/op",
        "x\r" * (LONG // 2),
        "... finished 1 ops\r" * (LONG // 20),
        " " * LONG + "1s: x/sec",
        "|" * LONG,
        "1ms | 1 | " + " | " * (LONG // 3),
        "EXPLAIN (TRACE) " + " +|-" * (LONG // 4) + "x",
        "QUERY PLAN" + "-" * LONG + "x",
        "metric,value,unit" + "," * LONG,
    ],
    ids=lambda line: repr(line[:24]),
)
def test_a_very_long_line_takes_no_longer_than_its_length_asks(line: str) -> None:
    for parser in map(parser_of, FORMATS):
        begun = perf_counter()
        parser.recognise([line])
        parser.parse([line], "log")
        # One pass takes milliseconds; one for each letter would take minutes.
        assert perf_counter() - begun < 20, parser.name


def test_a_summary_whose_heading_lacks_the_tag_is_read(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-summary.txt").read_text()
    damaged = "\n".join(line.replace("\ttag", "\tp99\0tag") for line in text.split("\n"))
    assert read_text(tmp_path, damaged).format == "insert-benchmark-summary"


@pytest.mark.parametrize("event", ["contece counter sxt-switches", "a\u00a0b", "x" * 300, "\x00a"])
def test_an_event_of_perf_with_any_name_is_counted_or_skipped(event: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(f"     0.2005,1,,{event},1200130,100.00,,\n0.200596569,7,,faults,1,100.00,,\n")
    reading = read_log(log, "log", "perf-stat")
    assert {"counted faults"} <= {metric.name for metric in reading.metrics}
    assert reading.skipped or len(reading.metrics) > 1

"""Formats that a TOML file describes: those that come along, and those that a bundle brings."""

import json
from pathlib import Path
from time import process_time

import pytest
from bundle_samples import good_bundle, write_files
from hypothesis import given, settings
from hypothesis import strategies as st
from log_samples import benchmark_of, metrics_of, names_of, reading_of
from perfpress.analysis.study.measured import read_logs
from perfpress.input.bundles.read import read_bundle
from perfpress.input.logs.described import MOST_FOUND, read_parser
from perfpress.input.logs.formats import parser_of
from perfpress.input.logs.parser import Parser
from perfpress.input.logs.readings import LogReading

LINES = r"""
benchmark = "{test}"
failures = ['^ERROR']

[[numbers]]
pattern = '^(?P<test>\w+): (?P<value>[\d.,]+) rows/s'
metric = "throughput"

[[numbers]]
pattern = '^(?P<test>\w+): .* p(?P<percent>\d+) (?P<value>\S+) us'
metric = "latency_p{percent}"
factor = 1e-3

[[numbers]]
pattern = '^(?P<test>\w+) after (?P<seconds>\S+) s: (?P<value>\d+)'
metric = "queue"
unit = "rows"
better = "lower"
"""


def parser_by(folder: Path, text: str) -> Parser:
    (folder / "format.toml").write_text(text)
    parser, problems = read_parser(folder / "format.toml", "format.toml")
    assert parser is not None, problems
    return parser


def read_by(folder: Path, description: str, log: str) -> LogReading:
    return parser_by(folder, description).parse(log.split("\n"), "log")


def faults_of(folder: Path, text: str) -> list[str]:
    (folder / "format.toml").write_text(text)
    parser, problems = read_parser(folder / "format.toml", "format.toml")
    assert parser is None
    return [str(each) for each in problems]


def numbers_of(reading: LogReading) -> dict[str, float]:
    return {each.name: each.value for each in reading.metrics}


@pytest.mark.parametrize(
    ("sample", "throughput", "p99"),
    [
        ("vegeta.json", 50.221804532756515, 14.58794),
        ("autocannon.json", 560.67, 1520.0),
        ("wrk-4.1.txt", 53540.16, 78.21),
        ("ab.txt", 1234.57, 9.0),
    ],
)
def test_load_generators_are_read_without_code(sample: str, throughput: float, p99: float) -> None:
    reading = reading_of(sample)
    assert reading.problems == ()
    found = numbers_of(reading)
    assert (found["throughput"], found["latency_p99"]) == (throughput, p99)


def test_the_average_of_ab_has_its_decimals() -> None:
    """Its table has whole milliseconds: 3."""
    assert numbers_of(reading_of("ab.txt"))["latency_average"] == 3.24


@pytest.mark.parametrize(
    ("sample", "name", "count"),
    [
        ("ab-failures.txt", "non-2xx responses", 300),
        ("bombardier-json.json", "responses with status 5xx", 100),
        ("bombardier-text-failures.txt", "requests without a response", 100),
    ],
)
def test_answers_that_are_errors_are_counted(sample: str, name: str, count: float) -> None:
    """They may be quicker than others: a rate alone looks like progress."""
    (failed,) = (each for each in reading_of(sample).metrics if each.name == name)
    assert (failed.value, failed.better) == (count, "lower")


def test_rate_and_percentiles_of_bombardier_are_read_of_text_and_json() -> None:
    text = numbers_of(reading_of("bombardier-text.txt"))
    assert (text["throughput"], text["latency_p50"], text["latency_p99"]) == (13133.67, 0.139, 3.6)
    assert (text["operations"], text["latency_maximum"]) == (2000, 8.7)
    json = numbers_of(reading_of("bombardier-json.json"))
    assert (json["throughput"], json["latency_p99"]) == (16676.163741917688, 1.039)


def test_a_row_of_a_csv_is_a_benchmark_and_keeps_its_line() -> None:
    reading = reading_of("redis-benchmark.csv")
    assert names_of(reading) == ["SET", "GET"]
    get = benchmark_of(reading, "GET")
    assert metrics_of(get)["latency_p95"] == 9.271
    assert {metric.line for metric in get.metrics} == {3}
    assert names_of(reading_of("locust.csv")) == ["GET /", "Aggregated"]


def test_bencher_s_measures_are_read_by_name_and_others_as_they_are_called() -> None:
    reading = reading_of("bencher.json")
    sort = benchmark_of(reading, "sort 10")
    assert metrics_of(sort) == {"time_per_operation": 1250.5, "allocations": 12}
    assert metrics_of(benchmark_of(reading, "lookup")) == {"throughput": 81234.5}


def test_apachebench_without_a_server_is_a_problem() -> None:
    log = ["This is ApacheBench, Version 2.3", "apr_socket_recv: Connection refused (111)"]
    reading = parser_of("ab").parse(log, "ab.txt")
    assert reading.partial
    assert [problem.line for problem in reading.problems] == [2, 0]


def test_lines_give_metrics_percentiles_series_and_failures(tmp_path: Path) -> None:
    log = "load: 1,234.5 rows/s, p99 250 us\nload after 1 s: 7\nload after 2 s: 9\nERROR: x\nhello"
    reading = read_by(tmp_path, LINES, log)
    (load,) = reading.benchmarks
    assert metrics_of(load) == {"throughput": 1234.5, "latency_p99": 0.25}
    assert {metric.line for metric in load.metrics} == {1}
    (queue,) = load.series
    assert (queue.seconds, queue.values, queue.better) == ((1, 2), (7, 9), "lower")
    assert [problem.found for problem in reading.problems] == ["ERROR: x"]
    assert [(each.count, each.first_line) for each in reading.skipped] == [(1, 5)]


def test_numbers_of_one_name_are_repeats(tmp_path: Path) -> None:
    reading = read_by(tmp_path, LINES, "load: 10 rows/s\nload: 30 rows/s\nload: 20 rows/s")
    (metric,) = reading.benchmarks[0].metrics
    assert (metric.value, metric.note) == (20, "median of 3 repeats")


@pytest.mark.parametrize(
    ("text", "seconds"), [("1:02:03", 3723), ("0:00.25", 0.25), ("12,5", 12.5), ("1,234", 1234)]
)
def test_numbers_are_read_as_tools_write_them(text: str, seconds: float, tmp_path: Path) -> None:
    described = "[[numbers]]\npattern = '^took (?P<value>\\S+)'\nmetric = 'seconds'\n"
    assert numbers_of(read_by(tmp_path, described, f"took {text}")) == {"seconds": seconds}


def test_a_log_with_none_of_the_numbers_is_reported(tmp_path: Path) -> None:
    reading = read_by(tmp_path, LINES, "hello\nload: fast rows/s")
    assert reading.partial
    assert "none of the numbers" in reading.problems[0].found


def test_a_bundle_brings_the_description_of_its_log(tmp_path: Path) -> None:
    step = {
        "name": "load",
        "operation": "row",
        "logs": ["out.txt"],
        "formats": {"out.txt": "own.toml"},
    }
    files = {"out.txt": "load: 10 rows/s", "own.toml": LINES}
    bundle = good_bundle(tmp_path / "good", {"step": [step]}, files)
    ((reading,),) = read_logs(bundle, bundle.steps)
    assert (reading.format, numbers_of(reading)) == ("own", {"throughput": 10})
    _, problems = read_bundle(bundle.directory, "bundle")
    assert problems == []
    (bundle.directory / "own.toml").unlink()
    _, (missing,) = read_bundle(bundle.directory, "bundle")
    assert missing.found == "no file 'own.toml'"
    step["formats"] = {"out.txt": "../own.toml"}
    outside = write_files(tmp_path / "outside", {"step": [step]}, files)
    _, (problem,) = read_bundle(outside, "bundle")
    assert "climbs out of the bundle" in problem.found


@pytest.mark.parametrize(
    ("description", "log"),
    [
        (
            "began = '^begin (?P<value>\\S+)'\n[[numbers]]\npattern = '^n (?P<value>.)'",
            "begin 1e\nn 1",
        ),
        (
            "layout = 'json'\nbegan = 'run/at'\n[[numbers]]\nkey = 'n'",
            '{"run": {"at": "1e"}, "n": 1}',
        ),
        ("layout = 'csv'\nbegan = 'at'\n[[numbers]]\nkey = 'n'", "at,n\n1e,1\n2e,2"),
    ],
)
def test_a_description_says_where_the_start_of_the_run_is(
    description: str, log: str, tmp_path: Path
) -> None:
    reading = read_by(tmp_path, f"{description}\nmetric = 'x'", log)
    assert ("began", "1e") in reading.facts
    assert reading.metrics
    assert reading.skipped == ()


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("[[numbers]]\npattern = '(?P<value>\\d+)'", "lacks the key `metric`"),
        ("[[numbers]]\npattern = '(?P<value>'\nmetric = 'x'", "cannot be read"),
        ("[[numbers]]\npattern = '(?=x)(?P<value>.)'\nmetric = 'x'", "cannot be read"),
        ("[[numbers]]\npattern = '\\d+'\nmetric = 'x'", "has no group (?P<value>…)"),
        ("[[numbers]]\nkey = 'a'\nmetric = 'x'", "`pattern` and no `key`"),
        ("[[numbers]]\nkey = 'a'\nmetric = 'throughput'\nunit = 'kB'", "throughput in 'kB'"),
        ("[[number]]\nmetric = 'x'", "unknown key `number`"),
        ("layout = 'xml'\n[[numbers]]\nmetric = 'x'\nkey = 'a'", "lines or json or csv"),
        ("began = 'x'\n[[numbers]]\npattern = '(?P<value>.)'\nmetric = 'x'", "(?P<value>…)"),
        ("failures = ['(']\n[[numbers]]\nmetric = 'x'\npattern = '(?P<value>.)'", "cannot be read"),
        ("numbers = []", "not empty"),
    ],
)
def test_a_wrong_description_is_explained_with_its_line(
    description: str, found: str, tmp_path: Path
) -> None:
    faults = faults_of(tmp_path, description)
    assert any(found in fault for fault in faults), faults
    assert all(fault.startswith("format.toml") for fault in faults)


def test_a_hostile_pattern_takes_time_in_proportion_to_the_log(tmp_path: Path) -> None:
    described = "[[numbers]]\npattern = '^(a+)+(?P<value>\\d)$'\nmetric = 'x'\n"
    parser = parser_by(tmp_path, described)
    started = process_time()
    parser.parse(["a" * 100_000] * 20, "log")
    assert process_time() - started < 10


def test_a_name_from_the_log_makes_no_more_metrics_than_a_run_has(tmp_path: Path) -> None:
    described = "[[numbers]]\npattern = '^(?P<name>\\w+) (?P<value>\\d+)'\nmetric = '{name}'\n"
    parser = parser_by(tmp_path, described)
    reading = parser.parse((f"n{at} 1" for at in range(MOST_FOUND + 5_000)), "log")
    assert len(reading.metrics) == MOST_FOUND
    assert sum(each.count for each in reading.skipped) == 5_000


def test_a_document_of_many_keys_takes_time_in_proportion_to_it() -> None:
    names = {f"n{at}": at for at in range(MOST_FOUND)}
    benchmarks = {f"b{at}": {"latency": {"value": at}} for at in range(MOST_FOUND)}
    started = process_time()
    reading = parser_of("bencher").parse([json.dumps(names | benchmarks)], "log")
    assert len(reading.benchmarks) == MOST_FOUND
    assert process_time() - started < 15


def test_placeholders_are_text_and_no_format_of_python(tmp_path: Path) -> None:
    described = (
        "[[numbers]]\npattern = '(?P<value>\\d+)'\nmetric = '{value.__class__}{x:99999999}'\n"
    )
    (metric,) = read_by(tmp_path, described, "1").metrics
    assert metric.name == "{value.__class__}{x:99999999}"


@pytest.mark.parametrize(("group", "name"), [(r"\w+\pL*", "größe"), (r"gr\C", "gr\ufffd")])
def test_a_name_has_its_letters_unless_a_pattern_cuts_one(
    group: str, name: str, tmp_path: Path
) -> None:
    described = (
        f"benchmark = '{{test}}'\n[[numbers]]\nmetric = 'throughput'\n"
        f"pattern = '^(?P<test>{group})\\C*: (?P<value>\\d+)'\n"
    )
    [benchmark] = read_by(tmp_path, described, "größe: 5").benchmarks
    assert (benchmark.name, benchmark.metrics[0].value) == (name, 5)


@settings(max_examples=200)
@given(st.sampled_from(["ab", "wrk", "vegeta", "locust", "bencher"]), st.text(max_size=200))
def test_any_text_is_read_or_reported(name: str, text: str) -> None:
    reading = parser_of(name).parse(text.split("\n"), "log")
    assert reading.metrics or reading.benchmarks or reading.problems

"""Steps and their patterns stand for the files that they fit."""

import time
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import FILES, good_bundle, write_files
from hypothesis import given
from hypothesis import strategies as st
from perfpress.input.bundles.patterns import file_pattern, fill
from perfpress.input.bundles.read import read_bundle

SYSBENCH = [
    "sb.o.insert.range100.pk1.dop48",
    "sb.o.point-query.range10.pk1.dop48.gz",
    "sb.o.scan.range1.pk1.dop48",
]
PATTERN = {
    "match": "sb.o.{test}.range{range}.pk1.dop{clients}",
    "name": "{test} range={range}",
    "operation": "{test}",
}


def problem_with(
    directory: Path, *steps: dict[str, Any], files: tuple[str, ...] = (), **run: Any
) -> str:
    """Return the only problem of a bundle with these steps and empty files of these names."""
    write_files(directory, {"step": list(steps), **run}, FILES | dict.fromkeys(files, "x"))
    bundle, problems = read_bundle(directory, "b")
    assert bundle is None
    (problem,) = problems
    return str(problem)


def test_a_pattern_makes_a_step_of_every_file_it_fits(tmp_path: Path) -> None:
    files = dict.fromkeys([*SYSBENCH, "vmstat.insert.txt", "other"], "x")
    pattern = PATTERN | {"logs": ["vmstat.*"], "captures": ["o*"], "formats": {"o*": "folded"}}
    bundle = good_bundle(tmp_path, {"step": [pattern], "clients": 48}, files)
    assert [(step.name, step.operation, step.logs) for step in bundle.steps] == [
        ("insert range=100", "insert", (SYSBENCH[0], "vmstat.insert.txt")),
        ("point-query range=10", "point-query", (SYSBENCH[1], "vmstat.insert.txt")),
        ("scan range=1", "scan", (SYSBENCH[2], "vmstat.insert.txt")),
    ]
    assert {step.captures for step in bundle.steps} == {("other",)}
    assert bundle.steps[0].formats == {"other": "folded"}
    assert {step.match for step in bundle.steps} == {None}


def test_placeholders_can_be_used_in_other_keys(tmp_path: Path) -> None:
    files = dict.fromkeys(["a/out.txt", "a/p.1", "a/p.2", "b/out.txt", "b/p.1"], "x")
    pattern = {"match": "{s}/out.txt", "name": "{s}", "operation": "o", "captures": ["{s}/p.*"]}
    bundle = good_bundle(tmp_path, {"step": [pattern]}, files)
    assert [step.captures for step in bundle.steps] == [("a/p.1", "a/p.2"), ("b/p.1",)]


def test_files_named_twice_count_once(tmp_path: Path) -> None:
    step = {"name": "s", "operation": "o", "captures": ["p.1", "p.*", "p.2"]}
    bundle = good_bundle(tmp_path, {"step": [step]}, {"p.1": "x", "p.2": "x"})
    assert bundle.steps[0].captures == ("p.1", "p.2")


def test_a_name_with_braces_is_a_name_where_there_is_no_match(tmp_path: Path) -> None:
    step = {"name": "{s}", "operation": "o", "logs": ["{x}.txt"]}
    bundle = good_bundle(tmp_path, {"step": [step]}, {"{x}.txt": "x"})
    assert bundle.steps[0].name == "{s}"


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    step = {"name": "s", "operation": "o", "logs": ["selct.txt"]}
    assert problem_with(tmp_path, step) == (
        "b/run.toml:10: no file 'selct.txt'; expected a file of the bundle; "
        "the bundle holds 'select.txt'"
    )


@pytest.mark.parametrize("key", ["logs", "captures"])
def test_a_pattern_that_fits_nothing_is_reported(tmp_path: Path, key: str) -> None:
    step = {"name": "s", "operation": "o", key: ["perf.*"]}
    assert "no file 'perf.*'" in problem_with(tmp_path, step)
    assert "no file fits 'sb.o.{test}" in problem_with(tmp_path, PATTERN)


def test_a_format_for_no_file_is_reported(tmp_path: Path) -> None:
    step = {"name": "s", "operation": "o", "formats": {"x": "pgbench"}}
    assert "no file 'x'" in problem_with(tmp_path, step)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"match": "sb.o.{test}{range}.pk1.dop{clients}"}, "{test} and {range} touch in "),
        ({"match": "sb.o.{test}*.pk1"}, "{test} and * touch in "),
        ({"match": "sb.o.{test}.range{test}"}, "{test} occurs twice in "),
        ({"match": "x" * 1001}, "a pattern of 1001 characters"),
    ],
)
def test_a_pattern_that_is_open_to_several_readings_is_reported(
    tmp_path: Path, change: dict[str, str], found: str
) -> None:
    if len(change["match"]) > 200:  # refused by the schema already
        assert "expected text in quotes of at most 200 characters" in problem_with(
            tmp_path, PATTERN | change
        )
    else:
        assert found in problem_with(tmp_path, PATTERN | change)


def test_a_placeholder_that_match_lacks_is_reported(tmp_path: Path) -> None:
    change = PATTERN | {"name": "{tset}"}
    assert (
        "{tset} in '{tset}'; expected one of {test}, {range}, {clients}, from match"
        in problem_with(tmp_path, change, files=tuple(SYSBENCH[:1]))
    )


def test_clients_in_file_names_agree_with_the_run(tmp_path: Path) -> None:
    files = (*SYSBENCH, "sb.o.warm.range1.pk1.dop8")
    line = problem_with(tmp_path / "other", PATTERN, files=files, clients=48)
    assert (
        "1 of 4 files have another number of clients: 'sb.o.warm.range1.pk1.dop8' has 8; "
        "expected 48, as the run says; put 48 in the place of {clients}, or {clients} into name"
    ) in line
    named = PATTERN | {"name": "{test} clients={clients}"}
    bundle = good_bundle(
        tmp_path / "named", {"step": [named], "clients": 48}, dict.fromkeys(files, "x")
    )
    assert [step.name for step in bundle.steps][-1] == "warm clients=8"


def test_two_steps_of_one_address_are_reported(tmp_path: Path) -> None:
    steps = '[[step]]\nname = "L.I1"\noperation = "o"\n[[step]]\nname = "l.i1"\noperation = "o"\n'
    run = 'schema = 1\nreport = "r"\nrelease = "1"\nbenchmark = "b"\nhost = "h"\n'
    bundle, problems = read_bundle(write_files(tmp_path, text=run + steps), "b")
    assert bundle is None
    (line,) = map(str, problems)
    assert line.startswith(
        "b/run.toml:10: 2 steps have the address l.i1: 'L.I1', 'l.i1'; expected one"
    )


def test_a_pattern_whose_name_leaves_out_what_differs_is_reported(tmp_path: Path) -> None:
    change = PATTERN | {"name": "{clients}"}
    assert "3 steps have the address 48" in problem_with(tmp_path, change, files=tuple(SYSBENCH))


@pytest.mark.parametrize("name", ["vs", "VS", "flamegraph.svg", "index.html"])
def test_a_step_with_the_address_of_another_page_is_reported(tmp_path: Path, name: str) -> None:
    assert f"a step may not be called '{name}'" in problem_with(
        tmp_path, {"name": name, "operation": "o"}
    )


def test_an_endless_number_of_steps_is_reported(tmp_path: Path) -> None:
    files = tuple(f"f{number}" for number in range(2001))
    pattern = {"match": "f{n}", "name": "{n}", "operation": "o"}
    problem = problem_with(tmp_path, pattern, files=files)
    assert "more than 2000 steps; expected at most 2000" in problem


@pytest.mark.parametrize("key", ["logs", "captures"])
def test_files_that_all_steps_name_again_and_again_are_reported(tmp_path: Path, key: str) -> None:
    """A build would read and list 200 files for each of 101 steps."""
    files = {f"f{number}": "" for number in range(200)}
    steps = "".join(
        f'[[step]]\nname = "s{number}"\noperation = "o"\n{key} = ["f*"]\n' for number in range(101)
    )
    run = 'schema = 1\nreport = "r"\nrelease = "1"\nbenchmark = "b"\nhost = "h"\n'
    bundle, problems = read_bundle(write_files(tmp_path, files=files, text=run + steps), "b")
    assert bundle is None
    (line,) = map(str, problems)
    assert line.startswith(
        "b/run.toml:409: the steps up to here name 20200 files, many of them again and again; "
        "expected at most 20000 in all"
    )


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("perf.*.gz", "perf.1.gz", True),
        ("perf.*.gz", "perf..gz", True),
        ("perf.*.gz", "perf.1/2.gz", False),
        ("*/perf.*", "l.i1/perf.1", True),
        ("perf.[12]", "perf.1", False),
        ("perf.1", "perfx1", False),
        ("*.txt", "a.txt.txt", True),
        ("a.txt", "a.txt.zst", True),
        ("a.txt", "a.txt.bz2", False),
        ("{a}.txt", ".txt", False),
        ("x{a}x", "xaxbx", True),
        ("*", "a\nb", True),
    ],
)
def test_wildcards(pattern: str, name: str, fits: bool) -> None:
    assert bool(file_pattern(pattern).fullmatch(name)) is fits


@given(st.lists(st.text(alphabet="abx1", min_size=1, max_size=3), min_size=2, max_size=2))
def test_placeholders_give_back_what_was_put_in(values: list[str]) -> None:
    template = "p-{first}={second}.txt"
    name = fill(template, {"first": values[0], "second": values[1]})
    match = file_pattern(template).fullmatch(name)
    assert match
    assert list(match.groupdict().values()) == values


def test_no_pattern_takes_long() -> None:
    pattern = "x".join(f"{{p{number}}}" for number in range(90))
    started = time.process_time()
    assert not file_pattern(pattern).fullmatch("x" * 4000 + "/")
    assert time.process_time() - started < 1

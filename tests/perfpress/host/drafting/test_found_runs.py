"""The runs that files and directories hold, without a run.toml."""

from pathlib import Path

import pytest
from perfpress.base.problems import BadInput
from perfpress.host.drafting.found_runs import found_runs

BENCH = "BenchmarkParse-8   1000   {} ns/op\nPASS\n"
STACKS = "db;execute;compare 20\ndb;execute 10\n"


def write(directory: Path, **files: str) -> Path:
    for name, text in files.items():
        path = directory / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


def runs(path: Path) -> list[tuple[str, list[str]]]:
    found = found_runs(path, path.name)
    return [(each.run_id, [step.name for step in each.steps]) for each in found.bundles]


def test_a_log_is_a_run_with_its_benchmarks_as_steps(tmp_path: Path) -> None:
    write(tmp_path, log=BENCH.format(5) + BENCH.format(6).replace("Parse", "Print"))
    assert runs(tmp_path / "log") == [("log", ["Parse", "Print"])]


def test_a_capture_is_a_run_of_one_step(tmp_path: Path) -> None:
    path = tmp_path / "scan.folded"
    path.write_text(STACKS)
    [bundle] = found_runs(path, path.name).bundles
    assert [(step.name, step.captures) for step in bundle.steps] == [("scan", ("scan.folded",))]


@pytest.mark.parametrize("first", [0, 1])
def test_logs_that_are_numbered_in_a_row_are_repeats_of_one_step(
    tmp_path: Path, first: int
) -> None:
    for number in range(first, first + 3):
        (tmp_path / f"bench.{number}.txt").write_text(BENCH.format(100 + number))
    assert runs(tmp_path) == [(str(first + at), ["bench"]) for at in range(3)]


def test_numbers_with_gaps_are_parameters_and_no_repeats(tmp_path: Path) -> None:
    for clients in (1, 2, 4, 8):
        (tmp_path / f"bench.{clients}.txt").write_text(BENCH.format(clients))
    [(_, steps)] = runs(tmp_path)
    assert steps == ["bench.1", "bench.2", "bench.4", "bench.8"]


def test_numbered_directories_are_repeats(tmp_path: Path) -> None:
    write(tmp_path, run1__a=BENCH.format(1), run2__a=BENCH.format(2), run2__b=BENCH.format(3))
    assert runs(tmp_path) == [("run1", ["a"]), ("run2", ["a", "b"])]


def test_numbered_captures_are_of_one_run(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"perf.{number}.folded").write_text(STACKS)
    [bundle] = found_runs(tmp_path, "dir").bundles
    assert [len(step.captures) for step in bundle.steps] == [3]


def test_hidden_files_do_not_count(tmp_path: Path) -> None:
    write(tmp_path, **{"log": BENCH.format(1), ".git__HEAD": "ref"})
    assert runs(tmp_path) == [("1", ["log"])]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", "no such file"),
        ("empty", "an empty file"),
        ("bare", "a directory without files"),
    ],
)
def test_what_holds_nothing_is_refused(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "bare").mkdir()
    with pytest.raises(BadInput, match=words):
        found_runs(tmp_path / name, name)


def test_output_of_a_known_tool_that_no_parser_takes_is_no_capture(tmp_path: Path) -> None:
    path = tmp_path / "tests.txt"
    failure = "E  assert 0\n" * 30
    path.write_text(f"..F\n{failure}------- benchmark: 2 tests -------\nName (time in us)  Min\n")
    with pytest.raises(BadInput, match=r"pytest-benchmark prints.*--benchmark-json"):
        found_runs(path, path.name)

"""What the recipe of the report on CPython measures, and how its files become bundles."""

import json
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.input.logs.formats import csv
from recipes.cpython_releases import __main__ as recipe
from recipes.cpython_releases import benchmarks

PYPERF = Path("tests/perfpress/input/logs/samples/pyperf-2.json").absolute()
RESULTS = Path("data/results/cpython-releases")


def test_the_report_has_a_run_of_each_round_one_of_counts_and_one_of_profiles() -> None:
    runs = Counter[str]()
    for file in RESULTS.rglob("run.toml"):
        steps = tomllib.loads(file.read_text("utf-8"))["step"]
        runs[steps[0]["logs"][0].split("/")[0].partition("-")[0]] += 1
    releases = len(list(RESULTS.iterdir()))
    assert runs["round"] == recipe.ROUNDS * releases
    assert runs["counts"] == runs["calls"] == releases


def test_instructions_of_the_start_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*command: object) -> str:
        calls = int(str(command[-1])) if "--calls" in command else 0
        return f"==7== I   refs:      {50_000_000 + 1_000 * calls:,}\n"

    monkeypatch.setattr(recipe, "run", run)
    rows = recipe.counted(Path("python"), Path("benchmarks.py")).splitlines()
    assert rows[1] == "calls,executed_instructions,1000,instructions"
    assert rows[-1] == "startup,executed_instructions,50000000,instructions"


def test_a_benchmark_prints_its_rate() -> None:
    command = [sys.executable, benchmarks.__file__, "regex", "--seconds", "0.01"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    reading = csv.PARSER.parse(printed.splitlines(), "output.txt")
    assert [metric.unit for metric in reading.metrics] == ["operations/s"]


def test_benchmarks_are_those_that_are_counted() -> None:
    assert tuple(each.__name__ for each in benchmarks.BENCHMARKS) == recipe.COUNTED


def test_its_archive_is_imported_by_its_map(tmp_path: Path) -> None:
    for part in ("round-1", "round-2"):
        file = tmp_path / "archive" / part / "3.8.18" / "pyperf.json"
        file.parent.mkdir(parents=True)
        shutil.copy(PYPERF, file)
    content = json.loads(PYPERF.read_text())
    content["metadata"]["hostname"] = "another"
    file.write_text(json.dumps(content))
    recipe.write_map(tmp_path / "map.toml")
    words = ["--map", str(tmp_path / "map.toml"), "--host", "lab1", "--out", str(tmp_path / "out")]
    assert main(["import", "logs", str(tmp_path / "archive"), *words]) == 0
    bundles = [tomllib.loads(each.read_text()) for each in tmp_path.rglob("run.toml")]
    assert [each["release"] for each in bundles] == ["3.8.18", "3.8.18"]
    assert bundles[0]["machine"]["cpus"] > 0
    assert bundles[0]["tools"]["pyperf"] == "2.7.0"

"""Published archives become bundles that `perfpress check` takes; more are in `tests/studies`."""

import subprocess
from collections import Counter
from pathlib import Path

from perfpress.__main__ import main
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle
from real_data import real_data


def imported(results: Path, *words: str) -> tuple[Bundle, ...]:
    # The archives are others': nothing is written beside them.
    places = ("--out", str(results), "--map", str(results.with_name("map.toml")))
    assert main(["import", *words, *places, "--host", "lab1"]) == 0
    found, problems = discover(results, "results")
    assert problems == []
    assert [problem for bundle in found for problem in check_contents(bundle)] == []
    steps = sum(len(bundle.steps) for bundle in found)
    print(f"{words[1]}: {len(found)} bundles, {steps} steps, all good")
    return found


def unpacked(name: str, target: Path) -> str:
    target.mkdir()
    packed = real_data(name)
    subprocess.run(["tar", "-I", "zstd", "-xf", packed, "-C", target], check=True, timeout=120)
    return str(target)


BUILDS = 5
"""Of 35, as many as say what all do; all of them take half a minute."""


def test_builds_of_sysbench(tmp_path: Path) -> None:
    archive = unpacked("mariadb-sysbench-hetz48/sysbench-logs.tar.zst", tmp_path / "archive")
    directories = sorted(map(str, Path(archive).iterdir()))
    assert len(directories) == 35
    found = imported(tmp_path / "results", "sysbench", *directories[:: 35 // BUILDS])
    assert Counter((bundle.run.clients, len(bundle.steps)) for bundle in found) == {
        (40, 37): BUILDS,
        (8, 1): BUILDS,
    }
    assert all(len(bundle.run.steps) == 1 for bundle in found)


def test_all_that_a_host_kept(tmp_path: Path) -> None:
    found = imported(
        tmp_path / "results",
        "sysbench",
        str(real_data("pg-sysbench-feb25/host-logs.tar.zst")),
    )
    assert [len(bundle.steps) for bundle in found] == [4, 4, 4]
    assert {len(step.logs) for bundle in found for step in bundle.steps} == {5}
    assert sum(len(step.captures) for bundle in found for step in bundle.steps) == 138


def test_every_summary_of_the_insert_benchmark(tmp_path: Path) -> None:
    found = imported(tmp_path / "results", "ibench", str(real_data("ibench-jan21")))
    assert {len(bundle.steps) for bundle in found} == {15}
    assert Counter(bundle.run.axes["rows"] for bundle in found) == {
        "20m": 11,
        "100m": 11,
        "500m": 11,
    }

"""What `make bench-commits` gives all commits to do, and what the report on them holds."""

import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import commits
import pytest
from perfpress.base.checkout import ROOT
from perfpress.base.slugs import slug
from perfpress.input.report.version_order import version_key

RESULTS = ROOT / "data" / "results" / "perfpress"
CORRECTIONS = ROOT / "data" / "corrections" / "perfpress"


def test_the_capture_that_is_folded_has_all_samples(tmp_path: Path) -> None:
    capture = tmp_path / "capture.perf-script"
    with capture.open("w") as file:
        file.writelines(commits._perf_script("db;main;read 3\ndb;main 1\n"))
    fold = [str(ROOT / ".venv/bin/perfpress"), "fold", str(capture)]
    folded = subprocess.run(fold, check=True, capture_output=True, text=True).stdout
    weights = [int(line.rpartition(" ")[2]) for line in folded.splitlines()[1:]]
    assert len(weights) == 2
    assert weights[0] == weights[1]


def test_releases_are_in_the_order_of_their_commits() -> None:
    names = [commits.Commit(number, "ab12", Path()).release for number in (2, 99, 100, 12345)]
    assert sorted(names, key=version_key) == names


def test_results_that_all_commits_work_on_are_there() -> None:
    for release in ("12", "18"):
        profiled, other = commits._runs(release)
        assert profiled != other
        assert commits._stacks(release).is_file()


def test_every_commit_of_the_report_was_measured_equally_often() -> None:
    corrections = [tomllib.loads(file.read_text("utf-8")) for file in CORRECTIONS.glob("*.toml")]
    superseded = {each["run"] for each in corrections if each["kind"] == "supersede"}
    assert superseded
    runs = Counter[str]()
    for file in RESULTS.rglob("run.toml"):
        steps = tomllib.loads(file.read_text("utf-8"))["step"]
        counts = file.parent.name not in superseded
        if counts and not any("captures" in step for step in steps):
            runs[file.parents[2].name] += 1
            assert {slug(step["name"]) for step in steps} >= {"fold", "flame-graph", "diff"}
    assert len(runs) >= 10
    assert len(set(runs.values())) == 1


@pytest.mark.parametrize("work", commits.WORKS, ids=lambda each: each.step)
def test_no_command_names_a_place_of_this_machine(work: commits.Work) -> None:
    assert not any(word.startswith("/") for word in work.words)

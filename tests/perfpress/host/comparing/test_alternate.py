"""Measuring two checkouts in turns, until what differs is decided."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from perfpress.base.problems import BadInput
from perfpress.host.comparing import alternate
from perfpress.host.comparing.alternate import Job, Judged, JudgedStep, Record, is_decided

ROOT = Path(__file__).parents[4]
ACTION = ROOT / ".github" / "actions" / "compare" / "compare.sh"


def record(*verdicts: tuple[str, float | None]) -> Record:
    return Record("", tuple(JudgedStep(str(at), Judged(*each)) for at, each in enumerate(verdicts)))


@pytest.mark.parametrize(
    ("verdicts", "decided"),
    [
        ([("slower", 0.0001)], True),
        ([("slower", 0.04)], False),  # it was looked at before
        ([("no change seen", 0.7)], True),
        ([("slower, one run", 0.001)], False),
        ([("no change seen", 0.7), ("noisy", 0.3)], False),
        ([("faster", 0.001), ("failed", None)], True),
        ([], False),
    ],
)
def test_more_runs_are_made_until_every_step_is_decided(
    verdicts: list[tuple[str, float | None]], decided: bool
) -> None:
    assert is_decided(record(*verdicts)) == decided


def turns(monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, float]]) -> list[str]:
    """Return what is run, where each comparison answers with the next verdict."""
    ran: list[str] = []

    def run(command: list[str], directory: Path, what: str) -> str:
        if "compare" not in command:
            ran.append(f"{what}, in {directory}")
            return ""
        verdict, p = answers[min(len([each for each in ran if each == "look"]), len(answers) - 1)]
        ran.append("look")
        rate = {"verdict": verdict, "p": p}
        return json.dumps({"headline": verdict, "steps": [{"step": "a", "rate": rate}]})

    monkeypatch.setattr(alternate, "_run", run)
    return ran


def job(tmp_path: Path, **changes: Any) -> Job:
    given = Job((Path("old"), Path("new")), "make", "bench", tmp_path, 1e9, 40)
    return given._replace(**changes)


def test_sides_take_turns_and_looks_double(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = turns(monkeypatch, [("noisy", 0.2), ("noisy", 0.1), ("slower", 0.002)])
    assert alternate.alternate(job(tmp_path)).headline == "slower"
    assert ran[:6] == [
        "the build of base, in old",
        "the build of head, in new",
        "run 1 of base, in old",
        "run 1 of head, in new",
        "run 2 of head, in new",
        "run 2 of base, in old",
    ]
    assert sum(each.startswith("run ") for each in ran) == 40
    looks = [at for at, each in enumerate(ran) if each == "look"]
    assert [sum(each.startswith("run ") for each in ran[:at]) for at in looks[:3]] == [10, 20, 40]
    assert json.loads((tmp_path / "comparison.json").read_text())["headline"] == "slower"


def test_the_budget_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = turns(monkeypatch, [("noisy", 0.2)])
    alternate.alternate(job(tmp_path, seconds=0))
    assert [each for each in ran if each.startswith("run ")] == [
        "run 1 of base, in old",
        "run 1 of head, in new",
    ]


def test_a_benchmark_that_fails_is_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = job(tmp_path, checkouts=(tmp_path, tmp_path), build="echo no compiler; exit 7")
    with pytest.raises(BadInput, match="the build of base ended with status 7"):
        alternate.alternate(broken)
    assert "no compiler" in capfd.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="captures need Linux")
def test_the_action_measures_two_commits_of_a_repository(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()

    def git(*words: str) -> None:
        own = ("-c", "user.name=n", "-c", "user.email=n@example.org")
        subprocess.run(["git", *own, *words], cwd=project, check=True, capture_output=True)

    git("init")
    for count in (1, 4_000_000):
        (project / "bench.py").write_text(f"sum(range({count}))\n")
        git("add", ".")
        git("commit", "--message", str(count))
    settings = {
        "BASE": "HEAD^1", "BUILD": "", "COMMAND": f"{sys.executable} bench.py", "MINUTES": "0",
        "FAIL_ON": "", "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "md"),
    }  # fmt: skip
    done = subprocess.run(
        [ACTION],
        cwd=project,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = json.loads((tmp_path / "comparison" / "comparison.json").read_text())
    assert (made["base"]["runs"], made["after"]["runs"]) == (1, 1)
    assert made["steps"][0]["rate"]["ratio"] < 1
    assert "longer than base" in (tmp_path / "md").read_text()


def test_the_action_says_what_to_fetch(tmp_path: Path) -> None:
    subprocess.run(["git", "init"], cwd=tmp_path, check=True, capture_output=True)
    settings = {"BASE": "HEAD^1", "RUNNER_TEMP": str(tmp_path)}
    done = subprocess.run(
        [ACTION],
        cwd=tmp_path,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "fetch-depth: 2" in done.stderr

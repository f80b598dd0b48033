"""Measuring two checkouts in turns, until what differs is decided."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from perfpress.base.problems import BadInput
from perfpress.host.comparing import alternate
from perfpress.host.comparing.alternate import Job, is_decided
from perfpress.host.comparing.printed_comparison import (
    PrintedComparison,
    PrintedMetric,
    PrintedSide,
    PrintedStep,
    PrintedVerdict,
)

Done = subprocess.CompletedProcess[str]
ONE_RUN = PrintedSide(runs=1)
ROOT = Path(__file__).parents[4]
BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
ACTION = ROOT / ".github" / "actions" / "compare" / "compare.sh"


def comparison(*steps: PrintedStep) -> PrintedComparison:
    return PrintedComparison("", ONE_RUN, ONE_RUN, steps)


def printed(headline: str, step: object) -> str:
    sides = {"base": {"runs": 1}, "after": {"runs": 1}}
    return json.dumps({"headline": headline, **sides, "steps": [step]})


def record(*verdicts: tuple[str, float | None]) -> PrintedComparison:
    judged = (PrintedVerdict(verdict, p=p) for verdict, p in verdicts)
    return comparison(*(PrintedStep(str(at), each) for at, each in enumerate(judged)))


@pytest.mark.parametrize(
    ("verdicts", "decided"),
    [
        ([("slower", 0.0001)], True),
        ([("slower", 0.04)], False),  # it was looked at before
        ([("no change seen", 0.7)], True),
        ([("slower, one run", 0.001)], False),
        ([("no change seen", 0.7), ("noisy", 0.3)], False),
        ([("faster", 0.001), ("failed", None)], True),
        ([("slower", 0.001), ("cannot tell", None)], True),  # the head adds a benchmark
        ([("slower", 0.001), ("cannot tell", 0.4)], False),
        ([], False),
    ],
)
def test_more_runs_are_made_until_every_step_is_decided(
    verdicts: list[tuple[str, float | None]], decided: bool
) -> None:
    assert is_decided(record(*verdicts), 5) == decided


def counted(*evidence: str) -> PrintedComparison:
    counts = tuple(
        PrintedMetric("count", PrintedVerdict("slower", evidence=each)) for each in evidence
    )
    return comparison(PrintedStep("a", numbers=(*counts, PrintedMetric("repeats"))))


def test_counts_alone_need_no_test() -> None:
    assert is_decided(counted("an exact count"), 2)
    assert not is_decided(counted("an exact count", "the prior"), 2)
    assert not is_decided(comparison(PrintedStep("a")), 2)
    assert not is_decided(record(("slower", 0.001)), 2)


def test_rounds_of_an_interrupted_try_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for run in ("base/1", "head/1", "base/2"):
        (tmp_path / run).mkdir(parents=True)
        (tmp_path / run / "run.toml").touch()
    ran = turns(monkeypatch, [("noisy", 0.2), ("slower", 0.001)])
    measured(job(tmp_path, most=2))
    assert ran == [
        "look",
        "the build of old, in old",
        "the build of new, in new",
        "run 2 of head, in new",
        "run 2 of base, in old",
        "look",
        "look",
    ]
    assert not (tmp_path / "base/2").exists()


def turns(monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, float]]) -> list[str]:
    """Return what is run, where each comparison answers with the next verdict."""
    ran: list[str] = []

    def run(command: list[str], directory: Path, what: str) -> Done:
        if "compare" not in command:
            ran.append(f"{what}, in {directory}")
            return Done(command, 0, "", "warning: no rate\n1.0 s\n")
        verdict, p = answers[min(len([each for each in ran if each == "look"]), len(answers) - 1)]
        ran.append("look")
        rate = {"verdict": verdict, "p": p}
        return Done(command, 0, printed(verdict, {"step": "a", "rate": rate}), "")

    monkeypatch.setattr(alternate, "run", run)
    return ran


def job(tmp_path: Path, **changes: Any) -> Job:
    checkouts, sides = (Path("old"), Path("new")), ("base", "head")
    given = Job(checkouts, sides, "bench", (), tmp_path, seconds=1e9, most=40)
    return given._replace(**changes)


def measured(given: Job, show: Callable[[str], None] = lambda _: None) -> PrintedComparison:
    def prepare() -> None:
        for checkout in given.checkouts:
            alternate.build("make", checkout, checkout.name)

    return alternate.alternate(given, prepare, is_decided, show)


def test_sides_take_turns_and_looks_double(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noisy = [("noisy", 0.2)] * 3
    ran = turns(monkeypatch, [*noisy, ("slower", 0.002)])
    assert measured(job(tmp_path)).headline == "slower"
    assert ran[:6] == [
        "the build of old, in old",
        "the build of new, in new",
        "run 1 of base, in old",
        "run 1 of head, in new",
        "run 2 of head, in new",
        "run 2 of base, in old",
    ]
    assert sum(each.startswith("run ") for each in ran) == 40
    looks = [at for at, each in enumerate(ran) if each == "look"]
    runs = [sum(each.startswith("run ") for each in ran[:at]) for at in looks[:4]]
    assert runs == [4, 10, 20, 40]
    assert json.loads((tmp_path / "comparison.json").read_text())["headline"] == "slower"


def test_two_runs_show_that_a_count_is_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def run(command: list[str], _directory: Path, what: str) -> Done:
        ran.append(what)
        exact = {"verdict": "slower", "evidence": "an exact count"}
        numbers = [{"metric": "instructions", "verdict": exact}]
        return Done(command, 0, printed("", {"step": "a", "numbers": numbers}), "")

    monkeypatch.setattr(alternate, "run", run)
    measured(job(tmp_path))
    assert [each for each in ran if each.startswith("run ")] == [
        "run 1 of base", "run 1 of head", "run 2 of head", "run 2 of base",
    ]  # fmt: skip


def test_the_budget_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = turns(monkeypatch, [("noisy", 0.2)])
    measured(job(tmp_path, seconds=0))
    assert [each for each in ran if each.startswith("run ")] == [
        "run 1 of base, in old",
        "run 1 of head, in new",
    ]


def test_the_log_says_how_far_it_is_and_warns_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns(monkeypatch, [("noisy", 0.2), ("noisy", 0.2), ("slower", 0.001)])
    shown: list[str] = []
    measured(job(tmp_path), shown.append)
    assert [text for text in shown if "round" not in text] == [
        "warning: no rate",
        "not decided: noisy",
        "not decided: noisy",
        "decided after 10 runs a side",
    ]
    measured(job(tmp_path / "brief", seconds=0), shown.append)
    assert shown[-1].startswith("no time for another round")


def test_pip_installs_into_the_checkout_or_not_at_all(tmp_path: Path) -> None:
    """Both would be measured with what the second build installed."""
    with pytest.raises(BadInput) as failure:
        alternate.build(f"{BASE_PYTHON} -m pip install .", tmp_path, "base")
    assert "virtualenv" in failure.value.problems[0].excerpt


def test_a_build_that_fails_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the build of base ended with status 7") as failure:
        alternate.build("echo no compiler; exit 7", tmp_path, "base")
    assert failure.value.problems[0].excerpt == "no compiler"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="captures need Linux")
def test_each_benchmark_in_a_file_that_the_command_writes_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for side, time in (("old", 1000), ("new", 1500)):
        (tmp_path / side).mkdir()
        results = [{"name": name, "unit": "ns", "value": time} for name in ("sum", "sort")]
        (tmp_path / side / "made.json").write_text(json.dumps(results))
    monkeypatch.chdir(tmp_path)
    words = ["old", "new", "--command", "cp made.json results.json", "--log", "results.json"]
    words += ["--format", "results.json=custom-smaller-is-better"]
    assert alternate.main([*words, "--out", str(tmp_path / "out"), "--minutes", "0"]) == 0
    made = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [round(step["rate"]["ratio"], 2) for step in made["steps"]] == [0.67, 0.67]


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
        "LOG": "", "FORMAT": "", "FAIL_ON": "", "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "md"),
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

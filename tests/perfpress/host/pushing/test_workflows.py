"""What the workflows may do, and whose program they run."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle
from repositories import bundle, git
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[4]
PATHS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NAMES = [path.stem for path in PATHS]
WRITES = {
    ("publish", "land"): {"contents": "write", "actions": "write"},
    ("publish", "publish"): {"pages": "write", "id-token": "write"},
    ("measure", "send"): {"contents": "write", "actions": "write"},
    ("comment", "comment"): {"pull-requests": "write"},
}
"""Which jobs may change what."""


def workflow(name: str) -> dict[str, Any]:
    read: dict[str, Any] = YAML(typ="safe").load(ROOT / f".github/workflows/{name}.yml")
    return read


def triggers(name: str) -> dict[str, Any]:
    started: dict[str, Any] = workflow(name)["on"]
    return started


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in NAMES:
        for job, content in workflow(name)["jobs"].items():
            yield name, job, content


def test_nothing_may_write_but_what_has_to() -> None:
    for name, job, content in jobs():
        assert workflow(name)["permissions"] == {}
        granted = {key: value for key, value in content["permissions"].items() if value != "read"}
        assert granted == WRITES.get((name, job), {}), f"{name}: {job}"


def test_every_job_ends_and_no_checkout_leaves_its_token() -> None:
    for name, job, content in jobs():
        assert content["timeout-minutes"] <= 45, f"{name}: {job}"
        for step in content["steps"]:
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_values_from_elsewhere_do_not_get_into_a_script() -> None:
    for name, job, content in jobs():
        for step in content["steps"]:
            assert "${{" not in step.get("run", ""), f"{name}: {job}: {step['name']}"


def test_pull_requests_get_no_secret() -> None:
    assert set(triggers("check")) == {"pull_request", "push"}
    for name in NAMES:
        assert "pull_request_target" not in triggers(name)
        assert "secrets." not in (ROOT / f".github/workflows/{name}.yml").read_text()


def test_who_may_write_runs_only_what_is_on_main() -> None:
    for name, job, content in jobs():
        if name == "check":
            continue
        for step in content["steps"]:
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["ref"] == "main", f"{name}: {job}"


def test_what_measures_itself_is_off_until_asked_for_and_never_runs_for_strangers() -> None:
    assert set(triggers("measure")) == {"push"}
    assert triggers("measure")["push"]["branches"] == ["main"]
    measuring = workflow("measure")["jobs"]
    assert measuring["measure"]["if"] == "vars.PERFPRESS_MEASURE_ITSELF == 'true'"
    assert measuring["send"]["needs"] == "measure"


def test_the_job_that_sends_what_was_measured_runs_no_benchmark() -> None:
    commands = [
        step["run"] for step in workflow("measure")["jobs"]["send"]["steps"] if "run" in step
    ]
    assert commands == [
        "make .venv/.installed",
        'gh run download "$GITHUB_RUN_ID" --name measured --dir data/.cache/measured',
        "make send-measured",
        "gh workflow run publish.yml --ref main",
    ]


def test_publishing_is_started_by_all_that_may_bring_something_new() -> None:
    started = triggers("publish")
    assert set(started) == {"push", "repository_dispatch", "schedule", "workflow_dispatch"}
    assert started["push"]["branches"] == ["main", "results/**"]
    assert workflow("publish")["concurrency"]["cancel-in-progress"] is False


def test_a_patient_run_asks_for_no_other_patient_one() -> None:
    [asks] = [
        step["if"]
        for _, _, job in jobs()
        for step in job["steps"]
        if "patient=true" in step.get("run", "")
    ]
    assert asks.endswith("&& !inputs.patient")


@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_the_runs_that_a_commit_adds_are_checked(tmp_path: Path, good: bool, first: bool) -> None:
    work = tmp_path / "checkout"
    work.mkdir()
    git(work, "init", "--quiet")
    shutil.copy(ROOT / "Makefile", work)
    (work / ".venv").mkdir()
    (work / ".venv" / "bin").symlink_to(ROOT / ".venv" / "bin")
    (work / ".venv" / ".installed").touch()
    if not first:
        git(work, "commit", "--quiet", "--allow-empty", "--message", "Begin")
    written = bundle(tmp_path / "b")
    read, _ = read_bundle(written, "b")
    assert read
    target = work.joinpath("data", "results", *place_of(read))
    target.parent.mkdir(parents=True)
    written.rename(target)
    if not good:
        (target / "select.txt").write_text("mysql --password=Tr0ub4dor\n")
    (work / "data" / "results" / ".gitkeep").touch()
    git(work, "add", "data")
    git(work, "commit", "--quiet", "--message", "Add a run")
    done = subprocess.run(
        ["make", "--old-file=.venv/.installed", "check-new"],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is good, done.stderr
    expected = "1,000 transactions/s" if good else "what looks like a secret"
    assert expected in done.stdout + done.stderr


def test_there_is_a_place_for_results_when_the_example_is_gone() -> None:
    # git keeps no directory that is empty, and a build without its results is refused.
    assert "data/results/.gitkeep" in git(ROOT, "ls-files", "data/results").splitlines()

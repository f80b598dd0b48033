"""A bundle cannot claim another's place: not on a branch, not in a store, not in the results."""

import shutil
from pathlib import Path

import pytest
from bundle_samples import accepted
from doors import commit_of, upload_by_hand
from perfpress.__main__ import main
from perfpress.input.bundles.discover import discover, place_of
from perfpress.input.bundles.read import read_bundle
from perfpress.input.corrections.corrected import apply_corrections
from repositories import branches_of, bundle, files_of, git, site_repository

Captured = pytest.CaptureFixture[str]

CLAIMS = {
    "another report": (0, "another"),
    "another release": (1, "17"),
    "another variant": (2, "lab2"),
    "another id": (3, "undated-00000000"),
    "another start": (3, "20260101-000000-{hash}"),
}
"""Which level of a place is called how."""


def claimed(directory: Path, claim: str) -> tuple[str, ...]:
    """Return the place of a run with one level changed."""
    read, _ = read_bundle(directory, "b")
    assert read is not None
    place = list(place_of(read))
    level, name = CLAIMS[claim]
    place[level] = name.format(hash=read.run_id.rpartition("-")[2])
    return tuple(place)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return site_repository(tmp_path / "site.git")


def refused(site: Path, tmp_path: Path, capsys: Captured, *sources: str) -> str:
    """Expect that nothing is accepted; return the output."""
    (tmp_path / "results").mkdir(exist_ok=True)
    at = git(site, "rev-parse", "main")
    status = main(["accept", *sources, "--into", str(site), "--results", str(tmp_path / "results")])
    assert status == 1
    assert git(site, "rev-parse", "main") == at
    return capsys.readouterr().err


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_place_that_is_not_the_runs_own_is_refused_on_a_branch(
    site: Path, tmp_path: Path, capsys: Captured, claim: str
) -> None:
    run = bundle(tmp_path / "run")
    place = Path("data/results", *claimed(run, claim))
    git(site, "update-ref", "refs/heads/results/lab1", commit_of(site, run, place))
    output = refused(site, tmp_path, capsys)
    assert f"is at {'/'.join(claimed(run, claim))}; expected postgres-releases/18/lab1" in output
    assert branches_of(site) == ["main", "results/lab1"]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_place_that_is_not_the_runs_own_is_refused_in_a_store(
    site: Path, tmp_path: Path, capsys: Captured, claim: str
) -> None:
    run, store = bundle(tmp_path / "run"), tmp_path / "store"
    upload_by_hand(run, store, "lab1")
    [marker] = store.rglob("*.json")
    other = (store / "lab1").joinpath(*claimed(run, claim)[:3], f"{claimed(run, claim)[3]}.json")
    other.parent.mkdir(parents=True, exist_ok=True)
    marker.rename(other)
    output = refused(site, tmp_path, capsys, f"file://{store}")
    assert "expected postgres-releases/18/lab1" in output


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_place_that_is_not_the_runs_own_is_refused_in_the_results(
    tmp_path: Path, claim: str
) -> None:
    results = tmp_path / "results"
    good = accepted(results)
    run = bundle(tmp_path / "run", rate=2000.0)
    target = results.joinpath(*claimed(run, claim))
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(run, target)
    bundles, problems = discover(results, "results")
    assert [each.run_id for each in bundles] == [good.run_id]
    [problem] = problems
    assert "directory is called" in problem.found
    assert "restore it, or move it away" in problem.do


@pytest.mark.parametrize("host", ["lab2", "LAB-1", "lаb1", "results/lab1"])
def test_a_branch_speaks_for_its_own_host_only(
    site: Path, tmp_path: Path, capsys: Captured, host: str
) -> None:
    """One of them is spelled with a Cyrillic letter."""
    run = bundle(tmp_path / "run", host=host)
    read, _ = read_bundle(run, "b")
    assert read is not None
    place = Path("data/results", *place_of(read))
    git(site, "update-ref", "refs/heads/results/lab1", commit_of(site, run, place))
    output = refused(site, tmp_path, capsys)
    assert "; expected one of lab1, which pushed it; push it from its own host" in output
    assert not [name for name in files_of(site, "main") if "results/" in name]


def test_a_push_that_replaces_a_run_of_another_host_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    theirs = accepted(tmp_path / "results", {"host": "lab2"})
    ours = bundle(tmp_path / "run", host="lab1", replaces=theirs.run_id)
    read, _ = read_bundle(ours, "b")
    assert read is not None
    place = Path("data/results", *place_of(read))
    git(site, "update-ref", "refs/heads/results/lab1", commit_of(site, ours, place))
    output = refused(site, tmp_path, capsys)
    assert f"`replaces` names '{theirs.run_id}', a run of the host lab2; expected" in output
    assert "a host replaces its own runs only; leave `replaces` out" in output
    assert main(["add", str(ours), "--results", str(tmp_path / "results")]) == 1
    assert not (tmp_path / "results").joinpath(*place_of(read)).exists()


def test_a_push_that_replaces_a_run_of_its_own_host_is_accepted(tmp_path: Path) -> None:
    own = accepted(tmp_path / "results", {"host": "lab1"})
    rerun = bundle(tmp_path / "run", host="lab1", replaces=own.run_id)
    assert main(["add", str(rerun), "--results", str(tmp_path / "results")]) == 0


def test_a_run_cannot_replace_that_of_another_host(tmp_path: Path) -> None:
    theirs = accepted(tmp_path / "results", {"host": "lab2"})
    ours = accepted(tmp_path / "results", {"host": "lab1", "replaces": theirs.run_id})
    runs, problems = apply_corrections([theirs, ours], [])
    counted = {run.bundle.run_id for run in runs if run.status == "valid"}
    assert counted == {theirs.run_id, ours.run_id}
    assert [each.found for each in problems] == [f"`replaces` names '{theirs.run_id}'"]

"""perfpress accept: runs get into the main branch, and nothing else that a host can push does."""

import gzip
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from perfpress.base.limits import LIMITS, BundleLimits
from perfpress.host.accepting import arrivals, branches
from perfpress.host.pushing.repository import Repository
from perfpress.input.bundles.read import read_bundle
from repositories import (
    accepted,
    branches_of,
    bundle,
    commit_files,
    commits_of,
    files_of,
    git,
    place,
    push,
)

Captured = pytest.CaptureFixture[str]


def push_by_hand(site: Path, branch: str, files: Mapping[str, str | None]) -> Path:
    """Push a branch as somebody does who has a key and no perfpress."""
    work = site.with_suffix(".work")
    git(work, "checkout", "--quiet", "-B", branch, "origin/main")
    commit_files(work, files, "By hand")
    git(work, "push", "--quiet", "--force", "origin", branch)
    return work


def refused(site: Path, tmp_path: Path, capsys: Captured, message: str) -> None:
    """Expect that nothing is accepted, that the reason is printed, and that the branch stays."""
    before, at = branches_of(site), git(site, "rev-parse", "main")
    capsys.readouterr()
    assert accepted(site, tmp_path) == 1
    assert message in capsys.readouterr().err
    assert git(site, "rev-parse", "main") == at
    assert branches_of(site) == before


def test_runs_get_into_the_main_branch_and_their_branch_is_removed(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    one, two = bundle(tmp_path / "a"), bundle(tmp_path / "b", host="lab2")
    push(site, one, two)
    capsys.readouterr()
    assert accepted(site, tmp_path) == 0
    assert branches_of(site) == ["main"]
    assert git(site, "diff", "--name-status", "main~1", "main").splitlines() == [
        f"A\t{place(each)}/{name}" for each in (one, two) for name in ("run.toml", "select.txt")
    ]
    assert git(site, "log", "-1", "--format=%an|%s|%P", "main").count("|") == 2
    assert commits_of(site, "main") == 2
    assert git(site, "fsck", "--strict", "--no-dangling") == ""
    out = capsys.readouterr().out
    assert "\n  /reports/postgres-releases/18/select/\n" in out
    assert out.endswith("2 accepted, 0 there already\n")


def test_a_bundle_that_was_accepted_before_is_there_already(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "a")
    push(site, pushed)
    at = git(site, "rev-parse", "results/lab1")
    assert accepted(site, tmp_path) == 0
    git(site, "update-ref", "refs/heads/results/lab1", at)
    head = git(site, "rev-parse", "main")
    capsys.readouterr()
    assert accepted(site, tmp_path) == 0
    assert capsys.readouterr().out == "0 accepted, 1 there already\n"
    assert branches_of(site) == ["main"]
    assert git(site, "rev-parse", "main") == head


def test_what_a_branch_held_before_does_not_get_into_the_history(
    site: Path, tmp_path: Path
) -> None:
    pushed = bundle(tmp_path / "a")
    push(site, pushed)
    work = site.with_suffix(".work")
    git(work, "fetch", "--quiet")
    git(work, "checkout", "--quiet", "results/lab1")
    commit_files(work, {"README.md": "the key is hunter2\n"}, "Leak")
    commit_files(work, {"README.md": "a site\n"}, "Unleak")
    git(work, "push", "--quiet", "origin", "results/lab1")
    assert accepted(site, tmp_path) == 0
    assert "hunter2" not in git(site, "log", "-p", "main")
    assert f"{place(pushed)}/run.toml" in files_of(site, "main")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("README.md", "README.md"),
        (".github/workflows/publish.yml", ".github"),
        ("pipeline/perfpress/build.py", "pipeline"),
        ("data/corrections/r/2026-01-01-x.toml", "data/corrections"),
        ("data/results/README.md", "data/results/README.md"),
        ("data/results/.gitattributes", "data/results/.gitattributes"),
        *[("data/results/postgres-releases/18/lab1/file",) * 2],
        ("content/reports/r/_index.md", "content"),
        ("data/Results/r/1/v/run/run.toml", "data/Results"),
    ],
)
def test_a_branch_that_touches_anything_else_is_refused(
    site: Path, tmp_path: Path, capsys: Captured, name: str, message: str
) -> None:
    pushed = bundle(tmp_path / "a")
    good = {f"{place(pushed)}/{file.name}": file.read_text() for file in pushed.iterdir()}
    push_by_hand(site, "results/lab1", good | {name: "changed\n"})
    refused(site, tmp_path, capsys, f"results/lab1:{message}: ")


def test_a_command_to_copy_names_a_hostile_branch_and_runs_nothing(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    name = "results/lab1';touch${IFS}pwned;'"
    push_by_hand(site, name, {"README.md": "changed\n"})
    assert accepted(site, tmp_path) == 1
    message = capsys.readouterr().err
    command = message.partition("remove the branch (")[2].partition("), then")[0]
    assert shlex.split(command) == ["git", "push", "--delete", "origin", name]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"select.txt": "faster\n"}, "changes what was accepted"),
        ({"select.txt": None}, "changes what was accepted"),
        ({"more.txt": "more\n"}, "changes what was accepted"),
    ],
)
def test_a_branch_that_changes_an_accepted_bundle_is_refused(
    site: Path, tmp_path: Path, capsys: Captured, change: dict[str, str | None], message: str
) -> None:
    pushed = bundle(tmp_path / "a")
    push(site, pushed)
    assert accepted(site, tmp_path) == 0
    git(site.with_suffix(".work"), "fetch", "--quiet", "--prune")
    files = {f"{place(pushed)}/{name}": text for name, text in change.items()}
    push_by_hand(site, "results/lab1", files)
    refused(site, tmp_path, capsys, message)


def test_a_branch_that_removes_all_results_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    push(site, bundle(tmp_path / "a"))
    assert accepted(site, tmp_path) == 0
    work = site.with_suffix(".work")
    git(work, "fetch", "--quiet")
    git(work, "checkout", "--quiet", "-B", "results/lab1", "origin/main")
    git(work, "rm", "-r", "--quiet", "data/results")
    git(work, "commit", "--quiet", "-m", "Remove")
    git(work, "push", "--quiet", "--force", "origin", "results/lab1")
    refused(site, tmp_path, capsys, "results/lab1:data/results: removes what was accepted")


def test_a_branch_of_another_host_is_refused(site: Path, tmp_path: Path, capsys: Captured) -> None:
    pushed = bundle(tmp_path / "a", host="lab2")
    files = {f"{place(pushed)}/{file.name}": file.read_text() for file in pushed.iterdir()}
    push_by_hand(site, "results/lab1", dict(files))
    refused(site, tmp_path, capsys, "a run of the host 'lab2'; expected one of lab1")


def test_a_bundle_at_a_place_of_another_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "a")
    elsewhere = place(pushed).replace("/18/", "/17/")
    files = {f"{elsewhere}/{file.name}": file.read_text() for file in pushed.iterdir()}
    push_by_hand(site, "results/lab1", dict(files))
    refused(site, tmp_path, capsys, "is at postgres-releases/17/lab1/")


def leak(directory: Path) -> None:
    (directory / "select.txt").write_text("mysql --password=Tr0ub4dor\n")


def future(directory: Path) -> None:
    started = (datetime.now(UTC) + timedelta(days=3)).replace(microsecond=0).isoformat()
    text = (directory / "run.toml").read_text()
    (directory / "run.toml").write_text(f"started = {started}\n{text}")


def bomb(directory: Path) -> None:
    (directory / "select.txt").write_bytes(gzip.compress(bytes(80_000_000)))


def long_line(directory: Path) -> None:
    (directory / "select.txt").write_bytes(b"x" * (LIMITS.line_bytes + 1))


def no_toml(directory: Path) -> None:
    (directory / "run.toml").write_text("= nothing of the kind")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (leak, "what looks like a secret"),
        (future, "expected a time that has been"),
        (bomb, "unpacks to more than"),
        (long_line, "select.txt:1: a line of 1,048,577 bytes"),
        (no_toml, "run.toml:1"),
    ],
)
def test_what_check_refuses_is_refused_and_the_rest_accepted(
    site: Path,
    tmp_path: Path,
    capsys: Captured,
    damage: Callable[[Path], None],
    message: str,
) -> None:
    good, bad = bundle(tmp_path / "good"), bundle(tmp_path / "bad", rate=2000)
    damage(bad)
    read, _ = read_bundle(bad, "b")
    stands = place(bad) if read else place(good).rsplit("/", 1)[0] + "/undated-00000000"
    work = push_by_hand(site, "results/lab1", {})
    for directory, target in ((good, place(good)), (bad, stands)):
        (work / target).mkdir(parents=True)
        for file in directory.iterdir():
            (work / target / file.name).write_bytes(file.read_bytes())
    commit_files(work, {}, "Both")
    git(work, "push", "--quiet", "--force", "origin", "results/lab1")
    assert accepted(site, tmp_path) == 1
    err = capsys.readouterr().err
    assert message in err
    assert err.startswith(f"results/lab1:{stands}")
    assert f"{place(good)}/run.toml" in files_of(site, "main")
    assert not any(name.startswith(stands) for name in files_of(site, "main"))
    assert "results/lab1" in branches_of(site)


@pytest.fixture
def nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a file of a branch is copied out of git."""

    def copy(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(arrivals, "_copy", copy)


@pytest.mark.usefixtures("nothing_is_written")
@pytest.mark.parametrize(
    ("mode", "name", "message"),
    [
        ("120000", "link", "no regular file"),
        ("160000", "submodule", "no regular file"),
        ("100644", ".gitattributes", "begins with a dot"),
        ("100644", "-rf", "begins with a dot, a dash or a space"),
        ("100644", "a\nb", "control characters"),
        ("100644", "a\\b", "a backslash"),
        ("100644", "x" * 201, "a name of 201 bytes"),
        ("100644", "caf\udce9", "not in UTF-8"),
        ("100644", "/".join("abcdefghijkl"), "more than 9 directories"),
        ("100644", "/".join("d" * 40), "no regular file"),
    ],
)
def test_what_no_bundle_holds_is_refused_before_it_is_written(
    site: Path, tmp_path: Path, capsys: Captured, mode: str, name: str, message: str
) -> None:
    pushed = bundle(tmp_path / "a")
    push(site, pushed)
    plant(site, mode, f"{place(pushed)}/{name}")
    refused(site, tmp_path, capsys, message)


def plant(site: Path, mode: str, name: str) -> None:
    """Add an entry of any kind and name to the branch of lab1."""
    index = {"GIT_INDEX_FILE": str(site / "planted"), "GIT_DIR": str(site)}
    environment = os.environ | index
    branch = "refs/heads/results/lab1"
    blob = git(site, "rev-parse", "main:README.md")
    planted = git(site, "rev-parse", "main") if mode == "160000" else blob

    def run(*words: str, given: bytes = b"") -> str:
        call = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        done = subprocess.run(call, env=environment, input=given, capture_output=True, check=True)
        return done.stdout.decode().strip()

    run("read-tree", branch)
    entry = f"{mode} {planted}\t{name}\0".encode(errors="surrogateescape")
    run("update-index", "-z", "--add", "--index-info", given=entry)
    run("update-ref", branch, run("commit-tree", run("write-tree"), "-p", branch, "-m", "x"))


def test_a_branch_of_endless_changes_is_given_up(
    site: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branches, "FEW_ENTRIES", 1)
    monkeypatch.setattr(branches, "MOST_ENTRIES", 1)
    push(site, bundle(tmp_path / "a"))
    refused(site, tmp_path, capsys, "more than 1 changes")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (BundleLimits(files=1), "2 files; expected"),
        (BundleLimits(bundle_bytes=100), "2 files of 0 MB; expected"),
    ],
)
def test_a_run_of_too_much_is_not_written(
    site: Path,
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    limits: BundleLimits,
    message: str,
) -> None:
    push(site, bundle(tmp_path / "a"))
    monkeypatch.setattr(arrivals, "LIMITS", limits)
    refused(site, tmp_path, capsys, f"{message} a smaller bundle")


def test_a_name_that_is_spelled_otherwise_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    stands = tmp_path / "results" / place(bundle(tmp_path / "old")).removeprefix("data/results/")
    stands.parent.mkdir(parents=True)
    (tmp_path / "old").rename(stands)
    push(site, bundle(tmp_path / "a", report="Postgres Releases"))
    refused(site, tmp_path, capsys, "has the same address as")
    assert accepted(site, tmp_path) == 1
    err = capsys.readouterr().err
    holder = "/".join(("data/results", *stands.relative_to(tmp_path / "results").parts))
    assert f"has the same address as 'postgres-releases', which {holder}" in err
    assert "a maintainer gives the address back: git rm -r data/results/postgres-releases\n" in err


def test_a_host_that_pushes_meanwhile_loses_nothing(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = bundle(tmp_path / "a"), bundle(tmp_path / "b", rate=2000)
    push(site, first)
    really = Repository.push

    def late(self: Repository, commits: dict[str, str], leased: dict[str, str]) -> bool:
        monkeypatch.setattr(Repository, "push", really)
        push(site, second)
        return really(self, commits, leased)

    monkeypatch.setattr(Repository, "push", late)
    assert accepted(site, tmp_path) == 0
    names = files_of(site, "main")
    assert f"{place(first)}/run.toml" in names
    assert f"{place(second)}/run.toml" not in names
    assert branches_of(site) == ["main", "results/lab1"]
    assert accepted(site, tmp_path) == 0
    assert f"{place(second)}/run.toml" in files_of(site, "main")
    assert branches_of(site) == ["main"]


def test_an_author_who_pushes_meanwhile_loses_nothing(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed = bundle(tmp_path / "a")
    push(site, pushed)
    really = Repository.push

    def late(self: Repository, commits: dict[str, str], leased: dict[str, str]) -> bool:
        monkeypatch.setattr(Repository, "push", really)
        push_by_hand(site, "main", {"README.md": "a better site\n"})
        return really(self, commits, leased)

    monkeypatch.setattr(Repository, "push", late)
    assert accepted(site, tmp_path) == 0
    assert git(site, "show", "main:README.md") == "a better site"
    assert f"{place(pushed)}/run.toml" in files_of(site, "main")

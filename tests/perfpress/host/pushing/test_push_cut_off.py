"""perfpress push where something goes wrong: killed, over a thin line, from a clone in disorder."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.cli import remotes
from perfpress.host.pushing.deliver import pause
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle
from repositories import branches_of, bundle, commit_files, files_of, git

ROOT = Path(__file__).parents[4]


def place(directory: Path) -> str:
    read, _ = read_bundle(directory, "b")
    assert read
    return "/".join(("data/results", *place_of(read)))


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_push_that_is_killed_at_any_moment_leaves_nothing_half(
    site: Path, tmp_path: Path
) -> None:
    """While each call of git runs, everything is killed as by `kill -9`, that call too."""
    pushed = bundle(tmp_path / "b")
    names = [f"{place(pushed)}/{path.name}" for path in pushed.iterdir()]
    whole = sorted([*files_of(site, "main"), *names])
    # In files: some calls of git get a clean environment.
    count, last = tmp_path / "count", tmp_path / "last"
    found = shutil.which("git")
    # Calls of its own, which git makes through its own directory of programs, do not come here.
    program(
        tmp_path / "bin" / "git",
        f"n=$(($(cat {count}) + 1)); echo $n > {count}\n"
        f'if [ $n = "$(cat {last})" ]; then {found} "$@" & sleep 0.0$((n % 4)); kill -KILL 0; fi\n'
        f'exec {found} "$@"',
    )
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    for at in range(1, 100):
        count.write_text("0")
        last.write_text(str(at))
        done = subprocess.run(
            [sys.executable, "-m", "perfpress", "push", pushed, "--to", site],
            cwd=ROOT, env=environment,
            start_new_session=True, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert git(site, "fsck", "--strict", "--no-dangling") == ""
        if "results/lab1" in branches_of(site):
            assert sorted(files_of(site, "results/lab1")) == whole
        if done.returncode != -signal.SIGKILL:
            break
    assert done.returncode == 0, done.stderr
    assert at > 10, "it was killed ten times and more"
    assert sorted(files_of(site, "results/lab1")) == whole


def test_bytes_that_are_fetched_do_not_grow_with_the_archive(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(release: str) -> int:
        down.write_bytes(b"")
        pushed = bundle(tmp_path / release, release=release)
        assert main(["push", str(pushed), "--to", f"lab@host:{site}"]) == 0
        assert f"{place(pushed)}/run.toml" in files_of(site, "results/lab1")
        git(site, "update-ref", "-d", "refs/heads/results/lab1")
        return down.stat().st_size

    down = tmp_path / "down"
    ssh = program(tmp_path / "ssh", f'for last; do :; done\neval "$last" | tee -a {down}')
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    empty = fetched("18")
    work = site.with_suffix(".work")
    for year in range(10):
        runs = {
            f"data/results/report-{report}/{year}.{release}/lab1/run/log.txt": os.urandom(
                5000
            ).hex()
            for report in range(10)
            for release in range(4)
        }
        commit_files(work, runs, f"Year {year}")
    git(work, "push", "--quiet", "origin", "HEAD:main")
    assert sum(path.stat().st_size for path in site.rglob("*")) > 2_000_000
    assert fetched("19") < empty + 3000


def test_a_clone_in_disorder_is_left_as_it_is(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = site.with_suffix(".work")
    git(work, "checkout", "--quiet", "--detach")
    (work / "README.md").write_text("half a change\n")
    (work / "new.txt").write_text("not added\n")
    (work / ".git" / "index.lock").touch()  # another git has died here
    before = git(work, "rev-parse", "HEAD"), git(work, "--no-optional-locks", "status", "--short")
    monkeypatch.setattr(remotes, "ROOT", work)
    pushed = bundle(tmp_path / "b")
    assert main(["push", str(pushed), "--to", "origin"]) == 0
    assert f"{place(pushed)}/run.toml" in files_of(site, "results/lab1")
    after = git(work, "rev-parse", "HEAD"), git(work, "--no-optional-locks", "status", "--short")
    assert before == after


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        ("ERROR: The key you are authenticating with has been marked as read only.", "no perm"),
        ("ERROR: Permission to owner/site.git denied to deploy key", "no permission: "),
        ("git@github.com: Permission denied (publickey).", "no permission: "),
        ("ERROR: This repository was archived so it is read-only.", "no permission: "),
        ("Host key verification failed.", "connect to it once by ssh"),
        ("ssh: Could not resolve hostname github.com: Try again", "the connection failed: "),
        ("ERROR: Repository not found.", "correct the address"),
    ],
)
def test_what_a_server_says_is_reported_with_what_to_do(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stderr: str,
    message: str,
) -> None:
    ssh = program(tmp_path / "ssh", f"echo '{stderr}' >&2; exit 255")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    written = bundle(tmp_path / "b")
    assert main(["push", str(written), "--to", "git@github.com:owner/site.git"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert stderr.removeprefix("ERROR: ") in line
    assert message in line


def test_a_file_that_the_server_finds_too_large_is_reported(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stderr = "error: GH001: Large files detected. error: File x is 120.00 MB"
    program(site / "hooks" / "pre-receive", f"echo '{stderr}' >&2; exit 1")
    assert main(["push", str(bundle(tmp_path / "b")), "--to", str(site)]) == 1
    err = capsys.readouterr().err
    assert "too large: GH001" in err
    assert "fold the captures" in err


def test_hosts_wait_longer_each_time_and_never_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    for attempt in range(1, 12):
        for _ in range(50):
            pause(attempt)
    rounds = [waits[at : at + 50] for at in range(0, len(waits), 50)]
    assert all(len(set(each)) == 50 for each in rounds)
    means = [sum(each) / 50 for each in rounds]
    assert means[0] < 1 < means[4] < max(waits) <= 10

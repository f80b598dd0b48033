"""perfpress push to a git repository: bundles arrive once, as a whole, from several hosts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.host.pushing.deliver import ATTEMPTS, branch_of, deliver
from perfpress.host.pushing.git import shown_address
from perfpress.host.pushing.repository import Repository
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle
from repositories import (
    branches_of,
    bundle,
    commit_files,
    commits_of,
    files_of,
    git,
)

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[4]


def push(site: Path, *bundles: Path) -> int:
    return main(["push", *map(str, bundles), "--to", str(site)])


def place(directory: Path) -> str:
    read, _ = read_bundle(directory, "b")
    assert read
    return "/".join(("data/results", *place_of(read)))


def hook(site: Path, name: str, script: str) -> None:
    path = site / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_bundle_becomes_one_commit_on_the_branch_of_its_host(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "b")
    assert push(site, pushed) == 0
    assert branches_of(site) == ["main", "results/lab1"]
    assert git(site, "diff", "--name-status", "main", "results/lab1").splitlines() == [
        f"A\t{place(pushed)}/run.toml",
        f"A\t{place(pushed)}/select.txt",
    ]
    assert commits_of(site, "results/lab1") == commits_of(site, "main") + 1
    assert git(site, "show", f"results/lab1:{place(pushed)}/run.toml") == (
        (pushed / "run.toml").read_text().strip()
    )
    assert git(site, "fsck", "--full", "--strict") == ""
    assert capsys.readouterr().out.splitlines() == [
        f"{pushed}: {place(pushed).rsplit('/')[-1]}: pushed to results/lab1",
        "  /reports/postgres-releases/18/",
        "  /reports/postgres-releases/18/select/",
    ]


def test_addresses_begin_with_that_of_the_site(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    words = ["push", str(bundle(tmp_path / "b")), "--to", str(site)]
    assert main([*words, "--base-url", "https://example.org/perf/"]) == 0
    assert "\n  https://example.org/perf/reports/postgres-releases/18/\n" in capsys.readouterr().out


def test_a_repository_beside_needs_no_path(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed = bundle(tmp_path / "b")
    monkeypatch.chdir(tmp_path)
    assert main(["push", str(pushed), "--to", site.name]) == 0
    assert f"{place(pushed)}/run.toml" in files_of(site, "results/lab1")


def test_a_host_adds_to_what_its_branch_holds(site: Path, tmp_path: Path) -> None:
    first, second = bundle(tmp_path / "a"), bundle(tmp_path / "b", rate=2000)
    assert push(site, first) == push(site, second) == 0
    names = files_of(site, "results/lab1")
    assert {f"{place(first)}/run.toml", f"{place(second)}/run.toml", "README.md"} <= set(names)


def test_the_same_bundle_twice_is_one_and_that_is_said(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "b")
    copy = shutil.copytree(pushed, tmp_path / "copy")
    assert push(site, pushed, copy) == push(site, pushed) == 0
    assert commits_of(site, "results/lab1") == commits_of(site, "main") + 1
    assert capsys.readouterr().out.count("there already") == 2


def test_a_bundle_that_the_main_branch_has_is_there_already(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "b")
    assert push(site, pushed) == 0
    git(site, "update-ref", "refs/heads/main", "refs/heads/results/lab1")
    git(site, "branch", "--delete", "--force", "results/lab1")
    capsys.readouterr()
    assert push(site, pushed) == 0
    assert "there already" in capsys.readouterr().out
    assert branches_of(site) == ["main"]


def test_bundles_of_several_hosts_go_to_a_branch_each(site: Path, tmp_path: Path) -> None:
    assert push(site, bundle(tmp_path / "a"), bundle(tmp_path / "b", host="Lab 2")) == 0
    assert branches_of(site) == ["main", "results/lab-2", "results/lab1"]
    assert not any("lab-2" in name for name in files_of(site, "results/lab1"))


def test_a_repository_without_any_commit_takes_a_bundle(tmp_path: Path) -> None:
    empty = tmp_path / "empty.git"
    git(tmp_path, "init", "--quiet", "--bare", str(empty))
    pushed = bundle(tmp_path / "b")
    assert push(empty, pushed) == 0
    assert files_of(empty, "results/lab1") == [
        f"{place(pushed)}/run.toml",
        f"{place(pushed)}/select.txt",
    ]


def test_where_one_bundle_is_refused_none_is_sent(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    bad = bundle(tmp_path / "bad", rate=2000)
    (bad / "select.txt").write_text("mysql --password=Tr0ub4dor\n")
    assert push(site, bundle(tmp_path / "good"), bad) == 1
    assert "what looks like a secret" in capsys.readouterr().err
    assert branches_of(site) == ["main"]


def test_an_archive_of_many_runs_is_not_fetched(site: Path, tmp_path: Path) -> None:
    work = site.with_suffix(".work")
    many = {
        f"data/results/r{report}/{release}/v/run/run.toml": f"{report} {release}\n"
        for report in range(20)
        for release in range(20)
    }
    commit_files(work, many, "Ten years")
    git(work, "push", "--quiet", "origin", "HEAD:main")
    pushed, problems = read_bundle(
        bundle(tmp_path / "b", report="r7", release="9", config="v"), "b"
    )
    assert pushed, problems
    repository = Repository.beside(str(site), tmp_path / "beside")
    main, heads = repository.branches()
    repository.fetch([heads[main]], "--depth=1", "--filter=tree:0")
    assert repository.run_at(heads[main], place_of(pushed)) is None
    assert repository.run_at(heads[main], ("r7", "9", "v", "run"))
    packed = git(repository.directory, "count-objects", "-v")
    # A commit, and the directories on the way: /, data, results, r7, 9, v. Never a file.
    assert "in-pack: 7\n" in packed
    assert deliver([pushed], str(site))[0].is_new
    assert len(files_of(site, "results/lab1")) == len(files_of(site, "main")) + 2


@pytest.mark.parametrize("hosts", [("lab1", "lab2"), ("lab1", "lab1")])
def test_two_that_push_at_once_both_arrive(
    site: Path, tmp_path: Path, hosts: tuple[str, str]
) -> None:
    # The slower, the surer they meet: each has read the branch before the other one moves it.
    hook(site, "pre-receive", "sleep 0.5")
    pushed = [
        bundle(tmp_path / str(number), host, 1000 + number) for number, host in enumerate(hosts)
    ]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "perfpress", "push", directory, "--to", site], cwd=ROOT
        )
        for directory in pushed
    ]
    assert [each.wait(60) for each in running] == [0, 0]
    for directory, host in zip(pushed, hosts, strict=True):
        assert f"{place(directory)}/run.toml" in files_of(site, f"results/{host}")


def test_a_host_that_was_faster_is_waited_for(site: Path, tmp_path: Path) -> None:
    mine, _ = read_bundle(bundle(tmp_path / "mine"), "b")
    assert mine
    other = bundle(tmp_path / "other", rate=2000)
    # While this push is on its way, another one arrives: the remote refuses the first.
    hook(
        site,
        "pre-receive",
        "test -e done && exit 0; touch done; unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY "
        "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_DIR\n"
        f"cd {ROOT} && {sys.executable} -m perfpress push {other} --to {site} >/dev/null 2>&1",
    )
    waits: list[int] = []
    [delivered] = deliver([mine], str(site), waits.append)
    assert delivered.is_new
    assert waits == [1]
    names = files_of(site, "results/lab1")
    assert {f"{place(other)}/run.toml", f"{place(tmp_path / 'mine')}/run.toml"} <= set(names)


def test_a_push_that_is_never_fast_enough_is_reported(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(Repository, "push", lambda *_: False)
    monkeypatch.setattr("time.sleep", lambda _: None)
    assert push(site, bundle(tmp_path / "b")) == 1
    assert f"other hosts were faster {ATTEMPTS} times; push again later" in capsys.readouterr().err


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_that_is_cut_leaves_nothing_half(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, when: str
) -> None:
    # A program in the place of ssh, which hangs up: before the branch has moved, or after it.
    program, cut = tmp_path / "ssh", tmp_path / "cut"
    hang_up = {
        "before": 'eval "$last" </dev/null; head -c 400 >/dev/null',
        "after": 'eval "$last"',
    }
    program.write_text(
        "#!/bin/sh\nfor last; do :; done\n"
        f'case "$last" in git-receive-pack*) if [ ! -e {cut} ]; then touch {cut}; '
        f'{hang_up[when]}; exit 255; fi;; esac\neval "$last"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(program))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    pushed = bundle(tmp_path / "b")
    status = main(["push", str(pushed), "--to", f"lab@host:{site}"])
    err = capsys.readouterr().err
    if when == "before":
        assert status == 1
        assert "call it again: what has arrived is not sent twice" in err
        assert branches_of(site) == ["main"]
        assert main(["push", str(pushed), "--to", f"lab@host:{site}"]) == 0
    else:
        assert (status, err) == (0, "")
    assert f"{place(pushed)}/select.txt" in files_of(site, "results/lab1")
    assert git(site, "fsck", "--strict") == ""


def test_a_remote_that_forbids_it_is_reported(site: Path, tmp_path: Path, capsys: Captured) -> None:
    hook(site, "pre-receive", "echo protected branch >&2; exit 1")
    assert push(site, bundle(tmp_path / "b")) == 1
    err = capsys.readouterr().err
    assert f"{site}: no permission: protected branch; use a key that may push there" in err


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("{tmp}/missing.git", "no git repository: "),
        ("https://name:s3cr3t-t0ken@127.0.0.1:1/x.git", "the connection failed: "),
        ("no-such-remote", "has no remote called no-such-remote"),
    ],
)
def test_what_cannot_be_reached_is_reported_without_secrets(
    tmp_path: Path, capsys: Captured, address: str, message: str
) -> None:
    written = bundle(tmp_path / "b")
    assert main(["push", str(written), "--to", address.format(tmp=tmp_path)]) == 1
    err = capsys.readouterr().err
    assert message in err
    assert "s3cr3t" not in err
    assert len(err.splitlines()) == 1


def test_a_host_without_git_is_reported(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert push(site, bundle(tmp_path / "b")) == 1
    assert capsys.readouterr().err == (
        "git: not installed; install it: sudo apt-get install -y git\n"
    )


@pytest.mark.parametrize("address", ["--upload-pack=touch x", "ext::sh -c touch", "", "a\nb"])
def test_an_address_that_would_run_a_program_is_bad_usage(address: str, capsys: Captured) -> None:
    assert main(["push", "b", f"--to={address}"]) == 2
    assert "expected the address of a git repository or object store" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["s3:/bucket/x", "s3:bucket", "s3://", "file:/srv/x"])
def test_an_address_of_a_store_that_is_cut_short_is_bad_usage(
    address: str, capsys: Captured
) -> None:
    assert main(["push", "b", "--to", address]) == 2
    assert "expected s3://bucket/path or file:///path" in capsys.readouterr().err


def test_settings_of_the_host_change_no_bytes(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "attributes").write_text("* text eol=lf\n")
    (tmp_path / "ignore").write_text("*.txt\n")
    config = tmp_path / "gitconfig"
    config.write_text(
        f"[core]\nautocrlf = input\nattributesFile = {tmp_path / 'attributes'}\n"
        f"excludesFile = {tmp_path / 'ignore'}\n"
        f"hooksPath = {tmp_path / 'hooks'}\n"
    )
    hook(tmp_path, "pre-push", "exit 1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    pushed = bundle(tmp_path / "b")
    text = (pushed / "select.txt").read_text().replace("\n", "\r\n")
    (pushed / "select.txt").write_bytes(text.encode())
    assert push(site, pushed) == 0
    monkeypatch.undo()
    stored = subprocess.run(
        ["git", "cat-file", "blob", f"results/lab1:{place(pushed)}/select.txt"],
        cwd=site, capture_output=True, check=True, env=os.environ,
    ).stdout  # fmt: skip
    assert stored == text.encode()


@pytest.mark.parametrize(
    ("host", "branch"),
    [
        ("Lab 1", "results/lab-1"),
        ("a..b", "results/a-.b"),
        ("db.lock", "results/db-lock"),
        ("../../main", "results/main"),
        ("-f", "results/f"),
    ],
)
def test_every_host_has_a_branch_that_git_takes(host: str, branch: str, tmp_path: Path) -> None:
    assert branch_of(host) == branch
    git(tmp_path, "check-ref-format", f"refs/heads/{branch}")


def test_addresses_are_shown_without_name_and_password() -> None:
    assert shown_address("https://u:p@host:8/x?y") == "https://host:8/x?y"
    assert shown_address("git@host:x") == "git@host:x"

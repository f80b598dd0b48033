"""perfpress accept beside servers and packs that no honest git makes: each costs itself only."""

import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hostile_packs import (
    LARGEST_COPY,
    Packed,
    delta_bomb,
    delta_chain,
    huge_file,
    install,
    write_pack,
)
from hostile_trees import blob, branch, git_input, tree, with_results
from perfpress.__main__ import main
from perfpress.host.pushing import git as git_calls
from perfpress.host.pushing import repository
from perfpress.host.pushing.repository import Repository
from repositories import branches_of, bundle, files_of, git, site_repository

Captured = pytest.CaptureFixture[str]
PLACE = "r/1/lab2/undated-00000000"
MEMORY = 800_000_000
"""Bytes that no process of accept holds, whatever it reads."""
LARGE = 400_000_000
"""Bytes of a file: more than four times what a bundle may hold, and than accept takes otherwise."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return the repository of a site, the honest run of lab1 pushed to it."""
    made = site_repository(tmp_path / "site.git")
    assert main(["push", str(bundle(tmp_path / "honest")), "--to", str(made)]) == 0
    (tmp_path / "results").mkdir()
    return made


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """Serve the repositories of a directory by a process that has no limits of ours."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["daemon", "--listen=127.0.0.1", f"--port={port}", "--export-all", "--reuseaddr"]
    process = subprocess.Popen(
        ["git", *words, f"--base-path={directory}"], start_new_session=True, stderr=subprocess.PIPE
    )
    try:
        for _ in range(200):
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"git://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture
def hosts(tmp_path: Path) -> Path:
    """Return a results repository with the honest run of lab3."""
    made = site_repository(tmp_path / "hosts.git")
    assert main(["push", str(bundle(tmp_path / "b", host="lab3")), "--to", str(made)]) == 0
    return made


MEASURING = """
import resource, subprocess, sys
path, *command = sys.argv[1:]
status = subprocess.call(command)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(path, "w") as file:
    file.write(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss}")
sys.exit(status)
"""
"""Runs a command. Its memory is its own; what a test starts has the test's as its peak."""


class Ended:
    """An accept that has ended."""

    def __init__(self, site: Path, tmp_path: Path, *sources: object) -> None:
        words = [*map(str, sources), "--into", str(site), "--results", str(tmp_path / "results")]
        accept = [sys.executable, "-m", "perfpress", "accept", *words]
        measured = subprocess.run(
            [sys.executable, "-c", MEASURING, str(tmp_path / "used"), *accept],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.status = measured.returncode
        self.output = measured.stdout.decode()
        # What else the machine does counts for nothing; how long a call waits is for test_turns.
        seconds, kilobytes = (tmp_path / "used").read_text().split()
        self.cpu_seconds, self.memory = float(seconds), int(kilobytes) * 1024
        self.hosts = {name.split("/")[4] for name in files_of(site, "main") if "run.toml" in name}


def with_file(hosts: Path, name: str, found: str, host: str = "lab2") -> None:
    """Push a run that holds an object as a file."""
    run = blob(hosts, b"schema = 1\n")
    inner = tree(hosts, [(b"100644", name.encode(), found), (b"100644", b"run.toml", run)])
    branch(hosts, f"results/{host}", with_results(hosts, inner, PLACE))


@pytest.mark.parametrize("filters", [True, False])
@pytest.mark.parametrize(
    "make",
    [
        lambda: huge_file(LARGE),
        lambda: delta_bomb(LARGE // LARGEST_COPY),
        lambda: delta_chain(5_000),
    ],
    ids=["a file of zeros", "a delta bomb", "a chain of deltas"],
)
def test_a_pack_of_few_bytes_that_makes_much_costs_its_own_branch(
    site: Path,
    hosts: Path,
    tmp_path: Path,
    make: Callable[[], list[Packed]],
    filters: bool,
) -> None:
    git(hosts, "config", "uploadpack.allowFilter", str(filters).lower())
    objects = make()
    install(hosts, objects)
    with_file(hosts, "evil", objects[-1].name)
    with served(tmp_path) as server:
        ended = Ended(site, tmp_path, f"{server}/{hosts.name}")
    assert ended.hosts == {"lab3"}, ended.output
    assert "results/lab2:data/results/r/1/lab2/undated-00000000" in ended.output
    assert ended.memory < LARGE
    assert ended.cpu_seconds < 60


@pytest.mark.parametrize("copies", [40, 80])
def test_a_server_that_sends_a_delta_bomb_itself_costs_no_memory(
    site: Path, hosts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: int
) -> None:
    """Git never sends a file of that size as a delta; another server may."""
    bomb = delta_bomb(copies)
    with_file(hosts, "evil", blob(hosts, b"stands for it"))
    listed = git(hosts, "rev-list", "--objects", "--no-object-names", "--all").split()
    objects = [plain(hosts, name) for name in listed]
    path = write_pack(tmp_path, [*objects, *bomb])
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ncat >/dev/null\ncat {path}\n")
    hook.chmod(0o755)
    (tmp_path / "config").write_text(f"[uploadpack]\n\tpackObjectsHook = {hook}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    with served(tmp_path) as server:
        ended = Ended(site, tmp_path, f"{server}/{hosts.name}", site)
    assert "lab1" in ended.hosts, ended.output
    assert "lab2" not in ended.hosts
    assert "results/lab2" in ended.output
    assert ended.memory < MEMORY
    assert ended.cpu_seconds < 60


def plain(repository: Path, name: str) -> Packed:
    """Return an object of a repository as packs hold it."""
    kind = git(repository, "cat-file", "-t", name)
    done = subprocess.run(
        ["git", "cat-file", kind, name], cwd=repository, capture_output=True, check=True
    )
    kinds = {"commit": 1, "tree": 2, "blob": 3}
    return Packed(name, kinds[kind], len(done.stdout), zlib.compress(done.stdout))


def borrows_from_everywhere(hosts: Path) -> None:
    info = hosts / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text(f"{hosts}/objects\n/\n../../gone\n/dev/zero\n/proc/self/fd\n")


def grafted(hosts: Path) -> None:
    commit = git(hosts, "rev-parse", "results/lab2")
    (hosts / "info").mkdir(exist_ok=True)
    (hosts / "info" / "grafts").write_text(
        f"{commit}\n{git(hosts, 'rev-parse', 'main')} {commit}\n"
    )


def replaced(hosts: Path) -> None:
    """Show lab2's commit in place of main and of lab3's."""
    for name in ("main", "results/lab3"):
        at = git(hosts, "rev-parse", name)
        git(hosts, "update-ref", f"refs/replace/{at}", git(hosts, "rev-parse", "results/lab2"))


def shallow(hosts: Path) -> None:
    (hosts / "shallow").write_text(git(hosts, "rev-parse", "main") + "\n")


def shallow_at_the_host(hosts: Path) -> None:
    (hosts / "shallow").write_text(git(hosts, "rev-parse", "results/lab2") + "\n")


def graph_that_lies(hosts: Path) -> None:
    """Write a graph of commits in which the trees of two are exchanged."""
    git(hosts, "commit-graph", "write", "--reachable")
    path = hosts / "objects" / "info" / "commit-graph"
    roots = [git(hosts, "rev-parse", f"{name}^{{tree}}") for name in ("main", "results/lab2")]
    one, two = map(bytes.fromhex, roots)
    content = path.read_bytes().replace(one, b"?" * 20).replace(two, one).replace(b"?" * 20, two)
    path.chmod(0o644)
    path.write_bytes(content[:-20] + hashlib.sha1(content[:-20]).digest())


def graph_of_noise(hosts: Path) -> None:
    (hosts / "objects" / "info" / "commit-graph").write_bytes(b"CGPH\1\1\3\0" + bytes(1000))


def head_elsewhere(hosts: Path) -> None:
    (hosts / "HEAD").write_text("ref: refs/heads/results/lab2\n")


def head_nowhere(hosts: Path) -> None:
    (hosts / "HEAD").write_text("ref: refs/heads/gone\n")


@pytest.mark.parametrize(
    "change",
    [
        borrows_from_everywhere,
        grafted,
        replaced,
        shallow,
        shallow_at_the_host,
        graph_that_lies,
        graph_of_noise,
        head_elsewhere,
        head_nowhere,
    ],
)
def test_a_server_that_lies_about_its_history_harms_no_other(
    site: Path, hosts: Path, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    with_file(hosts, "a", blob(hosts, b"x"))
    change(hosts)
    with served(tmp_path) as server:
        ended = Ended(site, tmp_path, f"{server}/{hosts.name}", site)
    assert "lab1" in ended.hosts, ended.output
    assert "lab2" not in ended.hosts
    assert "lab3" in ended.hosts or server in ended.output or "results/lab3" in ended.output
    assert ended.cpu_seconds < 60
    assert git(site, "fsck", "--strict", "--no-dangling") == ""


class Asked(SimpleHTTPRequestHandler):
    """Serves files, and remembers what was asked for."""

    def log_message(self, format: str, *words: object) -> None:
        self.server.asked.append(format % words)  # type: ignore[attr-defined]


@contextmanager
def http(directory: Path) -> Iterator[tuple[str, list[str]]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Asked, directory=str(directory)))
    server.asked = []  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.asked  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_server_of_files_sends_accept_to_no_other_server(
    site: Path, hosts: Path, tmp_path: Path
) -> None:
    """Such a server checks nothing, and names others that git is to ask for objects."""
    evil = tree(hosts, [(b"100644", b"../../escaped", blob(hosts, b"x"))])
    branch(hosts, "results/lab2", with_results(hosts, evil, PLACE))
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "objects").mkdir(parents=True)
    missing = git(hosts, "rev-parse", "results/lab2^{tree}")
    with http(elsewhere) as (other, asked_there), http(tmp_path) as (server, asked):
        git(hosts, "update-server-info")
        for name in ("alternates", "http-alternates"):
            (hosts / "objects" / "info" / name).write_text(f"{other}/objects\n/elsewhere/objects\n")
        (hosts / "objects" / missing[:2] / missing[2:]).unlink()
        ended = Ended(site, tmp_path, f"{server}/{hosts.name}", site)
    assert any("info/refs" in line for line in asked)
    assert asked_there == []
    assert "lab1" in ended.hosts, ended.output
    assert "lab2" not in ended.hosts
    assert not list(tmp_path.rglob("escaped"))


def test_a_server_whose_branches_move_between_two_questions_is_read_as_it_was_listed(
    site: Path, hosts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    listed = Repository.branches

    def then_moved(self: Repository) -> tuple[str, dict[str, str]]:
        found = listed(self)
        if self.address == str(hosts) and "results/lab3" in branches_of(hosts):
            with_file(hosts, "a", blob(hosts, b"x"), "lab3")
            git(hosts, "update-ref", "-d", "refs/heads/results/lab3")
            git(hosts, "update-ref", "refs/heads/main", git(hosts, "rev-parse", "results/lab2"))
        return found

    with_file(hosts, "a", blob(hosts, b"x"))
    monkeypatch.setattr(Repository, "branches", then_moved)
    words = ["accept", str(hosts), str(site), "--into", str(site)]
    main([*words, "--results", str(tmp_path / "results")])
    out, err = capsys.readouterr()
    assert out.endswith("2 accepted, 0 there already\n"), err
    assert "results/lab2" in err


@pytest.mark.parametrize(
    "target", ["refs/heads/main", "refs/heads/results/lab1", "refs/heads/gone"]
)
def test_a_branch_that_is_another_name_of_one_removes_nothing_with_it(
    site: Path, tmp_path: Path, target: str
) -> None:
    git(site, "symbolic-ref", "refs/heads/results/lab2", target)
    ended = Ended(site, tmp_path)
    assert ended.hosts == {"lab1"}, ended.output
    assert "main" in branches_of(site)


@pytest.mark.parametrize("say", ["sleep 60", "while :; do echo x; done >&2", "yes >&2", "yes"])
def test_a_server_without_end_is_given_up(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, say: str
) -> None:
    """By ssh, whose messages git passes on, and which would outlive it."""
    pids = tmp_path / "pids"
    (tmp_path / "ssh").write_text(f"#!/bin/sh\necho $$ >>{pids}\n{say}\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(tmp_path / "ssh"))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    monkeypatch.setattr(repository, "LISTING", git_calls.LISTING._replace(seconds=2))
    words = ["accept", "ssh://example.org/x.git", str(site), "--into", str(site)]
    begun = time.monotonic()
    assert main([*words, "--results", str(tmp_path / "results")]) == 1
    assert time.monotonic() - begun < 30
    out, err = capsys.readouterr()
    assert out.endswith("1 accepted, 0 there already\n"), err
    assert "ssh://example.org/x.git: " in err
    assert len(err) < 1000
    for pid in pids.read_text().split():
        state = Path(f"/proc/{pid}/stat")
        assert not state.exists() or state.read_text().split()[2] == "Z"


def test_names_of_branches_without_end_are_refused_by_name(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    at = git(site, "rev-parse", "main")
    honest = git(site, "rev-parse", "results/lab1")
    (site / "refs" / "heads" / "results" / "lab1").write_text(f"{honest}\n")
    names = [f"refs/heads/results/{letter * 60_000}" for letter in "abc"]
    names += [f"refs/heads/results/{'d/' * 5_000}d", "refs/heads/results/" + "e" * 101]
    listed = "".join(f"{at} {name}\n" for name in sorted([*names, "refs/heads/main"]))
    (site / "packed-refs").write_text(f"# pack-refs with: peeled fully-peeled sorted \n{listed}")
    capsys.readouterr()
    main(["accept", "--into", str(site), "--results", str(tmp_path / "results")])
    out, err = capsys.readouterr()
    assert out.endswith("1 accepted, 0 there already\n"), err
    assert err.count("a name that no host's branch has") == len(names)
    assert len(err) < 10_000


def test_a_repository_of_other_hashes_is_reported(site: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "--object-format=sha256", "other.git")
    other = tmp_path / "other.git"
    empty = git_input(other, b"", "mktree")
    commit = git_input(
        other, b"x", "-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", empty
    )
    git(other, "update-ref", "refs/heads/results/lab2", commit)
    ended = Ended(site, tmp_path, other, site)
    assert ended.hosts == {"lab1"}, ended.output
    assert str(other) in ended.output

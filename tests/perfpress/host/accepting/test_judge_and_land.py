"""What judges a stranger's run has nothing to lose, and what lands is new runs and nothing else."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_packs import delta_bomb, write_pack
from hostile_trees import above, blob, tree
from perfpress.__main__ import main
from perfpress.base.confinement import can_confine
from perfpress.base.disk import temporary_directory
from perfpress.host.accepting import judge as judging_parent
from perfpress.host.accepting import judges
from perfpress.host.accepting import land as landing_parent
from perfpress.host.accepting.arrivals import Arrival
from perfpress.host.accepting.judge import Judges
from perfpress.host.accepting.land import LANDING, OBJECTS, Landing, save
from perfpress.host.pushing.git import OverBudget
from perfpress.host.pushing.repository import Repository
from repositories import (
    branches_of,
    bundle,
    commit_files,
    files_of,
    git,
)
from time_limit import within

Captured = pytest.CaptureFixture[str]
PLACE = "data/results/r/1/lab1/undated-00000000"
ARRIVAL = Arrival(
    hosts=frozenset(["lab1"]),
    place=("r", "1", "lab1", "undated-00000000"),
    shown_as="results/lab1:x",
    tree=None,
    bytes=0,
    copy=lambda *_: None,
)


def judged_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, longest: float = 600
) -> str:
    """Judge with another program in the judge's place; return its answer about the run."""
    package = tmp_path / "other" / "perfpress"
    package.mkdir(parents=True)
    (package.parent / "stand_in.py").write_text(
        f"import {judges.__name__} as judges\n"
        f"judges.judge = lambda: exec({program!r}, {{}})\n"
        "judges.main()\n"
    )
    monkeypatch.setattr(judging_parent, "PACKAGE", package)
    monkeypatch.setattr(judges, "__name__", "stand_in")
    (tmp_path / "run").mkdir()
    with Judges() as processes:
        answer = processes.judge(ARRIVAL, tmp_path / "run", tmp_path / "run", longest)
    assert answer.names is None
    [problem] = answer.problems
    return problem.found


def test_what_judges_a_run_holds_nothing_worth_taking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GH_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "GIT_CONFIG_VALUE_0"):
        monkeypatch.setenv(name, "worth taking")
    seen = tmp_path / "seen"
    program = (
        "import json, os, pathlib\n"
        "home = os.listdir(os.environ['HOME'])\n"
        f"pathlib.Path({str(seen)!r}).write_text(json.dumps([dict(os.environ), home]))\n"
    )
    assert judged_by(tmp_path, monkeypatch, program) == "its check gave no answer"
    variables, home = json.loads(seen.read_text())
    assert "worth taking" not in variables.values()
    assert set(variables) <= {
        "HOME", "TMPDIR", "PATH", "LC_ALL", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"
    }  # fmt: skip
    assert home == []


def test_what_judges_a_run_need_not_read_the_rules_of_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    program = (
        "import pathlib\n"
        "from perfpress.base.secrets.rules import rules\n"
        f"pathlib.Path({str(seen)!r}).write_text(str(rules.cache_info().currsize))\n"
    )
    judged_by(tmp_path, monkeypatch, program)
    assert seen.read_text() == "1"


CAPTURED_PROCESS = """
import json, os, pathlib, socket
from perfpress.base.problems import BadInput, Problem
from perfpress.host.accepting import judging

def tried(what):
    try:
        what()
    except OSError as error:
        return type(error).__name__
    return "done"

def takes_over(directory, shown_as):
    parent = os.getppid()
    ways = {
        "variables of its parent": lambda: open(f"/proc/{parent}/environ").read(),
        "memory of its parent": lambda: open(f"/proc/{parent}/mem", "rb"),
        "another file": lambda: pathlib.Path(FILE).read_text(),
        "another directory": lambda: os.listdir(os.path.dirname(FILE)),
        "write": lambda: pathlib.Path(FILE + ".new").write_text("x"),
        "write its run": lambda: (directory / "x").write_text("x"),
        "write the results": lambda: pathlib.Path(RESULTS, "x").write_text("x"),
        "remove": lambda: os.remove(FILE),
        "program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "server": lambda: socket.create_connection(("127.0.0.1", PORT), timeout=5),
        "signal": lambda: os.kill(parent, 0),
    }
    found = json.dumps({name: tried(way) for name, way in ways.items()})
    raise BadInput(Problem(path=shown_as, found=found))

judging.checked = takes_over
judging.main()
"""


@pytest.mark.skipif(not can_confine(), reason="this system has no Landlock: Linux 5.13 or newer")
def test_who_takes_over_the_process_that_judges_reaches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "elsewhere" / "key"
    key.parent.mkdir()
    key.write_text("worth taking")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        known = {"FILE": str(key), "RESULTS": str(tmp_path / "run"), "PORT": port}
        program = "".join(f"{name} = {value!r}\n" for name, value in known.items())
        found = judged_by(tmp_path, monkeypatch, program + CAPTURED_PROCESS)
    outcomes = json.loads(found)
    assert len(outcomes) == 11
    assert [name for name, outcome in outcomes.items() if outcome != "PermissionError"] == []
    assert key.read_text() == "worth taking"


def test_a_run_is_judged_for_as_long_as_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OverBudget):
        judged_by(tmp_path, monkeypatch, "import time; time.sleep(60)", longest=0.5)


ENDS_ITS_STARTER = """
import os, pathlib, signal
calls = pathlib.Path(CALLS)
calls.write_text(calls.read_text() + "x")
if len(calls.read_text()) <= MOST:
    os.kill(os.getppid(), signal.SIGKILL)
raise MemoryError
"""


@pytest.mark.parametrize(
    ("most", "message"), [(1, "failed, or took more than 2 GB"), (9, "gave no answer")]
)
def test_a_run_is_judged_once_more_where_the_machine_ends_what_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, message: str
) -> None:
    calls = tmp_path / "calls"
    calls.write_text("")
    known = f"CALLS = {str(calls)!r}\nMOST = {most}\n"
    assert message in judged_by(tmp_path, monkeypatch, known + ENDS_ITS_STARTER)
    assert calls.read_text() == "xx"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("while True: pass", "took more than 1 s of CPU time"),
        ("import os; os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("raise MemoryError", "failed, or took more than 2 GB"),
        ("print('{}')", "gave no answer"),
        ("print('[' * 100_000)", "gave no answer"),
        (
            """print('{"names":["R","2","lab1"],"host":"lab1","addresses":[],"problems":[]}')""",
            "names of another place",
        ),
        (
            """print('{"names":["r","1","lab1"],"host":"lab1","addresses":["::set-env"],"problems":[]}')""",
            "pages that no site has",
        ),
        (
            """print('{"names":["r","1","lab1"],"host":"lab2","addresses":[],"problems":[]}')""",
            "a run of the host 'lab2'",
        ),
        (
            """print('{"names":null,"host":"","addresses":[],"problems":[]}')""",
            "refused and not why",
        ),
    ],
)
def test_a_run_whose_check_takes_too_much_is_refused_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, message: str
) -> None:
    monkeypatch.setattr(judging_parent, "CPU_SECONDS", 1)
    assert message in judged_by(tmp_path, monkeypatch, program)


def landed(site: Path, tmp_path: Path, root: str, branches: dict[str, str]) -> int:
    (tmp_path / "kept").mkdir(exist_ok=True)
    save(Repository(site, str(site), {}), Landing(root, branches), tmp_path / "kept", is_late=False)
    return main(["accept", "--land", str(tmp_path / "kept"), "--into", str(site)])


def file_at(path: str, mode: bytes = b"100644") -> Callable[[Path], str]:
    def make(site: Path) -> str:
        directory, _, name = path.rpartition("/")
        placed = tree(site, [(mode, name.encode(), blob(site, b"x"))])
        return above(site, placed, directory) if directory else placed

    return make


@pytest.mark.parametrize(
    "make",
    [
        file_at("README.md"),
        file_at("new.txt"),
        file_at(".github/workflows/x.yml"),
        file_at("data/corrections/x.toml"),
        file_at("data/corrections/.gitkeep"),
        file_at("data/results/r/1/x"),
        file_at("data/results/r"),
        file_at("data"),
        file_at(f"{PLACE}/run.toml", b"100755"),
        file_at(f"{PLACE}/run.toml", b"120000"),
        file_at(f"{PLACE}/.gitattributes"),
        file_at(f"{PLACE}/-x"),
    ],
)
def test_nothing_but_new_runs_lands(
    site: Path, tmp_path: Path, make: Callable[[Path], str], capsys: Captured
) -> None:
    before = git(site, "rev-parse", "main")
    assert landed(site, tmp_path, make(site), {}) == 1
    assert git(site, "rev-parse", "main") == before
    assert "nothing was written" in capsys.readouterr().err


def nested(levels: int, width: int) -> Callable[[Path], str]:
    """Make a tree of a few objects that has `width ** levels` files."""

    def make(site: Path) -> str:
        inner = tree(site, [(b"100644", b"x", blob(site, b"x"))])
        for _ in range(levels):
            inner = tree(site, [(b"40000", f"d{n:02}".encode(), inner) for n in range(width)])
        return above(site, inner, PLACE)

    return make


@pytest.mark.parametrize(("levels", "width"), [(7, 20), (60, 1)], ids=["wide", "deep"])
def test_a_tree_without_end_does_not_land(
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    levels: int,
    width: int,
    capsys: Captured,
) -> None:
    monkeypatch.setattr(landing_parent, "MOST_ADDED", 10_000)
    with within(60):
        assert landed(site, tmp_path, nested(levels, width)(site), {}) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "nothing was written" in line
    assert len(line) < 1000


def pack(directory: Path) -> None:
    """Write a pack of a run whose one file is 1.3 GB of zeros."""
    objects = delta_bomb(80)
    packed = write_pack(directory.parent, objects)
    packed.rename(directory / OBJECTS)
    bomb = json.dumps({"tree": objects[-1].name, "branches": {}})
    (directory / LANDING).write_text(bomb)


def endless(name: str) -> Callable[[Path], None]:
    def make(directory: Path) -> None:
        (directory / name).unlink()
        (directory / name).symlink_to("/dev/zero")

    return make


def pipe(directory: Path) -> None:
    (directory / LANDING).unlink()
    os.mkfifo(directory / LANDING)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda kept: (kept / OBJECTS).unlink(), "No such file"),
        (lambda kept: (kept / OBJECTS).write_bytes(b"PACK"), "early EOF"),
        (endless(OBJECTS), "symbolic links"),
        (endless(LANDING), "symbolic links"),
        (pipe, "no regular file"),
        (pack, "memory"),
    ],
    ids=["no pack", "half a pack", "a pack without end", "a list without end", "a pipe", "a bomb"],
)
def test_what_lands_is_read_within_bounds_whoever_prepared_it(
    site: Path,
    tmp_path: Path,
    damage: Callable[[Path], None],
    message: str,
    capsys: Captured,
) -> None:
    root = file_at(f"{PLACE}/run.toml")(site)
    kept = tmp_path / "kept"
    save(Repository(site, str(site), {}), Landing(root, {}), kept, is_late=False)
    damage(kept)
    with within(60):
        assert main(["accept", "--land", str(kept), "--into", str(site)]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert message in line
    assert PLACE not in "".join(files_of(site, "main"))


def test_a_new_run_lands(site: Path, tmp_path: Path) -> None:
    assert landed(site, tmp_path, file_at(f"{PLACE}/run.toml")(site), {}) == 0
    assert f"{PLACE}/run.toml" in files_of(site, "main")
    assert "README.md" in files_of(site, "main")


def test_no_other_branch_is_removed(site: Path, tmp_path: Path) -> None:
    head = git(site, "rev-parse", "main")
    git(site, "branch", "results/lab1", "main")
    assert landed(site, tmp_path, "", {"main": head}) == 1
    (tmp_path / "kept" / LANDING).write_text(
        json.dumps({"tree": "", "branches": {"results/lab1": "11" * 20}})
    )
    assert main(["accept", "--land", str(tmp_path / "kept"), "--into", str(site)]) == 0
    assert branches_of(site) == ["main", "results/lab1"]


def test_a_branch_is_removed_only_when_all_that_it_holds_is_in_main(
    site: Path, tmp_path: Path
) -> None:
    """Whoever prepares may lie: nothing is removed on its word."""
    work = site.with_suffix(".work")
    one, two = bundle(tmp_path / "b"), bundle(tmp_path / "c", rate=2000)
    assert main(["push", str(one), "--to", str(site)]) == 0
    first = git(site, "rev-parse", "results/lab1")
    assert main(["push", str(two), "--to", str(site)]) == 0
    both = git(site, "rev-parse", "results/lab1")
    git(site, "branch", "results/author", "main")
    git(work, "checkout", "--quiet", "-b", "author", "origin/main")
    commit_files(work, {"README.md": "changed\n"}, "Mine")
    git(work, "push", "--quiet", "--force", "origin", "author:results/author")
    author = git(site, "rev-parse", "results/author")
    kept = ["main", "results/author", "results/lab1"]
    lie = {"results/lab1": both, "results/author": author}
    assert landed(site, tmp_path, "", lie) == 0
    assert branches_of(site) == kept
    results = above(site, git(site, "rev-parse", f"{first}:data/results"), "data/results")
    assert landed(site, tmp_path, results, lie) == 0
    assert branches_of(site) == kept
    git(site, "update-ref", "refs/heads/results/lab1", first)
    assert landed(site, tmp_path, "", {"results/lab1": first}) == 0
    assert branches_of(site) == ["main", "results/author"]


def test_what_is_prepared_lands_later(site: Path, tmp_path: Path) -> None:
    assert main(["push", str(bundle(tmp_path / "b")), "--to", str(site)]) == 0
    (tmp_path / "results").mkdir()
    words = ["--into", str(site), "--results", str(tmp_path / "results")]
    before = git(site, "rev-parse", "main")
    kept = str(tmp_path / "kept")
    assert main(["accept", *words, "--prepare", kept]) == 0
    assert git(site, "rev-parse", "main") == before
    assert main(["accept", *words, "--land", kept]) == 0
    assert branches_of(site) == ["main"]
    assert sum("/lab1/" in name for name in files_of(site, "main")) == 2


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no other file system to write to")
def test_what_is_prepared_may_be_on_another_file_system(site: Path, tmp_path: Path) -> None:
    assert main(["push", str(bundle(tmp_path / "a")), "--to", str(site)]) == 0
    (tmp_path / "results").mkdir()
    with temporary_directory("perfpress-test-", Path("/dev/shm")) as elsewhere:
        if elsewhere.stat().st_dev == tmp_path.stat().st_dev:
            pytest.skip("no other file system to write to")
        words = ["accept", "--into", str(site), "--results", str(tmp_path / "results")]
        assert main([*words, "--prepare", str(elsewhere / "kept")]) == 0
        assert sorted(path.name for path in (elsewhere / "kept").iterdir()) == [LANDING, OBJECTS]
        assert main([*words, "--land", str(elsewhere / "kept")]) == 0
    assert branches_of(site) == ["main"]

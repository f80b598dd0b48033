"""perfpress accept beside trees that no git writes: nothing of them is used, and nobody waits."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_trees import Entry, above, blob, branch, git_input, tree, with_results
from perfpress.__main__ import main
from perfpress.host.accepting.new_files import new_file
from perfpress.host.pushing.repository import Repository
from perfpress.host.pushing.trees import UnfitTree, parse_tree
from repositories import branches_of, bundle, files_of, git, site_repository

Captured = pytest.CaptureFixture[str]
PLACE = "r/1/lab2/undated-00000000"
HASH = "11" * 20
DOT_GIT = [".git", ".GIT", ".Git.", ".git ", ".git. .", "git~1", "GIT~1", "git~2", ".git::$INDEX"]
DOT_GIT += [".git:x", ".g\u200cit", "\u202e.git", ".git\ufeff", ".git\\x", "\uff0egit"]
OUTSIDE = ["../../x", "/etc/x", "a/b", "..", ".", "", "/", ".. ", "...", ".\u200d.", "..\\x"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    made = site_repository(tmp_path / "site.git")
    assert main(["push", str(bundle(tmp_path / "honest")), "--to", str(made)]) == 0
    return made


def accepted_beside(site: Path, tmp_path: Path) -> int:
    """Accept what was pushed, the honest run of lab1 beside it; return the exit status."""
    (tmp_path / "results").mkdir()
    status = main(["accept", "--into", str(site), "--results", str(tmp_path / "results")])
    assert sum("/lab1/" in name for name in files_of(site, "main")) == 2, "the honest run"
    assert not any("lab2" in name for name in files_of(site, "main"))
    assert "results/lab1" not in branches_of(site)
    git(tmp_path, "clone", "--quiet", "--bare", "--branch=main", "--single-branch",
        f"file://{site}", "main.git")  # fmt: skip
    assert git(tmp_path / "main.git", "fsck", "--strict") == ""
    return status


def in_a_run(site: Path, entries: Callable[[str, str], list[Entry]], host: str) -> None:
    """Push a run with such entries: they get the hash of a file and of a directory."""
    evil = blob(site, b"[core]\n\tsshCommand = touch pwned\n")
    run = blob(site, b"schema = 1\n")
    inner = tree(site, [(b"100644", b"evil", evil)])
    placed = tree(site, [*entries(evil, inner), (b"100644", b"run.toml", run)])
    branch(site, f"results/{host}", with_results(site, placed, PLACE))


def raw(name: bytes, mode: bytes = b"100644") -> bytes:
    return mode + b" " + name + b"\0" + bytes.fromhex(HASH)


@pytest.mark.parametrize("name", [*DOT_GIT, *OUTSIDE])
def test_a_name_that_leads_elsewhere_is_refused_wherever_a_tree_is_read(name: str) -> None:
    for mode in (b"100644", b"40000", b"160000"):
        with pytest.raises(UnfitTree):
            parse_tree(raw(name.encode(), mode))


@pytest.mark.parametrize(
    "tree",
    [
        raw(b"caf\xe9"),
        raw(b"x" * 256),
        raw(b"a", b"100666"),
        raw(b"a", b"040000"),
        raw(b"a", b"0100644"),
        raw(b"a", b""),
        raw(b"a") + raw(b"a"),
        raw(b"b") + raw(b"a"),
        raw(b"a") + raw(b"a", b"40000"),
        raw(b"a", b"40000") + raw(b"a-"),
        raw(b"a")[:-1],
        b"100644 a",
        b"100644",
        b"\0" * 30,
    ],
)
def test_a_tree_that_git_would_not_write_is_refused(tree: bytes) -> None:
    with pytest.raises(UnfitTree):
        parse_tree(tree)


def test_an_honest_tree_is_read() -> None:
    names = [b".github", b"-x", b"a b", b"git~", b"gitx", "größe".encode(), "数".encode()]
    found = parse_tree(b"".join(raw(name) for name in sorted(names)))
    assert set(found) == set(names)
    assert {entry.object for entry in found.values()} == {HASH.encode()}


def test_such_names_write_nothing_and_hold_up_nobody(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    hosts = []
    for number, name in enumerate([*DOT_GIT, *OUTSIDE]):
        for mode in (b"100644", b"40000"):
            hosts.append(f"lab2-{number}-{mode.decode()}")
            in_a_run(
                site,
                lambda file, inner, name=name, mode=mode: [  # type: ignore[misc]
                    (mode, name.encode(), inner if mode == b"40000" else file)
                ],
                hosts[-1],
            )
    assert accepted_beside(site, tmp_path) == 1
    assert not list(tmp_path.rglob("evil"))
    message = capsys.readouterr().err
    for host in hosts:
        assert f"results/{host}: " in message


def test_a_name_of_any_depth_writes_nothing_outside_even_where_git_lets_it_pass(
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    """The attack as it was: without the check of git itself."""
    temporary = tmp_path / "a" / "b" / "c"
    temporary.mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(
        Repository, "fetch_checked", lambda self, commits, *_: self.fetch(commits, "--no-filter")
    )
    for levels in range(8):
        name = b"../" * levels + b"escaped/x"
        in_a_run(
            site,
            lambda file, _, name=name: [(b"100644", name, file)],  # type: ignore[misc]
            f"lab2-{levels}",
        )
    assert accepted_beside(site, tmp_path) == 1
    assert not list(tmp_path.rglob("escaped"))
    assert capsys.readouterr().err.count(": a name with a slash") == 8


def test_a_file_is_written_below_its_directory_or_not_at_all(tmp_path: Path) -> None:
    directory = tmp_path / "in"
    directory.mkdir()
    (directory / "link").symlink_to(tmp_path)
    (directory / "there").write_text("mine\n")
    (directory / "file-link").symlink_to(tmp_path / "elsewhere")
    outside = ("../../x", "/etc/x", "", "..", ".", "a/../../x", "link/x", "there", "there/x")
    for name in (*outside, "file-link", "a\0b"):
        with pytest.raises(OSError, match=r"a name that leads elsewhere|File exists|Not a dir"):
            new_file(directory, name)
    with new_file(directory, "a/b/c") as file:
        file.write(b"x")
    assert (directory / "a" / "b" / "c").read_text() == "x"
    assert (directory / "there").read_text() == "mine\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def nested(site: Path, levels: int, width: int, leaf: str) -> str:
    """Return a tree that has `width ** levels` ways to a leaf, of a few objects."""
    for _ in range(levels):
        entries = [(b"40000", f"d{number:02}".encode(), leaf) for number in range(width)]
        leaf = tree(site, entries)
    return leaf


def test_trees_without_end_hold_up_nobody(site: Path, tmp_path: Path, capsys: Captured) -> None:
    empty = tree(site, [])
    file = tree(site, [(b"100644", b"x", blob(site, b"x"))])
    run = blob(site, b"schema = 1\n")
    runs = {
        "nested": nested(site, 9, 20, empty),
        "nested-deep": nested(site, 60, 2, empty),
        "deep": nested(site, 100, 1, file),
        "many": nested(site, 7, 20, file),
        "beside": tree(site, [(b"100644", b"a/x", run), (b"40000", b"a", file)]),
        "under": tree(site, [(b"40000", b"run.toml", file)]),
        "absolute": tree(site, [(b"100644", b"/etc/hostname", run)]),
        "link": tree(site, [(b"120000", b"run.toml", blob(site, b"/etc/passwd"))]),
        "module": tree(site, [(b"160000", b"run.toml", git(site, "rev-parse", "main"))]),
        "missing": tree(site, [(b"100644", b"run.toml", run), (b"160000", b"x", "33" * 20)]),
    }
    for name, inner in runs.items():
        branch(site, f"results/lab2-{name}", with_results(site, inner, PLACE))
    begun = time.monotonic()
    assert accepted_beside(site, tmp_path) == 1
    # With the patient step, which nobody waits for; test_turns has the bounds of the quick one.
    assert time.monotonic() - begun < 180
    message = capsys.readouterr().err
    for name in runs:
        assert f"results/lab2-{name}" in message
    assert len(message.splitlines()) < 6 * len(runs)


def test_what_a_branch_points_to_holds_up_nobody(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    """Commits that no git writes, and what is no commit at all, from a server that takes them."""
    root = git(site, "rev-parse", "main^{tree}")
    who = "a <a@b> 1 +0000"
    commits = {
        "encoding": f"tree {root}\nauthor {who}\ncommitter {who}\nencoding \x1b[2J\n\nx",
        "author": f"tree {root}\nauthor \x1b]0;x\x07 <a@b> 99999999999999999999 +9999\n\nx",
    }
    refs = {"tree": root, "blob": git(site, "rev-parse", "main:README.md")}
    git(site, "tag", "-a", "-m", "x", "v1", "main")
    refs["tag"] = git(site, "rev-parse", "v1")
    for name, text in commits.items():
        refs[name] = git_input(
            site, text.encode(), "hash-object", "-t", "commit", "-w", "--literally", "--stdin"
        )
    for name, at in refs.items():
        path = site / "refs" / "heads" / "results" / f"lab2-{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{at}\n")
    accepted_beside(site, tmp_path)
    message = capsys.readouterr().err
    assert "\x1b" not in message


NO_HOSTS = ["lab2\u2028x", "lab2\u0085", "LAB2", "lab2/x", "lab-", "größe", "lab2\u202e", "'lab2"]


def test_branches_of_other_names_are_refused_by_name(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    at = git(site, "rev-parse", "main")
    names = [f"results/{name}".encode() for name in NO_HOSTS] + [b"results/lab\xff"]
    # As git stores many of them; not every file system takes such names.
    honest = git(site, "rev-parse", "results/lab1")
    (site / "refs" / "heads" / "results" / "lab1").write_text(f"{honest}\n")
    packed = b"# pack-refs with: peeled fully-peeled sorted \n"
    for name in sorted([*(b"refs/heads/" + name for name in names), b"refs/heads/main"]):
        packed += at.encode() + b" " + name + b"\n"
    (site / "packed-refs").write_bytes(packed)
    assert accepted_beside(site, tmp_path) == 1
    message = capsys.readouterr().err
    assert message.count("a name that no host's branch has") == len(names)
    assert "\\xff" in message
    left = git_input(site, b"", "for-each-ref", "--format=%(refname)", "refs/heads/results")
    assert len(left.split("\n")) == len(names)


def test_sixty_thousand_branches_hold_up_nobody(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    inner = tree(site, [(b"100644", b"run.toml", blob(site, b"schema = 1\n"))])
    places = with_results(site, inner, PLACE)
    at = branch(site, "results/lab2", places)
    names = sorted(f"refs/heads/results/lab2-{number}" for number in range(60_000))
    names += sorted(f"refs/heads/results/lab2;{number}" for number in range(300))
    head = git(site, "rev-parse", "main")
    packed = [f"{head} refs/heads/main", *(f"{at} {name}" for name in names)]
    (site / "packed-refs").write_text(
        "# pack-refs with: peeled fully-peeled sorted \n" + "".join(f"{x}\n" for x in packed)
    )
    begun = time.monotonic()
    assert accepted_beside(site, tmp_path) == 1
    assert time.monotonic() - begun < 60
    message = capsys.readouterr().err
    assert message.count("lacks the key `step`") == 1
    assert "results/*: 100 more branches with names that no host's branch has" in message


def test_many_names_for_the_commit_of_a_host_do_not_delay_it(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    honest = git(site, "rev-parse", "results/lab1")
    for number in range(20):
        git(site, "branch", f"results/a{number}", honest)
    capsys.readouterr()
    assert accepted_beside(site, tmp_path) == 0
    assert capsys.readouterr().err == ""
    assert branches_of(site) == ["main"]


def test_what_a_branch_puts_in_the_place_of_results_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert accepted_beside(site, tmp_path) == 0  # main has results now
    (tmp_path / "results").rmdir()
    assert main(["push", str(bundle(tmp_path / "b", rate=7)), "--to", str(site)]) == 0
    link = blob(site, b"/etc")
    corrections = git(site, "rev-parse", "main:data/corrections")
    for name, mode in (("link", b"120000"), ("file", b"100644"), ("module", b"160000")):
        target = git(site, "rev-parse", "main") if name == "module" else link
        data = [(b"40000", b"corrections", corrections), (mode, b"results", target)]
        branch(site, f"results/lab2-{name}", above(site, tree(site, data), "data"))
        branch(site, f"results/lab3-{name}", tree(site, [(mode, b"data", target)]))
    run = next(each for each in files_of(site, "main") if each.endswith("run.toml"))
    one = run.rsplit("/", 1)[0]
    branch(site, "results/lab4", above(site, tree(site, []), one))
    (tmp_path / "results").mkdir()
    words = ["accept", "--into", str(site), "--results", str(tmp_path / "results")]
    capsys.readouterr()
    assert main(words) == 1
    out, message = capsys.readouterr()
    assert out.endswith("1 accepted, 0 there already\n")
    for name in ("link", "file", "module"):
        assert f"results/lab2-{name}:data/results: changes what was accepted" in message
        assert f"results/lab3-{name}:data: outside the place of a run" in message
    assert f"results/lab4:{one}: changes what was accepted" in message
    assert len(branches_of(site)) == 8


def hostile_configuration(directory: Path) -> str:
    """Return git settings that run a program, or lead elsewhere, wherever git reads them."""
    run = f"touch {directory / 'pwned'}"
    return (
        f'[core]\n\tfsmonitor = "{run}"\n\thooksPath = {directory / "hooks"}\n'
        f'\tsshCommand = "{run}"\n\tgitProxy = "{run}"\n\tattributesFile = {directory / "attr"}\n'
        f'\talternateRefsCommand = "{run}"\n\tautocrlf = true\n'
        f"[include]\n\tpath = {directory / 'included'}\n"
        f'[filter "x"]\n\tclean = "{run}"\n\tsmudge = "{run}"\n\trequired = true\n'
        f'[uploadpack]\n\tpackObjectsHook = "{run}"\n'
        f'[url "/nowhere/"]\n\tinsteadOf = /\n\tpushInsteadOf = /\n'
        f'[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = "{run}"\n'
        f"[init]\n\ttemplateDir = {directory / 'template'}\n"
    )


def test_no_configuration_of_git_reaches_it(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    evil = tmp_path / "evil"
    for name in ("home/.config/git", "hooks", "template/hooks", "exec"):
        (evil / name).mkdir(parents=True)
    text = hostile_configuration(evil)
    for name in ("home/.gitconfig", "home/.config/git/config", "system", "included"):
        (evil / name).write_text(text)
    (evil / "attr").write_text("* filter=x eol=crlf export-subst\n")
    hook = f"#!/bin/sh\ntouch {evil / 'pwned'}\nexit 1\n"
    hooks = ("pre-push", "post-checkout", "reference-transaction", "post-index-change")
    for name in [f"{under}hooks/{each}" for under in ("", "template/") for each in hooks]:
        (evil / name).write_text(hook)
        (evil / name).chmod(0o755)
    (evil / "exec" / "git-fetch-pack").write_text(hook)
    (evil / "shallow").write_text(git(site, "rev-parse", "results/lab1") + "\n")
    monkeypatch.setenv("HOME", str(evil / "home"))
    variables = {
        "ALTERNATE_OBJECT_DIRECTORIES": str(evil),
        "ATTR_SOURCE": "main",
        "CEILING_DIRECTORIES": "/",
        "COMMON_DIR": str(evil),
        "CONFIG": str(evil / "system"),
        "CONFIG_GLOBAL": str(evil / "system"),
        "CONFIG_SYSTEM": str(evil / "system"),
        "CONFIG_NOSYSTEM": "0",
        "CONFIG_PARAMETERS": "'url./nowhere/.insteadof'='/'",
        "CONFIG_COUNT": "2",
        "CONFIG_KEY_0": "url./nowhere/.insteadOf",
        "CONFIG_VALUE_0": "/",
        "CONFIG_KEY_1": "credential.helper",
        "CONFIG_VALUE_1": "!true",
        "DEFAULT_HASH": "sha256",
        "DIR": str(evil),
        "EXEC_PATH": str(evil / "exec"),
        "GRAFT_FILE": str(evil / "attr"),
        "INDEX_FILE": str(evil / "index"),
        "NAMESPACE": "elsewhere",
        "OBJECT_DIRECTORY": str(evil),
        "PROXY_COMMAND": f"touch {evil / 'pwned'}",
        "QUARANTINE_PATH": str(evil),
        "REPLACE_REF_BASE": "refs/heads/",
        "SHALLOW_FILE": str(evil / "shallow"),
        "TEMPLATE_DIR": str(evil / "template"),
        "TRACE": str(evil / "pwned"),
        "WORK_TREE": str(evil),
    }
    for name, value in variables.items():
        monkeypatch.setenv(f"GIT_{name}", value)
    (tmp_path / "results").mkdir()
    words = ["accept", "--into", str(site), "--results", str(tmp_path / "results")]
    assert main(words) == 0, capsys.readouterr().err
    assert not (evil / "pwned").exists()
    monkeypatch.undo()
    assert branches_of(site) == ["main"]
    assert sum("/lab1/" in name for name in files_of(site, "main")) == 2
    assert b"\r" not in (git_input(site, b"", "log", "-p", "main")).encode()


@pytest.mark.parametrize("damage", ["commit", "tree", "file", "missing", "main"])
def test_a_server_with_a_damaged_branch_is_read_beside_it(
    site: Path, tmp_path: Path, capsys: Captured, damage: str
) -> None:
    hosts = tmp_path / "hosts.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    assert main(["push", str(bundle(tmp_path / "b", host="lab3")), "--to", str(hosts)]) == 0
    inner = tree(hosts, [(b"100644", b"run.toml", file := blob(hosts, b"schema = 1\n"))])
    root = above(hosts, inner, f"data/results/{PLACE}")
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    commit = git_input(hosts, b"x", *who, "commit-tree", root)
    broken = {"tree": root, "file": file}.get(damage, commit)
    name = "main" if damage == "main" else "results/lab2"
    git(hosts, "update-ref", f"refs/heads/{name}", commit)
    path = hosts / "objects" / broken[:2] / broken[2:]
    path.chmod(0o644)
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(b"damaged")
    (tmp_path / "results").mkdir()
    words = ["accept", str(hosts), "--into", str(site), "--results", str(tmp_path / "results")]
    capsys.readouterr()
    main(words)
    out, err = capsys.readouterr()
    assert out.endswith("1 accepted, 0 there already\n"), err
    assert damage == "main" or "results/lab2" in err


def test_a_results_repository_of_any_modes_is_accepted_and_stays_so(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    """Git of another host keeps modes and empty directories, which a bundle does not have."""
    hosts = tmp_path / "hosts.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    assert main(["push", str(bundle(tmp_path / "b", host="lab3")), "--to", str(hosts)]) == 0
    pushed = [each for each in files_of(hosts, "results/lab3") if each.endswith("run.toml")]
    place = pushed[0].removesuffix("/run.toml")
    files = {
        name: git(hosts, "rev-parse", f"results/lab3:{place}/{name}")
        for name in ("run.toml", "select.txt")
    }
    empty = tree(hosts, [])
    placed = tree(
        hosts,
        [
            (b"40000", b"empty", empty),
            (b"100755", b"run.toml", files["run.toml"]),
            (b"100755", b"select.txt", files["select.txt"]),
        ],
    )
    root = above(hosts, placed, place)
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    commit = git_input(hosts, b"x", *who, "commit-tree", root)
    git(hosts, "update-ref", "refs/heads/results/lab3", commit)
    (tmp_path / "results").mkdir()
    words = ["accept", str(hosts), "--into", str(site), "--results", str(tmp_path / "results")]
    capsys.readouterr()
    assert [main(words), main(words), main(words)] == [0, 0, 0]
    out = capsys.readouterr().out
    assert out.count("0 accepted, 1 there already") == 2
    assert git(site, "ls-tree", "-r", "main", place).count("100644 blob") == 2

"""A directory from elsewhere is refused before anything of it is read."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import FILES, RUN, write_files
from perfpress.base.limits import BundleLimits
from perfpress.input.bundles import read
from perfpress.input.bundles.read import read_bundle
from perfpress.input.bundles.safety import path_problem, safe_files


def problems_in(directory: Path, limits: BundleLimits | None = None) -> list[str]:
    _, problems = safe_files(directory, "b", *([limits] if limits else []))
    return [str(problem) for problem in problems]


def test_plain_files_and_directories_are_safe(tmp_path: Path) -> None:
    write_files(tmp_path, files={"b/x.txt": "x", "a.txt": "x", "ü/é": "x"})
    assert safe_files(tmp_path, "b") == (["a.txt", "b/x.txt", "run.toml", "ü/é"], [])


def test_links_are_refused_and_not_followed(tmp_path: Path) -> None:
    write_files(tmp_path)
    (tmp_path / "passwd").symlink_to("/etc/passwd")
    (tmp_path / "dir").symlink_to("/etc")
    (tmp_path / "dangling").symlink_to("nowhere")
    assert [line.split(";")[0] for line in problems_in(tmp_path)] == [
        f"b/{name}: a symbolic link" for name in ("dangling", "dir", "passwd")
    ]
    assert read_bundle(tmp_path, "b")[0] is None


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        assert [line.split(";")[0] for line in problems_in(tmp_path)] == [
            "b/pipe: a pipe",
            "b/socket: a socket",
        ]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes device files")
def test_devices_are_refused(tmp_path: Path) -> None:
    try:
        os.mknod(tmp_path / "null", 0o020666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this container may not make device files")
    assert problems_in(tmp_path)[0].startswith("b/null: a device")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a\nb", "a name with control characters, or not in UTF-8"),
        ("\x1b[31m", "a name with control characters, or not in UTF-8"),
        (os.fsdecode(b"\xff"), "a name with control characters, or not in UTF-8"),
        ("a\u202eb", "a name with control characters, or not in UTF-8"),
        ("a\\b", "a name with a backslash"),
        (".git", "a name that begins with a dot, a dash or a space"),
        ("-rf", "a name that begins with a dot, a dash or a space"),
        (" a", "a name that begins with a dot, a dash or a space"),
        ("a.", "a name that ends in a dot or a space"),
        ("x" * 201, "a name of 201 bytes"),
    ],
)
def test_hostile_names_are_refused(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / name).write_text("x")
    (line,) = problems_in(tmp_path)
    assert f": {found}; expected" in line
    assert line.isprintable()
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    (tmp_path / name / "inner").write_text("not looked at")
    names, problems = safe_files(tmp_path, "b")
    assert (names, len(problems)) == ([], 1)


def test_deep_trees_are_refused(tmp_path: Path) -> None:
    inner = tmp_path.joinpath(*["d"] * 11)
    inner.mkdir(parents=True)
    (line,) = problems_in(tmp_path)
    assert "more than 9 directories one in another" in line


@pytest.mark.parametrize(
    "names", [("A.txt", "a.txt"), ("caf\u00e9", "cafe\u0301"), ("ﬁ", "fi"), ("d/X", "D/x")]
)
def test_names_that_some_file_systems_take_for_one_are_refused(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    write_files(tmp_path, files=dict.fromkeys(names, "x"))
    (line,) = problems_in(tmp_path)
    assert "differ only in case or Unicode form" in line


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        (BundleLimits(files=2), "b: more than 2 files and directories"),
        (BundleLimits(file_bytes=999_999), "b/large: 1 MB; expected at most 1 MB"),
        (BundleLimits(bundle_bytes=1_000_000), "b: 1 MB; expected at most 1 MB"),
    ],
)
def test_too_much_is_refused(tmp_path: Path, limits: BundleLimits, found: str) -> None:
    write_files(tmp_path, files={"large": "x" * 1_000_000, "b": "x"})
    (line,) = problems_in(tmp_path, limits)
    assert line.startswith(found)


def test_what_is_too_large_is_measured_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file with holes takes no room, and hours to read."""

    def read_file(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(read, "file_fact", read_file)
    write_files(tmp_path)
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(1 << 40)
    bundle, problems = read_bundle(tmp_path, "b")
    assert bundle is None
    assert str(problems[0]).startswith("b/large.txt: 1099512 MB; expected at most 95 MB")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/etc/passwd", "is an absolute path"),
        ("~/x", "is an absolute path"),
        ("C:/x", "is an absolute path"),
        ("../x", "climbs out of the bundle"),
        ("a/../../x", "climbs out of the bundle"),
        ("a\\..\\x", "holds a backslash"),
        ("./x", "has an empty part"),
        ("a//x", "has an empty part"),
        ("", "has an empty part"),
    ],
)
@pytest.mark.parametrize("key", ["logs", "captures", "match", "formats", "attachments"])
def test_paths_that_lead_elsewhere_are_refused(
    tmp_path: Path, path: str, why: str, key: str
) -> None:
    assert path_problem(path).endswith(why)
    if key == "match" and not path:
        return  # refused as an empty text
    step: dict[str, Any] = {"name": "s", "operation": "o"}
    run: dict[str, Any] = {"step": [step]}
    if key == "attachments":
        run[key] = [path]
    else:
        step[key] = {"match": path, "formats": {path: "pgbench"}}.get(key, [path])
    write_files(tmp_path, RUN | run, FILES)
    bundle, problems = read_bundle(tmp_path, "b")
    assert bundle is None
    assert [why in problem.found for problem in problems] == [True]
    assert problems[0].line


def test_paths_inside_are_fine() -> None:
    for path in ("a", "a/b.txt", "..a", "a..b/c", "{x}/*.gz"):
        assert path_problem(path) == ""

"""The state of a tree of files: another one after every change, and known without a whole look."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from perfpress.base.file_tree import (
    SETTLED_AFTER,
    Tree,
    changed_tree,
    folders_below,
    settled_state,
    tree_of,
    tree_state,
)

FILES = {
    "index.html": "home",
    "a/b/index.html": "page",
    "a/b/index.md": "text",
    "d/c.svg": "<svg/>",
}

Change = Callable[[Path], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def write(name: str, content: str, root: Path) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(content)


def remove(name: str, root: Path) -> None:
    (root / name).unlink()
    for folder in (root / name).parents:
        if folder == root or any(folder.iterdir()):
            return
        folder.rmdir()


def replace(name: str, content: str, root: Path) -> None:
    """Put another file of the same length and time in the place of one."""
    status = (root / name).stat()
    new = root / "new"
    new.write_text(content)
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
    new.replace(root / name)


CHANGES: dict[str, tuple[str, Change]] = {
    "a file is written": ("a/d.svg", partial(write, "a/d.svg", "<svg/>")),
    "one in new directories": ("x/y/z/index.html", partial(write, "x/y/z/index.html", "new")),
    "another length": ("a/b/index.md", partial(write, "a/b/index.md", "longer text")),
    "the same length and time": ("index.html", partial(replace, "index.html", "HOME")),
    "a file is removed": ("a/b/index.md", partial(remove, "a/b/index.md")),
    "one and its directory": ("d/c.svg", partial(remove, "d/c.svg")),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_known_after_a_change_is_what_a_whole_look_finds(root: Path, name: str) -> None:
    changed, change = CHANGES[name]
    before = tree_of(root)
    after = changed_tree(before, root, [changed], partial(change, root))
    assert after == tree_of(root)
    assert after.state == tree_state(root)
    assert after.state != before.state


def test_a_change_by_somebody_else_shows_afterwards(root: Path) -> None:
    before = tree_of(root)
    write("a/b/index.html", "PAGE", root)
    after = changed_tree(before, root, ["index.html"], partial(write, "index.html", "new", root))
    assert after.state != tree_state(root)


def test_a_tree_has_the_size_of_every_file(root: Path) -> None:
    assert tree_of(root).sizes == {name: len(content) for name, content in FILES.items()}
    assert tree_of(root / "nothing") == Tree(f"{0:032x}", {})


def test_a_directory_with_files_is_another_when_anything_below_it_is(root: Path) -> None:
    (root / "a" / "own.txt").write_text("own")
    before = folders_below(root)
    assert [*before] == [str(root / name) for name in ("", "a", "a/b", "d")]
    assert before[str(root / "a")].state == tree_state(root / "a")
    write("a/b/index.md", "longer text", root)
    after = folders_below(root)
    changed = {name for name in before if before[name].state != after[name].state}
    assert changed == {str(root / name) for name in ("", "a", "a/b")}


def test_what_changed_lately_is_in_doubt_and_so_is_what_is_above_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(each.is_settled for each in folders_below(root).values())
    assert settled_state(root) is None
    before = max(path.stat().st_ctime_ns for path in root.rglob("*"))
    time.sleep(0.05)
    write("a/b/late.md", "late", root)
    monkeypatch.setattr(time, "time_ns", lambda: before + SETTLED_AFTER + 1)
    settled = {name: each.is_settled for name, each in folders_below(root).items()}
    assert settled == {str(root): False, str(root / "a/b"): False, str(root / "d"): True}
    assert settled_state(root / "a") is None
    assert settled_state(root / "d") == tree_state(root / "d")


def test_a_directory_moved_as_it_is_is_another_state(root: Path) -> None:
    before = tree_state(root)
    (root / "a/b").rename(root / "a/e")
    assert tree_state(root) != before

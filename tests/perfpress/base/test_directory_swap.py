"""Some files of a directory change all at once, also where a process dies meanwhile."""

from pathlib import Path

import pytest
from perfpress.base import directory_swap
from perfpress.base.directory_swap import restore_interrupted, update


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a directory with three files, and beside it `new` with two."""
    for name in ("site/index.html", "site/old/index.html", "site/kept.html"):
        write(tmp_path / name, "old")
    for name in ("new/index.html", "new/added/index.html"):
        write(tmp_path / name, "new")
    return tmp_path / "site"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def texts(site: Path) -> dict[str, str]:
    paths = (path for path in site.rglob("*") if path.is_file())
    return {str(path.relative_to(site)): path.read_text() for path in paths}


UPDATED = {"index.html": "new", "added/index.html": "new", "kept.html": "old"}


def test_new_files_take_their_places_and_others_stay(site: Path) -> None:
    update(site, site.with_name("new"), ["old/index.html", "never/there.html"])
    assert texts(site) == UPDATED
    assert not (site / "old").exists()
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_a_file_that_stays_the_same_is_not_written_again(site: Path) -> None:
    write(site.with_name("new") / "kept.html", "old")
    before = _written(site / "kept.html")
    update(site, site.with_name("new"), [])
    assert _written(site / "kept.html") == before


def _written(file: Path) -> tuple[int, int, int]:
    """Return what changes when a file is written; when it was read last does not count."""
    status = file.stat()
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def test_an_update_that_died_is_finished(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(directory_swap, "remove_file", die)
        with pytest.raises(KeyboardInterrupt):
            update(site, site.with_name("new"), ["old/index.html"])
    restore_interrupted(site)
    assert texts(site) == UPDATED
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_an_update_of_a_directory_that_is_gone_is_dropped(site: Path, tmp_path: Path) -> None:
    site.with_name("new").rename(tmp_path / ".gone.update")
    (tmp_path / ".gone.update" / directory_swap.REMOVED).write_text("[]")
    restore_interrupted(tmp_path / "gone")
    assert not (tmp_path / "gone").exists()
    assert not (tmp_path / ".gone.update").exists()

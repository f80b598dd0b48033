"""A bundle that has not changed is not read again; one that may have changed is."""

import os
import time
from pathlib import Path

import pytest
from bundle_samples import FILES, accepted
from perfpress.analysis.study import cached_bundles
from perfpress.analysis.study.cached_bundles import read_cached
from perfpress.base import file_tree
from perfpress.base.cache import Cache
from perfpress.base.file_tree import settled_state
from perfpress.base.problems import Problem
from perfpress.input.bundles.read import Bundle, read_bundle


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the directories that are read from now on; files settle at once."""
    seen: list[Path] = []

    def noted(directory: Path, shown_as: str) -> tuple[Bundle | None, list[Problem]]:
        seen.append(directory)
        return read_bundle(directory, shown_as)

    monkeypatch.setattr(cached_bundles, "read_bundle", noted)
    monkeypatch.setattr(file_tree, "SETTLED_AFTER", 0)
    return seen


def test_a_bundle_is_read_once(tmp_path: Path, read: list[Path]) -> None:
    bundle = accepted(tmp_path / "results", {}, FILES).directory
    cache = Cache(tmp_path / "cache")
    time.sleep(0.02)  # the clock of the file system ticks
    first = read_cached(cache, bundle, "results/b")
    assert read_cached(cache, bundle, "results/b") == first
    assert read == [bundle]


def test_a_bundle_with_another_file_is_read_again(tmp_path: Path, read: list[Path]) -> None:
    bundle = accepted(tmp_path / "results", {}, FILES).directory
    cache = Cache(tmp_path / "cache")
    time.sleep(0.02)
    read_cached(cache, bundle, "results/b")
    log = next(path for path in bundle.iterdir() if path.suffix == ".txt")
    times = log.stat()
    log.write_bytes(log.read_bytes()[:-1] + b" ")
    os.utime(log, ns=(times.st_atime_ns, times.st_mtime_ns))
    time.sleep(0.02)
    changed, _ = read_cached(cache, bundle, "results/b")
    assert changed == read_bundle(bundle, "results/b")[0]
    assert read == [bundle, bundle]


def test_what_changed_a_moment_ago_is_in_doubt(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    assert settled_state(tmp_path) is None

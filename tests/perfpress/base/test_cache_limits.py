"""What a cache removes: the oldest first, never what is in use."""

import os
import time
from pathlib import Path

import pytest
from perfpress.base.cache import LONGEST_BUILD, Cache, key_of
from perfpress.base.cache_limits import (
    DAY,
    CacheEntry,
    CacheLimits,
    collect_in_store,
    collect_on_disk,
    superfluous,
)
from perfpress.base.object_store import ObjectStore

NOW = 1_000 * DAY
LIMITS = CacheLimits(days=30, bytes=100)


@pytest.mark.parametrize(
    ("entries", "removed"),
    [
        ([("a", 60, 1), ("b", 40, 2)], []),
        ([("a", 60, 1), ("b", 41, 2)], ["b"]),
        ([("a", 60, 2), ("b", 41, 1)], ["a"]),
        ([("a", 1, 31), ("b", 1, 29), ("c", 1, 40)], ["c", "a"]),
        ([("a", 60, 0.0), ("b", 60, 0.1)], []),
        ([("a", 60, 0.0), ("b", 60, 0.1), ("c", 60, 3), ("d", 60, 4)], ["d", "c"]),
        ([], []),
    ],
)
def test_the_oldest_go_first_until_the_rest_fits(
    entries: list[tuple[str, int, float]], removed: list[str]
) -> None:
    found = [CacheEntry(name, size, NOW - days * DAY) for name, size, days in entries]
    assert superfluous(found, LIMITS, NOW, since=NOW - 0.5 * DAY) == removed


def kept(root: Path) -> set[str]:
    return {path.name for path in root.glob("fold/??/*")}


def test_an_entry_that_was_found_lately_stays(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    keys = [key_of(number) for number in range(3)]
    for key in keys:
        cache.keep_value("fold", key, "x" * 1000)
    before = time.time() - 40 * DAY
    for path in tmp_path.glob("fold/??/*"):
        os.utime(path, (before, before))
    (tmp_path / "site" / "ab").mkdir(parents=True)
    (tmp_path / "site" / "ab" / "page.json").write_text("{}")
    assert cache.find("fold", keys[1]) is not None
    cache.collect()
    assert kept(tmp_path) == {keys[1]}
    assert (tmp_path / "site" / "ab" / "page.json").is_file()


def test_what_another_build_may_use_stays_however_much_it_is(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    ages = {key_of("hour"): 3600.0, key_of("day"): DAY, key_of("two"): 2 * DAY}
    for key, age in ages.items():
        cache.keep_value("fold", key, "x" * 1000)
        os.utime(cache.root / "fold" / key[:2] / key, (time.time() - age,) * 2)
    collect_on_disk(tmp_path, time.time(), time.time() - LONGEST_BUILD, CacheLimits(30, 10))
    assert kept(tmp_path) == {key_of("hour")}


def test_a_store_loses_entries_alone(tmp_path: Path) -> None:
    store = ObjectStore(tmp_path.as_uri())
    keys = [key_of("new"), key_of("old")]
    for key, days in zip(keys, (1, 100), strict=True):
        store.write(store.path("fold", key[:2], key), b"x")
        os.utime(tmp_path / "fold" / key[:2] / key, (time.time() - days * DAY,) * 2)
    (tmp_path / "notes.txt").write_text("somebody's")
    os.utime(tmp_path / "notes.txt", (0, 0))
    assert collect_in_store(store, time.time()) == 1
    assert kept(tmp_path) == {keys[0]}
    assert (tmp_path / "notes.txt").is_file()


def test_what_another_build_works_in_may_go_while_a_cache_is_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cache(tmp_path).keep_value("fold", key_of(1), "x")
    (tmp_path / ".working-gone").mkdir()
    scandir = os.scandir

    def scandir_of_what_is_left(path: Path) -> object:
        if ".working-" in os.fspath(path):
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", scandir_of_what_is_left)
    collect_on_disk(tmp_path, time.time(), since=0)
    assert kept(tmp_path) == {key_of(1)}

"""Values in the cache: one that another version of Perfpress wrote is computed anew."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from perfpress.base.cache import Cache, key_of


class Before(msgspec.Struct):
    """A shape that lacks a field."""

    count: int


class After(msgspec.Struct):
    """The same with the field."""

    count: int
    sizes: list[int]


def test_a_value_of_another_shape_is_none(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    key = key_of("state")
    cache.keep_value("built", key, Before(1))
    assert cache.find_value("built", key, Before) == Before(1)
    assert cache.find_value("built", key, After) is None


def test_a_value_takes_the_place_of_one_of_the_same_key(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    key = key_of("state")
    cache.keep_value("built", key, Before(1))
    cache.keep_value("built", key, Before(2))
    assert cache.find_value("built", key, Before) == Before(2)


def test_a_value_that_is_kept_again_is_not_taken_from_who_reads_it(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    key = key_of("readings")
    cache.keep_value("logs", key, Before(1))
    entry = cache.find("logs", key)
    assert entry is not None
    there = entry.stat().st_ino
    Cache(tmp_path).keep_value("logs", key, Before(1))
    assert entry.stat().st_ino == there


def test_a_value_that_another_build_is_replacing_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    monkeypatch.setattr(cache, "find", lambda *_: tmp_path / "moved away")
    assert cache.find_value("logs", key_of("readings"), Before) is None


def test_builds_that_begin_a_cache_at_once_take_nothing_from_each_other(tmp_path: Path) -> None:
    keys = [key_of(at) for at in range(40)]

    def fill(root: Path) -> None:
        cache = Cache(root)
        for key in keys:
            if cache.find_value("logs", key, Before) is None:
                cache.keep_value("logs", key, Before(1))
            assert cache.find_value("logs", key, Before) == Before(1)
            with cache.one_at_a_time(root / key):
                pass

    with ThreadPoolExecutor(4) as pool:
        for at in range(10):
            list(pool.map(fill, [tmp_path / f"{at}"] * 4))

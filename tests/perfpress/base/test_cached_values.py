"""Values in the cache: one that another version of Perfpress wrote is computed anew."""

from pathlib import Path

import msgspec
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

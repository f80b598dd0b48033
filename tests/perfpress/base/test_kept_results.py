"""Results of functions that the next build does not compute again."""

from functools import partial
from pathlib import Path

import pytest
from perfpress.base import kept_results
from perfpress.base.cache import Cache
from perfpress.base.kept_results import KeptResults


def squares(cache: Cache | None, name: str, *numbers: int) -> tuple[list[int], list[int]]:
    """Return the squares of numbers, and of which they were computed."""
    computed: list[int] = []

    def square(number: int) -> int:
        computed.append(number)
        return number**2

    with KeptResults(cache).of(("squares", name), int) as kept:
        found = [kept((number,), partial(square, number)) for number in numbers]
    return found, computed


def test_only_results_of_new_inputs_are_computed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert squares(cache, "a", 1, 2, 2) == ([1, 4, 4], [1, 2])
    assert squares(cache, "a", 2, 3) == ([4, 9], [3])
    assert squares(cache, "b", 2) == ([4], [2])


def test_results_that_nobody_asks_for_are_forgotten(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for numbers in ((1, 2), (2,)):
        squares(cache, "a", *numbers)
    assert squares(cache, "a", 1) == ([1], [1])


def test_results_of_other_code_are_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    squares(Cache(tmp_path), "a", 1)
    monkeypatch.setattr(kept_results, "python_version_key", lambda: "other")
    assert squares(Cache(tmp_path), "a", 1) == ([1], [1])


def test_results_that_fail_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), KeptResults(Cache(tmp_path)).of(("a",), float) as kept:
        kept(0, lambda: 1 / 0)
    assert not (tmp_path / kept_results.STAGE).exists()


def test_without_a_cache_each_build_computes_all() -> None:
    for _ in range(2):
        assert squares(None, "a", 1) == ([1], [1])

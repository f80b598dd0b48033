"""Level changes of series that are longer than a stretch."""

from math import isqrt

import numpy as np
import pytest
from perfpress.analysis.verdicts import long_series
from perfpress.analysis.verdicts.change_points import (
    ChangePoint,
    Outlier,
    Segmentation,
    change_points,
)
from perfpress.analysis.verdicts.long_series import STRETCH, long_segmentation

PRIOR = (0.01, 60.0)


def segmented(values: np.ndarray) -> Segmentation:
    return long_segmentation(values, lambda *_: PRIOR)


def noise_of(count: int, seed: int = 1) -> np.ndarray:
    """Return values without any that a test could take for an outlier."""
    return np.random.default_rng(seed).uniform(-0.012, 0.012, count)


def test_up_to_a_stretch_a_series_is_searched_as_a_whole() -> None:
    values = noise_of(STRETCH)
    values[20:] -= 0.1
    values[33] += 0.3
    assert segmented(values) == change_points(values, PRIOR)


@pytest.mark.parametrize("first", range(2, 119))
def test_a_change_is_found_once_wherever_it_is(first: int) -> None:
    """Also beside the border of two stretches."""
    values = noise_of(120, seed=first)
    values[first:] -= 0.05
    found = segmented(values)
    assert [each.index for each in found.changes] == pytest.approx([first], abs=1)
    assert len(found.levels) == 2
    inside = {at for level in found.levels for at in level}
    assert len(inside) + len(found.outliers) >= 119


def test_a_level_between_two_changes_holds_all_its_values() -> None:
    values = noise_of(200)
    values[15:170] += 0.2
    values[100] -= 0.5
    found = segmented(values)
    assert [len(level) for level in found.levels] == [15, 154, 30]
    assert [each.index for each in found.outliers] == [100]


def test_what_is_said_of_old_values_does_not_depend_on_new_ones() -> None:
    values = noise_of(150)
    values[30:] += 0.1
    values[70] -= 0.2
    whole = segmented(values)
    values[120:] = np.random.default_rng(2).normal(0.5, 0.3, 30)
    other = segmented(values)
    for kind in ("levels", "changes", "outliers"):
        assert getattr(whole.part(0, 100), kind) == getattr(other.part(0, 100), kind)


def test_loud_new_values_do_not_hide_a_change_of_long_ago() -> None:
    values = noise_of(150)
    values[30:] += 0.05
    values[120:] += np.random.default_rng(2).normal(0, 1, 30)
    assert segmented(values).changes[0].index == 30


def decided(monkeypatch: pytest.MonkeyPatch, count: int, change: int | None = None) -> list[int]:
    """Return for each value of a series which of its stretches decides on it.

    Args:
        monkeypatch: makes each stretch say of all its values that they are outliers, each with the
            number of the stretch for its p.
        count: of values.
        change: where all stretches find a change.
    """

    def search(values: np.ndarray, prior: tuple[float, float], searches: int) -> Segmentation:
        start, end = map(int, prior)
        assert isqrt(searches) ** 2 == searches, "the n-th is n² times as certain"
        assert list(values) == list(range(start, end))
        outliers = tuple(Outlier(at, 0.0, isqrt(searches)) for at in range(len(values)))
        changes: tuple[ChangePoint, ...] = ()
        if change is not None and start <= change < end:
            changes = (ChangePoint(change - start, 0, 0.0, 1.0, 1, 1, 0.0, change - start),)
        return Segmentation((tuple(range(len(values))),), changes, outliers, noise=isqrt(searches))

    monkeypatch.setattr(long_series, "change_points", search)
    found = long_segmentation(np.arange(float(count)), lambda start, end: (start, end))
    assert [each.index for each in found.outliers] == list(range(count))
    assert found.noise == found.outliers[-1].p, "the newest stretch says how much values scatter"
    assert len(found.changes) == (change is not None)
    return [int(each.p) for each in found.outliers]


def test_each_stretch_decides_up_to_a_step_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decided(monkeypatch, 48) == [1] * 48
    assert decided(monkeypatch, 49) == [1] * 40 + [2] * 9
    assert decided(monkeypatch, 60) == [1] * 40 + [2] * 8 + [3] * 12


def test_no_stretch_ends_beside_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decided(monkeypatch, 56, change=40) == [1] * 36 + [2] * 20
    assert decided(monkeypatch, 56, change=38) == [1] * 42 + [2] * 14
    assert decided(monkeypatch, 56, change=43) == [1] * 39 + [2] * 17

"""Level changes of series that are longer than a stretch."""

import numpy as np
import pytest
from perfpress.analysis.verdicts.change_points import Segmentation, change_points
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

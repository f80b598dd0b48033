"""Variances from a few differences: pooled, added, trimmed, and moderated by each other."""

from statistics import fmean

import numpy as np
import pytest
from perfpress.analysis.verdicts.variances import (
    Variance,
    added,
    moderated,
    of_neighbours,
    pooled,
    trimmed,
)


def test_pooled_variances_are_weighted_by_degrees_of_freedom() -> None:
    assert pooled([Variance(1.0, 3), Variance(5.0, 1), Variance(9.0, 0)]) == Variance(2.0, 4)
    assert pooled([]) is None
    assert pooled([Variance(1.0, 0)]) is None


def test_a_sum_has_few_degrees_where_its_larger_part_has() -> None:
    both = added((1, Variance(4.0, 2)), (2, Variance(1.0, 100)))
    assert both.value == 6.0
    assert both.degrees == pytest.approx(36 / (16 / 2 + 4 / 100))


@pytest.mark.parametrize("count", [4, 8, 15, 40])
def test_differences_of_neighbours_estimate_the_variance_of_one_value(count: int) -> None:
    random = np.random.default_rng(1)
    differences = np.diff(random.normal(0, 0.02, (3000, count + 1)), axis=1)
    found = [trimmed(list(each**2 / 2)) for each in differences]
    assert np.mean([each.value for each in found]) == pytest.approx(0.02**2, rel=0.12)
    spread = np.var([each.value for each in found]) / 0.02**4
    assert found[0].degrees == pytest.approx(2 / spread, rel=0.35)


def test_true_changes_in_two_of_five_differences_are_trimmed() -> None:
    quiet = [0.0001, 0.0002, 0.0001, 0.0001, 0.0002, 0.0001]
    assert trimmed([*quiet, 0.5, 0.7, 0.3, 0.9]).value < 0.001
    assert trimmed([0.0, *[0.01] * 4]).value > 0.01, "every other release: no change, but noise"


def test_many_variances_are_shrunk_towards_their_common_value() -> None:
    random = np.random.default_rng(2)
    alike = {n: Variance(0.0004 * random.chisquare(2) / 2, 2) for n in range(40)}
    common, found = moderated(alike)
    assert common is not None
    assert common.value == pytest.approx(0.0004, rel=0.5)
    assert common.degrees > 10
    smallest, largest = (pick(alike, key=lambda n: alike[n].value) for pick in (min, max))
    assert alike[smallest].value < found[smallest].value < common.value
    assert common.value < found[largest].value < alike[largest].value
    assert found[smallest].degrees == pytest.approx(common.degrees + 2)


def test_variances_that_differ_widely_add_few_degrees() -> None:
    random = np.random.default_rng(3)
    unlike = {n: Variance(0.0004 * float(np.exp(random.normal(0, 2))), 20) for n in range(40)}
    common, _ = moderated(unlike)
    assert common is not None
    assert common.degrees == 3


def test_one_outlier_of_twenty_hardly_moves_the_common_variance() -> None:
    random = np.random.default_rng(4)
    calm = {n: Variance(0.0004 * random.chisquare(4) / 4, 4) for n in range(20)}
    before, _ = moderated(calm)
    after, _ = moderated(calm | {0: Variance(4.0, 4)})
    assert before is not None
    assert after is not None
    assert after.value == pytest.approx(before.value, rel=0.2)


def test_three_variances_are_too_few_to_moderate() -> None:
    three = {n: Variance(0.001 * n, 4) for n in (1, 2, 3)}
    assert moderated(three) == (None, three)


def test_four_variances_are_moderated() -> None:
    four = {n: Variance(0.001 * n, 4) for n in (1, 2, 3, 4)}
    common, found = moderated(four)
    assert common is not None
    assert found[1].value > 0.001
    assert found[4].value < 0.004


def test_a_variance_without_degrees_of_freedom_is_dropped() -> None:
    assert moderated({"none": Variance(1.0, 0), "one": Variance(2.0, 1)}) == (
        None,
        {"one": Variance(2.0, 1)},
    )


def test_equal_values_do_not_make_the_variance_zero() -> None:
    _, found = moderated({"a": Variance(0.0, 3)})
    assert found["a"].value == 1e-8


@pytest.mark.parametrize("releases", [6, 9, 20])
def test_neighbours_show_their_noise_whatever_changed_for_good_or_once(releases: int) -> None:
    """Of the ratio to the truth: a half of the releases is what trimming alone cannot bear."""
    place = np.arange(releases)
    assert mean_shown(0.0 * place) == pytest.approx(1, abs=0.06)
    assert mean_shown(place // 2 * 0.5) == pytest.approx(1.6, abs=0.15), "every other one changed"
    assert 1 < mean_shown((place == releases // 2) * 0.5) < 4, "one alone differs"


def mean_shown(changes: np.ndarray) -> float:
    """Return what differences of neighbours show on average, by the true variance."""
    values = np.random.default_rng(1).normal(0, 0.01, (2000, len(changes))) + changes
    shown = [of_neighbours(list(each)).value for each in np.diff(values, axis=1)]
    return fmean(shown) / (2 * 0.01**2)


def test_differences_of_neighbours_are_worth_a_third_of_a_degree() -> None:
    for releases in (6, 9, 20):
        values = np.random.default_rng(2).normal(0, 0.01, (2000, releases))
        shown = [of_neighbours(list(each)) for each in np.diff(values, axis=1)]
        spread = np.array([each.value for each in shown])
        assert shown[0].degrees == pytest.approx(2 * spread.mean() ** 2 / spread.var(), rel=0.15)


def test_a_series_that_only_rises_has_no_less_noise_than_its_smallest_differences() -> None:
    assert of_neighbours([0.01, 0.02, 0.01, 0.03, 0.05, 0.04]).value == pytest.approx(0.01**2)

"""The tests of significance, held to scipy's."""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pipeline.analysis.significance import adjusted, mann_whitney, smallest_p

SIDES = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=6)


@settings(deadline=None)
@given(one=SIDES, other=SIDES)
def test_the_test_is_exact_also_where_values_are_equal(
    one: Sequence[float], other: Sequence[float]
) -> None:
    """All ways to deal the values out are tried here one by one."""
    ranks = stats.rankdata([*one, *other])
    expected_sum = len(one) * (len(ranks) + 1) / 2
    sums = [sum(dealt) for dealt in combinations(ranks.tolist(), len(one))]
    distance = abs(sum(ranks[: len(one)]) - expected_sum)
    expected = fmean(abs(each - expected_sum) >= distance for each in sums)
    assert mann_whitney(one, other) == pytest.approx(expected)


@settings(deadline=None)
@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=10, max_size=30, unique=True),
    count=st.integers(2, 8),
)
def test_without_equal_values_it_is_the_usual_test(values: Sequence[float], count: int) -> None:
    one, other = values[:count], values[count:]
    expected = stats.mannwhitneyu(one, other, method="exact").pvalue
    assert mann_whitney(one, other) == pytest.approx(expected)


def test_the_smallest_p_is_that_of_values_which_all_differ() -> None:
    assert smallest_p(5, 5) == pytest.approx(mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]))
    assert smallest_p(5, 5) == pytest.approx(2 / 252)


@settings(deadline=None)
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_a_family_is_adjusted_as_benjamini_and_hochberg_do(p_values: Sequence[float]) -> None:
    found = adjusted(dict(enumerate(p_values)))
    expected = stats.false_discovery_control(p_values)
    assert list(found.values()) == pytest.approx(list(expected))

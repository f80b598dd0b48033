"""The tests of significance, held to scipy's."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.verdicts import significance
from perfpress.analysis.verdicts.significance import adjusted, mann_whitney
from scipy import stats

SIDES = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=6)


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


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=10, max_size=30, unique=True),
    count=st.integers(2, 8),
)
def test_without_equal_values_it_is_the_usual_test(values: Sequence[float], count: int) -> None:
    one, other = values[:count], values[count:]
    expected = stats.mannwhitneyu(one, other, method="exact").pvalue
    assert mann_whitney(one, other) == pytest.approx(expected)


def test_the_smallest_p_is_two_of_all_orders() -> None:
    assert mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == pytest.approx(2 / 252)


@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_a_family_is_adjusted_as_benjamini_and_hochberg_do(p_values: Sequence[float]) -> None:
    found = adjusted(dict(enumerate(p_values)))
    expected = stats.false_discovery_control(p_values)
    assert list(found.values()) == pytest.approx(list(expected))


@pytest.mark.parametrize("decimals", [0, 1, 9], ids=["many equal", "some equal", "none equal"])
@pytest.mark.parametrize(("count", "other"), [(21, 20), (5, 200), (5000, 5000)])
def test_many_values_are_tested_by_the_normal_distribution(
    decimals: int, count: int, other: int
) -> None:
    random = Random(7)
    one = [round(random.gauss(10.0, 2.0), decimals) for _ in range(count)]
    two = [round(random.gauss(10.3, 2.0), decimals) for _ in range(other)]
    expected = stats.mannwhitneyu(one, two, method="asymptotic")
    assert mann_whitney(one, two) == pytest.approx(expected.pvalue)


def test_many_values_that_are_all_equal_do_not_differ() -> None:
    assert mann_whitney([3.0] * 30, [3.0] * 30) == 1.0


def test_many_values_whose_ranks_are_as_expected_do_not_differ() -> None:
    values = [float(value) for value in range(30)]
    assert mann_whitney(values, values) == 1.0


def test_both_ways_to_p_meet_where_one_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(8)
    one = [random.gauss(10, 1) for _ in range(20)]
    two = [random.gauss(10.6, 1) for _ in range(20)]
    exact = mann_whitney(one, two)
    assert exact == pytest.approx(stats.mannwhitneyu(one, two, method="exact").pvalue)
    monkeypatch.setattr(significance, "MOST_EXACT", 0)
    assert mann_whitney(one, two) == pytest.approx(exact, rel=0.05)

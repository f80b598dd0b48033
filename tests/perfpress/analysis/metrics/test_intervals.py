"""Intervals from a few repeats."""

import math
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics import intervals
from perfpress.analysis.metrics.intervals import (
    LEVEL,
    interval_of_median,
    interval_of_ratio,
    mann_whitney_counts,
)
from scipy import stats

rates = st.floats(1.0, 1e6)


@given(st.lists(rates, max_size=5))
def test_fewer_than_six_values_give_no_interval_of_the_median(values: list[float]) -> None:
    assert interval_of_median(values) is None


@pytest.mark.parametrize(
    ("count", "low", "high", "level"),
    [(6, 1, 6, 0.9688), (8, 1, 8, 0.9922), (9, 2, 8, 0.9609), (20, 6, 15, 0.9586)],
)
def test_interval_of_the_median_lies_between_the_tabled_orders(
    count: int, low: int, high: int, level: float
) -> None:
    interval = interval_of_median([float(each) for each in range(1, count + 1)])
    assert interval is not None
    assert (interval.low, interval.high) == (low, high)
    assert interval.level == pytest.approx(level, abs=5e-5)


@given(st.lists(rates, min_size=6, max_size=40))
def test_level_is_that_of_the_binomial_distribution_and_no_narrower_one_holds_it(
    values: list[float],
) -> None:
    interval = interval_of_median(values)
    assert interval is not None
    count = len(values)
    k = next(k for k in range(count, 0, -1) if 1 - 2 * stats.binom.cdf(k - 1, count, 0.5) >= LEVEL)
    assert interval.level == pytest.approx(1 - 2 * stats.binom.cdf(k - 1, count, 0.5))
    assert (interval.low, interval.high) == (sorted(values)[k - 1], sorted(values)[-k])


@given(st.integers(1, 6), st.integers(1, 6))
def test_counts_of_u_are_those_of_all_orderings(m: int, n: int) -> None:
    counts = [0] * (m * n + 1)
    for places in combinations(range(m + n), m):
        counts[sum(place - at for at, place in enumerate(places))] += 1
    assert mann_whitney_counts(m, n) == counts


@given(st.lists(rates, max_size=9), st.lists(rates, max_size=9))
def test_a_ratio_has_an_interval_from_five_repeats_a_side_on(
    after: list[float], before: list[float]
) -> None:
    interval = interval_of_ratio(after, before)
    assert (interval is not None) == (min(len(after), len(before)) >= 5)
    if interval is not None:
        assert LEVEL <= interval.level < 1
        assert min(after) / max(before) <= interval.low <= interval.high
        assert interval.high <= max(after) / min(before)


@given(st.lists(rates, min_size=5, max_size=8), st.lists(rates, min_size=5, max_size=8))
def test_swapping_the_sides_turns_the_interval_over(
    after: list[float], before: list[float]
) -> None:
    there, back = interval_of_ratio(after, before), interval_of_ratio(before, after)
    assert there is not None
    assert back is not None
    assert there.low == pytest.approx(1 / back.high)
    assert there.high == pytest.approx(1 / back.low)


def test_interval_of_a_ratio_is_that_of_the_shift_of_logarithms() -> None:
    # With 5 and 5 values the third smallest of 25 pairs: 1 - 2 (1 + 1 + 2) / 252 = 0.968
    after, before = [104.0, 100.0, 108.0, 116.0, 112.0], [100.0, 101.0, 98.0, 99.0, 102.0]
    interval = interval_of_ratio(after, before)
    assert interval is not None
    shifts = sorted(math.log(a) - math.log(b) for a in after for b in before)
    assert interval.low == pytest.approx(math.exp(shifts[2]))
    assert interval.high == pytest.approx(math.exp(shifts[-3]))
    assert interval.level == pytest.approx(1 - 8 / 252)
    # It holds exactly the factors that the test does not reject.
    for factor, accepted in ((interval.low * 1.001, True), (interval.low * 0.999, False)):
        scaled = [factor * each for each in before]
        p = stats.mannwhitneyu(after, scaled, method="exact").pvalue
        assert (p >= 1 - LEVEL) == accepted


def test_a_value_of_nothing_gives_no_ratio() -> None:
    assert interval_of_ratio([1.0] * 4 + [0.0], [1.0] * 5) is None
    assert interval_of_ratio([1.0] * 5, [1.0] * 4 + [0.0]) is None


def test_both_ways_to_an_interval_of_a_ratio_meet_where_one_takes_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random(9)
    after = [random.gauss(90, 3) for _ in range(20)]
    before = [random.gauss(100, 3) for _ in range(20)]
    exact = interval_of_ratio(after, before)
    monkeypatch.setattr(intervals, "MOST_EXACT", 0)
    normal = interval_of_ratio(after, before)
    assert exact is not None
    assert normal is not None
    assert (normal.low, normal.high) == pytest.approx((exact.low, exact.high), rel=0.001)
    assert 0.95 <= normal.level < 0.96


def test_an_interval_of_many_lies_between_the_ratios_that_u_says() -> None:
    random = Random(5)
    after = [random.gauss(10, 1) for _ in range(30)]
    before = [random.gauss(9, 1) for _ in range(25)]
    found = interval_of_ratio(after, before)
    assert found is not None
    ratios = sorted(one / other for one in after for other in before)
    sigma = math.sqrt(30 * 25 * 56 / 12)
    k = math.floor(30 * 25 / 2 + 0.5 - 1.959964 * sigma)
    assert found.low == pytest.approx(ratios[k - 1], rel=1e-12)
    assert found.high == pytest.approx(ratios[-k], rel=1e-12)
    outside = 2 * sum(mann_whitney_counts(30, 25)[:k]) / math.comb(55, 25)
    assert found.level == pytest.approx(1 - outside, abs=1e-3)
    assert found.level >= 0.95


def test_thousands_of_repeats_have_an_interval_in_bounded_time_and_memory() -> None:
    random = Random(10)
    after = [round(random.gauss(90, 3), 1) for _ in range(5000)]
    before = [round(random.gauss(100, 3), 1) for _ in range(5000)]
    found = interval_of_ratio(after, before)
    assert found is not None
    assert 0.898 < found.low <= found.high < 0.902
    equal = interval_of_ratio([5.0] * 50, [4.0] * 50)
    assert equal is not None
    assert (equal.low, equal.high) == (1.25, 1.25)

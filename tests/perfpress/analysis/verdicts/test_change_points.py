"""Level changes in a series of releases: made series, invariances, and what apache-otava finds."""

import json
from collections.abc import Callable
from dataclasses import replace
from math import comb, inf
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from perfpress.analysis.verdicts.change_points import (
    FEWEST,
    ChangePoint,
    Outlier,
    Segmentation,
    change_points,
)

Values = npt.NDArray[np.float64]
Noise = Callable[[np.random.Generator, int], Values]

RECORDED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "change_points.json").read_text()
)
"""Made by `record_change_points.py` beside this file."""
MADE = 300
"""Series; `tests/bench/change_points.py` makes thousands."""


def normal(random: np.random.Generator, count: int) -> Values:
    return random.normal(0, 0.015, count)


def skewed(random: np.random.Generator, count: int) -> Values:
    return 0.015 * np.exp(random.normal(0, 0.5, count))


def with_outliers(random: np.random.Generator, count: int) -> Values:
    values = normal(random, count)
    places = random.choice(count, max(1, count // 12), replace=False)
    values[places] += random.choice([-1, 1], len(places)) * random.uniform(0.1, 0.9, len(places))
    return values


def with_changes(seed: int) -> Values:
    random = np.random.default_rng(seed)
    values = with_outliers(random, int(random.integers(8, 30)))
    for place in random.integers(1, len(values), 2):
        values[place:] += random.uniform(-0.4, 0.4)
    return values


def lasting(found: Segmentation) -> list[int]:
    return [each.index for each in found.changes if min(each.count_before, each.count_after) > 1]


@pytest.mark.parametrize(("noise", "most"), [(normal, 0.02), (skewed, 0.04), (with_outliers, 0.05)])
@pytest.mark.parametrize("count", [6, 10, 16, 40])
def test_series_without_a_change_hardly_ever_show_one(
    noise: Noise, most: float, count: int
) -> None:
    random = np.random.default_rng(count)
    found = sum(bool(lasting(change_points(noise(random, count)))) for _ in range(MADE))
    # three standard errors above what is aimed at
    assert found <= MADE * most + 3 * (MADE * most) ** 0.5


@pytest.mark.parametrize("count", [10, 16, 40])
def test_a_change_of_five_times_the_noise_is_found_where_it_is(count: int) -> None:
    random = np.random.default_rng(count)
    hits = 0
    for _ in range(MADE // 3):
        values = normal(random, count)
        place = int(random.integers(3, count - 2))
        values[place:] -= 5 * 0.015
        hits += lasting(change_points(values)) == [place]
    assert hits >= 0.85 * (MADE // 3)


def test_a_prior_makes_a_short_series_enough() -> None:
    random = np.random.default_rng(1)
    made = [normal(random, FEWEST) - np.repeat([0, 0.09], FEWEST // 2) for _ in range(100)]
    without = sum(bool(lasting(change_points(values))) for values in made)
    with_prior = sum(bool(lasting(change_points(values, (0.015, 30)))) for values in made)
    assert with_prior >= 95 > without


def test_a_change_has_both_levels_and_what_they_rest_on() -> None:
    random = np.random.default_rng(3)
    values = normal(random, 20) + np.repeat([0, -0.1], [12, 8])
    (change,) = change_points(values).changes
    assert (change.index, change.last_before) == (12, 11)
    assert (change.count_before, change.count_after) == (12, 8)
    assert change.before == pytest.approx(values[:12].mean())
    assert change.after == pytest.approx(values[12:].mean())
    assert change.p < 1e-6


def test_a_single_release_is_an_outlier_with_its_level_and_bends_none() -> None:
    random = np.random.default_rng(4)
    values = normal(random, 16)
    values[8] -= 0.8
    found = change_points(values)
    assert found.changes == ()
    (outlier,) = found.outliers
    assert outlier.index == 8
    assert outlier.level == pytest.approx(np.delete(values, 8).mean())
    assert outlier.p < 1e-6


def test_what_only_the_newest_release_has_is_a_change_that_one_release_shows() -> None:
    values = normal(np.random.default_rng(5), 12)
    values[-1] -= 0.3
    found = change_points(values)
    (change,) = found.changes
    assert (change.index, change.count_before, change.count_after) == (11, 11, 1)
    assert found.outliers == ()


def test_what_only_the_oldest_release_has_is_an_outlier() -> None:
    values = normal(np.random.default_rng(6), 12)
    values[0] -= 0.3
    found = change_points(values)
    assert found.changes == ()
    assert [each.index for each in found.outliers] == [0]


def test_an_oldest_release_that_differs_hides_no_later_change() -> None:
    """Its level is that of the releases after it."""
    values = np.array([5.0, *[0.0, 0.1] * 5, *[3.0, 3.1] * 5])
    found = change_points(values)
    (oldest,) = found.outliers
    assert oldest.index == 0
    assert oldest.level == pytest.approx(0.05)
    assert [each.index for each in found.changes] == [11]


def test_a_release_on_the_way_to_the_new_level_is_the_first_of_it() -> None:
    values = normal(np.random.default_rng(7), 14) + np.repeat([0, -0.4, -0.8], [6, 1, 7])
    (change,) = change_points(values).changes
    assert (change.index, change.last_before, change.count_after) == (6, 5, 7)
    values = normal(np.random.default_rng(7), 15) + np.repeat([0, -0.4, -0.8], [12, 1, 2])
    (change,) = change_points(values).changes
    assert (change.index, change.last_before, change.count_after) == (12, 11, 2)


def test_a_release_that_leaves_the_other_way_before_a_change_is_no_part_of_it() -> None:
    values = normal(np.random.default_rng(8), 14) + np.repeat([0, 0.4, -0.8], [6, 1, 7])
    found = change_points(values)
    (change,) = found.changes
    assert (change.index, change.last_before) == (7, 5)
    assert [each.index for each in found.outliers] == [6]


@pytest.mark.parametrize("seed", range(40))
def test_a_constant_added_to_all_changes_nothing(seed: int) -> None:
    values = with_changes(seed)
    moved, found = change_points(values + 7.5), change_points(values)
    assert moved.levels == found.levels
    assert [each.index for each in moved.changes] == [each.index for each in found.changes]


@pytest.mark.parametrize("factor", [1e-6, 3.0, 1e6])
def test_the_scale_of_differences_changes_nothing(factor: float) -> None:
    for seed in range(20):
        values = with_changes(seed)
        assert change_points(values * factor).levels == change_points(values).levels


@pytest.mark.parametrize("seed", range(40))
def test_a_reversed_series_has_the_same_levels_reversed(seed: int) -> None:
    values = with_changes(seed)
    last = len(values) - 1
    levels = change_points(values[::-1]).levels
    mirrored = [tuple(last - at for at in reversed(level)) for level in reversed(levels)]
    assert mirrored == list(change_points(values).levels)


def test_p_of_a_change_is_that_of_students_t_times_the_places_between_its_releases() -> None:
    values = normal(np.random.default_rng(10), 20) + np.repeat([0, -0.045], [12, 8])
    found = change_points(values)
    (change,) = found.changes
    assert found.levels == (tuple(range(12)), tuple(range(12, 20)))
    p = scipy.stats.ttest_ind(values[:12], values[12:]).pvalue
    assert change.p == pytest.approx(19 * p)
    squares = sum(((each - each.mean()) ** 2).sum() for each in (values[:12], values[12:]))
    assert found.noise == pytest.approx((squares / 18) ** 0.5)


def test_p_of_a_single_release_is_that_of_students_t_times_all_releases() -> None:
    values = normal(np.random.default_rng(11), 16)
    values[8] += 0.15
    (outlier,) = change_points(values).outliers
    p = scipy.stats.ttest_ind(values[8:9], np.delete(values, 8)).pvalue
    assert outlier.p == pytest.approx(16 * p)


@pytest.mark.parametrize("difference", [-0.2, 0.2])
@pytest.mark.parametrize("count", [12, *range(44, 56), 80])
def test_of_the_newest_release_alone_both_levels_and_p_are_its_own(
    count: int, difference: float
) -> None:
    """Of long series the grid of levels is thinner, and has that of a single release or not."""
    values = normal(np.random.default_rng(count), count)
    values[-1] += difference
    found = change_points(values)
    (change,) = found.changes
    assert found.outliers == ()
    assert (change.index, change.last_before) == (count - 1, count - 2)
    assert (change.count_before, change.count_after) == (count - 1, 1)
    assert change.before == pytest.approx(values[:-1].mean())
    assert change.after == pytest.approx(values[-1])
    p = scipy.stats.ttest_ind(values[-1:], values[:-1]).pvalue
    assert change.p == pytest.approx((count - 1) * p, rel=1e-9, abs=0)


@pytest.mark.parametrize("count", [14, 48, 60])
@pytest.mark.parametrize("difference", [-0.4, 0.4])
def test_of_the_newest_or_oldest_release_alone_p_counts_the_releases_of_its_level(
    count: int, difference: float
) -> None:
    """Not those of other levels, whether or not the grid has the level of the single release."""
    values = normal(np.random.default_rng(count), count)
    values[: count - 7] -= 0.2
    values[-1] += difference
    newest = change_points(values).changes[-1]
    assert (newest.count_before, newest.count_after) == (6, 1)
    (oldest,) = change_points(values[::-1]).outliers
    squares = sum(((each - each.mean()) ** 2).sum() for each in (values[:-7], values[-7:-1]))
    noise = (squares / (count - 3)) ** 0.5
    t = (values[-1] - values[-7:-1].mean()) / (noise * (1 + 1 / 6) ** 0.5)
    p = 6 * 2 * scipy.stats.t.sf(abs(t), count - 3)
    assert [newest.p, oldest.p] == pytest.approx([p, p], rel=1e-9, abs=0)


def test_the_newest_release_and_the_one_before_it_may_differ_each_alone() -> None:
    values = normal(np.random.default_rng(14), 20)
    values[-2:] += [0.4, 1.2]
    found = change_points(values)
    (change,) = found.changes
    assert (change.index, change.last_before, change.count_after) == (19, 17, 1)
    assert [each.index for each in found.outliers] == [18]


def test_a_prior_of_which_all_is_known_replaces_the_noise_of_the_series() -> None:
    values = normal(np.random.default_rng(13), 20) + np.repeat([0, -0.06], [12, 8])
    found = change_points(values, (0.02, np.inf))
    (change,) = found.changes
    assert found.noise == 0.02
    z = (values[12:].mean() - values[:12].mean()) / (0.02 * (1 / 12 + 1 / 8) ** 0.5)
    assert change.p == pytest.approx(19 * 2 * scipy.stats.norm.cdf(-abs(z)))


def test_without_noise_p_is_the_part_of_the_orders_that_are_as_clear() -> None:
    (change,) = change_points([1.0] * 8 + [0.9] * 8).changes
    assert change.p == pytest.approx(15 * 2 / comb(16, 8))


def one_level(count: int) -> Segmentation:
    return Segmentation((tuple(range(count)),), (), (), 0.0)


def test_fewer_than_six_releases_are_one_level() -> None:
    steps = [0.0, 0.001, -0.001, 1.0, 1.001, 0.999]
    known = (0.001, np.inf)
    assert change_points([0.0, 0.0, 0.0, 5.0, 5.0]) == one_level(5)
    assert change_points(steps[1:], known) == one_level(5)
    assert change_points(steps, known).levels == ((0, 1, 2), (3, 4, 5))
    assert change_points(steps, known, fewest=7) == one_level(6)
    assert change_points(steps[1:], known, fewest=5).levels == ((0, 1), (2, 3, 4))


def test_a_series_that_never_changes_is_one_level_whatever_is_known_of_its_noise() -> None:
    assert change_points([1.0] * 20) == one_level(20)
    assert change_points([1.0] * 20, (0.01, 10.0)) == one_level(20)
    steps = [0.0] * 6 + [1.0] * 6
    assert change_points(steps, (0.0, np.inf)) == one_level(12)


def test_a_prior_counts_as_much_as_its_degrees_of_freedom() -> None:
    values = normal(np.random.default_rng(13), 20) + np.repeat([0, -0.1], [12, 8])
    found = change_points(values, (0.02, 10.0))
    (change,) = found.changes
    squares = sum(((each - each.mean()) ** 2).sum() for each in (values[:12], values[12:]))
    # ten degrees of freedom of the prior, 18 of the series
    assert found.noise == pytest.approx(((10 * 0.02**2 + squares) / 28) ** 0.5)
    t = (values[12:].mean() - values[:12].mean()) / (found.noise * (1 / 12 + 1 / 8) ** 0.5)
    assert change.p == pytest.approx(19 * 2 * scipy.stats.t.sf(abs(t), 28))


def test_a_single_release_between_levels_is_an_outlier_of_the_one_it_differs_least_from() -> None:
    values = normal(np.random.default_rng(15), 31) + np.repeat([0, 1, 0], [11, 10, 10])
    values[10], values[20] = -2.0, 4.0
    found = change_points(values)
    levels = [np.arange(10), np.arange(11, 20), np.arange(21, 31)]
    assert found.levels == tuple(tuple(each.tolist()) for each in levels)
    assert [(each.last_before, each.index) for each in found.changes] == [(9, 11), (19, 21)]
    means = [values[each].mean() for each in levels]
    for change, before, after in zip(found.changes, means[:-1], means[1:], strict=True):
        assert [change.before, change.after] == pytest.approx([before, after])
    squares = sum(((values[each] - values[each].mean()) ** 2).sum() for each in levels)
    noise = (squares / 26) ** 0.5
    assert found.noise == pytest.approx(noise)
    for outlier, at, level in zip(found.outliers, (10, 20), levels[:2], strict=True):
        mean = values[level].mean()
        assert outlier.index == at
        assert outlier.level == pytest.approx(mean)
        t = (values[at] - mean) / (noise * (1 + 1 / len(level)) ** 0.5)
        p = 31 * 2 * scipy.stats.t.sf(abs(t), 26)
        assert outlier.p == pytest.approx(p, rel=1e-9, abs=0)


def test_series_without_any_noise_have_changes_where_the_order_is_evidence_enough() -> None:
    assert change_points([1.0] * 20).changes == ()
    assert [each.index for each in change_points([1.0] * 8 + [0.9] * 8).changes] == [8]
    # One of eleven is different with every order, and shows nothing.
    assert change_points([1.0] * 5 + [1.01] + [1.0] * 5).outliers == ()


def test_long_series_are_cut_in_bounded_time() -> None:
    random = np.random.default_rng(9)
    values = normal(random, 400) + np.repeat([0, -0.1, 0.05], [150, 100, 150])
    assert [each.index for each in change_points(values).changes] == [150, 250]


def test_most_places_are_those_that_otava_finds() -> None:
    """It bends at outliers and adjusts no p for the places it tried; most agree all the same."""
    ours = theirs = common = 0
    for recorded in RECORDED:
        found = [each.index for each in change_points(recorded["series"]).changes]
        places = [index for index, _ in recorded["points"]]
        ours += len(found)
        theirs += len(places)
        common += sum(any(abs(index - each) <= 1 for each in found) for index in places)
    assert common >= 0.85 * theirs
    assert common >= 0.80 * ours


def test_one_of_several_searches_must_be_so_much_more_certain() -> None:
    values = normal(np.random.default_rng(10), 20) + np.repeat([0, -0.045], [12, 8])
    (change,) = change_points(values).changes
    enough = int(0.005 / change.p)
    assert enough > 1
    assert change_points(values, searches=enough).changes == (change,)
    assert change_points(values, searches=enough + 1).changes == ()


def test_of_many_searches_outliers_in_a_row_are_no_level() -> None:
    """Of 48 values with six outliers, two are expected next to each other in most series."""
    values = normal(np.random.default_rng(15), 48)
    values[[5, 20, 33, 41]] += [0.4, -0.3, 0.5, -0.6]
    values[[12, 13]] -= 0.5
    assert lasting(change_points(values)) == [12, 14]
    found = change_points(values, searches=8)
    assert found.changes == ()
    assert [each.index for each in found.outliers] == [5, 12, 13, 20, 33, 41]


def test_of_many_searches_a_short_level_is_one_where_nothing_else_is_an_outlier() -> None:
    values = normal(np.random.default_rng(15), 48)
    values[[12, 13]] -= 0.5
    assert lasting(change_points(values, searches=40)) == [12, 14]


FALL = ChangePoint(4, 2, 1.0, 0.5, 3, 4, 0.001, 4)
RISE = ChangePoint(8, 7, 0.5, 2.0, 4, 3, 0.002, 8)
ALONE = (Outlier(3, 1.0, 0.003), Outlier(11, 2.0, 0.004))
WHOLE = Segmentation(((0, 1, 2), (4, 5, 6, 7), (8, 9, 10)), (FALL, RISE), ALONE, noise=0.1)


def test_a_search_in_later_values_stands_where_they_are() -> None:
    assert WHOLE.moved(20) == Segmentation(
        ((20, 21, 22), (24, 25, 26, 27), (28, 29, 30)),
        (
            replace(FALL, index=24, last_before=22, in_full=24),
            replace(RISE, index=28, last_before=27, in_full=28),
        ),
        (replace(ALONE[0], index=23), replace(ALONE[1], index=31)),
        noise=0.1,
    )


def test_a_part_has_what_begins_in_it_with_its_first_value_and_without_the_one_after_it() -> None:
    assert WHOLE.part(3, 8) == Segmentation(((4, 5, 6, 7),), (FALL,), ALONE[:1], noise=0.1)
    assert WHOLE.part(4, 11) == Segmentation(WHOLE.levels[1:], (FALL, RISE), (), noise=0.1)
    assert WHOLE.part(5, 9) == Segmentation(((5, 6, 7), (8,)), (RISE,), (), noise=0.1)
    assert WHOLE.part(11, inf) == Segmentation((), (), ALONE[1:], noise=0.1)


def test_two_values_in_the_tail_of_skewed_noise_are_no_level() -> None:
    skewed = [1.4, 2.9, 1.8, 2.2, 1.2, 1.1, 1.4, 1.0, 1.5, 0.9, 1.5, 1.7, 3.8, 3.6]
    assert change_points(skewed).changes == ()
    assert change_points([-value for value in skewed]).changes == ()
    known = change_points(skewed, prior=(0.6, 20.0))
    assert lasting(known) == [12], "a prior says how far noise reaches"


def test_a_value_beyond_the_new_level_is_an_outlier_where_the_change_begins() -> None:
    """MariaDB 10.5.6 and 10.5.29 were a third slower than before, and 10.6.5 a tenth."""
    values = normal(np.random.default_rng(3), 20) / 10 + np.repeat([0.0, -0.1], [8, 12])
    values[[8, 9]] -= [0.25, 0.35]
    found = change_points(values)
    (change,) = found.changes
    assert (change.index, change.in_full) == (8, 10)
    assert [each.index for each in found.outliers] == [8, 9]
    values[[8, 9]] = [-0.04, -0.06]
    found = change_points(values)
    (change,) = found.changes
    assert (change.index, change.in_full, found.outliers) == (8, 10, ())

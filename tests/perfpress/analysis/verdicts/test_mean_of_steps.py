"""The geometric mean over steps by value: noise, p, interval, and the level change behind it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, log, sqrt
from random import Random

import pytest
from definition_samples import report_of
from perfpress.analysis.metrics.throughput import summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import levels_of
from perfpress.analysis.verdicts.mean_of_steps import FLOOR_WEIGHT, MeanOfSteps, MeansOfSteps
from perfpress.analysis.verdicts.noise import Noise, NoiseModel, NoiseSource
from perfpress.analysis.verdicts.variances import Variance, of_neighbours
from perfpress.input.report.front_matter import Release
from scipy.stats import t

RUN = Variance(0.02**2, 20)
STEPS = ("a", "b", "c")
Runs = Sequence[float]


def means_of(
    *releases: Sequence[Runs], run: Variance = RUN, branches: Sequence[str | None] = ()
) -> MeansOfSteps:
    """Return the means of releases `0`, `1` and so on, each with the runs of its steps."""
    ids = [str(place) for place in range(len(releases))]
    summaries = {
        CellKey(release, "v", step): summarise(
            {f"run{at}": value for at, value in enumerate(values)}
        )
        for release, steps in zip(ids, releases, strict=True)
        for step, values in zip(STEPS, steps, strict=False)
        if values
    }
    lines = {("v", step): Noise((NoiseSource.REPEATS,), run) for step in STEPS}
    noise = dict.fromkeys(ids, NoiseModel(lines, lines, {}, is_day_a_value=False))
    report = report_of(ids, steps=STEPS)
    if branches:
        on = [Release(id=each, branch=branch) for each, branch in zip(ids, branches, strict=True)]
        report = replace(report, releases=tuple(on))
    return MeansOfSteps(summaries, noise, report)


def mean(found: MeansOfSteps, release: int, base: int = 0) -> MeanOfSteps | None:
    """Return the mean of a release over all steps."""
    return found.of([CellKey(str(release), "v", step) for step in STEPS], str(base))


def known(found: MeansOfSteps, release: int, base: int = 0) -> MeanOfSteps:
    """Return the mean of a release, which there is."""
    own = mean(found, release, base)
    assert own is not None
    return own


def once(*values: float) -> list[list[float]]:
    """Return steps of one run each."""
    return [[value] for value in values]


def alike(*values: float) -> list[list[list[float]]]:
    """Return releases whose steps have one run each and the same value."""
    return [once(value, value, value) for value in values]


def differences_of(values: Sequence[float]) -> list[float]:
    """Return the differences of the logarithms of neighbours."""
    return [log(after / before) for before, after in pairwise(values)]


def p_of(change: float, variance: float, degrees: float) -> float:
    return 2 * float(t.sf(abs(change) / sqrt(variance), degrees)) / FLOOR_WEIGHT


def test_two_releases_are_judged_by_the_noise_of_their_steps_and_a_prior_of_the_build() -> None:
    found = known(means_of(once(100, 10, 1), once(98, 9.7, 0.97)), 1)
    change = (log(0.98) + 2 * log(0.97)) / 3
    of_steps, common = 2 * 0.02**2 / 3, 2 * 0.01**2
    variance = of_steps + common
    # Satterthwaite's degrees: those of three steps together are 60, the prior has 12.
    degrees = variance**2 / (of_steps**2 / 60 + common**2 / 12)
    far = float(t.ppf(1 - 0.05 * FLOOR_WEIGHT / 2, degrees)) * sqrt(variance)
    assert found.ratio == pytest.approx(exp(change))
    assert found.steps == 3
    assert found.p == pytest.approx(p_of(change, variance, degrees))
    assert found.interval == pytest.approx((exp(change - far), exp(change + far)))
    assert found.source is NoiseSource.PRIOR
    assert (found.since, found.is_one_run, found.rests_on_prior) == (None, True, True)


def test_its_interval_excludes_no_change_where_p_calls_it_one() -> None:
    for after in (90.0, 95.0, 96.0, 97.0, 104.0, 105.0):
        found = known(means_of(*alike(100, after)), 1)
        low, high = found.interval
        assert found.is_change == (not low <= 1 <= high)
    assert known(means_of(*alike(100, 90)), 1).is_change
    assert known(means_of(*alike(100, 100)), 1).p == 1.0


def test_repeats_make_the_noise_of_the_steps_smaller_and_the_smaller_side_counts() -> None:
    two = [[98.0, 98.0], [98.0, 98.0], [98.0, 98.0]]
    four = [[100.0] * 4, [100.0] * 4, [100.0] * 4]
    found = known(means_of(four, two), 1)
    of_steps, common = (1 / 2 + 1 / 4) * 0.02**2 / 3, 2 * 0.01**2
    variance = of_steps + common
    degrees = variance**2 / (of_steps**2 / 60 + common**2 / 12)
    assert found.p == pytest.approx(p_of(log(0.98), variance, degrees))
    assert not found.is_one_run
    one_single = [[98.0], [98.0, 98.0], [98.0, 98.0]]
    assert known(means_of(four, one_single), 1).is_one_run
    assert known(means_of(one_single, four), 1).is_one_run


def test_steps_without_a_value_above_zero_on_both_sides_do_not_count() -> None:
    full = once(100, 100, 100)
    for gap in ([[], [100], [100]], [[0], [100], [100]], [[0, 100, 100], [100], [100]]):
        assert mean(means_of(full, gap), 1) is None
        assert mean(means_of(gap, full), 1) is None
    assert mean(means_of(full, full), 1) is not None


def test_the_sign_test_counts_steps_that_lean_with_the_mean() -> None:
    found = known(means_of(once(100, 100, 100), once(90, 99, 101)), 1)
    assert found.leaning == 2
    assert found.p_of_lean == 1.0
    fallen = known(means_of(once(100, 100, 100), once(90, 99, 99)), 1)
    assert (fallen.leaning, fallen.p_of_lean) == (3, 2 / 8)
    risen = known(means_of(once(100, 100, 100), once(110, 101, 101)), 1)
    assert (risen.leaning, risen.p_of_lean) == (3, 2 / 8)
    one_even = known(means_of(once(100, 100, 100), once(110, 101, 100)), 1)
    assert one_even.leaning == 2
    # Seven of eight lean as often as a coin shows one side seven times or more, either way.
    assert replace(found, leaning=7, steps=8).p_of_lean == pytest.approx(2 * 9 / 256)


def test_five_releases_show_the_noise_by_their_neighbours() -> None:
    values = (100.0, 106.0, 99.0, 107.0, 103.0)
    found = known(means_of(*alike(*values)), 4)
    differences = differences_of(values)
    shown = of_neighbours(differences)
    assert shown.degrees < 4
    assert found.source is NoiseSource.NEIGHBOURS
    assert not found.rests_on_prior
    assert found.p == pytest.approx(min(1, p_of(log(1.03), shown.value, shown.degrees)))
    far = float(t.ppf(1 - 0.05 * FLOOR_WEIGHT / 2, shown.degrees)) * sqrt(shown.value)
    assert found.interval == pytest.approx((1.03 * exp(-far), 1.03 * exp(far)))
    assert known(means_of(*alike(*values[:4])), 3).source is NoiseSource.PRIOR


def test_many_neighbours_count_as_four_degrees() -> None:
    values = [100.0 + 5 * (place % 2) for place in range(16)]
    found = known(means_of(*alike(*values)), 1)
    shown = of_neighbours(differences_of(values))
    assert shown.degrees > 4
    assert found.p == pytest.approx(p_of(log(1.05), shown.value, 4))


def test_neighbours_that_hardly_differ_leave_the_noise_of_the_steps() -> None:
    found = known(means_of(*alike(*[100.0] * 5, 98.0)), 5)
    shown = of_neighbours([0.0] * 4 + [log(0.98)])
    assert found.p == pytest.approx(p_of(log(0.98), 2 * 0.02**2 / 3, shown.degrees))
    quiet = means_of(*alike(*[100.0] * 5, 99.9), run=Variance(1e-12, 20))
    # Digits of logs: neighbours that print the same still differ by 0.01 %.
    assert known(quiet, 5).p == pytest.approx(p_of(log(0.999), 1e-8, shown.degrees))


def test_fewer_runs_than_neighbours_have_are_worth_less_and_more_are_not_worth_more() -> None:
    values = (100.0, 108.0, 99.0, 109.0, 98.0)
    twice = [[[value, value]] * 3 for value in values]
    differences = differences_of(values)
    once_more, often = alike(90.0)[0], [[90.0] * 8] * 3
    for last, count in ((once_more, 1), (often, 8)):
        found = known(means_of(*twice, last), 5)
        shown = of_neighbours([*differences, log(90 / 98)])
        usual = (4 * (1 / 2 + 1 / 2) + (1 / 2 + 1 / count)) / 5
        ratio = max(1.0, (1 / 2 + 1 / count) / usual)
        assert found.p == pytest.approx(p_of(log(0.9), shown.value * ratio, shown.degrees))


def test_a_level_change_of_the_mean_decides_where_it_is_more_certain() -> None:
    values = [100.0, 100.5, 99.5, 100.2, 99.8, 90.0, 90.5, 89.5, 90.2, 89.8]
    found = means_of(*alike(*values))
    fallen = known(found, 7)
    assert fallen.since is not None
    assert (fallen.since.last_before, fallen.since.release) == ("4", "5")
    assert fallen.p == fallen.since.p < 0.001
    assert (fallen.is_one_run, fallen.is_change) == (False, True)
    # What the change is judged by: half of the noise of a ratio of the newest release.
    differences = differences_of(values)
    of_ratio = max(of_neighbours(differences).value, 2 * 0.02**2 / 3)
    degrees = min(of_neighbours(differences).degrees, 4)
    series = {str(at): summarise({"run": value}) for at, value in enumerate(values)}
    levels = levels_of("throughput", series, lambda _: Variance(of_ratio / 2, degrees))
    assert levels is not None
    assert fallen.since.p == pytest.approx(levels.changes[0].p)
    assert known(found, 3).since is None
    assert known(found, 9, 6).since is None
    risen = known(means_of(*alike(*reversed(values))), 7)
    assert risen.since is not None
    assert risen.since.is_rise


def test_releases_of_another_branch_and_those_that_lack_a_step_are_not_in_the_series() -> None:
    values = [100.0, 106.0, 99.0, 107.0, 103.0, 100.0]
    on_main = [None, None, None, None, None, "old"]
    own = known(means_of(*alike(*values[:5])), 4)
    assert known(means_of(*alike(*values), branches=on_main), 4) == own
    gap = [*alike(*values[:5]), [[100.0], [100.0], [0.0]]]
    assert known(means_of(*gap), 4) == own
    beside = known(means_of(*alike(*values), branches=on_main), 5)
    assert beside.source is NoiseSource.NEIGHBOURS


def test_a_release_is_judged_by_the_noise_of_the_releases_of_its_window() -> None:
    """Windows end with blocks of eight: releases 40 to 47 share one that the earlier are not in."""
    random = Random(2)
    releases = alike(*(random.gauss(100, 2) for _ in range(48)))
    found = means_of(*releases)
    assert known(found, 39) == known(means_of(*releases[:40]), 39)
    assert known(found, 40).p != known(means_of(*releases[:41]), 40).p


def test_a_level_change_against_the_mean_of_two_releases_says_nothing_of_them() -> None:
    """The level falls by 4 %, and of two releases the later is the higher one all the same."""
    random = Random(0)
    values = [random.gauss(level, 2) for level in (100, 96) for _ in range(20)]
    low, high = values.index(min(values[:20])), values.index(max(values[20:]))
    found = means_of(*alike(*values))
    assert known(found, high, values.index(max(values[:20]))).since is not None
    against = known(found, high, low)
    assert against.ratio > 1
    assert against.since is None
    assert against.is_one_run

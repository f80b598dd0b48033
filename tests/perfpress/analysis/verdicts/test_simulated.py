"""What verdicts call of simulated archives; `python simulated.py 1000` prints thousands."""

from itertools import pairwise
from statistics import fmean

import numpy as np
import pytest
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import verdicts_against
from simulated import (
    KINDS,
    STEPS,
    Archive,
    Noise,
    bimodal,
    build_levels,
    called,
    holds,
    lognormal,
    means_of,
    measured,
    outliers,
    unlike_steps,
    verdicts_on,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("runs", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("noise", KINDS, ids=lambda kind: kind.__name__)
def test_of_steps_that_did_not_change_few_are_called(noise: Noise, runs: int) -> None:
    for releases in (2, 3, 6, 9):
        rate = called(noise, releases=releases, runs=runs, change=0.0, archives=24)
        assert rate <= 0.05, f"{releases} releases"


@pytest.mark.parametrize("noise", [lognormal, unlike_steps, bimodal, outliers])
def test_of_releases_that_did_not_change_as_a_whole_few_are_called(noise: Noise) -> None:
    """Also where all steps of a build or a day have something in common."""
    for releases in (3, 9):
        for common in (0.0, 0.01):
            means = list(means_of(noise, releases=releases, change=0, archives=60, common=common))
            words = f"{releases} releases, {common} in common"
            assert fmean(each.is_change for each in means) <= 0.05, words
            assert fmean(holds(each, 0) for each in means) >= 0.95, words


@pytest.mark.parametrize("noise", [lognormal, unlike_steps, bimodal, outliers])
def test_steps_lean_one_way_by_chance_as_often_as_a_sign_test_says(noise: Noise) -> None:
    """Where builds have nothing in common; where they have, steps lean with the build."""
    means = means_of(noise, releases=3, change=0, archives=200)
    assert fmean(each.p_of_lean <= 0.01 for each in means) <= 0.02
    common = means_of(noise, releases=3, change=0, archives=60, common=0.02)
    assert fmean(each.p_of_lean <= 0.01 for each in common) > 0.2


def test_what_is_too_small_for_a_step_is_called_of_all_steps_together() -> None:
    means = list(means_of(lognormal, releases=9, change=-0.03, archives=20))
    assert fmean(each.is_change for each in means) > 0.8
    assert fmean(holds(each, -0.03) for each in means) >= 0.95


def test_changes_beyond_ten_percent_are_called_in_one_run() -> None:
    assert called(lognormal, releases=9, runs=1, change=-0.12, archives=10) > 0.9


def test_more_runs_never_weaken_a_verdict() -> None:
    """Five percent in runs of two modes; the fifth run brings the test, the sixth a finer one."""
    rates = [
        called(bimodal, releases=2, runs=runs, change=-0.05, archives=30) for runs in (4, 5, 6, 8)
    ]
    assert all(more > fewer - 0.05 for fewer, more in pairwise(rates)), rates
    assert rates[-1] > rates[0] + 0.2


@pytest.mark.parametrize("noise", [lognormal, bimodal, build_levels], ids=lambda n: n.__name__)
def test_more_runs_of_a_series_never_weaken_a_verdict(noise: Noise) -> None:
    """One run is judged by the neighbours, two by the repeats or both, five by a test."""
    rates = [
        called(noise, releases=9, runs=runs, change=-0.06, archives=40) for runs in (1, 2, 3, 5, 8)
    ]
    assert all(more > fewer - 0.05 for fewer, more in pairwise(rates)), rates


def test_releases_that_often_change_for_good_are_called() -> None:
    """Five releases of nine are each 5 % slower on all steps: that is no level of a build."""
    changed = (1, 3, 4, 6, 8)
    changes = -0.05 * np.cumsum([release in changed for release in range(9)])
    found: list[bool] = []
    for archive in range(5):
        logs = lognormal(np.random.default_rng(archive), (9, STEPS, 2)) + changes[:, None, None]
        metric, report = measured(Archive(logs))
        for release in changed:
            verdicts = verdicts_against(metric, report, str(release), str(release - 1), "a")
            found += [each.state.is_change for each in verdicts.values()]
    assert fmean(found) > 0.75


def test_more_runs_of_declared_builds_do_not_weaken_a_verdict() -> None:
    """Builds have the same levels of their own, whatever the number of runs."""
    one, eight = (
        called(build_levels, releases=3, runs=runs, change=-0.07, archives=60, declared=True)
        for runs in (1, 8)
    )
    assert eight > one - 0.05, (one, eight)


@pytest.mark.parametrize(
    "noise", [lognormal, bimodal, outliers, build_levels], ids=lambda kind: kind.__name__
)
def test_what_a_verdict_excludes_is_not_there(noise: Noise) -> None:
    """The true change lies within the limit of `no change seen` in 95 % of the cases."""
    inside = all_of_them = 0
    for runs in (1, 2, 3, 5, 8):
        for archive in range(5):
            random = np.random.default_rng((9, archive))
            true = random.normal(0, 0.02, STEPS)
            logs = noise(random, (9, STEPS, runs)) + random.normal(0, 1, (1, STEPS, 1))
            logs[-1] += true[:, None]
            for verdict, change in zip(verdicts_on(Archive(logs)), true, strict=True):
                if verdict.state is State.NO_CHANGE and verdict.within is not None:
                    all_of_them += 1
                    inside += abs(np.expm1(change)) <= verdict.within
    assert all_of_them > 300
    assert inside / all_of_them >= 0.95

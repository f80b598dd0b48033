"""What verdicts call of simulated archives; `python simulated.py 1000` prints thousands."""

from itertools import pairwise

import numpy as np
import pytest
from perfpress.analysis.verdicts.states import State
from simulated import KINDS, STEPS, Archive, bimodal, build_levels, called, lognormal, verdicts_on

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("runs", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("noise", KINDS, ids=lambda kind: kind.__name__)
def test_of_steps_that_did_not_change_few_are_called(noise, runs: int) -> None:  # type: ignore[no-untyped-def]
    declared = noise is build_levels
    for releases in (3, 9):
        rate = called(
            noise, releases=releases, runs=runs, change=0.0, archives=8, declared=declared
        )
        assert rate <= 0.05, f"{releases} releases"


def test_changes_beyond_ten_percent_are_called_in_one_run() -> None:
    assert called(lognormal, releases=9, runs=1, change=-0.12, archives=10) > 0.9


def test_more_runs_never_weaken_a_verdict() -> None:
    """Five percent in runs of two modes; the fifth run brings the test, the sixth a finer one."""
    rates = [
        called(bimodal, releases=2, runs=runs, change=-0.05, archives=30) for runs in (4, 5, 6, 8)
    ]
    assert all(more > fewer - 0.05 for fewer, more in pairwise(rates)), rates
    assert rates[-1] > rates[0] + 0.2


def test_what_a_verdict_excludes_is_not_there() -> None:
    """The true change lies within the limit of `no change seen` in 95 % of the cases."""
    random = np.random.default_rng(9)
    inside = all_of_them = 0
    for runs in (1, 3, 6):
        for _ in range(15):
            true = random.normal(0, 0.02, STEPS)
            logs = lognormal(random, (9, STEPS, runs)) + random.normal(0, 1, (1, STEPS, 1))
            logs[-1] += true[:, None]
            for verdict, change in zip(verdicts_on(Archive(logs)), true, strict=True):
                if verdict.state is State.NO_CHANGE and verdict.within is not None:
                    all_of_them += 1
                    inside += abs(np.expm1(change)) <= verdict.within
    assert all_of_them > 300
    assert inside / all_of_them >= 0.95

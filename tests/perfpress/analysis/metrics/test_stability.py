"""What a series of one run did, in words and numbers."""

from collections.abc import Sequence
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.stability import Stability, stability_of
from perfpress.input.logs.readings import Series


def stability(values: Sequence[float], seconds: Sequence[float] | None = None) -> Stability:
    """Return the stability of a series; without seconds, of intervals of a second."""
    ends = seconds or [float(at + 1) for at in range(len(values))]
    found = stability_of(
        Series(name="throughput", unit="operations/s", seconds=tuple(ends), values=tuple(values))
    )
    assert found is not None
    return found


def noisy(levels: Sequence[float], spread: float = 0.03) -> list[float]:
    """Return levels with noise that is the same at every run of the tests."""
    random = Random(5)
    return [level * (1 + random.gauss(0, spread)) for level in levels]


PUBLISHED = [1.0, 2.0, 3.0, 4.0, 5.0, 60.0]
"""Seconds of the two series that a blog post shows: the first five and the sixtieth."""


def test_a_published_series_falls_and_its_fixed_version_holds() -> None:
    falling = stability([1944.7, 1067.3, 788.8, 632.8, 551.5, 105.2], PUBLISHED)
    assert falling.words == "falls to 5 % of its start within a minute"
    assert falling.decay == pytest.approx(105.2 / 1944.7)
    holding = stability([3028.0, 2929.2, 2742.2, 2921.9, 2859.4, 2579.0], PUBLISHED)
    assert holding.words == "holds within 15 %"


def test_noise_and_single_spikes_are_no_decay() -> None:
    values = noisy([1000.0] * 600)
    values[300] = 20_000.0
    values[599] = 5000.0
    assert stability(values).words == "holds within 1 %"
    assert stability(values).shifts == ()


def test_a_slow_decline_is_reported_with_its_time() -> None:
    values = noisy([1000.0 * exp(-at / 1000) for at in range(1800)])
    found = stability(values)
    assert found.words == "falls to 20 % of its start within 30 minutes"
    assert found.shifts == ()


def test_a_lasting_rise_and_a_recovery_are_distinguished() -> None:
    assert stability(noisy([100.0 + at for at in range(100)])).words.startswith("rises to 18")
    dip = [1000.0] * 40 + [500.0] * 20 + [1000.0] * 40
    assert stability(dip).words == "varies between 50 % and 100 % of its start within 1.7 minutes"


def test_the_warm_up_is_set_apart() -> None:
    found = stability(noisy([100.0, 400.0, 700.0] + [1000.0] * 97))
    assert found.warm_up == 3.0
    assert found.words.startswith("holds within")
    assert stability(noisy([1000.0] * 100)).warm_up == 0.0


def test_a_decline_from_the_first_second_on_is_no_warm_up() -> None:
    assert stability(noisy([2000.0] * 5 + [1000.0] * 95)).warm_up == 0.0


def test_what_is_slow_for_longer_than_a_tenth_is_no_warm_up() -> None:
    found = stability(noisy([500.0] * 30 + [1000.0] * 70))
    assert found.warm_up == 0.0
    assert [shift.at for shift in found.shifts] == [30.0]


def test_stalls_are_found_with_their_place() -> None:
    values = noisy([1000.0] * 100)
    values[50:53] = [10.0, 0.0, 30.0]
    (stall,) = stability(values).stalls
    assert (stall.start, stall.end, stall.lowest) == (50.0, 53.0, 0.0)
    assert stall.usual == pytest.approx(1000.0, rel=0.02)


def test_a_jump_that_stays_is_a_shift() -> None:
    (shift,) = stability(noisy([1000.0] * 60 + [700.0] * 40)).shifts
    assert shift.at == 60.0
    assert shift.before == pytest.approx(1000.0, rel=0.02)
    assert shift.after == pytest.approx(700.0, rel=0.02)


def test_a_straight_decline_is_no_shift() -> None:
    assert stability([1000.0 - 5 * at for at in range(100)]).shifts == ()


def test_one_value_has_no_course_and_nothing_done_has_no_decay() -> None:
    one = Series(name="throughput", unit="operations/s", seconds=(1.0,), values=(5.0,))
    assert stability_of(one) is None
    assert stability([0.0, 5.0]).decay is None
    assert stability([0.0, 5.0]).words == "did nothing at its start"


@given(values=st.lists(st.integers(0, 10**6), min_size=2, max_size=80))
def test_any_series_has_a_course_and_the_unit_changes_no_word(values: Sequence[int]) -> None:
    found = stability([float(value) for value in values])
    assert found.lowest <= min(found.start, found.end)
    assert found.highest >= max(found.start, found.end)
    assert all(stall.lowest < stall.usual for stall in found.stalls)
    assert stability([4.0 * value for value in values]).words == found.words

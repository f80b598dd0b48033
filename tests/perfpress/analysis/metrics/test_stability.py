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


def noisy(levels: Sequence[float]) -> list[float]:
    """Return levels with noise that is the same at every run of the tests."""
    random = Random(5)
    return [level * (1 + random.gauss(0, 0.03)) for level in levels]


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


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (45.0, "45 s"),
        (57.1, "a minute"),
        (56.9, "56.9 s"),
        (1800.0, "30 minutes"),
        (3600.0, "an hour"),
        (9000.0, "2.5 hours"),
    ],
)
def test_how_long_a_run_took_is_said_in_the_largest_unit(seconds: float, words: str) -> None:
    falling = [1000.0] * 5 + [100.0] * 5
    ends = [seconds * (at + 1) / 10 for at in range(10)]
    assert stability(falling, ends).words == f"falls to 10 % of its start within {words}"


def test_tenths_of_five_intervals_have_levels() -> None:
    assert (stability([1.0] * 50).in_tenth, stability([1.0] * 50).has_levels) == (5, True)
    assert (stability([1.0] * 49).in_tenth, stability([1.0] * 49).has_levels) == (4, False)
    assert stability([1.0] * 3).in_tenth == 1


def test_a_warm_up_is_at_most_a_tenth_of_twenty_intervals_or_more() -> None:
    warm = [1000.0] * 30
    assert stability([500.0, 899.0, *warm[:18]]).warm_up == 2.0
    assert stability([500.0, 900.0, *warm[:18]]).warm_up == 1.0, "90 % is as usual"
    assert stability([500.0, 500.0, 500.0, *warm[:17]]).warm_up == 0.0, "three of twenty"
    assert stability([500.0, *warm[:18]]).warm_up == 0.0, "nineteen are too few"
    assert stability([500.0] * 3 + warm[:27]).warm_up == 3.0
    # Usual is the first half without a tenth: what comes later is no measure of a warm-up.
    assert stability([500.0, 500.0, *[1000.0] * 8, *[100.0] * 10]).warm_up == 2.0


def test_a_stall_is_below_a_tenth_of_what_is_usual_around_it() -> None:
    usual = [1000.0] * 9
    (stall,) = stability([*usual, 99.0]).stalls
    assert (stall.start, stall.end, stall.lowest, stall.usual) == (9.0, 10.0, 99.0, 1000.0)
    assert stability([*usual, 100.0]).stalls == ()
    assert stability([*usual[1:], 99.0]).stalls == (), "nine intervals are too few"
    (first,) = stability([0.0, *usual]).stalls
    assert (first.start, first.end) == (0.0, 1.0)
    (two,) = stability([*usual, 50.0, 20.0, *usual]).stalls
    assert (two.start, two.end, two.lowest) == (9.0, 11.0, 20.0)


def test_what_is_usual_is_of_fifteen_intervals_on_either_side() -> None:
    """A stall of fifteen has sixteen others around it; one of sixteen is as usual as they are."""
    around = [1000.0] * 30
    for length, places in ((15, 1), (16, 0)):
        found = stability([*around, *[1.0] * length, *around]).stalls
        middle = [each for each in found if each.start == 30.0 and each.end == 30.0 + length]
        assert len(middle) == places


def jumps(values: Sequence[float]) -> list[tuple[float, float, float]]:
    return [(each.at, each.before, each.after) for each in stability(values).shifts]


def test_a_jump_is_of_a_fifth_or_more() -> None:
    assert jumps([1000.0] * 10 + [800.0] * 10) == [(10.0, 1000.0, 800.0)]
    assert jumps([1000.0] * 10 + [801.0] * 10) == []
    assert jumps([0.79] * 10 + [1.0] * 10) == [(10.0, 0.79, 1.0)], "whatever the unit"
    assert jumps([0.8] * 10 + [0.9] * 10) == []
    assert jumps([1000.0] * 10 + [500.0] * 9) == [], "nineteen intervals are too few"
    assert jumps([5.0] * 20) == []


def test_a_level_has_a_tenth_of_the_intervals_or_more() -> None:
    assert jumps([1000.0] * 28 + [500.0] * 2) == [], "the last of thirty have no level"
    assert jumps([1000.0] * 27 + [500.0] * 3) == [(27.0, 1000.0, 500.0)]
    assert jumps([1000.0] * 26 + [500.0] * 4) == [(26.0, 1000.0, 500.0)]


def test_a_jump_explains_most_of_what_values_differ_by() -> None:
    """Levels of 100 and 50, whose values are each so far off as to explain 71 % or 69 %."""
    for off, found in ((15.9, 1), (16.8, 0)):
        values = [level + off * (-1) ** at for level in (100.0, 50.0) for at in range(20)]
        assert len(jumps(values)) == found

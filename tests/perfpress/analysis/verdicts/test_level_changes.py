"""Level changes along the releases of a step: names, units, what they rest on, groups."""

from itertools import pairwise
from random import Random

import pytest
from perfpress.analysis.metrics.throughput import Summary, summarise
from perfpress.analysis.verdicts.level_changes import (
    LevelChange,
    SeriesLevels,
    groups_of,
    has_levels,
    levels_of,
)
from perfpress.analysis.verdicts.variances import Variance


def series(*levels: tuple[float, int]) -> dict[str, float]:
    random = Random(3)
    values = [random.gauss(level, level / 200) for level, count in levels for _ in range(count)]
    return {f"r{at:02}": value for at, value in enumerate(values)}


def levels(values: dict[str, float], metric: str = "throughput") -> SeriesLevels:
    found = levels_of(metric, runs_of(values))
    assert found is not None
    return found


def runs_of(values: dict[str, float]) -> dict[str, Summary]:
    return {release: summarise({release: value}) for release, value in values.items()}


def test_a_drop_has_its_first_release_and_both_levels_in_the_metrics_unit() -> None:
    (change,) = levels(series((1000, 8), (900, 6))).changes
    assert (change.last_before, change.release) == ("r07", "r08")
    assert (change.releases_before, change.releases_after) == (8, 6)
    assert change.before == pytest.approx(1000, rel=0.01)
    assert change.after == pytest.approx(900, rel=0.01)
    assert change.ratio == pytest.approx(0.9, rel=0.01)
    assert change.is_lasting
    assert not change.is_rise


def test_what_the_report_shows_of_the_noise_makes_short_series_enough() -> None:
    values = {"a": 1000.0, "b": 1020.0, "c": 990.0, "d": 930.0, "e": 900.0, "f": 915.0}
    assert levels(values).changes == ()
    found = levels_of("throughput", runs_of(values), lambda _: Variance(0.015**2, 60))
    assert found is not None
    assert [each.release for each in found.changes] == ["d"]


def test_steady_values_scatter_as_much_as_the_report_says_that_releases_do() -> None:
    found = levels_of("latency_p95", runs_of(series((1000, 9))), lambda _: Variance(0.015**2, 1e9))
    assert found is not None
    assert found.scatter == pytest.approx(0.015)
    assert (found.metric, found.better) == ("latency_p95", "lower")


def test_several_changes_count_the_releases_between_them() -> None:
    changes = levels(series((1000, 8), (800, 6), (600, 7))).changes
    assert [each.release for each in changes] == ["r08", "r14"]
    assert [(each.releases_before, each.releases_after) for each in changes] == [(8, 6), (6, 7)]


def test_fewer_than_six_releases_are_no_series() -> None:
    assert levels_of("throughput", runs_of(series((1000, 3), (500, 2)))) is None
    steady = levels(series((1000, 6)))
    assert (steady.changes, steady.flukes) == ((), ())


def test_one_release_that_differs_is_a_fluke_and_no_change() -> None:
    values = series((1000, 16))
    values["r05"] *= 0.45
    found = levels(values)
    assert found.changes == ()
    (fluke,) = found.flukes
    assert fluke.release == "r05"
    assert fluke.ratio == pytest.approx(0.45, rel=0.02)


def test_flukes_of_some_releases_are_in_the_order_of_the_series() -> None:
    values = series((1000, 24))
    values["r05"] *= 0.45
    values["r15"] *= 1.6
    found = levels(values)
    assert [each.release for each in found.flukes] == ["r05", "r15"]
    assert found.flukes_of(["r15", "r06", "none", "r05"]) == found.flukes
    assert found.flukes_of(["r15"]) == found.flukes[1:]
    assert found.flukes_of(["r06"]) == ()


def test_a_change_of_the_newest_release_alone_is_not_lasting() -> None:
    (change,) = levels(series((1000, 9), (500, 1))).changes
    assert change.release == "r09"
    assert not change.is_lasting


def test_releases_that_did_nothing_failed_and_are_no_level() -> None:
    steady = list(series((1000, 16)).items())
    failed = {f"s{at}": 0.0 for at in range(6)}
    found = levels(dict(steady[:8]) | failed | dict(steady[8:]))
    assert found.releases == tuple(release for release, _ in steady)
    assert found.changes == ()
    assert levels_of("throughput", runs_of(dict(steady[:5]) | failed)) is None


def test_counts_have_the_noise_of_counts_where_they_scatter_less() -> None:
    """By the noise that eight steady releases show, one failure more would be a level change."""
    values = [9.0, 9.0, 9.0, 10.0, 9.0, 9.0, 11.0, 11.0, 11.0, 11.0, 12.0, 11.0]
    found = levels({f"r{at:02}": value for at, value in enumerate(values)}, "failed_operations")
    assert (found.changes, found.flukes) == ((), ())
    assert found.metric == "failed_operations"


def test_the_level_of_a_count_is_that_count() -> None:
    values = {f"r{at:02}": 40.0 if at < 6 else 250.0 + at % 2 for at in range(12)}
    (change,) = levels(values, "failed_operations").changes
    assert change.before == pytest.approx(40, abs=1e-9)


def test_failures_are_counts_whose_zeros_are_values() -> None:
    none = {f"r{at}": 0.0 for at in range(8)}
    assert levels(none, "failed_operations").changes == ()
    few = levels(none | {"r3": 1.0, "r5": 2.0}, "failed_operations")
    assert (few.changes, few.flukes) == ((), ())
    many = none | {f"r{at}": 90.0 + at for at in range(4, 8)}
    (change,) = levels(many, "failed_operations").changes
    assert change.release == "r4"
    assert change.before == 0
    assert change.after == pytest.approx(95, abs=2)
    assert change.ratio is None


def test_metrics_with_a_direction_that_mean_something_to_a_reader_have_levels() -> None:
    assert all(map(has_levels, ("throughput", "latency_p95", "latency_p99.9", "cpu_per_operation")))
    assert has_levels("failed_operations")
    assert all(map(has_levels, ("executed_instructions", "output_bytes")))
    assert not any(map(has_levels, ("operations", "latency_maximum", "seconds", "my_own_number")))


def test_since_is_the_change_between_two_releases_on_levels_of_several() -> None:
    found = levels(series((1000, 4), (700, 4), (800, 4)))
    first, second = found.changes
    assert found.since("r00", "r06") == first
    assert found.since("r05", "r11") == second
    # Down by more than up again: it is slower since the drop.
    assert found.since("r01", "r09") == first
    assert found.since("r00", "r03") is None
    assert found.since("r00", "unmeasured") is None


def steps_of(*values: float, sizes: tuple[int, ...]) -> SeriesLevels:
    """Return levels of these values, each of so many releases: `0a`, `0b`, `1a`."""
    places = [tuple(f"{at}{'abc'[each]}" for each in range(size)) for at, size in enumerate(sizes)]
    changes = [
        LevelChange(places[at][0], places[at - 1][-1], values[at - 1], values[at], before, after, 0)
        for at, (before, after) in enumerate(pairwise(sizes), 1)
    ]
    names = tuple(release for place in places for release in place)
    return SeriesLevels(
        "throughput", "higher", names, tuple(changes), (), tuple(places), scatter=0.01
    )


def test_levels_of_two_releases_are_evidence_and_those_of_one_are_not() -> None:
    two = steps_of(100, 50, sizes=(2, 2))
    assert {two.since(base, after) for base in ("0a", "0b") for after in ("1a", "1b")} == {
        two.changes[0]
    }
    assert two.since("0a", "0b") is None
    assert two.since("0a", "0a") is None
    assert steps_of(100, 50, sizes=(2, 1)).since("0a", "1a") is None
    assert steps_of(100, 50, sizes=(1, 2)).since("0a", "1a") is None


def test_the_size_of_a_change_is_found_once_however_many_releases_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[LevelChange] = []
    size = LevelChange.size

    def counted(one: LevelChange) -> float:
        asked.append(one)
        return float(size.__get__(one))

    monkeypatch.setattr(LevelChange, "size", property(counted))
    three = steps_of(100, 50, 80, sizes=(3, 3, 3))
    for base in three.releases:
        for release in three.releases:
            three.since(base, release)
    assert asked == list(three.changes)


def test_since_looks_forward_only() -> None:
    assert steps_of(100, 50, sizes=(2, 2)).since("1a", "0a") is None


def test_of_several_changes_the_largest_of_the_whole_direction_counts() -> None:
    """A fall of a tenth, a rise of a fifth, a fall by half, a fall of a tenth."""
    four = steps_of(100, 90, 108, 54, 48, sizes=(2, 3, 2, 2, 2))
    assert four.since("0a", "4a") == four.changes[2]
    assert four.since("0a", "1c") == four.changes[0]
    assert four.since("1a", "2b") == four.changes[1]
    assert four.since("3b", "4a") == four.changes[3]
    assert four.since("0a", "2b") == four.changes[1], "the rise is more than the fall before it"


def test_a_change_from_or_to_a_level_of_one_release_is_passed_over() -> None:
    found = steps_of(100, 20, 90, sizes=(2, 1, 2))
    assert found.since("0a", "2a") is None


def test_lasting_falls_do_not_explain_a_rise() -> None:
    """A fall, one release far above, and a fall again: the rise between them lasted nowhere."""
    found = steps_of(100, 90, 200, 150, 140, sizes=(2, 2, 1, 2, 2))
    assert found.since("0a", "4a") is None
    assert found.since("0a", "1a") == found.changes[0]


def test_the_levels_beside_a_change_are_those_next_to_it() -> None:
    found = steps_of(100, 50, 80, sizes=(2, 3, 2))
    first, second = found.changes
    assert found.beside(first) == (("0a", "0b"), ("1a", "1b", "1c"))
    assert found.beside(second) == (("1a", "1b", "1c"), ("2a", "2b"))


def test_the_newest_release_alone_stands_after_its_change() -> None:
    (change,) = levels(series((1000, 6), (500, 1))).changes
    names = tuple(f"r{at:02}" for at in range(6))
    assert levels(series((1000, 6), (500, 1))).beside(change) == (names, ("r06",))


def test_a_release_between_two_levels_is_beside_its_change_with_the_later_level() -> None:
    names = ("a", "b", "c", "d", "e")
    change = LevelChange("c", "b", 100, 50, 2, 2, 0)
    found = SeriesLevels("throughput", "higher", names, (change,), (), (names[:2], names[3:]), 0.01)
    assert found.beside(change) == (("a", "b"), ("c", "d", "e"))
    unknown = SeriesLevels("throughput", "higher", names, (change,), (), (), 0.01)
    assert unknown.beside(change) == ((), ("c",))


def test_values_below_one_are_values() -> None:
    values = {release: value / 1e6 for release, value in series((1000, 8), (900, 6)).items()}
    (change,) = levels(values).changes
    assert change.release == "r08"
    assert change.before == pytest.approx(1e-3, rel=0.01)


def test_a_change_and_a_fluke_say_how_likely_chance_is() -> None:
    (change,) = levels(series((1000, 8), (900, 6))).changes
    assert 0 < change.p < 1e-3
    values = series((1000, 16)) | {"r07": 500.0}
    (fluke,) = levels(values).flukes
    assert 0 < fluke.p < 1e-3


def test_no_series_speaks_for_flukes_and_for_the_newest_release_alone() -> None:
    values = series((1000, 6), (500, 6), (900, 1))
    values["r08"] *= 3
    found = levels(values)
    assert found.since("r00", "r07") is not None
    assert found.since("r00", "r08") is None
    assert found.since("r00", "r12") is None


def test_steps_that_change_at_one_release_in_one_direction_are_a_group() -> None:
    drop, more, rise = (levels(series((1000, 8), (after, 6))) for after in (900.0, 700.0, 1200.0))
    places = {("lab1", "a"): drop, ("lab1", "b"): more, ("lab1", "c"): rise, ("lab2", "a"): drop}
    groups = groups_of(places)
    assert [(each.variant, each.release, list(each.changes)) for each in groups] == [
        ("lab1", "r08", ["b", "a"]),
        ("lab1", "r08", ["c"]),
        ("lab2", "r08", ["a"]),
    ]
    assert [each.is_better for each in groups] == [False, True, False]
    assert {each.metric for each in groups} == {"throughput"}

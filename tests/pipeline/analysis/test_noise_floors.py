"""How far equal measurements differ."""

from math import exp, log, sqrt
from random import Random

import pytest
from scipy import stats

from pipeline.analysis.noise_floor import NoiseFloor, noise_floor, pairs_of
from pipeline.analysis.throughput import Summary, summarise
from pipeline.study.profiles import CellKey


def cells(values: dict[tuple[str, str], list[float]]) -> dict[CellKey, Summary]:
    """Return summaries of one step by release and variant."""
    return {
        CellKey(release, variant, "insert"): summarise(
            {f"run{number}": value for number, value in enumerate(runs)}
        )
        for (release, variant), runs in values.items()
    }


def test_single_runs_that_nothing_repeats_tell_no_floor() -> None:
    summaries = cells({("1", "a"): [100.0], ("2", "a"): [90.0], ("1", "b"): [100.0]})
    assert noise_floor(summaries, "a", "insert") is None
    assert noise_floor(summaries, "a", "update", twins=[("a", "b")]) is None


def test_repeats_of_all_releases_are_pooled() -> None:
    summaries = cells({("1", "a"): [100.0, 104.0], ("2", "a"): [50.0, 50.0, 52.0]})
    floor = noise_floor(summaries, "a", "insert")
    assert floor is not None
    expected = log(1.04) ** 2 / 2 + log(1.04) ** 2 * 2 / 3
    assert floor.sigma == pytest.approx(sqrt(expected / 3))
    assert floor.degrees == 3
    assert floor.sources == ("repeats",)


def test_twin_variants_and_releases_of_the_same_code_tell_it_where_nothing_is_repeated() -> None:
    summaries = cells({("1", "a"): [100.0], ("1", "b"): [103.0], ("1-again", "a"): [98.0]})
    twins = noise_floor(summaries, "a", "insert", twins=[("a", "b")])
    same = noise_floor(summaries, "a", "insert", same_code=[("1", "1-again")])
    assert twins is not None
    assert same is not None
    assert twins.sigma == pytest.approx(log(1.03) / sqrt(2))
    assert same.sigma == pytest.approx(log(100 / 98) / sqrt(2))
    assert (twins.sources, same.sources) == (("twin variants",), ("releases of the same code",))
    assert noise_floor(summaries, "a", "insert", twins=[("c", "d")]) is None


def test_the_change_is_the_quantile_of_student() -> None:
    floor = NoiseFloor(0.02, 4, ("repeats",))
    t = stats.t.ppf(0.975, 4)
    assert floor.change(1, 1, 0.05) == pytest.approx(exp(t * 0.02 * sqrt(2)) - 1)
    assert floor.change(8, 8, 0.05) < floor.change(1, 1, 0.05) < floor.change(1, 1, 0.001)


def test_so_many_equal_cells_pass_the_floor_as_its_level_says() -> None:
    """Simulated: 2,000 comparisons of equal releases, the noise learned from three repeats each."""
    random = Random(7)
    passed = 0
    for _ in range(2000):
        draw = [exp(random.gauss(4, 0.03)) for _ in range(8)]
        summaries = cells({("1", "a"): draw[:3], ("2", "a"): draw[3:6]})
        floor = noise_floor(summaries, "a", "insert")
        assert floor is not None
        ratio = draw[6] / draw[7]
        passed += max(ratio, 1 / ratio) - 1 > floor.change(1, 1, 0.05)
    assert 0.035 < passed / 2000 < 0.065


def test_of_many_alike_only_independent_pairs_are_taken() -> None:
    assert pairs_of([("a", "b", "c"), ("d", "e")]) == (("a", "b"), ("b", "c"), ("d", "e"))

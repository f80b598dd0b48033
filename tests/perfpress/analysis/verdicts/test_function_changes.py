"""Functions whose own cost changes: made profiles of samples, beside runs that differ."""

import numpy as np
import pytest
from perfpress.analysis.profiles.function_matrix import (
    FunctionMatrix,
    JoinedTree,
    MatrixFunction,
)
from perfpress.analysis.verdicts.change_points import change_points
from perfpress.analysis.verdicts.function_changes import FEWEST_PROFILES, function_changes

NO_TREE = JoinedTree(parent=(-1,), function=(-1,), selfs=(), left_out=0)
SAMPLES = 50_000
MADE = 60
"""Programs."""


def matrix_of(counts: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> FunctionMatrix:
    """Return the matrix of counts, a function a row and a release a column."""
    functions = tuple(
        MatrixFunction(f"f{at}", "user", f"f{at}", tuple(row), tuple(row))
        for at, row in enumerate(counts.tolist())
    )
    return FunctionMatrix(tuple(counts.sum(axis=0).tolist()), functions, NO_TREE)


def program(
    seed: int, releases: int = 5, changed: dict[int, tuple[int, float]] | None = None
) -> FunctionMatrix:
    """Return 200 functions of very different sizes, whose runs differ by 2 % beside chance.

    Args:
        seed: of everything.
        releases: how many.
        changed: by function, from which release on it costs how many times as much.
    """
    random = np.random.default_rng(seed)
    sizes = np.sort(random.pareto(1.2, 200) + 0.2)[::-1]
    costs = np.tile((sizes / sizes.sum())[:, None], releases)
    for function, (first, factor) in (changed or {}).items():
        costs[function, first:] *= factor
    costs *= random.normal(1, 0.02, costs.shape)
    return matrix_of(random.poisson(SAMPLES * costs))


def found(matrix: FunctionMatrix) -> list[tuple[str, int]]:
    return [(each.function.key, each.first) for each in function_changes(matrix, matrix.totals)]


def operations(releases: int) -> list[float]:
    return [1e6] * releases


@pytest.mark.slow
@pytest.mark.parametrize("releases", [4, 5, 8, 16])
def test_where_no_release_changes_anything_hardly_ever_is_anything_listed(releases: int) -> None:
    wrong = sum(bool(found(program(seed, releases))) for seed in range(MADE))
    assert wrong <= 0.05 * MADE + 3


@pytest.mark.parametrize(("first", "counts"), [(1, (1, 4)), (2, (2, 3)), (4, (4, 1))])
def test_each_function_has_the_release_that_changed_it(first: int, counts: tuple[int, int]) -> None:
    matrix = program(1, changed={5: (first, 1.5)})
    (change,) = function_changes(matrix, operations(5))
    assert (change.function.key, change.first) == ("f5", first)
    assert (change.count_before, change.count_after) == counts
    assert change.after / change.before == pytest.approx(1.5, rel=0.1)


def test_changes_of_different_releases_are_told_apart_and_ranked_by_what_they_add() -> None:
    matrix = program(2, changed={3: (2, 1.4), 20: (3, 3.0), 40: (4, 0.2)})
    changes = function_changes(matrix, operations(5))
    assert {(each.function.key, each.first) for each in changes} == {
        ("f3", 2),
        ("f20", 3),
        ("f40", 4),
    }
    assert [each.size for each in changes] == sorted((each.size for each in changes), reverse=True)


def test_a_function_that_comes_or_goes_has_a_level_of_zero() -> None:
    matrix = program(3, changed={10: (2, 0.0)})
    (change,) = function_changes(matrix, operations(5))
    assert change.after == pytest.approx(0, abs=1e-12)
    assert change.first == 2


def test_too_few_profiles_and_unknown_exposures_show_nothing() -> None:
    changed = {5: (1, 2.0)}
    few = program(4, releases=FEWEST_PROFILES - 1, changed=changed)
    assert function_changes(few, few.totals) == []
    assert function_changes(program(4, changed=changed), [0.0] * 5) == []
    assert function_changes(matrix_of(np.zeros((1, 5), dtype=np.int64)), operations(5)) == []


def of_roots(*rows: list[int]) -> FunctionMatrix:
    """Return the matrix of functions whose roots are these."""
    return matrix_of(np.array(rows, dtype=np.int64) ** 2)


SMALL, LARGE, CHANGED = [40, 41] * 3, [300, 306] * 3, [250] * 3 + [290] * 3


@pytest.mark.parametrize(
    ("others", "of_samples", "of_runs"),
    [
        # Neighbours differ by 1 and by 6: half of the square, by the median of chi-square.
        ([SMALL] * 8 + [LARGE] * 5, 0.5 / 0.4549, (18 - 0.5 / 0.4549) / 91_818 / 0.4549),
        ([LARGE] * 5, 18 / 0.4549, 0.0),
    ],
    ids=["of samples and of runs", "of large functions alone"],
)
def test_noise_is_that_of_samples_and_of_runs_in_proportion_to_the_cost(
    others: list[list[int]], of_samples: float, of_runs: float
) -> None:
    (change,) = function_changes(of_roots(*others, CHANGED), [1.0] * 6)
    mean = (250**2 + 290**2) / 2
    noise = (of_samples + of_runs * mean) ** 0.5
    (point,) = change_points(CHANGED, (noise, 8.0), fewest=4).changes
    assert change.p == pytest.approx(point.p * (len(others) + 1), rel=1e-9, abs=0)
    assert (change.before, change.after) == pytest.approx((250**2, 290**2))


def test_many_functions_without_any_large_one_have_the_noise_of_samples() -> None:
    rows = [SMALL] * 150
    (change,) = function_changes(of_roots(*rows, [40] * 3 + [52] * 3), [1.0] * 6)
    (point,) = change_points([40] * 3 + [52] * 3, ((0.5 / 0.4549) ** 0.5, 8.0), fewest=4).changes
    assert change.p == pytest.approx(point.p * 151, rel=1e-9, abs=0)


def test_a_profile_of_twice_the_operations_has_twice_the_weight_at_the_same_cost() -> None:
    rows = np.array([SMALL] * 8 + [LARGE] * 5 + [CHANGED]) ** 2
    once = function_changes(matrix_of(rows), [0.5] * 6)
    times = np.array([1, 2, 1, 3, 2, 1])
    again = function_changes(matrix_of(rows * times), list(0.5 * times))
    for (change,) in (once, again):
        assert change.first == 3
        assert (change.before, change.after) == pytest.approx((2 * 250**2, 2 * 290**2))


def test_three_profiles_and_any_without_an_exposure_show_nothing() -> None:
    rows = [[*row[:2], *row[3:5]] for row in [[40, 41] * 3] * 8 + [[300, 306] * 3] * 5]
    matrix = of_roots(*rows, [100, 100, 200, 200])
    assert [each.first for each in function_changes(matrix, [1.0] * 4)] == [2]
    assert function_changes(matrix, [1.0, 1.0, 1.0, 0.0]) == []
    three = of_roots(*(row[:3] for row in rows), [100, 100, 200])
    assert function_changes(three, [1.0] * 3) == []

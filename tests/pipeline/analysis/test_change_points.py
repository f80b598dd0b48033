"""Changes of level in a series of releases, beside what apache-otava finds."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pipeline.analysis.change_points import change_points

RECORDED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "change_points.json").read_text()
)
"""Made by `record_change_points.py` beside this file."""


@pytest.mark.parametrize("recorded", RECORDED)
def test_the_same_places_as_otava_s(recorded: dict[str, Any]) -> None:
    """And the same p where otava took none of its first places out again.

    Where it did, it does not look again at the place before: its p is that beside a place which
    is no longer there.
    """
    found = change_points(recorded["series"])
    places = [index for index, _ in recorded["points"]]
    assert [point.index for point in found] == places
    if places == recorded["weak"]:
        expected = [p for _, p in recorded["points"]]
        assert [point.p for point in found] == pytest.approx(expected, rel=1e-6)


def test_a_change_tells_both_levels() -> None:
    random = Random(3)
    values = [random.gauss(100, 1) for _ in range(12)] + [random.gauss(90, 1) for _ in range(8)]
    (point,) = change_points(values)
    assert point.index == 12
    assert point.before == pytest.approx(100, abs=1)
    assert point.after == pytest.approx(90, abs=1)
    assert point.p < 1e-6


def test_a_single_outlier_is_no_change_of_level() -> None:
    random = Random(4)
    values = [random.gauss(100, 1) for _ in range(30)]
    values[15] = 60.0
    assert change_points(values) == []


def test_noise_has_hardly_ever_a_change() -> None:
    """200 series without one: at the level of 0.001, chosen among many places, a few seem to."""
    random = Random(5)
    found = sum(bool(change_points([random.gauss(100, 3) for _ in range(30)])) for _ in range(200))
    assert found <= 6


def test_few_releases_are_no_series() -> None:
    assert change_points([100.0] * 4 + [50.0] * 5) == []


def test_series_without_any_variance_have_changes_all_the_same() -> None:
    assert change_points([100.0] * 20) == []
    assert [point.index for point in change_points([100.0] * 8 + [90.0] * 8)] == [8]


@pytest.mark.parametrize("factor", [1e299, 1e-299])
@pytest.mark.filterwarnings("error")
def test_changes_are_the_same_however_large_or_small_the_values_are(factor: float) -> None:
    random = Random(6)
    values = [random.gauss(10, 0.1) for _ in range(8)] + [random.gauss(9, 0.1) for _ in range(8)]
    (point,) = change_points([value * factor for value in values])
    (expected,) = change_points(values)
    assert point.index == expected.index
    assert point.p == pytest.approx(expected.p)
    assert (point.before, point.after) == pytest.approx(
        (expected.before * factor, expected.after * factor)
    )

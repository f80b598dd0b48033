"""Relative rates are those of the narrowest table, relative to the base."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.input.report.rates import Rates, relative_rates, renamed_rates

NAMES = st.sampled_from(["16", "17", "18"])
RATES = st.dictionaries(NAMES, st.floats(1e-6, 1e6), min_size=1)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"17": 0.8}, {"16": 1, "17": 0.8}),
        ({"16": 200, "17": 100}, {"16": 1, "17": 0.5}),
        ({"17": 0.8, "insert": {"18": 0.5}}, {"16": 1, "18": 0.5}),
        ({"17": 0.8, "scan": {"18": 0.5}}, {"16": 1, "17": 0.8}),
        ({"17": 0.8, "big": {"17": 0.7}, "insert": {"17": 0.6}}, {"16": 1, "17": 0.6}),
        ({"17": 0.8, "big": {"17": 0.7}}, {"16": 1, "17": 0.7}),
        ({"insert": {"17": 0.6, "big": {"17": 0.5}}}, {"16": 1, "17": 0.5}),
        ({"big": {"17": 0.6, "insert": {"17": 0.5}}}, {"16": 1, "17": 0.5}),
        ({"17": 0.8, "insert": {"small": {"17": 0.5}}}, {"16": 1, "17": 0.8}),
        ({"17": 0.8, "insert": {}}, {"16": 1, "17": 0.8}),
        ({"scan": {"17": 0.5}}, {}),
        ({}, {}),
    ],
)
def test_the_narrowest_table_holds_alone(table: Any, expected: dict[str, float]) -> None:
    assert relative_rates(table, "big", "insert", "16") == expected


@given(RATES, NAMES, st.floats(1e-3, 1e3))
def test_the_unit_of_rates_is_of_no_matter(
    rates: dict[str, float], base: str, factor: float
) -> None:
    rates[base] = rates.get(base, 1.0)
    scaled = {release: rate * factor for release, rate in rates.items()}
    expected = relative_rates(rates, "v", "s", base)
    assert relative_rates(scaled, "v", "s", base) == pytest.approx(expected)
    assert expected[base] == 1


def test_rates_follow_renamed_releases_and_steps() -> None:
    table: Rates = {"a": 0.5, "step": {"a": 0.6, "b": 0.7}}
    renamed = renamed_rates(table, str.upper, str.title)
    assert renamed == {"A": 0.5, "Step": {"A": 0.6, "B": 0.7}}

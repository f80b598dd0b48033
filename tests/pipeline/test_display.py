"""Numbers and names as pages show them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.display import (
    LONGEST_NAME,
    byte_size,
    decimals_for,
    fixed,
    number,
    percent_change,
    plural,
    plural_of,
    short_name,
    signed,
)


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([31204.3, 987.6], 0),
        ([0.1953, 0.04], 4),
        ([9.99], 3),
        ([1e-12], 9),
        ([], 0),
        ([0.0, float("inf")], 0),
        ([-123.4], 1),
    ],
)
def test_the_largest_of_a_column_has_four_digits(values: list[float], decimals: int) -> None:
    assert decimals_for(values) == decimals


def test_numbers_have_thousands_set_apart_and_a_minus_sign() -> None:
    assert fixed(-31204.5, 2) == "−31,204.50"
    assert fixed(float("nan"), 2) == fixed(float("inf"), 0) == "–"
    assert number(1234567.0) == "1,234,567"
    assert number(0.012345) == "0.01235"
    assert number(4.2, 2) == "4.2"


def test_changes_have_a_sign_unless_they_round_to_nothing() -> None:
    assert [signed(value, 2) for value in (4.314, -0.2, 0.001, -0.001, 0.0)] == [
        *("+4.31", "−0.20", "0.00", "0.00", "0.00")
    ]
    assert percent_change(1.043) == "+4.3\N{NO-BREAK SPACE}%"
    assert percent_change(0.9) == "−10.0\N{NO-BREAK SPACE}%"


def test_sizes_and_counts() -> None:
    assert [byte_size(count) for count in (999, 1000, 12_345, 4_560_000, 2 * 10**12)] == [
        *("999 B", "1.00 kB", "12.3 kB", "4.56 MB", "2,000 GB")
    ]
    assert [plural(count, "run") for count in (0, 1, 1000)] == ["0 runs", "1 run", "1,000 runs"]
    assert plural_of("scan of 1000 rows") == "scans of 1000 rows"
    assert [plural_of(noun) for noun in ("query", "key")] == ["queries", "keys"]


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=3 * LONGEST_NAME))
def test_a_long_name_keeps_both_its_ends(name: str) -> None:
    shown = short_name(name)
    if len(name) <= LONGEST_NAME:
        assert shown == name
    else:
        assert len(shown) == LONGEST_NAME
        start, end = shown[: LONGEST_NAME // 2], shown[LONGEST_NAME // 2 + 1 :]
        assert name.startswith(start)
        assert name.endswith(end)
        assert shown == f"{start}…{end}"


def test_what_nobody_sees_in_a_name_is_shown() -> None:
    assert short_name("a\u202eb\x1b[31m\x07\u200b") == "a\ufffdb\ufffd[31m\ufffd\ufffd"
    assert short_name("one\ntwo\tthree\u00a0%") == "one two three\u00a0%"

"""Numbers and names as pages show them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.base.display import (
    LONGEST_NAME,
    brief,
    brief_function,
    byte_size,
    common_namespace,
    decimals_for,
    fixed,
    number,
    percent_change,
    plural,
    plural_of,
    ratio_text,
    row_name,
    short_name,
    signed,
    sortable,
)
from vectors import vectors

NUMBERS = vectors("numbers")
"""JSON has no NaN: numbers that are none are texts there."""


@pytest.mark.parametrize(("values", "digits", "decimals"), NUMBERS["decimals_for"])
def test_the_largest_of_a_column_has_four_digits(
    values: list[float | str], digits: int, decimals: int
) -> None:
    assert decimals_for([float(value) for value in values], digits) == decimals
    assert decimals_for([31204.3, 987.6]) == 0
    assert decimals_for([0.1953, 0.04]) == 4


@pytest.mark.parametrize(("value", "decimals", "text"), NUMBERS["fixed"])
def test_numbers_have_thousands_set_apart_and_a_minus_sign(
    value: float | str, decimals: int, text: str
) -> None:
    assert fixed(float(value), decimals) == text


@pytest.mark.parametrize(("value", "digits", "text"), NUMBERS["number"])
def test_a_number_alone_has_so_many_significant_digits(
    value: float | str, digits: int, text: str
) -> None:
    assert number(float(value), digits) == text


@pytest.mark.parametrize(("value", "decimals", "text"), NUMBERS["signed"])
def test_changes_have_a_sign_unless_they_round_to_nothing(
    value: float | str, decimals: int, text: str
) -> None:
    assert signed(float(value), decimals) == text


@pytest.mark.parametrize(("ratio", "text"), NUMBERS["percent_change"])
def test_a_ratio_is_a_change_in_percent(ratio: float | str, text: str) -> None:
    assert percent_change(float(ratio)) == text


def test_sizes_and_counts() -> None:
    assert [byte_size(count) for count in (999, 1000, 12_345, 4_560_000, 2 * 10**12)] == [
        *("999 B", "1.00 kB", "12.3 kB", "4.56 MB", "2,000 GB")
    ]
    edges = (999_994, 1_000_000, 999_000_000, 10**9, 10**15)
    assert [byte_size(count) for count in edges] == [
        *("1,000 kB", "1.00 MB", "999 MB", "1.00 GB", "1,000,000 GB")
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


def test_a_name_of_more_than_two_hundred_characters_lacks_its_middle() -> None:
    assert short_name("a" * 150 + "b" * 150) == "a" * 100 + "…" + "b" * 99
    assert short_name("a" * 201) == "a" * 100 + "…" + "a" * 99
    assert short_name("a" * 200) == "a" * 200


@pytest.mark.parametrize(("name", "shown"), vectors("row_names"))
def test_of_a_long_function_the_innermost_arguments_go_first(name: str, shown: str) -> None:
    assert row_name(name) == shown


def test_what_nobody_sees_in_a_name_is_shown() -> None:
    assert short_name("a\u202eb\x1b[31m\x07\u200b") == "a\ufffdb\ufffd[31m\ufffd\ufffd"
    assert short_name("one\ntwo\tthree\u00a0%") == "one two three\u00a0%"


@pytest.mark.parametrize(
    ("name", "brief"),
    [
        ("memcpy", "memcpy"),
        ("db::Heap<db::Item*, std::less<int> >::push", "Heap::push"),
        ("db::(anonymous namespace)::List::find", "List::find"),
        ("<T as core::Trait>::method", "method"),
        ("std::operator<<", "std::operator<<"),
        ("<lambda>", "<lambda>"),
    ],
)
def test_sentences_name_a_function_with_its_class_alone(name: str, brief: str) -> None:
    assert brief_function(name) == brief


@pytest.mark.parametrize(
    ("names", "namespace"),
    [
        (["db::A::f", "db::B<x::Y>::g", "db::C::h", "db::f", "db::D::i", "main"], "db::"),
        (["db::A::f", "db::B::g", "db::C::h", "main"], ""),
        (["z::A::f"] * 4 + ["db::A::f"] * 5 + ["a::A::f"] * 4, "db::"),
        (["A::f", "A::g", "A::h", "A::i"], ""),
        (["A<db::x, db::y>::f"] * 4, ""),
        (["(anonymous namespace)::A::f"] * 4, "(anonymous namespace)::"),
        ([], ""),
    ],
    ids=["of four", "of three", "of most", "a class", "arguments", "anonymous", "no names"],
)
def test_the_namespace_of_many_classes_is_said_once(names: list[str], namespace: str) -> None:
    assert common_namespace(names) == namespace


def test_a_ratio_in_a_sentence_has_no_digits_that_say_nothing() -> None:
    assert [ratio_text(each) for each in (0.50312, 1.04349, 9.9994, 10, 54.664, 1234.56)] == [
        "0.503",
        "1.043",
        "9.999",
        "10.0",
        "54.7",
        "1,234.6",
    ]


def test_a_ratio_that_tables_sort_by_has_seven_digits() -> None:
    assert sortable(1.23456789) == 1.234568
    assert sortable(0.000123456789) == 0.0001234568


def test_long_words_among_facts_lack_their_middles() -> None:
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    assert brief(f"gcc {alphabet} 12.2") == f"gcc {alphabet} 12.2"
    assert brief(f"gcc {alphabet}0 12.2") == "gcc abcdefghijk…pqrstuvwxyz0 12.2"

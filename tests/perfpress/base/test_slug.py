"""Slugs are safe in addresses and file names, and names that would share one are found."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.base.slugs import LONGEST, collisions, reserved, shortened, slug

names = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="aB.-_@/ =é\u0301İßﬁ東٣", max_size=300),
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("l.i1", "l.i1"),
        ("insert range=100", "insert-range-100"),
        ("PostgreSQL 18", "postgresql-18"),
        ("cy9c5_u", "cy9c5_u"),
        ("18-rc.1", "18-rc.1"),
        ("@lto", "lto"),
        ("../../etc/passwd", "etc-passwd"),
        ("<script>", "script"),
        ("Ünïcode", "unicode"),
        ("a--b", "a-b"),
        ("_index", "index"),
    ],
)
def test_a_name_becomes_lower_case_ascii(name: str, expected: str) -> None:
    assert slug(name) == expected


def test_a_name_without_ascii_letters_keeps_a_slug_of_its_own() -> None:
    assert re.fullmatch(r"[0-9a-f]{8}", slug("東京"))
    assert slug("東京") != slug("大阪")
    assert slug("東京 8").startswith("8-")
    assert slug("?") != slug("!")
    assert re.fullmatch(r"[0-9a-f]{8}", slug(""))


def test_a_long_name_is_cut_and_stays_unique() -> None:
    first, second = slug("x" * 1000 + "a"), slug("x" * 1000 + "b")
    assert first != second
    assert len(first) <= LONGEST


@given(names)
def test_slugs_are_safe_whatever_the_name(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?", slug(name)), slug(name)
    assert "--" not in slug(name), "two dashes part the pieces of a variant"
    assert len(slug(name)) <= LONGEST


@given(names)
def test_a_slug_is_its_own_slug(name: str) -> None:
    assert slug(slug(name)) == slug(name)


@given(names)
def test_case_and_unicode_form_do_not_matter(name: str) -> None:
    for form in ("NFC", "NFD"):
        assert slug(unicodedata.normalize(form, name)) == slug(name)


@given(st.text(alphabet="abcXYZ019 .-_é", max_size=40))
def test_upper_case_has_the_slug_of_lower_case(name: str) -> None:
    assert slug(name.upper()) == slug(name.lower())


@given(st.text(alphabet="abc-._", min_size=1, max_size=400), st.integers(20, 200))
def test_shortening_keeps_to_the_limit(text: str, longest: int) -> None:
    assert len(shortened(text, longest)) <= longest
    if len(text) <= longest:
        assert shortened(text, longest) == text


@pytest.mark.parametrize("name", ["steps", "compare", "Steps", "feed.xml", "index.html", "INDEX"])
def test_addresses_beside_releases_are_reserved(name: str) -> None:
    assert reserved(name, "release") == slug(name)


@pytest.mark.parametrize("name", ["vs", "VS", "flamegraph.svg", "profile.json", "stacks.folded.gz"])
def test_addresses_beside_steps_are_reserved(name: str) -> None:
    assert reserved(name, "step") == slug(name)


def test_a_name_is_reserved_only_at_its_level() -> None:
    assert reserved("vs", "release") is None
    assert reserved("steps", "step") is None
    assert reserved("18", "release") is None


def test_entries_that_share_a_slug_are_found() -> None:
    names = ["C", "C++", "Go", "c", "Caf\u00e9", "Cafe\u0301", "Go"]
    assert collisions(names) == {"c": [0, 1, 3], "cafe": [4, 5], "go": [2, 6]}
    assert collisions(["a", "b"]) == {}

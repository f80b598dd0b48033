"""Names of functions in little room."""

import pytest
from perfpress.base.display import fitted_function, shortened_middle

NAME = "db::Map<db::Key, std::pair<int, db::Value> >::insert"


@pytest.mark.parametrize(
    ("longest", "shown"),
    [
        (60, NAME),
        (30, "db::Map<…>::insert"),
        (18, "db::Map<…>::insert"),
        (15, "db::Map::insert"),
        (14, "…::Map::insert"),
        (12, "…::insert"),
        (6, "insert"),
        (5, "in…rt"),
    ],
)
def test_what_says_least_goes_first(longest: int, shown: str) -> None:
    assert fitted_function(NAME, longest) == shown


def test_a_name_without_scopes_lacks_its_middle() -> None:
    assert fitted_function("btr_cur_search_to_nth_level", 11) == "btr_c…level"
    assert fitted_function("operator<", 8) == "oper…or<"
    assert fitted_function("sort<Key, Value>", 8) == "sort", "its arguments go first"


def test_a_name_of_two_scopes_loses_the_first() -> None:
    assert fitted_function("storage::read_the_page", 22) == "storage::read_the_page"
    assert fitted_function("storage::read_the_page", 21) == "…::read_the_page"


def test_the_middle_goes_to_the_character() -> None:
    assert shortened_middle("abcdef", 6) == "abcdef"
    assert shortened_middle("abcdefg", 6) == "abc…fg"

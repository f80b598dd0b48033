"""The anchors of rows that functions name."""

from perfpress.site.tables.columns import LONGEST_KEY, row_keys


def test_a_row_is_named_by_its_function_wherever_it_is() -> None:
    assert row_keys(["ExecScan", "std::sort<int>"]) == ("execscan", "std-sort-int")
    assert row_keys(["std::sort<int>", "ExecScan"]) == ("std-sort-int", "execscan")


def test_no_two_rows_have_the_same_key() -> None:
    keys = row_keys(["operator<", "operator>", "operator", "<", ">", "😀", "operator-2"])
    assert len(set(keys)) == len(keys)
    assert keys[:3] == ("operator", "operator~2", "operator~3")


def test_a_long_name_is_cut_and_stays_unique() -> None:
    keys = row_keys(["f" * 10**6, "f" * 10**6 + "g"])
    assert len(set(keys)) == 2
    assert all(len(key) <= LONGEST_KEY for key in keys)

"""Tests for sorting values into groups."""

from perfpress.base.groups import grouped


def test_keys_and_values_keep_their_order() -> None:
    found = grouped(["insert", "update", "index", "upsert", "scan"], lambda name: name[0])
    assert list(found.items()) == [
        ("i", ("insert", "index")),
        ("u", ("update", "upsert")),
        ("s", ("scan",)),
    ]

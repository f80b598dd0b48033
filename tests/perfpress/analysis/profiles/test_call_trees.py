"""What a function called, releases side by side."""

from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.paths.parse import parse_path
from perfpress.analysis.profiles.call_tree import CallTreeShares, TreeWeight, calltree
from perfpress.site.formats.call_tree_text import calltree_text
from profile_samples import Stacks, profile_of_stacks

OLD: Stacks = {("db", "log", "write"): 40, ("db", "log", "sync", "flush"): 10, ("db", "idle"): 50}
NEW: Stacks = {("db", "log", "write", "pad"): 60, ("db", "log", "small"): 1, ("db", "idle"): 39}

frames = st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(lambda each: ("t", *each))
profiles = st.dictionaries(frames, st.integers(1, 50), min_size=1, max_size=8)


def tree_of(
    releases: Mapping[str, Stacks | None],
    root: str = "log",
    joined: Mapping[str, str] | None = None,
    threshold: float = 5.0,
    depth: int = 2,
) -> CallTreeShares:
    made = {
        release: None if stacks is None else profile_of_stacks(stacks)
        for release, stacks in releases.items()
    }
    return calltree(parse_path(root), made, joined or {}, threshold, depth)


def rows_of(tree: CallTreeShares) -> list[tuple[int, str, list[float | None]]]:
    return [
        (
            row.depth,
            row.name,
            [None if each is None else round(each.share, 4) for each in row.weights],
        )
        for row in tree.rows
    ]


def test_callees_are_below_their_caller_the_heaviest_first() -> None:
    tree = tree_of({"old": OLD, "new": NEW})
    assert rows_of(tree) == [
        (0, "log", [0.5, 0.61]),
        (1, "write", [0.4, 0.6]),
        (2, "pad", [None, 0.6]),
        (1, "sync", [0.1, None]),
        (2, "flush", [0.1, None]),
    ]
    assert tree.releases == ("old", "new")
    assert tree.left_out == 1
    old, new = tree.rows[1].weights
    assert (old, new) == (TreeWeight(0.4, 40, "write"), TreeWeight(0.6, 60, "write"))


def test_depth_and_threshold_bound_the_tree() -> None:
    shallow = rows_of(tree_of({"old": OLD, "new": NEW}, depth=1))
    assert [name for _, name, _ in shallow] == ["log", "write", "sync"]
    assert len(tree_of({"old": OLD, "new": NEW}, threshold=0.1).rows) == 6
    assert len(tree_of({"old": OLD, "new": NEW}, threshold=20).rows) == 3


def test_a_callee_is_kept_that_weighs_as_much_as_the_threshold_in_one_release() -> None:
    # sync has 10 % of the old release, small 1 % of the new one
    kept = tree_of({"old": OLD, "new": NEW}, threshold=10, depth=1)
    assert ([row.name for row in kept.rows], kept.left_out) == (["log", "write", "sync"], 1)
    fewer = tree_of({"old": OLD, "new": NEW}, threshold=10.05, depth=1)
    assert ([row.name for row in fewer.rows], fewer.left_out) == (["log", "write"], 2)


def test_a_name_in_two_classes_is_two_functions() -> None:
    tree = tree_of({"only": {("db", "log", "write"): 30, ("db", "log", "write_[k]"): 10}})
    assert rows_of(tree)[1:] == [(1, "write", [0.75]), (1, "write", [0.25])]


def test_other_names_are_one_row_and_a_release_without_a_profile_has_none() -> None:
    renamed: Stacks = {("db", "log", "store"): 60, ("db", "idle"): 40}
    tree = tree_of({"old": OLD, "none": None, "new": renamed}, joined={"store": "write"}, depth=1)
    assert (1, "store", [0.4, None, 0.6]) in rows_of(tree)


def test_without_the_root_there_is_no_tree() -> None:
    tree = tree_of({"old": OLD}, root="nothing")
    assert (tree.releases, tree.rows, tree.left_out) == (("old",), (), 0)
    assert "no such frame" in calltree_text(tree, {"old": "old"}, "cycles")


@given(profiles)
def test_a_sample_counts_once_however_the_root_recurs(stacks: Stacks) -> None:
    tree = tree_of({"only": stacks}, root="a", threshold=0.001, depth=1)
    whole = sum(stacks.values())
    inside = sum(weight for stack, weight in stacks.items() if "a" in stack)
    if not inside:
        assert tree.rows == ()
        return
    root = tree.rows[0].weights[0]
    assert root is not None
    assert root.weight == inside
    assert root.share == inside / whole
    for row in tree.rows[1:]:
        below = row.weights[0]
        assert below is not None
        called = [weight for stack, weight in stacks.items() if ("a", row.name) in pairwise(stack)]
        assert below.weight == sum(called)

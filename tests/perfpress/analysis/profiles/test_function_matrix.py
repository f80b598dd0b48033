"""All functions of several profiles, counted against their stacks one by one."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.profiles import function_matrix as module
from perfpress.analysis.profiles.function_matrix import (
    OTHERS,
    FunctionMatrix,
    JoinedTree,
    function_matrix,
)
from profile_samples import Stacks, profile_of_stacks

frames = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(lambda each: ("t", *each))
profiles = st.dictionaries(frames, st.integers(1, 50), min_size=1, max_size=8)


def paths_of(tree: JoinedTree, matrix: FunctionMatrix, release: int) -> dict[tuple[str, ...], int]:
    """Return the weights of the tree's nodes by call path; `…` for those that were summed up."""
    paths: list[tuple[str, ...]] = [()]
    weights = {}
    for node in range(1, len(tree.parent)):
        function = tree.function[node]
        name = "…" if function == OTHERS else matrix.functions[function].key
        paths.append((*paths[tree.parent[node]], name))
        if weight := tree.selfs[release][node]:
            weights[paths[node]] = weight
    return weights


@given(st.lists(profiles, min_size=1, max_size=3))
def test_a_sample_counts_once_for_each_function_on_its_stack(made: list[Stacks]) -> None:
    matrix = function_matrix([profile_of_stacks(each) for each in made])
    assert matrix.totals == tuple(sum(each.values()) for each in made)
    for function in matrix.functions:
        key = function.key
        for stacks, total, own in zip(made, function.totals, function.selfs, strict=True):
            assert total == sum(weight for stack, weight in stacks.items() if key in stack)
            assert own == sum(weight for stack, weight in stacks.items() if stack[-1] == key)


@given(st.lists(profiles, min_size=1, max_size=3))
def test_the_joined_tree_holds_every_stack_of_every_release(made: list[Stacks]) -> None:
    matrix = function_matrix([profile_of_stacks(each) for each in made])
    for release, stacks in enumerate(made):
        assert paths_of(matrix.tree, matrix, release) == stacks
    assert matrix.tree.left_out == 0


@given(st.lists(profiles, min_size=1, max_size=3), st.integers(1, 6))
def test_what_has_no_room_is_summed_up_below_its_caller(made: list[Stacks], most: int) -> None:
    whole = function_matrix([profile_of_stacks(each) for each in made])
    matrix = function_matrix([profile_of_stacks(each) for each in made], most_nodes=most)
    tree = matrix.tree
    assert len([each for each in tree.function[1:] if each != OTHERS]) < most
    assert all(parent < node for node, parent in enumerate(tree.parent))
    assert tree.left_out == max(0, len(whole.tree.parent) - most)
    for own, stacks in zip(tree.selfs, made, strict=True):
        assert sum(own) == sum(stacks.values())


def test_the_more_releases_the_fewer_frames_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WEIGHTS", 12)
    stacks: Stacks = {("t", f"f{at}"): 100 - at for at in range(8)}
    for releases, kept in ((1, 10), (2, 6), (4, 3)):
        tree = function_matrix([profile_of_stacks(stacks)] * releases).tree
        frames = [each for each in tree.function[1:] if each != OTHERS]
        assert len(frames) + 1 == kept
        assert all(sum(own) == sum(stacks.values()) for own in tree.selfs)


def test_the_functions_come_by_their_largest_share_in_any_release() -> None:
    old: Stacks = {("t", "old"): 9, ("t", "both"): 1}
    new: Stacks = {("t", "new"): 800, ("t", "both"): 200}
    matrix = function_matrix([profile_of_stacks(old), profile_of_stacks(new)])
    assert [each.key for each in matrix.functions] == ["t", "old", "new", "both"]


def test_other_names_of_a_function_are_one_row() -> None:
    joined: Mapping[str, str] = {"renamed": "old"}
    matrix = function_matrix(
        [profile_of_stacks({("t", "old"): 2}), profile_of_stacks({("t", "renamed"): 3})], joined
    )
    (row,) = [each for each in matrix.functions if each.frame_class == "user"]
    assert (row.key, row.name, row.totals) == ("old", "renamed", (2, 3))
    assert len(matrix.tree.parent) == 3

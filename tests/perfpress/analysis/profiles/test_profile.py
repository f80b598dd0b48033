"""Profile files as arrays."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.profiles.profile import (
    FunctionWeight,
    Profile,
    function_weights,
    profile_of,
    read_profile,
)
from perfpress.base.problems import BadInput, Problem
from profile_samples import Stacks, file_bytes, profile_file_of, profile_of_stacks
from vectors import spoilt, vectors

STACKS: Stacks = {
    ("db", "main"): 4,
    ("db", "main", "run"): 6,
    ("db", "main", "run", "main", "read_[k]"): 10,
    ("low", "run"): 20,
}

frames = st.sampled_from(["a", "b", "c", "d_[k]"])
stacks = st.dictionaries(
    st.lists(frames, min_size=1, max_size=6).map(tuple),
    st.integers(1, 2**60),
    min_size=1,
    max_size=12,
)


def test_totals_include_what_was_called() -> None:
    profile = profile_of_stacks(STACKS)
    totals = {
        profile.path(node): profile.exact(weight)
        for node, weight in enumerate(profile.total_weights)
    }
    assert totals == {
        (): 40,
        ("db",): 20,
        ("db", "main"): 20,
        ("db", "main", "run"): 16,
        ("db", "main", "run", "main"): 10,
        ("db", "main", "run", "main", "read"): 10,
        ("low",): 20,
        ("low", "run"): 20,
    }
    assert profile.scale == 2


def test_a_function_that_recurs_counts_a_sample_once() -> None:
    weights = {each.key: each for each in function_weights(profile_of_stacks(STACKS))}
    assert (weights["main"].self_weight, weights["main"].total_weight) == (4, 20)
    assert (weights["run"].self_weight, weights["run"].total_weight) == (26, 36)
    assert weights["read"].frame_class == "kernel"
    assert "all" not in weights


def test_names_of_one_key_are_one_function() -> None:
    keys = {"run.cold": "run"}
    tree = {("db", "run.cold", "run"): 5, ("db", "run"): 2}
    weights = {each.key: each for each in function_weights(profile_of_stacks(tree, keys))}
    assert (weights["run"].self_weight, weights["run"].total_weight) == (7, 7)
    assert set(weights["run"].names) == {"run", "run.cold"}


@given(stacks)
def test_weights_are_exact_and_function_totals_agree_with_the_stacks(tree: Stacks) -> None:
    profile = profile_of_stacks(tree)
    assert profile.total == sum(tree.values())
    for function in function_weights(profile):
        spelled = function.key + ("_[k]" if function.frame_class == "kernel" else "")
        if function.frame_class == "thread":
            expected = sum(weight for stack, weight in tree.items() if stack[0] == function.key)
        else:
            expected = sum(weight for stack, weight in tree.items() if spelled in stack[1:])
        if not (function.frame_class == "thread" and function.key == "d_[k]"):
            assert function.total_weight == expected


@given(stacks, st.data())
def test_below_and_nearest_above_agree_with_walking_up(tree: Stacks, data: st.DataObject) -> None:
    profile = profile_of_stacks(tree)
    count = len(profile.parent)
    marked = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    below, nearest = profile.below(marked), profile.nearest_above(marked)
    for node in range(count):
        above = int(profile.parent[node])
        while above >= 0 and not marked[above]:
            above = int(profile.parent[above])
        assert nearest[node] == above
        assert below[node] == (above >= 0)


def test_weights_written_as_text_stay_exact(tmp_path: Path) -> None:
    tree: Stacks = {("db", "wait"): 2**70 + 1, ("db", "run"): 2}
    path = tmp_path / "profile.json"
    path.write_bytes(file_bytes(tree))
    profile = read_profile(path, "profile.json")
    assert profile.self_weights.dtype == object
    assert profile.total == 2**70 + 3
    assert function_weights(profile)[0].total_weight == 2**70 + 3


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("weight", [2**62, 2**63, 2**64 + 1])
def test_weights_of_any_size_add_up(as_text: bool, weight: int) -> None:
    file = profile_file_of({("db", "wait"): 1, ("db", "run"): 1, ("log", "wait"): 1})
    weights = [weight * int(each) for each in file.self_weights]
    columns = {
        "self_weights": [str(each) for each in weights] if as_text else weights,
        "self_samples": weights,
        "samples": 3 * weight,
        "total": str(3 * weight),
    }
    profile = profile_of(msgspec.structs.replace(file, **columns))
    assert profile.total == 3 * weight
    everything = np.ones(len(weights), dtype=bool)
    assert profile.weight_of(everything) == 3 * weight
    assert profile.samples_of(everything) == 3 * weight
    assert function_weights(profile)[0].total_weight == 2 * weight


def test_a_compressed_file_is_the_same_profile(tmp_path: Path) -> None:
    path = tmp_path / "profile.json.gz"
    path.write_bytes(gzip.compress(file_bytes(STACKS)))
    assert read_profile(path, "profile.json.gz").total == 40


VECTORS = vectors("profile_faults")


def read_text(directory: Path, text: str) -> Profile:
    path = directory / "profile.json"
    path.write_text(text, encoding="utf-8")
    return read_profile(path, "a.json")


@pytest.mark.parametrize("fault", VECTORS["faults"], ids=lambda fault: fault[0])
def test_a_profile_with_a_fault_is_refused(fault: list[Any], tmp_path: Path) -> None:
    _, place, *value = fault
    with pytest.raises(BadInput) as raised:
        read_text(tmp_path, json.dumps(spoilt(VECTORS["profile"], place, *value)))
    (problem,) = raised.value.problems
    assert problem.path == "a.json"
    assert problem.found


@pytest.mark.parametrize("change", VECTORS["sound"], ids=lambda change: change[0])
def test_a_sound_profile_is_read(change: list[Any], tmp_path: Path) -> None:
    columns = VECTORS["profile"] | change[1]
    assert read_text(tmp_path, json.dumps(columns)).total == int(columns["total"])


@pytest.mark.parametrize(
    ("place", "value", "found"),
    [
        (["total"], "18", "add up to 16, not 18"),
        (["parent", 1], 2, "is not below its parent"),
        (["name", 2], 5, "refers to no name"),
        (["names"], ["all"], "1 names"),
        (["self_samples"], [1], "1 counts"),
        (["self", 2], -5, "$.self"),
        (["self", 2], "5", "some are numbers and some are texts"),
    ],
)
def test_what_contradicts_itself_is_named(
    place: list[str | int], value: Any, found: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput) as raised:
        read_text(tmp_path, json.dumps(spoilt(VECTORS["profile"], place, value)))
    assert found in raised.value.problems[0].found


@pytest.mark.parametrize("text", VECTORS["texts"])
def test_what_is_no_profile_is_bad_input(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        read_text(tmp_path, text)


@pytest.mark.parametrize("content", [b"\x1f\x8bx", b"\xff\xfe"])
def test_bytes_that_are_no_text_are_bad_input(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_bytes(content)
    with pytest.raises(BadInput):
        read_profile(path, "a.json")


def test_what_cannot_be_read_says_what_was_expected_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as raised:
        read_profile(tmp_path / "none.json", "a.json")
    (problem,) = raised.value.problems
    assert problem.found.startswith("cannot be read ([Errno 2]")
    assert msgspec.structs.replace(problem, found="") == Problem(
        path="a.json",
        found="",
        expected="a profile as 'perfpress fold -o NAME.json' writes it, version 1",
        do="fold the captures again",
    )


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"parent": [], "name": [], "self_weights": []}, "0 parents, 0 names of nodes"),
        ({"parent": [-1, -1]}, "node 1 is not below its parent -1"),
        ({"name": [0, 2]}, "a node refers to no name"),
    ],
)
def test_columns_that_contradict_each_other_are_no_profile(
    columns: dict[str, Any], found: str
) -> None:
    file = profile_file_of({("db",): 5})
    with pytest.raises(ValueError, match=f"^{found}$"):
        profile_of(msgspec.structs.replace(file, **columns))


def test_weights_are_64_bit_integers_as_long_as_their_sum_is_one() -> None:
    for total, kind in ((2**63 - 1, np.int64), (2**63, object)):
        file = msgspec.structs.replace(
            profile_file_of({("db",): 5}), scale=1, self_weights=[0, total], total=str(total)
        )
        assert profile_of(file).self_weights.dtype == kind


def test_a_function_of_the_program_and_of_a_library_is_one_with_both_names() -> None:
    stacks: Stacks = {("db", "read"): 3, ("db", "read_[l]"): 5, ("db", "read_[k]"): 7}
    assert function_weights(profile_of_stacks(stacks)) == [
        FunctionWeight("db", "thread", ("db",), 0, 15),
        FunctionWeight("read", "user", ("read", "read"), 8, 8),
        FunctionWeight("read", "kernel", ("read",), 7, 7),
    ]

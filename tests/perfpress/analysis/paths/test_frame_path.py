"""The shortest path that finds a frame in a graph, as the viewer reads it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.paths.frame_path import frame_path, function_path
from perfpress.analysis.profiles.profile import Profile
from profile_samples import Stacks, profile_of_stacks
from vectors import vectors

VECTORS = vectors("frame_paths")
"""A frame `name_[k]` is of the kernel."""

frames = st.lists(st.sampled_from(("a", "b", "a_[k]", "b c")), min_size=1, max_size=5)
profiles = st.dictionaries(
    frames.map(lambda each: ("t", *each)), st.integers(0, 50), min_size=1, max_size=8
)


def node_of(profile: Profile, *path: str) -> int:
    return next(node for node in range(len(profile.parent)) if profile.path(node) == path)


@pytest.mark.parametrize("case", VECTORS["frames"])
def test_a_path_is_as_long_as_it_must_be(case: dict[str, Any]) -> None:
    profile = profile_of_stacks({tuple(frames): weight for frames, weight in case["stacks"]})
    for path, written in case["paths"]:
        assert frame_path(profile, node_of(profile, *path)) == written


@given(profiles)
def test_frames_have_paths_of_their_own_unless_all_is_the_same(stacks: Stacks) -> None:
    profile = profile_of_stacks(stacks)
    paths = [frame_path(profile, node) for node in range(1, len(profile.parent))]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(("key", "family", "written"), VECTORS["functions"])
def test_a_function_has_the_path_of_its_class_and_key(key: str, family: str, written: str) -> None:
    assert function_path(key, family) == written

"""The shortest path that finds a frame in a graph, as the viewer reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profile_samples import Stacks, profile_of_stacks

from pipeline.paths.frame_path import frame_path, function_path
from pipeline.profile import Profile

frames = st.lists(st.sampled_from(("a", "b", "a_[k]", "b c")), min_size=1, max_size=5)
profiles = st.dictionaries(
    frames.map(lambda each: ("t", *each)), st.integers(0, 50), min_size=1, max_size=8
)


def node_of(profile: Profile, *path: str) -> int:
    return next(node for node in range(len(profile.parent)) if profile.path(node) == path)


@pytest.mark.parametrize(
    ("stacks", "path", "written"),
    [
        ({("t", "a", "b"): 2, ("t", "b"): 1}, ("t", "a", "b"), "b"),
        ({("t", "a", "b"): 1, ("t", "b"): 2}, ("t", "a", "b"), "a > b"),
        ({("t", "a", "b"): 1, ("t", "c", "b"): 2, ("t", "b"): 3}, ("t", "a", "b"), "a > b"),
        ({("t", "a"): 1, ("a", "b"): 5}, ("t", "a"), "[user]a"),
        ({("t", "a"): 1, ("a", "b"): 5}, ("a",), "a"),
        ({("t", 'say "x"'): 1}, ("t", 'say "x"'), '"say \\"x\\""'),
        ({("t", "of"): 1}, ("t", "of"), '"of"'),
    ],
)
def test_a_path_is_as_long_as_it_must_be(
    stacks: Stacks, path: tuple[str, ...], written: str
) -> None:
    profile = profile_of_stacks(stacks)
    assert frame_path(profile, node_of(profile, *path)) == written


@given(profiles)
def test_frames_have_paths_of_their_own_unless_all_is_the_same(stacks: Stacks) -> None:
    profile = profile_of_stacks(stacks)
    paths = [frame_path(profile, node) for node in range(1, len(profile.parent))]
    assert len(set(paths)) == len(paths)


def test_a_function_has_the_path_of_its_class_and_key() -> None:
    assert function_path("memcmp", "user") == "[user]memcmp"
    assert function_path("operator > (int)", "kernel") == '[kernel]"operator > (int)"'

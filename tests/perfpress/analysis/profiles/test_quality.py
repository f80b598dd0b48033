"""How good a profile is: what was captured, lost, cut, unknown; and what its code does."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from captured_samples import profile_with, profiled
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.profiles.captures import captured_runs, spread_between
from perfpress.analysis.profiles.function_kinds import FUNCTION_KINDS, OTHER, FunctionKinds
from perfpress.analysis.profiles.quality import DEEPEST_OF_PERF, Quality, quality_of
from perfpress.analysis.study.study import StepRun
from perfpress.input.report.front_matter import FunctionKindNames
from profile_samples import Stacks, profile_of_stacks

KINDS = FunctionKinds()


def quality_of_stacks(stacks: Stacks) -> Quality:
    return quality_of(profile_of_stacks(stacks), [], KINDS)


def test_what_was_captured_lost_and_left_out_is_counted(tmp_path: Path) -> None:
    runs = [
        profiled(tmp_path / "a", count=2, capture={"frequency": 99.0, "lost": 9}),
        profiled(tmp_path / "b", count=1, capture={"frequency": 99.0}),
    ]
    quality = quality_of(profile_with(runs, samples=10, partial=1), runs, KINDS)
    # How long the one lasted that ends too early is not known.
    assert (quality.captures, quality.partial_captures, quality.seconds) == (3, 1, 20.0)
    assert (quality.scopes, quality.frequencies) == (("process",), (99.0,))
    # Of the first run run.toml knows of 9, of the second its only capture of 2.
    assert (quality.samples, quality.lost) == (10, 11)
    assert quality.lost_share == pytest.approx(11 / 21)
    assert quality.skipped == (("no stack", 9),)
    assert quality.by_class == (("user", 0.6), ("kernel", 0.4))


def test_libraries_have_the_weight_of_their_functions_alone_the_heaviest_first() -> None:
    stacks: Stacks = {("db", "main", "f"): 3, ("db", "main"): 2, ("db", "g"): 3, ("db", "h"): 2}
    profile = profile_of_stacks(stacks)
    of = {"main": "db", "f": "libc.so.6", "g": "[kernel]"}
    with_libraries = replace(profile, libraries=tuple(of.get(name, "") for name in profile.names))
    quality = quality_of(with_libraries, [], KINDS)
    assert quality.by_library == (("[kernel]", 0.3), ("libc.so.6", 0.3), ("db", 0.2))
    assert quality_of(profile, [], KINDS).by_library == ()


def test_seconds_that_are_not_stated_are_not_known(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a"), profiled(tmp_path / "b", capture={"seconds": None})]
    assert quality_of(profile_with(runs), runs, KINDS).seconds is None


@pytest.mark.parametrize(
    ("stacks", "unknown", "no_start"),
    [
        ({("db", "_start", "main"): 3, ("db", "[unknown]"): 1}, 0.25, 0.25),
        ({("db", "_start", "[libc.so.6]", "f"): 3, ("db", "clone3", "g"): 1}, 0.0, 0.0),
        ({("db", "main", "f"): 3, ("db", "main", "0x00007f3a5c0a1b20"): 1}, 0.25, 0.0),
        ({("java", "Interpreter", "run"): 1}, 0.0, None),
        ({("db",): 1, ("db", "main"): 1}, 0.0, 0.5),
        ({("db", "f", "main"): 1, ("db", "main"): 3}, 0.0, 0.25),
    ],
)
def test_unknown_frames_and_stacks_without_a_start(
    stacks: Stacks, unknown: float, no_start: float | None
) -> None:
    quality = quality_of_stacks(stacks)
    assert (quality.unknown, quality.no_start) == (unknown, no_start)


def test_names_that_a_minifier_made() -> None:
    names = ("Bt (app/dist/main.js)", "n (dist/main.mjs)", "get (dist/main.js)", "n (app/w.py)")
    assert quality_of_stacks({("node", name): 1 for name in (*names, "n")}).minified == 0.4


def deep(frames: int, first: str = "f0", last: str = "") -> tuple[str, ...]:
    """Return a stack of so many frames below its thread."""
    names = [first, *(f"f{at}" for at in range(1, frames))]
    return ("db", *names, *([last] if last else []))


@pytest.mark.parametrize(
    ("stacks", "cut_off"),
    [
        ({deep(DEEPEST_OF_PERF): 1, deep(3): 3}, 0.25),
        # of perf's limit, but whole
        ({deep(DEEPEST_OF_PERF, "main"): 1, deep(3): 3}, 0.0),
        # perf does not count frames that it finds to be inlined
        ({deep(DEEPEST_OF_PERF, last="g_[i]"): 1, deep(3): 3}, 0.25),
        ({deep(DEEPEST_OF_PERF - 1, last="g_[i]"): 1, deep(3): 3}, 0.0),
        # a deeper one shows that the limit was another
        ({deep(DEEPEST_OF_PERF): 1, deep(DEEPEST_OF_PERF + 1, "g"): 3}, 0.0),
        # what our own readers kept of a stack too deep
        ({("db", "[stack cut off]", "f"): 1, deep(3): 1}, 0.5),
        ({deep(DEEPEST_OF_PERF - 1): 1}, 0.0),
    ],
)
def test_stacks_cut_at_a_limit_of_their_depth(stacks: Stacks, cut_off: float) -> None:
    quality = quality_of_stacks(stacks)
    assert quality.cut_off == cut_off
    assert quality.unknown == 0.0


def test_threads_that_ended_unnamed_are_counted() -> None:
    keys = {":4711": ":exited", ":4712": ":exited"}
    stacks: Stacks = {(":4711", "f"): 1, (":4712",): 2, ("db", "f"): 7, ("db", ":4711"): 10}
    quality = quality_of(profile_of_stacks(stacks, keys), [], KINDS)
    assert (quality.exited_threads, quality.exited) == (2, 0.15)


def test_a_profile_that_weighs_nothing_has_a_quality() -> None:
    quality = quality_of_stacks({("db", "f"): 0})
    assert (quality.unknown, quality.no_start, quality.cut_off, quality.exited) == (0, None, 0, 0)


def weighing(runs: Sequence[StepRun], weights: Sequence[int], **changes: object) -> Quality:
    """Return the quality of a profile whose captures have those weights."""
    profile = profile_with(list(runs), {("db", "run"): sum(weights)})
    held = tuple(
        msgspec.structs.replace(capture, weight=str(weight), **changes)
        for capture, weight in zip(profile.captures, weights, strict=True)
    )
    return quality_of(replace(profile, captures=held), runs, KINDS)


def test_the_spread_is_of_what_captures_weigh_in_a_second(tmp_path: Path) -> None:
    longer = profiled(tmp_path / "b", count=1, capture={"seconds": 20.0})
    runs = [profiled(tmp_path / "a", count=3), longer]
    spread = weighing(runs, [100, 110, 90, 220]).spread
    assert spread is not None
    assert (spread.captures, spread.low, spread.middle, spread.high) == (4, 9.0, 10.5, 11.0)
    assert spread.relative == pytest.approx(2 / 10.5)


def test_no_spread_is_made_up(tmp_path: Path) -> None:
    two = [profiled(tmp_path / "a", count=2)]
    assert weighing(two, [100, 110]).spread is None
    three = [profiled(tmp_path / "b", count=3)]
    assert weighing(three, [100, 110, 120]).spread is not None
    assert weighing(three, [100, 110, 120], partial=True).spread is None
    assert weighing(three, [100, 110, 120], shares_only="a full ring").spread is None
    unknown = [profiled(tmp_path / "c", count=3, capture={"seconds": None})]
    assert weighing(unknown, [100, 110, 120]).spread is None


def test_a_cut_capture_is_not_in_the_spread(tmp_path: Path) -> None:
    runs = [profiled(tmp_path / "a", count=4)]
    spread = spread_between(captured_runs(profile_with(runs, partial=1), runs))
    assert spread is not None
    assert spread.captures == 3


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("allocator", ["malloc", "_int_malloc", "operator new[]", "je_arena_malloc_hard"]),
        ("allocator", ["AllocSetAlloc", "palloc0", "tcmalloc::ThreadCache::Allocate"]),
        (
            "allocator",
            ["rocksdb::Arena::AllocateAligned", "kmem_cache_alloc", "ut_allocator<int>::f"],
        ),
        ("memory", ["memcpy", "memcmp", "strlen", "__memcpy_chk", "clear_page_erms"]),
        ("memory", ["runtime.memmove", "copy_user_enhanced_fast_string"]),
        ("locks", ["pthread_mutex_lock", "___pthread_mutex_lock", "__lll_lock_wait"]),
        ("locks", ["LWLockAcquire", "rw_lock_s_lock_spin", "native_queued_spin_lock_slowpath"]),
        ("locks", ["PolicyMutex<TTASEventMutex<GenericPolicy> >::enter", "std::mutex::lock"]),
        (OTHER, ["main", "freedom", "string_compare", "_raw_spin_unlock_irqrestore", "mi_rkey"]),
        (OTHER, ["clear_page_dirty_for_io", "Field_str::memcpy_field_possible", "kfree_skb"]),
        (OTHER, ["[unknown]", "", "m" * 100_000]),
    ],
)
def test_functions_have_the_kind_of_their_names(kind: str, keys: list[str]) -> None:
    assert {key: KINDS.of(key) for key in keys} == dict.fromkeys(keys, kind)


def test_each_name_is_of_one_kind_of_the_table() -> None:
    names = [name for names in FUNCTION_KINDS.values() for name in names]
    assert len(set(names)) == len(names)
    for kind, patterns in FUNCTION_KINDS.items():
        for pattern in patterns:
            assert KINDS.of(pattern.replace("*", "")) == kind, pattern


def test_an_author_adds_names_and_moves_them() -> None:
    added = FunctionKindNames(allocator=("my_pool::*", "grab"), locks=("memcpy",)).by_kind()
    kinds = FunctionKinds(added)
    assert set(added) == set(FUNCTION_KINDS)
    assert kinds.of("db::my_pool::take") == kinds.of("grab") == kinds.of("malloc") == "allocator"
    assert kinds.of("memcpy") == "locks"
    assert KINDS.of("grab") == OTHER


def test_shares_by_kind_are_of_self_weight_whatever_the_class() -> None:
    stacks: Stacks = {
        ("malloc",): 1,  # a thread of that name
        ("db", "main", "malloc"): 2,
        ("db", "main", "malloc", "memset_[k]"): 3,
        ("db", "main", "kmem_cache_alloc_[k]"): 4,
        ("db", "main", "pthread_mutex_lock_[l]"): 5,
        ("db", "main"): 5,
    }
    quality = quality_of_stacks(stacks)
    assert quality.by_kind == (("allocator", 0.3), ("memory", 0.15), ("locks", 0.25), (OTHER, 0.3))


NAMES = st.sampled_from(["malloc", "memcpy", "main", "f", "LWLockAcquire_[l]", "g_[k]", "h_[i]"])


@given(
    st.dictionaries(
        st.lists(NAMES, max_size=4).map(lambda names: ("db", *names)),
        st.integers(1, 10**20),
        min_size=1,
    )
)
def test_all_weight_is_somewhere_and_does_something(stacks: Stacks) -> None:
    quality = quality_of_stacks(stacks)
    assert sum(share for _, share in quality.by_class) == pytest.approx(1)
    assert sum(share for _, share in quality.by_kind) == pytest.approx(1)

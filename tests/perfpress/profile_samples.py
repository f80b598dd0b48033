"""Profiles made from folded stacks, for tests."""

import math
from collections.abc import Mapping

import msgspec
from perfpress.analysis.profiles.profile import Profile, ProfileFile, profile_of
from perfpress.base.node.messages.profiles import Capture

CLASS_NAMES = ("thread", "user", "library", "kernel", "jit", "inlined")
SUFFIXES = {"_[k]": "kernel", "_[j]": "jit", "_[i]": "inlined", "_[l]": "library"}

Stacks = Mapping[tuple[str, ...], int]
"""The weight of each stack; a frame `name_[k]` is of the kernel, as in folded text."""


def frame_of(text: str, is_root: bool = False) -> tuple[str, str]:
    """Return a frame's name and class."""
    if is_root:
        return text, "thread"
    name, suffix = text[:-4], text[-4:]
    return (name, SUFFIXES[suffix]) if suffix in SUFFIXES else (text, "user")


def profile_of_stacks(stacks: Stacks, keys: Mapping[str, str] | None = None) -> Profile:
    """Return the profile of some stacks; `keys` are the name-match keys that differ."""
    return profile_of(profile_file_of(stacks, keys))


def profile_file_of(stacks: Stacks, keys: Mapping[str, str] | None = None) -> ProfileFile:
    """Return the columns of a profile file, by its rules written a second time."""
    totals: dict[tuple[tuple[str, str], ...], int] = {(): 0}
    for stack, weight in stacks.items():
        frames = tuple(frame_of(text, at == 0) for at, text in enumerate(stack))
        for length in range(len(frames) + 1):
            totals.setdefault(frames[:length], 0)
        totals[frames] += weight
    nodes = sorted(totals, key=lambda node: [(name.encode(), kind) for name, kind in node])
    names: dict[tuple[str, str], int] = {("all", "thread"): 0}
    for node in nodes[1:]:
        names.setdefault(node[-1], len(names))
    number = {node: at for at, node in enumerate(nodes)}
    scale = math.gcd(*totals.values()) or 1
    weights = [totals[node] // scale for node in nodes]
    as_text = sum(weights) > 2**53 - 1
    return ProfileFile(
        format="perfpress-profile",
        version=1,
        event="cycles",
        unit="cycles",
        scale=scale,
        total=str(sum(totals.values())),
        samples=None,
        class_names=CLASS_NAMES,
        names=tuple(name for name, _ in names),
        keys=tuple((keys or {}).get(name) for name, _ in names),
        classes=tuple(CLASS_NAMES.index(kind) for _, kind in names),
        parent=[number[node[:-1]] if node else -1 for node in nodes],
        name=[names[node[-1]] if node else 0 for node in nodes],
        self_weights=[str(weight) if as_text else weight for weight in weights],
        self_samples=None,
        captures=(
            Capture(
                file="perf.1.folded",
                sha256="0" * 64,
                format="folded",
                samples=None,
                weight=str(sum(totals.values())),
                lost=0,
                partial=False,
                shares_only=None,
                skipped=(),
            ),
        ),
    )


def file_bytes(stacks: Stacks) -> bytes:
    """Return a profile file."""
    return msgspec.json.encode(profile_file_of(stacks))

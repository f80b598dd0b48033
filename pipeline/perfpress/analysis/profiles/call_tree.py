"""Call trees of several releases side by side: a frame, what it called, what that called."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perfpress.analysis.paths.evaluate import heaviest, nodes_of
from perfpress.analysis.paths.frame_path import frame_path
from perfpress.analysis.paths.parse import Path
from perfpress.analysis.profiles.profile import Mask, Profile, match_class

Function = tuple[str, str]
"""Joined name-match key and class by which functions are the same."""


@dataclass(frozen=True)
class TreeWeight:
    """What a frame weighs in one release, with all that it called."""

    share: float
    """From 0 to 1, of the whole profile."""
    weight: int
    """Exact, in the profile's unit."""
    frame: str
    """The shortest path that finds the heaviest of the frames in a graph."""


@dataclass(frozen=True)
class TreeRow:
    """One frame of the tree."""

    name: str
    depth: int
    """0 for the root."""
    weights: tuple[TreeWeight | None, ...]
    """One a release; None where its tree lacks the frame."""


@dataclass(frozen=True)
class CallTreeShares:
    """The frames that are heavy enough in any release, callers before callees."""

    releases: tuple[str, ...]
    rows: tuple[TreeRow, ...]
    """Without any where no profile has the root."""
    left_out: int
    """Callees of rows that stay below the threshold."""


def calltree(
    root: Path,
    profiles: Mapping[str, Profile | None],
    renames: Mapping[str, str],
    threshold: float,
    depth: int,
) -> CallTreeShares:
    """Lay what a frame called in several releases side by side, the heaviest callees first.

    Args:
        root: the path of the frames that are the root.
        profiles: by release, in order; None where a release has no profile.
        renames: by key, another key that it counts under.
        threshold: percent of a whole profile; what stays below it in all releases is left out.
        depth: how many levels below the root.
    """
    tree = _Tree(tuple(profiles.values()), renames, threshold, depth)
    marks = [None if each is None else nodes_of(each, root) for each in tree.profiles]
    weights = [
        None if profile is None or marked is None else _weight(profile, marked)
        for profile, marked in zip(tree.profiles, marks, strict=True)
    ]
    if not any(weights):
        return CallTreeShares(tuple(profiles), (), 0)
    rows = [TreeRow(tree.name(marks), 0, tuple(weights)), *tree.below(marks, 1)]
    return CallTreeShares(tuple(profiles), tuple(rows), tree.left_out)


class _Tree:
    def __init__(
        self,
        profiles: Sequence[Profile | None],
        renames: Mapping[str, str],
        threshold: float,
        depth: int,
    ) -> None:
        self.profiles = profiles
        self.renames = renames
        self.threshold = threshold
        self.depth = depth
        self.left_out = 0

    def below(self, marks: Sequence[Mask | None], depth: int) -> Iterator[TreeRow]:
        """Yield what the marked frames called, each with what it called itself."""
        if depth > self.depth:
            return
        callees: dict[Function, list[Mask | None]] = {}
        for at, (profile, marked) in enumerate(zip(self.profiles, marks, strict=True)):
            if profile is not None and marked is not None:
                for function, nodes in self._callees(profile, marked).items():
                    callees.setdefault(function, [None] * len(marks))[at] = nodes
        rows = []
        for function, own in callees.items():
            weights = tuple(
                None if profile is None or nodes is None else _weight(profile, nodes)
                for profile, nodes in zip(self.profiles, own, strict=True)
            )
            largest = max(each.share for each in weights if each)
            if 100 * largest < self.threshold:
                self.left_out += 1
            else:
                rows.append((-largest, function, own, weights))
        for _, _, own, weights in sorted(rows, key=lambda row: row[:2]):
            yield TreeRow(self.name(own), depth, weights)
            yield from self.below(own, depth + 1)

    def _callees(self, profile: Profile, marked: Mask) -> dict[Function, Mask]:
        nodes_by: dict[Function, list[int]] = {}
        for node in np.flatnonzero(profile.called_by(marked)).tolist():
            name = int(profile.name[node])
            key = profile.keys[name]
            function = (self.renames.get(key, key), match_class(profile.classes[name]))
            nodes_by.setdefault(function, []).append(node)
        masks = {}
        for function, nodes in nodes_by.items():
            masks[function] = np.zeros_like(marked)
            masks[function][nodes] = True
        return masks

    def name(self, marks: Sequence[Mask | None]) -> str:
        """Return the full name of the heaviest frame, in the last release that has it."""
        for profile, marked in reversed(list(zip(self.profiles, marks, strict=True))):
            if profile is not None and marked is not None:
                node = heaviest(profile, marked)
                if node is not None:
                    return profile.names[int(profile.name[node])]
        raise AssertionError("unreachable: a row shows a frame that some release has")


def _weight(profile: Profile, nodes: Mask) -> TreeWeight | None:
    widest = heaviest(profile, nodes)
    if widest is None or not profile.total:
        return None
    weight = profile.weight_of(nodes | profile.below(nodes))
    return TreeWeight(weight / profile.total, weight, frame_path(profile, widest))

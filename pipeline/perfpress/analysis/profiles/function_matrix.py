"""All functions of several profiles, and their call trees laid over each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from perfpress.analysis.profiles.profile import Profile, function_weights, match_class

MOST_NODES = 20_000
MOST_WEIGHTS = 200_000
"""Frames of the merged tree that are kept, and their weights over all profiles: what a browser can
load and count at once. Of more than ten profiles fewer frames are kept."""

OTHERS = -1
"""Stands for the function of frames that are too small to be kept one by one."""


@dataclass(frozen=True)
class MatrixFunction:
    """One function or thread; weights are exact, in the profiles' unit, one a release."""

    key: str
    frame_class: str
    """One of `match_class`."""
    name: str
    """The full name it has in the last release that has it."""
    totals: tuple[int, ...]
    selfs: tuple[int, ...]


@dataclass(frozen=True)
class JoinedTree:
    """The call trees of all releases as one, in preorder; node 0 is the root."""

    parent: tuple[int, ...]
    """-1 for the root."""
    function: tuple[int, ...]
    """Indices into the functions; `OTHERS` for the rest of a parent's callees."""
    selfs: tuple[tuple[int, ...], ...]
    """By release: the exact weight of each node alone; of `OTHERS` with all below."""
    left_out: int
    """Frames merged into `OTHERS`."""


@dataclass(frozen=True)
class FunctionMatrix:
    """Functions by their largest share in any release, and the tree they are in."""

    totals: tuple[int, ...]
    """By release: the exact weight of the whole profile."""
    functions: tuple[MatrixFunction, ...]
    tree: JoinedTree


def function_matrix(
    profiles: Sequence[Profile],
    renames: Mapping[str, str] = MappingProxyType({}),
    most_nodes: int = MOST_NODES,
) -> FunctionMatrix:
    """Count all functions of some profiles.

    Args:
        profiles: of one event and unit, in the order of their releases.
        renames: by key, another key that it counts under.
        most_nodes: of the tree.
    """
    functions = functions_of(profiles, renames)
    index = {(each.key, each.frame_class): at for at, each in enumerate(functions)}
    return FunctionMatrix(
        totals=tuple(profile.total for profile in profiles),
        functions=tuple(functions),
        tree=_merged_tree(profiles, renames, index, min(most_nodes, MOST_WEIGHTS // len(profiles))),
    )


def functions_of(
    profiles: Sequence[Profile], renames: Mapping[str, str] = MappingProxyType({})
) -> list[MatrixFunction]:
    """Return all functions of some profiles by their largest share in any of them.

    Args:
        profiles: of one event and unit, in the order of their releases.
        renames: by key, another key that it counts under.
    """
    weights = [
        {(each.key, each.frame_class): each for each in function_weights(profile, renames)}
        for profile in profiles
    ]
    found = []
    for key, frame_class in dict.fromkeys(each for own in weights for each in own):
        own = [of_release.get((key, frame_class)) for of_release in weights]
        found.append(
            MatrixFunction(
                key=key,
                frame_class=frame_class,
                name=next(each.names[0] for each in reversed(own) if each),
                totals=tuple(each.total_weight if each else 0 for each in own),
                selfs=tuple(each.self_weight if each else 0 for each in own),
            )
        )

    def largest_share(function: MatrixFunction) -> float:
        pairs = zip(function.totals, profiles, strict=True)
        return max(
            (weight / profile.total for weight, profile in pairs if profile.total), default=0
        )

    return sorted(found, key=lambda each: (-largest_share(each), each.key, each.frame_class))


def _merged_tree(
    profiles: Sequence[Profile],
    renames: Mapping[str, str],
    index: Mapping[tuple[str, str], int],
    most_nodes: int,
) -> JoinedTree:
    union = _Union(len(profiles))
    for release, profile in enumerate(profiles):
        function_of = [
            index.get((renames.get(key, key), match_class(frame_class)), OTHERS)
            for key, frame_class in zip(profile.keys, profile.classes, strict=True)
        ]
        at = [0] * len(profile.parent)
        columns = (profile.parent, profile.name, profile.self_weights)
        for node, (parent, name, weight) in enumerate(
            zip(*(each.tolist() for each in columns), strict=True)
        ):
            if node:
                at[node] = union.child(at[parent], function_of[name])
            union.selfs[release][at[node]] += profile.exact(weight)
    return union.in_preorder([profile.total for profile in profiles], most_nodes)


class _Union:
    """A tree that grows by paths; children come after their parents."""

    def __init__(self, releases: int) -> None:
        self.parent = [-1]
        self.function = [OTHERS]
        self.selfs: list[list[int]] = [[0] for _ in range(releases)]
        self.children: dict[tuple[int, int], int] = {}

    def child(self, parent: int, function: int) -> int:
        node = self.children.setdefault((parent, function), len(self.parent))
        if node == len(self.parent):
            self.parent.append(parent)
            self.function.append(function)
            for own in self.selfs:
                own.append(0)
        return node

    def in_preorder(self, wholes: Sequence[int], most_nodes: int) -> JoinedTree:
        """Return the heaviest nodes; the rest of a node's callees becomes one of them."""
        totals = [list(own) for own in self.selfs]
        for own in totals:
            for node in range(len(own) - 1, 0, -1):
                own[self.parent[node]] += own[node]
        share = [
            max(
                (own[node] / whole for own, whole in zip(totals, wholes, strict=True) if whole),
                default=0,
            )
            for node in range(len(self.parent))
        ]
        # A caller is at least as heavy as its callees, and came first.
        order = sorted(range(len(share)), key=lambda node: (-share[node], node))
        kept = set(order[:most_nodes])
        callees: dict[int, list[int]] = {}
        for node in order:
            if node:
                callees.setdefault(self.parent[node], []).append(node)
        parent: list[int] = []
        function: list[int] = []
        selfs: list[list[int]] = [[] for _ in wholes]

        def add(above: int, what: int, weights: Sequence[int]) -> int:
            parent.append(above)
            function.append(what)
            for own, weight in zip(selfs, weights, strict=True):
                own.append(weight)
            return len(parent) - 1

        waiting = [(0, -1)]
        while waiting:
            node, above = waiting.pop()
            here = add(above, self.function[node], [own[node] for own in self.selfs])
            own_callees = callees.get(node, [])
            dropped = [each for each in own_callees if each not in kept]
            if dropped:
                add(here, OTHERS, [sum(own[each] for each in dropped) for own in totals])
            waiting += [(each, here) for each in reversed(own_callees) if each in kept]
        return JoinedTree(
            parent=tuple(parent),
            function=tuple(function),
            selfs=tuple(map(tuple, selfs)),
            left_out=len(self.parent) - len(kept),
        )

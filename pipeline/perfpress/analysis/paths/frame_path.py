"""The shortest path that finds a frame again, in links into a graph.

`pipeline/profile/model/frame_path.js` makes and reads the same: names are name-match keys, with
the class before one where a thread or the kernel has the same, and where a path fits several
frames, the widest is meant. `tests/vectors/frame_paths.json` holds for both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perfpress.analysis.profiles.profile import Profile, match_class

# of   >   >>   operator >   a|b
PLAIN = re.compile(r"(?!(?:of|>|>>)\Z)[A-Za-z0-9_$~.:@+\-<>,&]+")
"""Names that mean themselves without quotes."""


@dataclass(frozen=True)
class _Named:
    key: str
    family: str | None = None
    """Of its class, where the name alone is ambiguous."""


def frame_path(profile: Profile, node: int) -> str:
    """Return the shortest end of a frame's call path of which it is the widest frame."""
    nodes = [node]
    while nodes[-1] > 0:
        nodes.append(int(profile.parent[nodes[-1]]))
    names = [_named(profile, each) for each in reversed(nodes)]
    plain = [_Named(each.key) for each in names]
    same_key = np.array([key == names[-1].key for key in profile.keys])
    alike = np.flatnonzero(same_key[profile.name]).tolist()
    for length in range(1, len(names)):
        end = plain[-length:]
        for path in (end, [*end[:-1], names[-1]]):
            if _widest(profile, path, alike) == node:
                return _written(path)
    return _written(plain if _widest(profile, plain, alike) == node else names)


def function_path(key: str, family: str) -> str:
    """Return the path that finds the widest frame of a function."""
    return _written([_Named(key, family)])


def _named(profile: Profile, node: int) -> _Named:
    name = int(profile.name[node])
    return _Named(profile.keys[name], match_class(profile.classes[name]))


def _written(path: Sequence[_Named]) -> str:
    return " > ".join(
        (f"[{each.family}]" if each.family else "") + _quoted(each.key) for each in path
    )


def _quoted(key: str) -> str:
    if PLAIN.fullmatch(key):
        return key
    return '"' + re.sub(r'["\\]', r"\\\g<0>", key) + '"'


def _widest(profile: Profile, path: Sequence[_Named], among: Sequence[int]) -> int:
    """Return the first of the heaviest nodes whose call path ends so, or -1."""
    fitting = [node for node in among if _ends_with(profile, node, path)]
    return max(fitting, key=lambda node: (profile.total_weights[node], -node), default=-1)


def _ends_with(profile: Profile, node: int, path: Sequence[_Named]) -> bool:
    for wanted in reversed(path):
        if node < 0:
            return False
        there = _named(profile, node)
        if there.key != wanted.key or wanted.family not in (None, there.family):
            return False
        node = int(profile.parent[node])
    return True

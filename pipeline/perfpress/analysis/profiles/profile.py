"""The profile file as arrays: a call tree, its weights, and where they came from.

`pipeline/profile/model/profile.js` writes it and says what each column holds. Weights here are
scaled, as in the file; `Profile.exact` gives the weight before scaling. They are
64-bit integers, or Python's own where they add up to more than those hold. What is refused is what
`profile_check.js` there refuses: `tests/vectors/profile_faults.json` holds for both.
"""

import gzip
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from perfpress.base.node.messages.profiles import Capture, Count, Digits
from perfpress.base.problems import BadInput, bad_input

FORMAT = "perfpress-profile"
VERSION = 1

LARGEST_INTEGER = 2**63 - 1
FRAME_CLASSES = ("thread", "user", "library", "kernel", "jit", "inlined")
"""Of files of this version."""
MOST_LIBRARIES = 4096
NO_LIBRARY = -1
Library = Annotated[str, Meta(min_length=1, max_length=255)]

Integers = npt.NDArray[np.int64]
Weights = npt.NDArray[Any]
"""int64, or object holding Python integers."""
Mask = npt.NDArray[np.bool_]


class ProfileFile(msgspec.Struct, frozen=True, kw_only=True):
    """The columns as the file holds them."""

    format: str
    version: int
    event: str
    unit: str
    scale: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    total: Digits
    samples: Count | None
    class_names: tuple[str, ...]
    names: tuple[str, ...]
    keys: tuple[str | None, ...]
    classes: tuple[Annotated[int, Meta(ge=0, lt=len(FRAME_CLASSES))], ...]
    libraries: tuple[Library, ...] | msgspec.UnsetType = msgspec.UNSET
    library: tuple[Annotated[int, Meta(ge=NO_LIBRARY)], ...] | msgspec.UnsetType = msgspec.UNSET
    parent: list[int]
    name: list[Count]
    self_weights: list[Count | Digits] = msgspec.field(name="self")
    self_samples: list[Count] | None
    captures: tuple[Capture, ...]


@dataclass(frozen=True, eq=False)
class Profile:
    """A call tree of n nodes, in preorder, over m distinct pairs of name and class."""

    event: str
    unit: str
    scale: int
    samples: int | None
    """None where the captures do not say, such as folded stacks."""
    names: tuple[str, ...]
    """m full names."""
    keys: tuple[str, ...]
    """m name-match keys: names of one key are the same function in two builds."""
    classes: tuple[str, ...]
    """m of thread, user, library, kernel, jit, inlined."""
    libraries: tuple[str, ...]
    """m names of the files of code that functions are in; empty where captures state none, or
    several."""
    parent: Integers
    """n; -1 for the root, which is node 0."""
    name: Integers
    """n indices into `names`."""
    self_weights: Weights
    """n weights of the frames alone."""
    self_samples: Weights | None
    end: Integers
    """n: the subtree of node i is the nodes from i up to, not including, end[i]."""
    captures: tuple[Capture, ...]

    @cached_property
    def total_weights(self) -> Weights:
        """The n weights of the frames with everything that they called."""
        totals = self.self_weights.tolist()
        parent = self.parent.tolist()
        for node in range(len(totals) - 1, 0, -1):
            totals[parent[node]] += totals[node]
        return np.array(totals, dtype=self.self_weights.dtype)

    @property
    def total(self) -> int:
        """The exact weight of the whole profile."""
        return self.exact(self.total_weights[0])

    def exact(self, weight: int | np.int64) -> int:
        """Return the exact weight before scaling."""
        return int(weight) * self.scale

    def weight_of(self, samples: Mask) -> int:
        """Return the exact self weight of the nodes in a mask."""
        return self.exact(self.self_weights[samples].sum())

    def samples_of(self, samples: Mask) -> int | None:
        """Return the number of samples of the nodes in a mask, or None where it is not known."""
        if self.self_samples is None:
            return None
        return int(self.self_samples[samples].sum())

    def below(self, nodes: Mask) -> Mask:
        """Return the nodes below one of `nodes`, not counting a node itself."""
        marked = np.flatnonzero(nodes)
        change = np.zeros(len(self.parent) + 1, dtype=np.int64)
        np.add.at(change, marked + 1, 1)
        np.add.at(change, self.end[marked], -1)
        return np.cumsum(change)[:-1] > 0

    def nearest_above(self, nodes: Mask) -> Integers:
        """Return, for each node, the nearest of `nodes` above it, or -1; never the node itself."""
        nearest = np.full(len(self.parent), -1, dtype=np.int64)
        for node in np.flatnonzero(nodes).tolist():
            nearest[node + 1 : self.end[node]] = node
        return nearest

    def called_by(self, nodes: Mask) -> Mask:
        """Return the nodes whose parent is one of `nodes`."""
        called = nodes[self.parent]
        called[0] = False
        return called

    def path(self, node: int) -> tuple[str, ...]:
        """Return the names from the thread down to a node; the root itself has no path."""
        names: list[str] = []
        while node > 0:
            names.append(self.names[self.name[node]])
            node = int(self.parent[node])
        return tuple(reversed(names))


@dataclass(frozen=True)
class FunctionWeight:
    """What one function weighs in a profile, exactly."""

    key: str
    frame_class: str
    """One of `match_class`: a library's function is of the class user."""
    names: tuple[str, ...]
    """The full names of that key and class."""
    self_weight: int
    total_weight: int
    """A sample counts once, however the function recurs."""


def match_class(frame_class: str) -> str:
    """Return the class by which functions are the same, as `matchClass` in `names.js` does.

    Folded stacks of most tools do not separate a library's functions from the program's own.
    """
    return "user" if frame_class == "library" else frame_class


def joined_keys(aliases: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return, by key, the key under which an author joins it with others."""
    return {other: key for key, others in aliases.items() for other in others}


def function_weights(
    profile: Profile, renames: Mapping[str, str] = MappingProxyType({})
) -> list[FunctionWeight]:
    """Return the functions of a profile, heaviest total first; without the root.

    Args:
        profile: whose functions.
        renames: by key, another key that it counts under.
    """
    groups: dict[tuple[str, str], int] = {}
    group_of_name = [
        groups.setdefault((renames.get(key, key), match_class(frame_class)), len(groups))
        for key, frame_class in zip(profile.keys, profile.classes, strict=True)
    ]
    names: list[list[str]] = [[] for _ in groups]
    for group, name in zip(group_of_name, profile.names, strict=True):
        names[group].append(name)
    selfs, totals = [0] * len(groups), [0] * len(groups)
    # Where the outermost call of a group that encloses the current node ends.
    outermost_end = [0] * len(groups)
    columns = (profile.name, profile.end, profile.self_weights, profile.total_weights)
    rows = zip(*(column[1:].tolist() for column in columns), strict=True)
    for node, (name, end, self_weight, total_weight) in enumerate(rows, start=1):
        group = group_of_name[name]
        selfs[group] += self_weight
        if node >= outermost_end[group]:
            totals[group] += total_weight
            outermost_end[group] = end
    weights = [
        FunctionWeight(
            key=key,
            frame_class=frame_class,
            names=tuple(names[group]),
            self_weight=profile.exact(selfs[group]),
            total_weight=profile.exact(totals[group]),
        )
        for (key, frame_class), group in groups.items()
        if outermost_end[group]
    ]
    return sorted(weights, key=lambda each: (-each.total_weight, each.key, each.frame_class))


def read_profile(path: Path, shown_as: str) -> Profile:
    """Read a profile file, plain or gzip.

    Raises:
        BadInput: it is not one, or its columns contradict each other.
    """
    try:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        file = msgspec.json.decode(content, type=ProfileFile)
    except (OSError, EOFError, zlib.error) as error:
        raise _bad(shown_as, f"cannot be read ({error})") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _bad(shown_as, f"no profile ({error})") from error
    if file.format != FORMAT or file.version != VERSION:
        raise _bad(shown_as, f"format {file.format!r}, version {file.version}")
    try:
        return profile_of(file)
    except ValueError as error:
        raise _bad(shown_as, str(error)) from error


def profile_of(file: ProfileFile) -> Profile:
    """Return the columns as arrays.

    Raises:
        ValueError: the columns contradict each other.
    """
    nodes, names = len(file.parent), len(file.names)
    if not (nodes == len(file.name) == len(file.self_weights) > 0):
        raise ValueError(f"{nodes} parents, {len(file.name)} names of nodes")
    if not (names == len(file.keys) == len(file.classes)):
        raise ValueError(f"{names} names, {len(file.keys)} keys, {len(file.classes)} classes")
    if file.self_samples is not None and len(file.self_samples) != nodes:
        raise ValueError(f"{nodes} parents, {len(file.self_samples)} counts of samples")
    if max(file.name) >= names:
        raise ValueError("a node refers to no name")
    if file.class_names != FRAME_CLASSES:
        raise ValueError(f"class_names {', '.join(file.class_names)}")
    if len(set(zip(file.classes, file.names, strict=True))) < names:
        raise ValueError("a name twice in one class")
    libraries = _libraries(file)
    if len(set(map(type, file.self_weights))) > 1:
        raise ValueError("weights of which some are numbers and some are texts")
    weights = [int(weight) for weight in file.self_weights]
    if sum(weights) * file.scale != int(file.total):
        raise ValueError(f"weights that add up to {sum(weights) * file.scale}, not {file.total}")
    if file.self_samples is not None and sum(file.self_samples) != file.samples:
        found = sum(file.self_samples)
        raise ValueError(f"self_samples that add up to {found}, not {file.samples}")
    ends = _subtree_ends(file.parent)
    return Profile(
        event=file.event,
        unit=file.unit,
        scale=file.scale,
        samples=file.samples,
        names=file.names,
        keys=tuple(
            name if key is None else key for name, key in zip(file.names, file.keys, strict=True)
        ),
        classes=tuple(file.class_names[each] for each in file.classes),
        libraries=libraries,
        parent=np.array(file.parent, dtype=np.int64),
        name=np.array(file.name, dtype=np.int64),
        self_weights=np.array(weights, dtype=_dtype_for(sum(weights))),
        self_samples=(
            None
            if file.self_samples is None
            else np.array(file.self_samples, dtype=_dtype_for(sum(file.self_samples)))
        ),
        end=np.array(ends, dtype=np.int64),
        captures=file.captures,
    )


def _libraries(file: ProfileFile) -> tuple[str, ...]:
    """Return the library of each name.

    Raises:
        ValueError: the columns contradict each other.
    """
    if file.libraries is msgspec.UNSET and file.library is msgspec.UNSET:
        return ("",) * len(file.names)
    if file.libraries is msgspec.UNSET or file.library is msgspec.UNSET:
        raise ValueError("one of libraries and library without the other")
    if len(file.library) != len(file.names):
        raise ValueError(f"{len(file.names)} names, {len(file.library)} libraries of names")
    if not 0 < len(set(file.libraries)) == len(file.libraries) <= MOST_LIBRARIES:
        raise ValueError(f"{len(file.libraries)} libraries, not 1 to {MOST_LIBRARIES}, each once")
    if max(file.library) >= len(file.libraries):
        raise ValueError("a name refers to no library")
    return tuple("" if each == NO_LIBRARY else file.libraries[each] for each in file.library)


def _dtype_for(total: int) -> type[Any]:
    """Return what counts of such a total are kept in: no sum of them may wrap."""
    return np.int64 if total <= LARGEST_INTEGER else object


def _subtree_ends(parent: Sequence[int]) -> list[int]:
    """Return where the subtree of each node ends.

    Raises:
        ValueError: the nodes are not in preorder.
    """
    ends = [len(parent)] * len(parent)
    open_nodes: list[int] = []
    for node, above in enumerate(parent):
        while open_nodes and open_nodes[-1] != above:
            ends[open_nodes.pop()] = node
        if not open_nodes and (node > 0 or above != -1):
            raise ValueError(f"node {node} is not below its parent {above}")
        open_nodes.append(node)
    return ends


def _bad(shown_as: str, found: str) -> BadInput:
    return bad_input(
        path=shown_as,
        found=found,
        expected=f"a profile as 'perfpress fold -o NAME.json' writes it, version {VERSION}",
        do="fold the captures again",
    )

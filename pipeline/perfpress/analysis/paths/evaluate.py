"""Evaluates a path on a profile: the weight and the nodes that it matches."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perfpress.analysis.paths.names import names_meant
from perfpress.analysis.paths.parse import (
    Alternative,
    Chain,
    Path,
    Self,
    ShareOfPath,
    Step,
    Term,
    Widest,
)
from perfpress.analysis.profiles.profile import Mask, Profile


@dataclass(frozen=True)
class MatchedName:
    """A full name that the path's last frame was found under."""

    name: str
    key: str
    frame_class: str
    weight: int
    """Exact, of the samples in and below its matched frames, each once."""


@dataclass(frozen=True)
class BrokenChain:
    """Where a chain of frames breaks off in a profile."""

    chain: Chain
    at: int
    """Index of the first step that was not found where the chain wants it."""

    @property
    def step(self) -> Step:
        """The step that was not found."""
        return self.chain.steps[self.at]


@dataclass(frozen=True)
class Evaluation:
    """What a path weighs; all weights are exact and in the profile's unit."""

    weight: int
    whole: int
    """What the share is of: the whole profile, or the path behind `of`."""
    samples: int | None
    """None where the profile does not say."""
    names: tuple[MatchedName, ...]
    """Heaviest first; none where the path is absent."""
    missing: BrokenChain | None = None
    """None where the path is in the profile, even where it weighs nothing."""
    widest: int | None = None
    """The heaviest node of the path's last frame."""

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where the path, or what it is a share of, is absent."""
        if self.missing is not None or not self.whole:
            return None
        return self.weight / self.whole

    @property
    def mixed_classes(self) -> tuple[str, ...]:
        """The classes of the matched names where they differ: a reason to look twice."""
        classes = sorted({name.frame_class for name in self.names})
        return tuple(classes) if len(classes) > 1 else ()


def evaluate(profile: Profile, path: Path) -> Evaluation:
    """Weigh a path in a profile. Every sample counts once, however often the path is in it."""
    if isinstance(path, ShareOfPath):
        part, whole = _find(profile, path.part), _find(profile, path.whole)
        missing = whole.missing or part.missing
        samples = part.samples & whole.samples
        whole_weight = profile.weight_of(whole.samples)
    else:
        part = _find(profile, path)
        missing, samples, whole_weight = part.missing, part.samples, profile.total
    return _evaluation(profile, part.nodes, samples, whole_weight, missing)


def nodes_of(profile: Profile, path: Path) -> Mask:
    """Return the nodes of a path's last frame."""
    return _find(profile, _part(path)).nodes


def evaluate_rest(profile: Profile, whole: Path, parts: Sequence[Path]) -> Evaluation:
    """Weigh what a path has besides its parts; a sample in two of them is taken away once.

    A part that is absent takes nothing away, and the frame is that of the whole.
    """
    found = _find(profile, _part(whole))
    samples = found.samples.copy()
    for part in parts:
        samples &= ~_find(profile, _part(part)).samples
    return _evaluation(profile, found.nodes, samples, profile.total, found.missing)


def _part(path: Path) -> Term:
    return path.part if isinstance(path, ShareOfPath) else path


def _evaluation(
    profile: Profile, nodes: Mask, samples: Mask, whole: int, missing: BrokenChain | None
) -> Evaluation:
    return Evaluation(
        weight=profile.weight_of(samples),
        whole=whole,
        samples=profile.samples_of(samples),
        names=_matched_names(profile, nodes),
        missing=missing,
        widest=heaviest(profile, nodes),
    )


@dataclass(frozen=True)
class PathNodes:
    """Where in the tree a path is."""

    nodes: Mask
    """The nodes of its last frame."""
    samples: Mask
    """The nodes whose own samples belong to the path."""
    missing: BrokenChain | None = None


def _find(profile: Profile, term: Term) -> PathNodes:
    match term:
        case Self(path=path):
            inner = _find(profile, path)
            return PathNodes(inner.nodes, inner.nodes, inner.missing)
        case Widest(chain=chain):
            inner = find_chain(profile, chain)
            nodes = np.zeros_like(inner.nodes)
            widest = heaviest(profile, inner.nodes)
            if widest is not None:
                nodes[widest] = True
            return PathNodes(nodes, nodes | profile.below(nodes), inner.missing)
        case Chain():
            return find_chain(profile, term)


@dataclass(frozen=True)
class _Origin:
    """The nodes from which the next step is taken, and what optional steps left out say of it."""

    nodes: Mask
    anywhere: bool = False
    not_below: tuple[Alternative, ...] = ()


def find_chain(profile: Profile, chain: Chain) -> PathNodes:
    """Return the nodes of a chain's last frame, with all that they called."""
    root = np.zeros(len(profile.parent), dtype=np.bool_)
    root[0] = True
    origins = [_Origin(root)]
    reached = root
    for at, step in enumerate(chain.steps):
        wanted = names_meant(profile, step.alternatives)[profile.name]
        reached = np.logical_or.reduce(
            [wanted & _within_reach(profile, origin, step) for origin in origins]
        )
        if not step.optional:
            if not reached.any():
                return PathNodes(reached, reached, BrokenChain(chain, at))
            origins = [_Origin(reached)]
        else:
            # Without the optional frame, what it called takes its place.
            without = [
                _Origin(
                    origin.nodes,
                    origin.anywhere or step.anywhere,
                    origin.not_below + step.not_below,
                )
                for origin in origins
            ]
            origins = [_Origin(reached), *without]
    return PathNodes(reached, reached | profile.below(reached))


def _within_reach(profile: Profile, origin: _Origin, step: Step) -> Mask:
    """Return the nodes in the relation to the origin that the step demands, under any name."""
    if not (origin.anywhere or step.anywhere):
        return profile.called_by(origin.nodes)
    below = profile.below(origin.nodes)
    not_below = origin.not_below + step.not_below
    if not not_below:
        return below
    between = names_meant(profile, not_below)[profile.name]
    # Of two frames above a node the nearer one has the higher number.
    return below & (profile.nearest_above(origin.nodes) >= profile.nearest_above(between))


def heaviest(profile: Profile, nodes: Mask) -> int | None:
    """Return the heaviest of some nodes, the first of several; None where there is none."""
    if not nodes.any():
        return None
    totals = profile.total_weights
    return max(np.flatnonzero(nodes).tolist(), key=lambda node: (totals[node], -node))


def _matched_names(profile: Profile, nodes: Mask) -> tuple[MatchedName, ...]:
    weights: dict[int, int] = {}
    outermost_end: dict[int, int] = {}
    totals = profile.total_weights
    for node in np.flatnonzero(nodes).tolist():
        name = int(profile.name[node])
        if node >= outermost_end.get(name, 0):
            weights[name] = weights.get(name, 0) + int(totals[node])
            outermost_end[name] = int(profile.end[node])
    matched = [
        MatchedName(
            profile.names[name], profile.keys[name], profile.classes[name], profile.exact(weight)
        )
        for name, weight in weights.items()
    ]
    return tuple(sorted(matched, key=lambda each: (-each.weight, each.name, each.frame_class)))

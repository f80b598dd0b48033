"""Explains why a path is absent from a profile: 0 %, inlined, pruned or unknown."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from perfpress.analysis.paths.evaluate import BrokenChain, find_chain
from perfpress.analysis.paths.names import names_meant, nearest_names
from perfpress.analysis.paths.parse import Alternative, Chain, FrameClass, Name, Step
from perfpress.analysis.profiles.profile import Mask, Profile

NO_PROFILE = "no profile"

FLAT = "a flat profile: callers are not known"

PERF_REPORT = "perf-report"
"""The format of captures that may hold functions without their callers."""

DRAWING = "flamegraph-svg"
"""The format of captures that lack what was too thin to be drawn."""

PRUNED = "; or pruned: it was too thin to be drawn in the capture"

LONGEST_SHOWN = 200
"""Characters of a name; some are a megabyte long."""


def why_absent(profile: Profile, missing: BrokenChain, others: Sequence[Profile]) -> str:
    """Return why a path is absent, in words.

    Args:
        profile: the one that lacks it.
        missing: where the path breaks off in it.
        others: the profiles of other releases. Where one of them has the frame, this one is
            searched for what the frame called there: that is how inlining shows.
    """
    name = _shown(missing.step.alternatives)
    if _is_flat(profile) and _asks_for_callers(profile, missing):
        return FLAT
    if names_meant(profile, missing.step.alternatives)[profile.name[1:]].any():
        return f"{name} is in this profile, but nowhere {_where(missing)}{_or_pruned(profile)}"
    to_step = Chain(missing.chain.steps[: missing.at + 1])
    references = [other for other in others if find_chain(other, to_step).missing is None]
    for reference in references:
        nodes = find_chain(reference, to_step).nodes
        if inlined := _inlined_into(profile, reference, nodes):
            caller, share = inlined
            return f"inlined into {_short(caller)} (its callees there: {100 * share:.2f} %)"
    if all(isinstance(each, FrameClass) for each in missing.step.alternatives):
        return f"no frames of {name}, or captures that do not tell it"
    near = [] if references else _near(profile, missing.step)
    nearest = f" (nearest: {', '.join(near)})" if near else ""
    return f"no such symbol: {name}{nearest}{_or_pruned(profile)}"


def _or_pruned(profile: Profile) -> str:
    """Return what else may be the reason where a profile was read off drawings."""
    drawn = any(capture.format == DRAWING for capture in profile.captures)
    return PRUNED if drawn else ""


def _is_flat(profile: Profile) -> bool:
    """Return whether a profile has no call paths, only threads and functions."""
    above_parent = profile.parent[profile.parent[1:]]
    formats = {capture.format for capture in profile.captures}
    return formats == {PERF_REPORT} and not bool((above_parent > 0).any())


def _asks_for_callers(profile: Profile, missing: BrokenChain) -> bool:
    """Return whether a path leads through functions, not just from a thread to a function."""
    if missing.at == 0:
        return len(missing.chain.steps) > 1
    before = names_meant(profile, missing.chain.steps[missing.at - 1].alternatives)
    threads = np.array([frame_class == "thread" for frame_class in profile.classes])
    return not bool((before & threads).any())


def _where(missing: BrokenChain) -> str:
    """Return where the path wants the step that it misses there."""
    places = []
    if missing.at > 0:
        before = _shown(missing.chain.steps[missing.at - 1].alternatives)
        relation = "below" if missing.step.anywhere else "called directly by"
        places.append(f"{relation} {before}")
    if missing.step.not_below:
        places.append(f"outside of {_shown(missing.step.not_below)}")
    return " and ".join(places)


def _shown(alternatives: tuple[Alternative, ...]) -> str:
    return " or ".join(
        f"[{each.name}]" if isinstance(each, FrameClass) else _short(each.text)
        for each in alternatives
    )


def _short(name: str) -> str:
    """Return a name that fits into a sentence."""
    return name if len(name) <= LONGEST_SHOWN else f"{name[: LONGEST_SHOWN - 1]}…"


def _near(profile: Profile, step: Step) -> list[str]:
    return [
        _short(near)
        for each in step.alternatives
        if isinstance(each, Name)
        for near in nearest_names(profile, each.text)
    ]


def _inlined_into(profile: Profile, reference: Profile, nodes: Mask) -> tuple[str, float] | None:
    """Return the caller that took in a function, and the share of the function's callees there.

    Args:
        profile: where the function has no frames.
        reference: where it has.
        nodes: its frames in `reference`.
    """
    callers = Counter[str]()
    for node in np.flatnonzero(nodes).tolist():
        callers[_key(reference, int(reference.parent[node]))] += int(reference.total_weights[node])
    callees = _weights_by_key(reference, reference.called_by(nodes))
    for caller, _ in callers.most_common():
        usual = _weights_by_key(reference, reference.called_by(_of_key(reference, caller)))
        # What the caller called a little of before as well has still come from the function.
        came = {key for key, weight in callees.items() if weight > usual[key]}
        moved = np.array([key in came for key in profile.keys])
        found = profile.called_by(_of_key(profile, caller)) & moved[profile.name]
        if found.any() and profile.total:
            weight = profile.weight_of(found | profile.below(found))
            return caller, weight / profile.total
    return None


def _key(profile: Profile, node: int) -> str:
    return profile.keys[int(profile.name[node])]


def _weights_by_key(profile: Profile, nodes: Mask) -> Counter[str]:
    weights = Counter[str]()
    for node in np.flatnonzero(nodes).tolist():
        weights[_key(profile, node)] += int(profile.total_weights[node])
    return weights


def _of_key(profile: Profile, key: str) -> Mask:
    """Return the nodes of a key, never the root."""
    of_key = np.array([each == key for each in profile.keys])[profile.name]
    of_key[0] = False
    return of_key

"""Profile quality: captures, lost samples, unknown code, broken stacks."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perfpress.analysis.profiles.captures import (
    RunCaptures,
    Spread,
    captured_runs,
    captured_seconds,
    spread_between,
)
from perfpress.analysis.profiles.function_kinds import FunctionKind, FunctionKinds
from perfpress.analysis.profiles.profile import FRAME_CLASSES, Integers, Mask, Profile
from perfpress.analysis.study.study import StepRun
from perfpress.base.units import WAITS

# [unknown]   [libc.so.6]   [kernel.kallsyms]   0x00007f3a5c0a1b20: no symbol, at best the file
NO_SYMBOL = re.compile(r"\[.*\]|0x[0-9a-f]+")

MINIFIED = re.compile(r"[$\w]{1,2} \(.*\.[cm]?js\)")
"""`Bt (app/dist/bundle.js)`: a minifier made the name, and makes another in the next build."""

CUT_OFF = "[stack cut off]"
"""What our own readers put between a thread and the innermost frames of a stack too deep to keep:
`CUT_OFF` of `pipeline/profile/model/profile_builder.js`."""

DEEPEST_OF_PERF = 127
"""Frames of a stack that perf keeps by default: kernel.perf_event_max_stack, and
`perf script --max-stack`. Inlined frames come on top."""

EXITED = ":exited"
"""The key of threads that ended before perf saw their names (`:1234`), as `names.js` makes it."""

THREAD_STARTS = frozenset(
    {
        # of a process, and of a POSIX thread
        *("_start", "_dl_start", "__libc_start_main", "__libc_start_main_impl"),
        *("__libc_start_call_main", "main", "start_thread", "thread_start"),
        *(
            "clone",
            "clone3",
            "__clone",
            "__clone3",
            "__GI___clone",
            "__GI___clone3",
            "__clone_internal",
        ),
        # of a goroutine, and of a thread of Go's own
        *("runtime.goexit", "runtime.goexit.abi0", "runtime.main", "runtime.mstart"),
        *("runtime.mcall", "runtime.systemstack", "runtime.rt0_go"),
        # of a kernel thread, and of an idle CPU
        *("ret_from_fork", "ret_from_fork_asm", "kthread", "start_secondary", "cpu_startup_entry"),
        *("secondary_startup_64", "secondary_startup_64_no_verify", "common_startup_64"),
        *("secondary_startup", "__secondary_switched", "__primary_switched", "start_kernel"),
        *("x86_64_start_kernel", "rest_init"),
    }
)
"""The outermost frame of a whole stack of a C, C++ or Go program, or of a kernel thread."""


@dataclass(frozen=True)
class Quality:
    """The quality of one profile. Shares are of its weight, from 0 to 1."""

    captures: int
    partial_captures: int
    """Captures that end too early, or are damaged."""
    seconds: float | None
    """Captured, all whole captures together; None where run.toml does not say."""
    scopes: tuple[str, ...]
    event: str
    unit: str
    frequencies: tuple[float, ...]
    """Samples a second that were asked for, each value once; waits are not sampled."""
    samples: int | None
    lost: int
    """Lost samples as counted by the recorder."""
    skipped: tuple[tuple[str, int], ...]
    """By reason: the lines or samples that were not read."""
    shares_only: str
    """Why the weights give shares only; empty where they give more."""
    unknown: float
    """Of frames without a symbol, themselves."""
    minified: float
    """Of frames whose names a minifier made, themselves."""
    no_start: float | None
    """Of stacks that do not reach the start of their thread; None where no stack of the profile
    begins with a known start, so that nothing is known."""
    cut_off: float
    """Of stacks that were cut at a limit of their depth: perf's, or our own."""
    exited_threads: int
    """Threads that ended before perf saw their names."""
    exited: float
    """Of those threads."""
    by_class: tuple[tuple[str, float], ...]
    """Where the code is: of the frames themselves; classes without weight are left out."""
    by_library: tuple[tuple[str, float], ...]
    """In which files the code is, as far as captures state it: of the frames themselves, the
    heaviest first."""
    by_kind: tuple[tuple[FunctionKind, float], ...]
    """What the code does: of the frames themselves, whatever their class; what no kind is is
    `other`."""
    spread: Spread | None
    """Between the captures; None of too few, or where their lengths are not known."""

    @property
    def lost_share(self) -> float | None:
        """Of the samples that were taken; None where the captures do not count them."""
        return None if self.samples is None else self.lost / max(1, self.samples + self.lost)


def quality_of(profile: Profile, step_runs: Sequence[StepRun], kinds: FunctionKinds) -> Quality:
    """Return the quality of a profile.

    Args:
        profile: of one cell and event.
        step_runs: all runs of the cell; those with captures in the profile are used.
        kinds: what functions do.
    """
    captured = captured_runs(profile, step_runs)
    facts = [each.step_run.step.capture for each in captured]
    skipped: Counter[str] = Counter()
    for capture in profile.captures:
        skipped.update({each.reason: each.count for each in capture.skipped})
    exited = _of_thread(profile) & _of_names(profile, [key == EXITED for key in profile.keys])
    no_start, cut_off = _broken_stacks(profile)
    return Quality(
        captures=len(profile.captures),
        partial_captures=sum(capture.partial for capture in profile.captures),
        seconds=captured_seconds(captured),
        scopes=tuple(sorted({each.scope for each in facts if each.scope})),
        event=profile.event,
        unit=profile.unit,
        frequencies=()
        if profile.unit == WAITS
        else tuple(sorted({each.frequency for each in facts if each.frequency})),
        samples=profile.samples,
        lost=_lost(captured),
        skipped=tuple(sorted(skipped.items())),
        shares_only=next((each.shares_only for each in profile.captures if each.shares_only), ""),
        unknown=_self_share(profile, [bool(NO_SYMBOL.fullmatch(name)) for name in profile.names]),
        minified=_self_share(profile, [bool(MINIFIED.fullmatch(name)) for name in profile.names]),
        no_start=no_start,
        cut_off=cut_off,
        exited_threads=int(exited.sum()),
        exited=_total_share(profile, exited),
        by_class=_by_class(profile),
        by_library=_by_library(profile),
        by_kind=kinds.shares(profile),
        spread=spread_between(captured),
    )


def _by_class(profile: Profile) -> tuple[tuple[str, float], ...]:
    shares = {
        each: _self_share(profile, [kind == each for kind in profile.classes])
        for each in FRAME_CLASSES
    }
    return tuple((each, share) for each, share in shares.items() if share)


def _by_library(profile: Profile) -> tuple[tuple[str, float], ...]:
    weights: Counter[str] = Counter()
    nodes = zip(profile.name.tolist(), profile.self_weights.tolist(), strict=True)
    for name, weight in nodes:
        if weight and profile.libraries[name]:
            weights[profile.libraries[name]] += weight
    ordered = sorted(weights.items(), key=lambda each: (-each[1], each[0]))
    return tuple((library, profile.exact(weight) / profile.total) for library, weight in ordered)


def _lost(captured: Sequence[RunCaptures]) -> int:
    """Return the samples lost: of each run what its captures or run.toml say, whichever is more."""
    return sum(
        max(sum(capture.lost for capture in each.captures), each.step_run.step.capture.lost or 0)
        for each in captured
    )


def _of_names(profile: Profile, names: Sequence[bool]) -> Mask:
    """Return the nodes whose names are chosen."""
    chosen: Mask = np.array(names)[profile.name]
    return chosen


def _self_share(profile: Profile, names: Sequence[bool]) -> float:
    """Return the self weight of the chosen names, of the whole."""
    weight = profile.weight_of(_of_names(profile, names))
    return weight / profile.total if profile.total else 0.0


def _total_share(profile: Profile, nodes: Mask) -> float:
    """Return what nodes weigh with all that they called, of the whole; none is below another."""
    weight = profile.exact(profile.total_weights[nodes].sum())
    return weight / profile.total if profile.total else 0.0


def _of_thread(profile: Profile) -> Mask:
    """Return the nodes that are threads: children of the root, unless captures name none."""
    threads = _of_names(profile, [each == "thread" for each in profile.classes])
    threads &= profile.parent == 0
    return threads


def _broken_stacks(profile: Profile) -> tuple[float | None, float]:
    """Return the shares of stacks that do not reach a start, and that were cut at a limit."""
    threads = _of_thread(profile)
    outermost = profile.called_by(threads) | ((profile.parent == 0) & ~threads)
    starts = outermost & _of_names(profile, [key in THREAD_STARTS for key in profile.keys])
    ours = outermost & _of_names(profile, [name == CUT_OFF for name in profile.names])
    whole = _total_share(profile, starts)
    depth = _depths(profile, threads)
    of_perf = np.zeros_like(starts)
    # Deeper stacks show that the limit was another one.
    if depth.max() == DEEPEST_OF_PERF:
        of_perf = (depth == DEEPEST_OF_PERF) & ~profile.below(starts)
    cut = _total_share(profile, ours) + profile.weight_of(of_perf) / (profile.total or 1)
    return (1 - whole if whole else None), cut


def _depths(profile: Profile, threads: Mask) -> Integers:
    """Return how many frames a node's stack has, itself included, as perf counts them."""
    inlined = _of_names(profile, [each == "inlined" for each in profile.classes])
    frames = np.flatnonzero(~(threads | inlined))
    frames = frames[frames > 0]
    change = np.zeros(len(profile.parent) + 1, dtype=np.int64)
    np.add.at(change, frames, 1)
    np.add.at(change, profile.end[frames], -1)
    depths: Integers = np.cumsum(change)[:-1]
    return depths

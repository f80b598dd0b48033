"""How good a profile is: what was captured, what was lost, what is unknown."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.captured import Captured, captured_runs, captured_seconds
from pipeline.paths.parse import FRAME_CLASSES
from pipeline.profile import Mask, Profile
from pipeline.study import StepRun

# [unknown]   [libc.so.6]   [kernel.kallsyms]: no symbol, at best the file that the code is in
NO_SYMBOL = re.compile(r"\[.*\]")

THREAD_STARTS = frozenset(
    {
        *("_start", "__libc_start_main", "__libc_start_call_main", "main"),
        *("start_thread", "thread_start", "clone", "clone3", "__clone", "__clone3"),
        *("ret_from_fork", "ret_from_fork_asm", "start_secondary", "cpu_startup_entry"),
        *("secondary_startup_64", "secondary_startup_64_no_verify"),
    }
)
"""What stands outermost on a whole stack of a C or C++ program, or of a kernel thread."""


@dataclass(frozen=True)
class Quality:
    """The quality of one profile. Shares are of its weight, from 0 to 1."""

    captures: int
    partial_captures: int
    """Captures that end too early, or are damaged."""
    seconds: float | None
    """Captured, all captures together; None where run.toml does not say."""
    scopes: tuple[str, ...]
    event: str
    unit: str
    frequencies: tuple[float, ...]
    """Samples a second that were asked for, each value once."""
    samples: int | None
    lost: int
    """Samples that the recorder says it lost."""
    skipped: tuple[tuple[str, int], ...]
    """By reason: the lines or samples that were not read."""
    unknown: float
    """Of frames without a symbol, themselves."""
    by_class: tuple[tuple[str, float], ...]
    """Of the frames themselves, by class; classes without weight are left out."""
    cut_off: float | None
    """Of stacks that do not reach the start of their thread; None where no stack of the profile
    begins with a known start, so that nothing can be told."""


def quality_of(profile: Profile, step_runs: Sequence[StepRun]) -> Quality:
    """Return the quality of a profile.

    Args:
        profile: of one cell and event.
        step_runs: all runs of the cell; those with captures in the profile are used.
    """
    captured = captured_runs(profile, step_runs)
    facts = [step_run.step.capture for step_run, _ in captured]
    skipped: Counter[str] = Counter()
    for capture in profile.captures:
        skipped.update({each.reason: each.count for each in capture.skipped})
    without_symbol = [bool(NO_SYMBOL.fullmatch(name)) for name in profile.names]
    by_class = {
        each: _share(profile, [kind == each for kind in profile.classes]) for each in FRAME_CLASSES
    }
    return Quality(
        captures=len(profile.captures),
        partial_captures=sum(capture.partial for capture in profile.captures),
        seconds=captured_seconds(captured),
        scopes=tuple(sorted({each.scope for each in facts if each.scope})),
        event=profile.event,
        unit=profile.unit,
        frequencies=tuple(sorted({each.frequency for each in facts if each.frequency})),
        samples=profile.samples,
        lost=_lost(profile, captured),
        skipped=tuple(sorted(skipped.items())),
        unknown=_share(profile, without_symbol),
        by_class=tuple((each, share) for each, share in by_class.items() if share),
        cut_off=_cut_off(profile),
    )


def _lost(profile: Profile, captured: Sequence[Captured]) -> int:
    """Return the samples lost: of each run what its captures or run.toml say, whichever is more."""
    lost_of = {capture.file: capture.lost for capture in profile.captures}
    lost = 0
    for step_run, _ in captured:
        files = map(step_run.bundle.shown, step_run.step.captures)
        in_captures = sum(lost_of.get(file, 0) for file in files)
        lost += max(in_captures, step_run.step.capture.lost or 0)
    return lost


def _share(profile: Profile, names: Sequence[bool]) -> float:
    """Return the self weight of the chosen names, of the whole."""
    chosen: Mask = np.array(names)[profile.name]
    return profile.weight_of(chosen) / profile.total if profile.total else 0.0


def _cut_off(profile: Profile) -> float | None:
    outermost = profile.called_by(profile.parent == 0)
    is_start = np.array([key in THREAD_STARTS for key in profile.keys])[profile.name]
    whole = profile.exact(profile.total_weights[outermost & is_start].sum())
    return 1 - whole / profile.total if whole else None

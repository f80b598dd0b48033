"""Which runs a profile was captured in, and for how long."""

from collections.abc import Sequence

from pipeline.profile import Profile
from pipeline.study import StepRun

Captured = tuple[StepRun, int]
"""A run, and how many of its captures are in the profile."""


def captured_runs(profile: Profile, step_runs: Sequence[StepRun]) -> list[Captured]:
    """Return the runs of a cell whose captures a profile holds.

    A capture that could not be read is in no profile, so the seconds it lasted do not count.
    """
    in_profile = {capture.file for capture in profile.captures}
    counts = [
        (
            step_run,
            sum(step_run.bundle.shown(name) in in_profile for name in step_run.step.captures),
        )
        for step_run in step_runs
    ]
    return [(step_run, count) for step_run, count in counts if count]


def captured_seconds(captured: Sequence[Captured]) -> float | None:
    """Return how long all captures lasted together, or None where run.toml does not say."""
    total = 0.0
    for step_run, count in captured:
        seconds = step_run.step.capture.seconds
        if seconds is None:
            return None
        total += seconds * count
    return total if captured else None

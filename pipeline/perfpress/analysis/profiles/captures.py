"""The captures in a profile: their runs, their length, and the spread between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Protocol

from perfpress.analysis.study.study import StepRun
from perfpress.base.node.messages.profiles import Capture

FEWEST_FOR_SPREAD = 3
"""Captures: of two, nothing shows which is the outlier."""


class HasCaptures(Protocol):
    """A profile, or what is known of one."""

    @property
    def captures(self) -> Sequence[Capture]:
        """The captures that it was merged from."""


@dataclass(frozen=True)
class RunCaptures:
    """A run, and those of its captures that are in a profile."""

    step_run: StepRun
    captures: tuple[Capture, ...]

    @cached_property
    def whole(self) -> tuple[Capture, ...]:
        """The captures that do not end too early: only they lasted as long as run.toml says.

        Where it does not say how long, all captures together are taken to cover a fixed work; with
        one of them in part they do not.
        """
        whole = tuple(capture for capture in self.captures if not capture.partial)
        is_stated = self.step_run.step.capture.seconds is not None
        return whole if is_stated or len(whole) == len(self.captures) else ()


def captured_runs(profile: HasCaptures, step_runs: Sequence[StepRun]) -> list[RunCaptures]:
    """Return the runs of a cell whose captures a profile holds.

    A capture that could not be read is in no profile, so the seconds it lasted do not count.
    """
    in_profile = {capture.file: capture for capture in profile.captures}
    found = [
        RunCaptures(
            step_run,
            tuple(
                in_profile[file]
                for file in map(step_run.bundle.shown, step_run.step.captures)
                if file in in_profile
            ),
        )
        for step_run in step_runs
    ]
    return [each for each in found if each.captures]


def captured_seconds(captured: Sequence[RunCaptures]) -> float | None:
    """Return how long all whole captures lasted together; None where that is not known."""
    total = 0.0
    for each in captured:
        seconds = each.step_run.step.capture.seconds
        if each.whole and seconds is None:
            return None
        total += (seconds or 0.0) * len(each.whole)
    return total or None


def seconds_of_weight(captured: Sequence[RunCaptures]) -> float | None:
    """Return the seconds in which a profile's weight was sampled; None where that is not known.

    How long a capture lasted that ends too early is not known: it is taken to have as much weight
    a second as the others.
    """
    held = [capture for each in captured for capture in each.captures]
    whole = sum(int(capture.weight) for each in captured for capture in each.whole)
    seconds = captured_seconds(captured)
    if seconds is None or not whole or any(capture.shares_only for capture in held):
        return None
    return seconds * sum(int(capture.weight) for capture in held) / whole


@dataclass(frozen=True)
class Spread:
    """How far the captures of one profile differ: weight per captured second, in its unit."""

    captures: int
    low: float
    middle: float
    """The median."""
    high: float

    @property
    def relative(self) -> float:
        """From the lowest to the highest, over the median."""
        return (self.high - self.low) / self.middle


def spread_between(captured: Sequence[RunCaptures]) -> Spread | None:
    """Return how far whole captures differ; None of fewer than three, or of unknown length.

    Captures that hold shares only, such as a full ring of waits, cover no known time.
    """
    weights = []
    for each in captured:
        seconds = each.step_run.step.capture.seconds
        if each.whole and not seconds:
            return None
        weights += [
            int(capture.weight) / (seconds or 1.0)
            for capture in each.whole
            if capture.shares_only is None
        ]
    if len(weights) < FEWEST_FOR_SPREAD or not (middle := median(weights)):
        return None
    return Spread(len(weights), min(weights), middle, max(weights))

"""Compares all that two files or directories hold: the numbers of logs, and profiles."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from perfpress.analysis.comparison.profiles import (
    ComparedProfile,
    HowCompared,
    compared_profiles,
    unread_captures,
)
from perfpress.analysis.comparison.sides import Side, study_of_sides
from perfpress.analysis.metrics.repeats import unlike
from perfpress.analysis.metrics.validity import values_of
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.display import number
from perfpress.base.problems import BadInput, Problem
from perfpress.base.toml.words import shown_value

if TYPE_CHECKING:  # imports scipy, which profiles alone do without
    from perfpress.analysis.comparison.rates import ComparedRates

MOST_LISTED = 8
"""Names that a message lists."""


@dataclass(frozen=True)
class Comparison:
    """What differs between two sides."""

    base: str
    after: str
    runs: tuple[int, int]
    """Of either side."""
    rates: "ComparedRates | None"
    """What logs say; None where not both sides have any."""
    profiles: Mapping[str, ComparedProfile]
    """By step."""
    notes: tuple[str, ...]
    """What only one side has."""
    problems: tuple[Problem, ...]
    """What could not be read, or is odd; the rest was compared."""


def compared(base: Side, after: Side, how: HowCompared, folder: Path) -> Comparison:
    """Compare two sides.

    Args:
        base: what is compared with.
        after: the other side.
        how: what is asked for.
        folder: for the files that this takes.

    Raises:
        BadInput: nothing can be read of a side, or the two have nothing in common.
    """
    study = study_of_sides(base, after)
    problems = [
        problem
        for each in study.step_runs
        for reading in each.readings
        for problem in reading.problems
        # What a timed command prints is no log, and is kept all the same.
        if reading.format or not each.measured
    ]
    sides = [
        [each for each in study.step_runs if each.cell.release == side.label]
        for side in (base, after)
    ]
    steps = [{each.step.name for each in side} for side in sides]
    captured = [_steps(side, _has_captures) for side in sides]
    measured = [_steps(side, _has_numbers) for side in sides]
    if not steps[0] & steps[1]:
        unlike = not (all(captured) or all(measured)) and all(
            own or other for own, other in zip(captured, measured, strict=True)
        )
        labels = (base.label, after.label)
        raise BadInput(
            *problems, _unlike_kinds(labels, sides) if unlike else _no_common_step(labels, steps)
        )
    rates = None
    if measured[0] & measured[1]:
        from perfpress.analysis.comparison.rates import compared_rates

        rates = compared_rates(study)
        problems += _unlike_repeats(study)
    profiles: Mapping[str, ComparedProfile] = {}
    if captured[0] & captured[1]:
        profiles, found = compared_profiles(study, how, folder)
        problems += found
    if rates is None and not profiles:
        problems += unread_captures(study, folder)
        if not any(each.severity == "error" for each in problems):
            problems.append(_unlike_kinds((base.label, after.label), sides))
        raise BadInput(*problems)
    return Comparison(
        base=base.label,
        after=after.label,
        runs=(_runs(sides[0]), _runs(sides[1])),
        rates=rates,
        profiles=profiles,
        notes=tuple(_only_one_side((base.label, after.label), steps, captured)),
        problems=tuple(dict.fromkeys(problems)),
    )


def _runs(side: Sequence[StepRun]) -> int:
    return len({each.bundle.run_id for each in side})


def _has_captures(step_run: StepRun) -> bool:
    return bool(step_run.step.captures)


def _has_numbers(step_run: StepRun) -> bool:
    return bool(step_run.measured)


def _steps(side: Sequence[StepRun], has: Callable[[StepRun], bool]) -> set[str]:
    return {each.step.name for each in side if has(each)}


def _unlike_repeats(study: Study) -> Iterable[Problem]:
    """Yield the steps whose repeats are far from each other."""
    for cell, values in values_of(study.step_runs, "throughput").items():
        if gap := unlike(values.values()):
            yield Problem(
                path=f"{cell.release}, {cell.step}",
                found=f"runs with {number(gap[0])} and {number(gap[1])} operations/s",
                expected="repeats of one measurement",
                do="compare runs of one kind; if they are, measure on a quieter machine",
                severity="warning",
            )


def _no_common_step(labels: tuple[str, str], steps: Sequence[set[str]]) -> Problem:
    return Problem(
        path=" and ".join(labels),
        found="; ".join(
            f"{label} has {_listed(own)}" for label, own in zip(labels, steps, strict=True)
        ),
        expected="a step of one name on both sides",
        do="call the files alike, or compare one file with one file",
    )


def _unlike_kinds(labels: tuple[str, str], sides: Sequence[Sequence[StepRun]]) -> Problem:
    """Report a log beside a capture, or logs without a number."""
    return Problem(
        path=" and ".join(labels),
        found="; ".join(
            f"{label} is {_kind(side)}" for label, side in zip(labels, sides, strict=True)
        ),
        expected="two logs, two captures, or directories that have both",
        do="compare like with like",
    )


def _kind(side: Sequence[StepRun]) -> str:
    readings = [reading for each in side for reading in each.readings]
    formats = sorted({reading.format for reading in readings if reading.format})
    kinds = []
    if formats:
        kinds.append(f"a log ({', '.join(formats)})")
    if any(map(_has_captures, side)):
        kinds.append("a capture")
    return " and ".join(kinds) or "without numbers"


def _only_one_side(
    labels: tuple[str, str], steps: Sequence[set[str]], captured: Sequence[set[str]]
) -> Iterable[str]:
    """Yield what only one side has."""
    for label, own, other in ((labels[0], steps[0], steps[1]), (labels[1], steps[1], steps[0])):
        if own - other:
            yield f"Only {label} has {_listed(own - other)}."
    both = steps[0] & steps[1]
    alone = captured[0] - captured[1], captured[1] - captured[0]
    for label, own in zip(labels, alone, strict=True):
        if own & both:
            yield f"Only {label} has captures of {_listed(own & both)}."


def _listed(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = len(ordered) - MOST_LISTED
    shown = ", ".join(map(shown_value, ordered[:MOST_LISTED]))
    return f"{shown} and {more} more" if more > 0 else shown

"""What the captures of a bundle say: how many can be read, of which events, with how many samples.

They are folded for it, as a build will do: nothing less shows whether they can be.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from perfpress.analysis.study.profiles import fold_each
from perfpress.analysis.study.study import captures_of
from perfpress.base.cache import Cache
from perfpress.base.disk import temporary_directory
from perfpress.base.display import plural
from perfpress.base.node.jobs import Done, Failed
from perfpress.base.node.messages.profiles import FoldAnswer, WrittenProfile
from perfpress.base.problems import BadInput, Problem
from perfpress.base.units import event_rank, weight_text
from perfpress.input.bundles.read import Bundle


@dataclass
class _Sum:
    """What the captures of a step hold of one event in one unit."""

    weight: int = 0
    samples: int | None = 0
    lost: int = 0


def captures_by_step(bundle: Bundle) -> tuple[Mapping[str, str], list[Problem]]:
    """Return, by the name of each step that has any, its captures in words; and their problems.

    Without Node nothing can be folded: they are counted then, with a warning.
    """
    files = {step.name: captures_of(bundle, step) for step in bundle.steps if step.captures}
    captures = [capture for of_step in files.values() for capture in of_step]
    try:
        with temporary_directory("perfpress-check-") as directory:
            folds = fold_each(Cache(directory), captures, os.cpu_count() or 1, lambda _: None)
    except BadInput as no_node:
        warnings = [replace(each, severity="warning") for each in no_node.problems]
        return {name: str(len(of_step)) for name, of_step in files.items()}, warnings
    fold_of = dict(zip(captures, folds, strict=True))
    by_step = {
        name: _in_words([fold_of[capture] for capture in of_step])
        for name, of_step in files.items()
    }
    # What can be read of the bundle is published all the same.
    problems = (problem for fold in folds for problem in fold.problems)
    return by_step, [replace(problem, severity="warning") for problem in problems]


def _in_words(folds: Sequence[Done[FoldAnswer] | Failed]) -> str:
    """Return `6 (cpu-clock: 6,014 samples, 0 lost)`, or `5 of 6 can be read (…)`."""
    made = [fold.result.profiles for fold in folds if isinstance(fold, Done)]
    read = [profiles for profiles in made if profiles]
    count = (
        str(len(folds)) if len(read) == len(folds) else f"{len(read)} of {len(folds)} can be read"
    )
    sums = _by_event([profile for profiles in read for profile in profiles])
    shown = "; ".join(
        f"{event}: {_text(sums[event, unit], unit)}"
        for event, unit in sorted(sums, key=lambda key: event_rank(*key))
    )
    return f"{count} ({shown})" if shown else count


def _by_event(profiles: Sequence[WrittenProfile]) -> dict[tuple[str, str], _Sum]:
    sums: dict[tuple[str, str], _Sum] = {}
    for profile in profiles:
        event = sums.setdefault((profile.event, profile.unit), _Sum())
        event.weight += int(profile.total)
        samples = profile.samples
        event.samples = (
            None if event.samples is None or samples is None else event.samples + samples
        )
        event.lost += sum(capture.lost for capture in profile.captures)
    return sums


def _text(event: _Sum, unit: str) -> str:
    if event.samples is None:
        return weight_text(event.weight, unit)
    return f"{plural(event.samples, 'sample')}, {event.lost:,} lost"

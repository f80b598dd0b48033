"""Captures to profiles: every capture is folded by itself, then those of one cell are merged.

The single captures stay in the cache underneath their profile, because the spread between them is
what its noise is estimated from, and because one more run then costs only its own captures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from perfpress.base.cache import Artifact, Cache, SourceFile
from perfpress.base.node.jobs import Done, Failed, Job, run_jobs
from perfpress.base.node.messages import profiles as messages
from perfpress.base.node.messages.message import Output
from perfpress.base.node.messages.profiles import (
    FoldAnswer,
    FoldedRequest,
    FoldRequest,
    MergeRequest,
)
from perfpress.base.node.requests import PROFILE
from perfpress.base.pace import Pace
from perfpress.base.problems import Problem
from perfpress.base.units import event_rank, whole_unit

PROFILE_JSON = "profile.json"
STACKS = "stacks.folded.gz"


StepKey = tuple[str, str]
"""A variant and step, over all releases."""


class CellKey(NamedTuple):
    """What one profile is of, within a report: a tuple, as it is looked up millions of times."""

    release: str
    variant: str
    step: str

    @property
    def step_key(self) -> StepKey:
        """Its variant and step."""
        return self.variant, self.step

    def in_release(self, release: str) -> "CellKey":
        """Return the same variant and step of another release."""
        return CellKey(release, self.variant, self.step)


@dataclass(frozen=True)
class CaptureFile:
    """One capture of a cell, as its bundle holds it."""

    cell: CellKey
    path: Path
    shown_as: str
    """Its path for messages and pages, from the results directory on."""
    sha256: str
    event: str | None
    """The event by run.toml; folded stacks do not hold it."""
    format: str | None
    """The format by run.toml, if recognition would be wrong."""
    labels: tuple[str, ...] = ()
    """Keys of labels whose values become frames."""


@dataclass(frozen=True)
class CellProfile:
    """The profile of one cell and event."""

    cell: CellKey
    event: str
    unit: str
    profile: Artifact
    captures: tuple[Artifact, ...]
    """One profile a capture that is in it, in the order of their files."""
    folded: Artifact


def fold_and_merge(
    cache: Cache,
    captures: Sequence[CaptureFile],
    processes: int,
    progress: Callable[[str], None],
) -> tuple[list[CellProfile], list[Problem]]:
    """Return the profiles of all cells, sorted by cell, and what could not be read.

    Of a cell those of CPU time come first: they are what tables are of, and its page begins with.
    """
    ordered = sorted(captures, key=lambda capture: (capture.cell, capture.shown_as))
    folds = fold_each(cache, ordered, processes, progress)
    groups = _group(ordered, folds)
    merges = run_jobs(
        cache,
        PROFILE,
        [_merge_job(cell, parts) for (cell, _), parts in groups.items()],
        processes,
        _paced(progress, "merge", len(groups), "profiles"),
    )
    merged = {
        group: done for group, done in zip(groups, merges, strict=True) if isinstance(done, Done)
    }
    stacks = run_jobs(
        cache,
        PROFILE,
        [_folded_job(cell, done.artifact(PROFILE_JSON)) for (cell, _), done in merged.items()],
        processes,
    )
    profiles = [
        CellProfile(
            cell=cell,
            event=event,
            unit=done.result.profile.unit,
            profile=done.artifact(PROFILE_JSON),
            captures=tuple(
                part
                for part, unit in groups[cell, event]
                if whole_unit(unit) == whole_unit(done.result.profile.unit)
            ),
            folded=folded.artifact(STACKS),
        )
        for ((cell, event), done), folded in zip(merged.items(), stacks, strict=True)
        if isinstance(folded, Done)
    ]
    profiles.sort(key=lambda made: (made.cell, event_rank(made.event, made.unit)))
    outcomes = (*folds, *merges, *stacks)
    problems = {problem for each in outcomes for problem in each.problems}
    return profiles, sorted(each for each in problems if each.severity != "note")


def fold_each(
    cache: Cache, captures: Sequence[CaptureFile], processes: int, progress: Callable[[str], None]
) -> list[Done[FoldAnswer] | Failed]:
    """Fold every capture by itself; `profiles` of what was done has one entry an event."""
    return run_jobs(
        cache,
        PROFILE,
        [_fold_job(capture) for capture in captures],
        processes,
        _paced(progress, "fold", len(captures), "captures"),
    )


def _paced(
    progress: Callable[[str], None], stage: str, count: int, what: str
) -> Callable[[int, int], None]:
    pace = Pace(progress, stage)

    def show(done: int, missing: int) -> None:
        if not done:
            progress(f"{stage}: {missing} of {count} {what} are new")
        pace.show(done, missing)

    return show


def _fold_job(capture: CaptureFile) -> Job[FoldRequest]:
    source = messages.CaptureFile(
        file=capture.shown_as,
        path=SourceFile(capture.path, capture.sha256),
        sha256=capture.sha256,
        event=capture.event,
        format=capture.format,
        labels=tuple(capture.labels),
    )
    return Job(capture.shown_as, FoldRequest(captures=(source,), out=Output("")))


def _merge_job(cell: CellKey, parts: Sequence[tuple[Artifact, str]]) -> Job[MergeRequest]:
    profiles = tuple(part for part, _ in parts)
    return Job(_about(cell), MergeRequest(profiles=profiles, out=Output(PROFILE_JSON)))


def _folded_job(cell: CellKey, profile: Artifact) -> Job[FoldedRequest]:
    return Job(_about(cell), FoldedRequest(profile=profile, out=Output(STACKS)))


def _about(cell: CellKey) -> str:
    return f"{cell.release}/{cell.step}"


def _group(
    captures: Sequence[CaptureFile], folds: Sequence[Done[FoldAnswer] | Failed]
) -> Mapping[tuple[CellKey, str], list[tuple[Artifact, str]]]:
    """Return the folded captures with their units, by cell and event."""
    groups: dict[tuple[CellKey, str], list[tuple[Artifact, str]]] = {}
    for capture, done in zip(captures, folds, strict=True):
        if isinstance(done, Failed):
            continue
        for folded in done.result.profiles:
            part = done.artifact(Path(folded.path).name)
            groups.setdefault((capture.cell, folded.event), []).append((part, folded.unit))
    return dict(sorted(groups.items()))

"""Captures to profiles: every capture is folded by itself, then those of one cell are merged.

The single captures stay in the cache underneath their profile, because the spread between them is
what its noise is estimated from, and because one more run then costs only its own captures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.build.cache import Artifact, Cache
from pipeline.node.jobs import Done, Failed, Job, Output, run_jobs
from pipeline.node.requests import FLAMEGRAPH
from pipeline.problems import Problem
from pipeline.units import event_rank, whole_unit

PROFILE = "profile.json"
STACKS = "stacks.folded.gz"


@dataclass(frozen=True, order=True)
class CellKey:
    """What one profile is of, within a report."""

    release: str
    variant: str
    step: str


@dataclass(frozen=True)
class CaptureFile:
    """One capture of a cell, as its bundle holds it."""

    cell: CellKey
    path: Path
    shown_as: str
    """Its path for messages and pages, from the results directory on."""
    sha256: str
    event: str | None
    """What `run.toml` says was sampled; folded stacks do not say it themselves."""
    format: str | None
    """What `run.toml` says it is, where recognition is wrong."""
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
    tell: Callable[[str], None],
) -> tuple[list[CellProfile], list[Problem]]:
    """Return the profiles of all cells, sorted by cell, and what could not be read.

    Of a cell those of CPU time come first: they are what tables are of, and its page begins with.
    """
    ordered = sorted(captures, key=lambda capture: (capture.cell, capture.shown_as))
    folds = fold_each(cache, ordered, processes, tell)
    groups = _group(ordered, folds)
    merges = run_jobs(
        cache,
        FLAMEGRAPH,
        [_merge_job(cell, parts) for (cell, _), parts in groups.items()],
        processes,
        lambda missing: tell(f"merge: {missing} of {len(groups)} profiles are new"),
    )
    merged = {
        group: done for group, done in zip(groups, merges, strict=True) if isinstance(done, Done)
    }
    stacks = run_jobs(
        cache,
        FLAMEGRAPH,
        [_folded_job(cell, done.artifact(PROFILE)) for (cell, _), done in merged.items()],
        processes,
    )
    profiles = [
        CellProfile(
            cell=cell,
            event=event,
            unit=done.result["unit"],
            profile=done.artifact(PROFILE),
            captures=tuple(
                part
                for part, unit in groups[cell, event]
                if whole_unit(unit) == whole_unit(done.result["unit"])
            ),
            folded=folded.artifact(STACKS),
        )
        for ((cell, event), done), folded in zip(merged.items(), stacks, strict=True)
        if isinstance(folded, Done)
    ]
    profiles.sort(key=lambda made: (made.cell, event_rank(made.event, made.unit)))
    outcomes = (*folds, *merges, *stacks)
    return profiles, sorted({problem for each in outcomes for problem in each.problems})


def fold_each(
    cache: Cache, captures: Sequence[CaptureFile], processes: int, tell: Callable[[str], None]
) -> list[Done | Failed]:
    """Fold every capture by itself; `profiles` of what was done has one entry an event."""
    return run_jobs(
        cache,
        FLAMEGRAPH,
        [_fold_job(capture) for capture in captures],
        processes,
        lambda missing: tell(f"fold: {missing} of {len(captures)} captures are new"),
    )


def _fold_job(capture: CaptureFile) -> Job:
    source = {
        "file": capture.shown_as,
        "path": Artifact(capture.path, capture.sha256),
        "sha256": capture.sha256,
        "event": capture.event,
        "format": capture.format,
        "labels": list(capture.labels),
    }
    return Job("fold", capture.shown_as, {"captures": [source], "out": Output("")})


def _merge_job(cell: CellKey, parts: Sequence[tuple[Artifact, str]]) -> Job:
    request = {"profiles": [part for part, _ in parts], "out": Output(PROFILE)}
    return Job("merge", _about(cell), request)


def _folded_job(cell: CellKey, profile: Artifact) -> Job:
    return Job("folded", _about(cell), {"profile": profile, "out": Output(STACKS)})


def _about(cell: CellKey) -> str:
    return f"{cell.release}/{cell.step}"


def _group(
    captures: Sequence[CaptureFile], folds: Sequence[Done | Failed]
) -> Mapping[tuple[CellKey, str], list[tuple[Artifact, str]]]:
    """Return the folded captures with their units, by cell and event."""
    groups: dict[tuple[CellKey, str], list[tuple[Artifact, str]]] = {}
    for capture, done in zip(captures, folds, strict=True):
        if isinstance(done, Failed):
            continue
        for folded in done.result.get("profiles", []):
            part = done.artifact(Path(folded["path"]).name)
            groups.setdefault((capture.cell, folded["event"]), []).append((part, folded["unit"]))
    return dict(sorted(groups.items()))

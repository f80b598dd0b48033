"""Captures to profiles: every capture is folded by itself, then those of one cell are merged.

The single captures stay in the cache underneath their profile, because the spread between them is
what its noise is estimated from, and because one more run then costs only its own captures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.cache import Artifact, Cache
from pipeline.node import FLAMEGRAPH, Done, Job, Output, run_jobs
from pipeline.problems import Problem


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
    run_id: str
    path: Path
    shown_as: str
    """Its path for messages and pages, from the results directory on."""
    sha256: str
    event: str | None
    """What `run.toml` says was sampled; folded stacks do not say it themselves."""


@dataclass(frozen=True)
class CellProfile:
    """The profile of one cell and event."""

    cell: CellKey
    event: str
    unit: str
    profile: Artifact
    captures: tuple[Artifact, ...]
    """One profile a capture, in the order of their files."""
    folded: Artifact


def fold_and_merge(
    cache: Cache,
    captures: Sequence[CaptureFile],
    processes: int,
    tell: Callable[[str], None],
) -> tuple[list[CellProfile], list[Problem]]:
    """Return the profiles of all cells, sorted by cell and event, and what could not be read."""
    ordered = sorted(captures, key=lambda capture: (capture.cell, capture.shown_as))
    folds = run_jobs(
        cache,
        FLAMEGRAPH,
        [_fold_job(capture) for capture in ordered],
        processes,
        lambda missing: tell(f"fold: {missing} of {len(ordered)} captures are new"),
    )
    problems = sorted({problem for done in folds for problem in done.problems})
    groups = _group(ordered, folds)
    merges = run_jobs(
        cache,
        FLAMEGRAPH,
        [
            Job("merge", {"profiles": [part for part, _ in parts], "out": Output("profile.json")})
            for parts in groups.values()
        ],
        processes,
        lambda missing: tell(f"merge: {missing} of {len(groups)} profiles are new"),
    )
    merged = [done.artifact("profile.json") for done in merges]
    stacks = run_jobs(
        cache,
        FLAMEGRAPH,
        [
            Job("folded", {"profile": profile, "out": Output("stacks.folded.gz")})
            for profile in merged
        ],
        processes,
    )
    return [
        CellProfile(
            cell=cell,
            event=event,
            unit=parts[0][1],
            profile=profile,
            captures=tuple(part for part, _ in parts),
            folded=folded.artifact("stacks.folded.gz"),
        )
        for ((cell, event), parts), profile, folded in zip(
            groups.items(), merged, stacks, strict=True
        )
    ], problems


def _fold_job(capture: CaptureFile) -> Job:
    source = {
        "file": capture.shown_as,
        "path": Artifact(capture.path, capture.sha256),
        "event": capture.event,
    }
    return Job("fold", {"captures": [source], "out": Output("")})


def _group(
    captures: Sequence[CaptureFile], folds: Sequence[Done]
) -> Mapping[tuple[CellKey, str], list[tuple[Artifact, str]]]:
    """Return, by cell and event, the folded captures with their units."""
    groups: dict[tuple[CellKey, str], list[tuple[Artifact, str]]] = {}
    for capture, done in zip(captures, folds, strict=True):
        for folded in done.result.get("profiles", []):
            part = done.artifact(Path(folded["path"]).name)
            groups.setdefault((capture.cell, folded["event"]), []).append((part, folded["unit"]))
    return dict(sorted(groups.items()))

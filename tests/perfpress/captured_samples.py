"""Runs with captures, and profiles made from them, for tests."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from perfpress.analysis.profiles.profile import Profile, profile_of
from perfpress.analysis.study.study import StepRun
from perfpress.base.node.messages.profiles import Capture, Skipped
from profile_samples import Stacks, profile_file_of
from step_run_samples import captures, step_run

STACKS: Stacks = {("db", "main", "run"): 600, ("db", "main", "read_[k]"): 400}


def profile_with(
    step_runs: list[StepRun], stacks: Stacks = STACKS, partial: int = 0, **changes: Any
) -> Profile:
    """Return a profile made from all captures of some runs; the first of them may be partial."""
    files = [run.bundle.shown(name) for run in step_runs for name in run.step.captures]
    held = tuple(
        Capture(
            file=file,
            sha256="0" * 64,
            format="folded",
            samples=None,
            weight="100",
            lost=2,
            partial=at < partial,
            shares_only=None,
            skipped=(Skipped("no stack", 3, 7),),
        )
        for at, file in enumerate(files)
    )
    file = msgspec.structs.replace(profile_file_of(stacks), captures=held, **changes)
    return profile_of(file)


def profiled(
    directory: Path,
    rate: float = 1000.0,
    count: int = 2,
    capture: dict[str, Any] | None = None,
    step: dict[str, Any] | None = None,
) -> StepRun:
    """Return a run with captures of 10 s each."""
    facts = {"seconds": 10.0, "scope": "process", "separate_run": True} | (capture or {})
    facts = {key: value for key, value in facts.items() if value is not None}
    run = step_run(
        directory,
        rate=rate,
        step={"captures": ["perf.*"], "capture": facts, **(step or {})},
        files=captures(count),
        changes={"host": directory.name},
    )
    # Bundles of tests are all shown under one name; captures are distinguished by it.
    shown = replace(run.run, bundle=replace(run.bundle, shown_as=directory.name))
    return replace(run, run=shown)

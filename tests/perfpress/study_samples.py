"""Small studies for tests: step runs on disk, and profiles made of stacks."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from definition_samples import report_of
from perfpress.analysis.study.profiles import CellKey, CellProfile
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.cache import Artifact
from perfpress.base.node.messages.profiles import Capture
from perfpress.base.toml.read import parse_toml
from perfpress.input.corrections.files import Accept, Correction
from profile_samples import Stacks, profile_file_of
from step_run_samples import captures, step_run

STACKS: Stacks = {("db", "main", "run"): 600, ("db", "main", "read_[k]"): 400}


def cell_of(release: str) -> CellKey:
    """Return the cell of a release: all samples are of one variant and step."""
    return CellKey(release, "socket2", "select")


def repeats(
    directory: Path, release: str, rates: Sequence[float], **arguments: Any
) -> list[StepRun]:
    """Return one run a rate; rates differ, as what is the same to the byte is the same run."""
    return [
        step_run(
            directory / f"{release}-{at}",
            rate,
            **{**arguments, "changes": {"release": release, **arguments.get("changes", {})}},
        )
        for at, rate in enumerate(rates)
    ]


def accept(**change: Any) -> Correction:
    """Return a correction that accepts a regression."""
    made = Accept(reason="the price of checksums", **change)
    document, _ = parse_toml("", "checksums.toml")
    assert document is not None
    return Correction("servers", datetime.date(2026, 1, 1), "checksums.toml", made, document)


def captured(directory: Path, release: str, rate: float = 1000.0, **arguments: Any) -> StepRun:
    """Return a run made for its profile, with one capture of ten seconds."""
    facts = {"seconds": 10.0, "scope": "process", "separate_run": True}
    facts |= arguments.get("capture", {})
    made = step_run(
        directory / f"{release}-captured",
        rate,
        step={
            "captures": ["perf.*"],
            "capture": {key: value for key, value in facts.items() if value is not None},
            **arguments.get("step", {}),
        },
        changes={"release": release},
        files=captures(1) | arguments.get("files", {}),
    )
    # Bundles of tests are all shown under one name; captures are distinguished by it.
    bundle = replace(made.bundle, shown_as=release)
    readings = tuple(
        msgspec.structs.replace(each, file=bundle.shown(name))
        for name, each in zip(made.step.logs, made.readings, strict=True)
    )
    return replace(made, run=replace(made.run, bundle=bundle), readings=readings)


def profile_on_disk(
    directory: Path,
    release: str,
    stacks: Stacks = STACKS,
    event: str = "cycles",
    unit: str = "cycles",
    file: str = "perf.0.folded.gz",
) -> CellProfile:
    """Write a profile; unless another file is named, of the capture of `captured`."""
    columns = profile_file_of(stacks)
    capture = Capture(
        file=f"{release}/{file}",
        sha256="0" * 64,
        format="folded",
        samples=None,
        weight=columns.total,
        lost=0,
        partial=False,
        shares_only=None,
        skipped=(),
    )
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{release}.{event}.profile.json"
    changed = msgspec.structs.replace(columns, captures=(capture,), event=event, unit=unit)
    path.write_bytes(msgspec.json.encode(changed))
    artifact = Artifact(path, "")
    return CellProfile(cell_of(release), event, unit, artifact, (artifact,), artifact)


def study_of(
    step_runs: Sequence[StepRun],
    profiles: Sequence[CellProfile] = (),
    report: Mapping[str, Any] | None = None,
) -> Study:
    """Return a study; its releases are those of the runs, in their order, the first is the base."""
    releases = list(dict.fromkeys(each.cell.release for each in step_runs))
    facts = {
        "default_variant": "socket2",
        "variants": {"socket2": "socket2"},
        "steps": ("select",),
    }
    by_cell: dict[CellKey, tuple[CellProfile, ...]] = {}
    for each in profiles:
        by_cell[each.cell] = (*by_cell.get(each.cell, ()), each)
    return Study(
        report=report_of(releases, **(facts | dict(report or {}))),
        runs=tuple({id(each.run): each.run for each in step_runs}.values()),
        step_runs=tuple(sorted(step_runs, key=lambda each: (each.cell, each.bundle.run_id))),
        profiles=by_cell,
        corrections=(),
    )

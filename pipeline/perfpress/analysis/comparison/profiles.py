"""Compares the profiles of two sides: folds their captures, merges and diffs them, in Node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from perfpress.analysis.study.profiles import CaptureFile, CellKey
from perfpress.analysis.study.study import StepRun, Study, captures_of
from perfpress.base.cache import Artifact
from perfpress.base.groups import grouped
from perfpress.base.node.jobs import Failed, Job, ask
from perfpress.base.node.messages import profiles as messages
from perfpress.base.node.messages.findings import Basis
from perfpress.base.node.messages.graphs import DiffAnswer, DiffGraphRequest, DiffRequest, Factors
from perfpress.base.node.messages.message import Answer, Output, Request
from perfpress.base.node.messages.profiles import (
    Capture,
    CapturePart,
    FoldRequest,
    MergeRequest,
    WrittenProfile,
)
from perfpress.base.node.requests import FLAMEGRAPH, PROFILE
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.base.toml.words import shown_value
from perfpress.base.units import event_rank, whole_unit


@dataclass(frozen=True)
class HowCompared:
    """What a person asks for."""

    event: str | None = None
    same_work: bool = False
    """Both sides did the same, so that what a run weighs is what it cost."""
    drawn: bool = False


@dataclass(frozen=True)
class ComparedProfile:
    """The profiles of one step on both sides, of the event that is compared."""

    step: str
    event: str
    unit: str
    base: WrittenProfile
    after: WrittenProfile
    diff: DiffAnswer
    drawing: Path | None
    """The diff as an SVG."""
    others: tuple[str, ...]
    """Events that both have besides."""
    is_same_work: bool


@dataclass(frozen=True)
class _Side:
    """What was folded of one side of a step: a part a capture, and their sum."""

    label: str
    parts: tuple[WrittenProfile, ...]
    whole: WrittenProfile


Key = TypeVar("Key")
A = TypeVar("A", bound=Answer)
_Parts = Sequence[WrittenProfile]
_Folded = Mapping[tuple[str, str], _Parts]
"""By event and unit."""


def compared_profiles(
    study: Study, how: HowCompared, folder: Path
) -> tuple[dict[str, ComparedProfile], list[Problem]]:
    """Compare the profiles of all steps of which both releases of a study have captures.

    Args:
        study: of two releases.
        how: what is asked for.
        folder: for the files that this takes.

    Raises:
        BadInput: no capture of a side can be read, or the two sampled nothing that is the same.
    """
    base, after = (release.id for release in study.report.releases)
    pairs = {
        step: (_captures(study, base, step), _captures(study, after, step))
        for step in study.report.steps
    }
    pairs = {step: pair for step, pair in pairs.items() if all(pair)}
    captures = [each for pair in pairs.values() for each in pair]
    folded, problems = _fold(captures, how.event, folder)
    chosen: dict[str, tuple[_Parts, _Parts, tuple[str, ...]]] = {}
    for step, pair in pairs.items():
        sides = [_by_event(captures, folded) for captures in pair]
        for label, own, side in zip((base, after), pair, sides, strict=True):
            if not side:
                raise BadInput(*problems or [_unread(label, own)])
        chosen[step] = _common(step, (base, after), sides, how.event)
    wholes = _merge([each for parts in chosen.values() for each in parts[:2]], folder)
    jobs: dict[str, Job[DiffRequest]] = {}
    found = {}
    for step, (base_parts, after_parts, others) in chosen.items():
        left = _Side(base, tuple(base_parts), wholes.pop(0))
        right = _Side(after, tuple(after_parts), wholes.pop(0))
        bases = _bases(study, step, left, right, how)
        jobs[step] = Job(step, _request(left, right, bases, folder / f"diff-{len(jobs)}"))
        found[step] = (left, right, others)
    for done in _answers(FLAMEGRAPH, jobs).values():
        problems += done.problems
    shown = {step: Job(step, _shown(step, jobs, (base, after), how)) for step in jobs}
    compared = {}
    for step, answer in _answers(FLAMEGRAPH, shown).items():
        problems += answer.problems
        out = shown[step].request.out
        left, right, others = found[step]
        if how.same_work:
            answer = _of_whole_work(answer)
        event = " and ".join(dict.fromkeys((left.whole.event, right.whole.event)))
        unit = left.whole.unit if left.whole.unit == right.whole.unit else "weight"
        drawing = Path(out.name) if isinstance(out, Output) else None
        compared[step] = ComparedProfile(
            step, event, unit, left.whole, right.whole, answer, drawing, others, how.same_work
        )
    return compared, problems


def _shown(
    step: str,
    jobs: Mapping[str, Job[DiffRequest]],
    labels: tuple[str, str],
    how: HowCompared,
) -> DiffGraphRequest:
    """Return what puts the diff of a step into words, and draws it where that is wanted."""
    diff, findings = (
        Path(out.name) for out in (jobs[step].request.out_diff, jobs[step].request.out_findings)
    )
    sides = " and ".join(labels)
    return DiffGraphRequest(
        diff=Artifact(diff, ""),
        findings=Artifact(findings, ""),
        base_label=labels[0],
        after_label=labels[1],
        title=f"{step}: {sides}" if len(jobs) > 1 else sides,
        out=Output(str(diff.with_suffix(".svg"))) if how.drawn else UNSET,
    )


def _answers(script: Path, jobs: Mapping[Key, Job[Request[A]]]) -> dict[Key, A]:
    """Return what all jobs answer.

    Raises:
        BadInput: one fails.
    """
    answers = ask(script, list(jobs.values())) if jobs else []
    found = {}
    for key, answer in zip(jobs, answers, strict=True):
        if isinstance(answer, Failed):
            raise BadInput(*answer.problems)
        found[key] = answer
    return found


def unread_captures(study: Study, folder: Path) -> list[Problem]:
    """Return why captures cannot be read that nothing is compared with."""
    releases = (release.id for release in study.report.releases)
    captures = [
        _captures(study, release, step) for release in releases for step in study.report.steps
    ]
    _, problems = _fold(captures, None, folder)
    return problems


def _of_whole_work(answer: DiffAnswer) -> DiffAnswer:
    """Return an answer whose unit is that of the weights, where one operation is all the work."""
    changes = answer.changes
    unit = changes.shown.unit.removesuffix(" per operation")
    return replace(answer, changes=replace(changes, shown=replace(changes.shown, unit=unit)))


def _captures(study: Study, release: str, step: str) -> list[CaptureFile]:
    cell = CellKey(release, study.report.default_variant, step)
    return [
        capture for each in study.of_cell(cell) for capture in captures_of(each.bundle, each.step)
    ]


def _fold(
    sides: Sequence[Sequence[CaptureFile]], event: str | None, folder: Path
) -> tuple[dict[Path, tuple[WrittenProfile, ...]], list[Problem]]:
    """Return what each capture holds, an entry an event, and what could not be read."""
    captures = list(dict.fromkeys(each for side in sides for each in side))
    jobs = []
    for number, each in enumerate(captures):
        source = messages.CaptureFile(
            file=each.shown_as,
            path=Artifact(each.path, ""),
            sha256=each.sha256 or None,
            event=each.event or event,
            format=each.format,
            labels=each.labels,
        )
        out = Output(str(folder / f"folded-{number}"))
        jobs.append(Job(each.shown_as, FoldRequest(captures=(source,), out=out)))
    folded: dict[Path, tuple[WrittenProfile, ...]] = {}
    problems: list[Problem] = []
    answers = ask(PROFILE, jobs) if jobs else []
    for number, (each, answer) in enumerate(zip(captures, answers, strict=True)):
        problems += answer.problems
        if not isinstance(answer, Failed):
            folded[each.path] = tuple(
                _at(profile, folder / f"folded-{number}" / profile.path)
                for profile in answer.profiles
            )
    return folded, problems


def _at(profile: WrittenProfile, path: Path) -> WrittenProfile:
    return WrittenProfile(
        profile.event, profile.unit, str(path), profile.total, profile.samples, profile.captures
    )


def _by_event(
    captures: Sequence[CaptureFile], folded: Mapping[Path, tuple[WrittenProfile, ...]]
) -> _Folded:
    profiles = (profile for capture in captures for profile in folded.get(capture.path, ()))
    return grouped(profiles, lambda profile: (profile.event, whole_unit(profile.unit)))


def _unread(label: str, captures: Sequence[CaptureFile]) -> Problem:
    path = captures[0].shown_as if captures else label
    return Problem(path=path, found="no samples", expected="a capture with samples")


def _common(
    step: str, labels: tuple[str, str], sides: Sequence[_Folded], wanted: str | None
) -> tuple[_Parts, _Parts, tuple[str, ...]]:
    """Return the profiles that are compared: of the event asked for, or the first that both have.

    Where each side has one event alone, and another one, shares of both are still comparable.
    """
    base, after = sides
    common = sorted(base.keys() & after.keys(), key=lambda key: event_rank(*key))
    asked = [key for key in common if wanted in (None, key[0])]
    if asked:
        others = tuple(key[0] for key in common if key != asked[0])
        return base[asked[0]], after[asked[0]], others
    if wanted is None and len(base) == len(after) == 1:
        return next(iter(base.values())), next(iter(after.values())), ()
    listed = "; ".join(
        f"{label} has {', '.join(sorted({event for event, _ in side}))}"
        for label, side in zip(labels, sides, strict=True)
    )
    expected = f"the event {shown_value(wanted)} in both" if wanted else "an event that both have"
    do = "choose one with --event" if common else "record both with the same event"
    raise bad_input(path=step, found=listed, expected=expected, do=do)


def _merge(sides: Sequence[Sequence[WrittenProfile]], folder: Path) -> list[WrittenProfile]:
    """Return the sum of the captures of each side; of one capture, itself."""
    jobs = {
        number: Job(
            parts[0].captures[0].file,
            MergeRequest(
                profiles=tuple(Artifact(Path(each.path), "") for each in parts),
                out=Output(str(folder / f"merged-{number}.json")),
            ),
        )
        for number, parts in enumerate(sides)
        if len(parts) > 1
    }
    wholes = [parts[0] for parts in sides]
    for number, answer in _answers(PROFILE, jobs).items():
        wholes[number] = _at(answer.profile, folder / f"merged-{number}.json")
    return wholes


def _bases(
    study: Study, step: str, base: _Side, after: _Side, how: HowCompared
) -> dict[Basis, Factors]:
    """Return what both sides' weights are multiplied with to be costs; nothing where unknown."""
    if base.whole.unit != after.whole.unit:
        return {}
    if how.same_work:
        works: list[float | None] = [float(len(base.parts)), float(len(after.parts))]
    else:
        works = [_operations(study, step, side) for side in (base, after)]
    if works[0] is None or works[1] is None:
        return {}
    return {"cost_per_operation": Factors(1 / works[0], 1 / works[1])}


@dataclass(frozen=True)
class _Captured:
    """The captures of a profile, by which its operations are known."""

    captures: Sequence[Capture]


def _operations(study: Study, step: str, side: _Side) -> float | None:
    """Return the operations done while a side was captured, where run.toml says how long that was.

    Only bundles say it.
    """
    cell = CellKey(side.label, study.report.default_variant, step)
    step_runs: Sequence[StepRun] = study.of_cell(cell)
    if not any(each.step.capture.seconds or each.step.work == "fixed" for each in step_runs):
        return None
    from perfpress.analysis.profiles.cost import Unknown, work_captured

    work = work_captured(_Captured(side.whole.captures), step_runs)
    return None if isinstance(work, Unknown) else work.operations


def _request(base: _Side, after: _Side, bases: Mapping[Basis, Factors], out: Path) -> DiffRequest:
    def parts(side: _Side) -> tuple[CapturePart, ...]:
        if len(side.parts) == 1:
            return ()
        return tuple(CapturePart(Artifact(Path(each.path), ""), 1.0) for each in side.parts)

    return DiffRequest(
        base=Artifact(Path(base.whole.path), ""),
        after=Artifact(Path(after.whole.path), ""),
        base_captures=parts(base),
        after_captures=parts(after),
        basis="cost_per_operation" if bases else "share",
        bases=bases,
        out_diff=Output(f"{out}.json"),
        out_findings=Output(f"{out}.findings.json"),
    )

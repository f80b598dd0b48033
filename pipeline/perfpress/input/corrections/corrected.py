"""Bundles with the corrections that touch them: what all pages are made from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec

from perfpress.base.cache import key_of
from perfpress.base.problems import Problem
from perfpress.base.slugs import reserved, slug
from perfpress.base.toml.faults import expectation
from perfpress.base.toml.words import nearest, shown_value
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.same_config import are_one
from perfpress.input.bundles.schema import FILE_NAME, Run, Step
from perfpress.input.bundles.variant import variant_of
from perfpress.input.corrections.files import Accept, Correction, Invalid, Rename, Set, Supersede
from perfpress.input.logs.metric_names import unit_of

RUN_KEYS = ("benchmark", "host", "config", "clients", "axes", "machine", "tools")
STEP_KEYS = ("operation", "work", "operations", "seconds", "command", "capture", "metrics")
"""What `set` may change: releases and steps are renamed, and files are never exchanged."""

MOST_LISTED = 8
"""Names that a message lists."""

T = TypeVar("T", Run, Step)


@dataclass(frozen=True)
class Exclusion:
    """Why a run, or one step of it, is in no figure."""

    status: Literal["invalid", "superseded"]
    reason: str
    step: str | None
    """`None`: all steps."""
    replacement: str | None = None
    """The id of the run that counts instead."""
    correction: Correction | None = None
    """`None` if the replacing run states it in its run.toml."""


@dataclass(frozen=True)
class CorrectedRun:
    """A bundle as it counts: `set` and `rename` are applied to it already."""

    bundle: Bundle
    exclusions: tuple[Exclusion, ...] = ()
    corrections: tuple[Correction, ...] = ()
    """All that touched it, `accept` too."""
    renames: tuple[Rename, ...] = ()
    """Those of its release and steps, in order."""

    def name_now(self, what: str, name: str) -> str:
        """Return what a release or step is called now that had the name at some time."""
        for rename in self.renames:
            if rename.what == what and rename.old == name:
                name = rename.new
        return name

    @cached_property
    def key(self) -> str:
        """The hash of the run as it counts: of its files and what corrections made of run.toml."""
        bundle = self.bundle
        stated = (bundle.run, bundle.steps, bundle.variant)
        return key_of(
            bundle.shown_as, bundle.content_hash, stated, self.exclusions, self.corrections
        )

    @property
    def status(self) -> Literal["valid", "invalid", "superseded"]:
        """The status of the run as a whole."""
        return next((each.status for each in self.exclusions if each.step is None), "valid")

    def exclusion(self, step: str) -> Exclusion | None:
        """Return why a step of this run does not count, `None` where it counts."""
        return next((each for each in self.exclusions if each.step in (None, step)), None)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that count."""
        return tuple(step for step in self.bundle.steps if self.exclusion(step.name) is None)


def apply_corrections(
    bundles: Sequence[Bundle],
    corrections: Sequence[Correction],
    same_config: Sequence[Sequence[str]] = (),
) -> tuple[tuple[CorrectedRun, ...], list[Problem]]:
    """Return the bundles as they count, in the same order, and the corrections that hit nothing.

    First all renames, then what runs say themselves (`replaces`), then the other corrections in
    their order. These may use the names of before a rename or after it.

    Args:
        bundles: of a report.
        corrections: of it.
        same_config: configurations that the report declares to be the same: one run of them may
            take the place of another.
    """
    state = _State([CorrectedRun(bundle) for bundle in bundles], same_config)
    for correction in corrections:
        if isinstance(correction.change, Rename):
            state.apply(correction)
    for run in list(state.runs):
        if run.bundle.run.replaces is not None:
            state.replaced_by(run.bundle, run.bundle.run.replaces)
    for correction in corrections:
        if not isinstance(correction.change, Rename):
            state.apply(correction)
    return tuple(state.runs), state.problems


class _State:
    """The runs while corrections are applied to them, one after the other."""

    def __init__(self, runs: list[CorrectedRun], same_config: Sequence[Sequence[str]]) -> None:
        self.runs = runs
        self.same_config = same_config
        self.problems: list[Problem] = []

    def replaced_by(self, by: Bundle, replaced: str) -> None:
        """Apply the `replaces` of a bundle."""
        report = slug(by.run.report)
        targets = [run for run in self._of(report) if run.bundle.run_id == replaced]
        if not targets or not all(self._is_rerun(by, run.bundle) for run in targets):
            found = f"`replaces` names {shown_value(replaced)}"
            path = f"{by.shown_as}/{FILE_NAME}"
            expected = "the id of an earlier run of the same release and variant"
            do = "the run counts as a repeat; supersede the other one: perfpress amend supersede"
            self.problems.append(Problem(path=path, found=found, expected=expected, do=do))
            return
        reason = "replaced by a later run"
        exclusion = Exclusion("superseded", reason, None, replacement=by.run_id)
        self._update(targets, lambda run: _excluded(run, exclusion))

    def apply(self, correction: Correction) -> None:
        """Apply one correction, or report why it cannot be."""
        targets = self._targets(correction)
        if not targets:
            return
        match correction.change:
            case Invalid() as change:
                exclusion = Exclusion("invalid", change.reason, change.step, correction=correction)
                self._update(targets, lambda run: _excluded(run, exclusion))
            case Supersede() as change:
                self._supersede(targets, change, correction)
            case Set() as change:
                self._set(targets, change, correction)
            case Rename() as change:
                self._rename(targets, change, correction)
            case Accept():
                self._update(targets, lambda run: _touched(run, correction))

    def _of(self, report: str) -> list[CorrectedRun]:
        return [run for run in self.runs if slug(run.bundle.run.report) == report]

    def _targets(self, correction: Correction) -> list[CorrectedRun]:
        """Return the runs that a correction is about; report where there are none."""
        change = correction.change
        runs = self._of(correction.report)
        if not runs:
            found = f"no run belongs to report {correction.report}"
            do = "move the correction into the directory of its report"
            self.problems.append(correction.problem("kind", found, do=do))
        if isinstance(change, Rename):
            return self._known(correction, runs, change.what, change.old, key="from")
        for key in ("run", "release", "variant", "step"):
            wanted = getattr(change, key, None)
            if wanted is not None:
                runs = self._known(correction, runs, key, wanted, key=key)
        return runs

    def _known(
        self, correction: Correction, runs: list[CorrectedRun], kind: str, wanted: str, key: str
    ) -> list[CorrectedRun]:
        """Return those of the runs that have the name; report where none has."""
        if not runs:
            return []
        found = [
            run
            for run in runs
            if {wanted, run.name_now(kind, wanted)}.intersection(_names(run.bundle, kind))
        ]
        if not found:
            known = sorted({name for run in runs for name in _names(run.bundle, kind)})
            near = nearest(wanted, known)
            self.problems.append(
                correction.problem(
                    key,
                    f"no {kind} {shown_value(wanted)}",
                    f"a {kind} of the report {correction.report}",
                    f"did you mean {shown_value(near)}?" if near else f"it has {_listed(known)}",
                )
            )
        return found

    def _supersede(
        self, targets: list[CorrectedRun], change: Supersede, correction: Correction
    ) -> None:
        there = {run.bundle.run_id: run for run in self._of(correction.report)}
        replacement = there.get(change.replacement)
        if replacement is None:
            found = f"no run {shown_value(change.replacement)}"
            do = 'add the replacing run first, or use kind = "invalid"'
            expected = f"a run of the report {correction.report}"
            self.problems.append(correction.problem("replacement", found, expected, do))
            return
        run, step = targets[0], change.step
        step = run.name_now("step", step) if step else None
        lacks_step = step is not None and step not in _names(replacement.bundle, "step")
        if lacks_step or not self._repeats(replacement.bundle, run.bundle):
            found = f"a run of {_measured(replacement.bundle)}"
            if lacks_step:
                found += f" without the step {shown_value(step)}"
            expected = f"another run of {_measured(run.bundle)}"
            if step is not None:
                expected += f" with the step {shown_value(step)}"
            do = "choose a rerun of that, or only withdraw the run: perfpress amend invalid"
            self.problems.append(correction.problem("replacement", found, expected, do))
            return
        if self._leads_to(correction.report, change.replacement, change.run):
            found = "a run that is itself replaced by this one"
            expected = "a run that counts"
            self.problems.append(correction.problem("replacement", found, expected))
            return
        exclusion = Exclusion(
            "superseded", change.reason, change.step, change.replacement, correction
        )
        self._update(targets, lambda run: _excluded(run, exclusion))

    def _leads_to(self, report: str, first: str, last: str) -> bool:
        """Return whether following replacements from one run leads to another."""
        next_of = {
            run.bundle.run_id: exclusion.replacement
            for run in self._of(report)
            for exclusion in run.exclusions
            if exclusion.replacement is not None
        }
        current: str | None = first
        for _ in range(len(next_of) + 1):
            if current == last:
                return True
            current = next_of.get(current) if current is not None else None
        return False

    def _set(self, targets: list[CorrectedRun], change: Set, correction: Correction) -> None:
        keys = STEP_KEYS if change.step is not None else RUN_KEYS
        if change.key.partition(".")[0] not in keys:
            found = f"the key {shown_value(change.key)}"
            near = nearest(change.key, keys)
            do = f"did you mean {near}?" if near else ""
            self.problems.append(correction.problem("key", found, f"one of {', '.join(keys)}", do))
            return
        try:
            self._update(targets, lambda run: _touched(_with_value(run, change), correction))
        except msgspec.ValidationError as error:
            found = f"{shown_value(change.value)} for {shown_value(change.key)}"
            self.problems.append(correction.problem("value", found, expectation(error)))
        except TypeError:
            found = f"the key {shown_value(change.key)}"
            self.problems.append(correction.problem("key", found, "a key that has a value"))

    def _rename(self, targets: list[CorrectedRun], change: Rename, correction: Correction) -> None:
        own = {change.old, *(run.name_now(change.what, change.old) for run in targets)}
        others = {
            name
            for run in self._of(correction.report)
            for name in _names(run.bundle, change.what)
            if name not in own and slug(name) == slug(change.new)
        }
        if change.what == "release":
            others.discard(change.new)  # two releases may become one
        if others:
            found = f"{shown_value(change.new)} has the address of {shown_value(min(others))}"
            expected = f"a name that no other {change.what} has"
            self.problems.append(correction.problem("to", found, expected))
            return
        if reserved(change.new, change.what):
            found = f"a {change.what} may not be called {shown_value(change.new)}"
            self.problems.append(correction.problem("to", found, "a name no other page has"))
            return
        self._update(targets, lambda run: _touched(_renamed(run, change), correction))

    def _update(
        self, targets: list[CorrectedRun], change: Callable[[CorrectedRun], CorrectedRun]
    ) -> None:
        """Replace the targets by what `change` makes of them; all of them or none."""
        changed = {id(run): change(run) for run in targets}
        self.runs = [changed.get(id(run), run) for run in self.runs]

    def _is_rerun(self, bundle: Bundle, earlier: Bundle) -> bool:
        """Return whether a bundle can take the place of another: it measures the same, later."""
        begun, before = bundle.run.started, earlier.run.started
        return (
            self._repeats(bundle, earlier)
            and bundle.run_id != earlier.run_id
            and (begun is None or before is None or before < begun)
        )

    def _repeats(self, bundle: Bundle, other: Bundle) -> bool:
        """Return whether two bundles are runs of one release and variant."""
        is_same_release = bundle.run.release == other.run.release
        return is_same_release and are_one(self.same_config, bundle.variant, other.variant)


def _measured(bundle: Bundle) -> str:
    return f"release {shown_value(bundle.run.release)}, variant {shown_value(bundle.variant.slug)}"


def _names(bundle: Bundle, kind: str) -> tuple[str, ...]:
    """Return the names by which corrections find a bundle."""
    match kind:
        case "run":
            return (bundle.run_id,)
        case "release":
            return (bundle.run.release,)
        case "variant":
            return (bundle.variant.slug,)
        case _:
            return tuple(step.name for step in bundle.steps)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(map(shown_value, names[:MOST_LISTED])) + more


def _touched(run: CorrectedRun, correction: Correction) -> CorrectedRun:
    return replace(run, corrections=(*run.corrections, correction))


def _excluded(run: CorrectedRun, exclusion: Exclusion) -> CorrectedRun:
    if exclusion.step is not None:
        exclusion = replace(exclusion, step=run.name_now("step", exclusion.step))
    run = replace(run, exclusions=(*run.exclusions, exclusion))
    return _touched(run, exclusion.correction) if exclusion.correction else run


def _renamed(run: CorrectedRun, change: Rename) -> CorrectedRun:
    renames = (*run.renames, change)
    bundle = run.bundle
    if change.what == "release":
        facts = msgspec.structs.replace(bundle.run, release=change.new)
        return replace(run, bundle=replace(bundle, run=facts), renames=renames)
    old = run.name_now("step", change.old)
    steps = tuple(
        msgspec.structs.replace(step, name=change.new) if step.name == old else step
        for step in bundle.steps
    )
    return replace(run, bundle=replace(bundle, steps=steps), renames=renames)


def _with_value(run: CorrectedRun, change: Set) -> CorrectedRun:
    """Return the run with one key changed.

    Raises:
        msgspec.ValidationError: the value is not of the key's kind.
        TypeError: the part before the last dot is not a table.
    """
    bundle = run.bundle
    if change.step is None:
        facts = _changed(bundle.run, Run, change)
        return replace(run, bundle=replace(bundle, run=facts, variant=variant_of(facts)))
    name = run.name_now("step", change.step)
    steps = tuple(
        _changed(step, Step, change) if step.name == name else step for step in bundle.steps
    )
    return replace(run, bundle=replace(bundle, steps=steps))


def _changed(struct: T, kind: type[T], change: Set) -> T:
    values: Any = msgspec.to_builtins(struct)
    *tables, last = _key_path(change.key)
    inner = values
    for table in tables:
        inner = inner.setdefault(table, {})
    inner[last] = change.value
    changed = msgspec.convert(values, kind)
    for name, metric in changed.metrics.items() if isinstance(changed, Step) else ():
        unit = unit_of(name)
        if unit is not None and metric.unit != unit:
            raise msgspec.ValidationError(f"{name} in {unit}")
    return changed


def _key_path(key: str) -> tuple[str, ...]:
    """Return the tables and the key: names of machine facts and metrics may hold dots."""
    table, _, name = key.partition(".")
    if table == "metrics":
        metric, _, field = name.rpartition(".")
        return (table, metric, field)
    return (table, name) if name else (table,)

"""Cost per operation: what the profile weighs, over the operations done while it was captured."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from perfpress.analysis.metrics.validity import why_no_number
from perfpress.analysis.profiles.captures import HasCaptures, RunCaptures, captured_runs
from perfpress.analysis.study.study import StepRun
from perfpress.base.node.messages.profiles import Capture
from perfpress.base.units import shown_in

SCOPES = {
    "process": "the process under test",
    "host": "the whole host, the client that drove the benchmark included",
    None: "the process or the whole host, which is not stated",
}


@dataclass(frozen=True)
class Work:
    """The operations done while a profile's weight was sampled."""

    operations: float
    scope: str
    """What was sampled, in words."""
    method: str
    """How the operations were found, in words with the numbers."""
    base: str = ""
    """By the author's rates: the label of the release whose operation has a cost of 100."""


@dataclass(frozen=True)
class CostUnit:
    """What costs are counted in."""

    weight: str
    """The profile's unit."""
    operation: str
    base: str = ""
    """By the author's rates: the label of the release whose operation has a cost of 100."""

    @property
    def one_of_base(self) -> str:
        """What relative costs are percent of: `one insert on 17`."""
        return f"one {self.operation} on {self.base}"

    @property
    def text(self) -> str:
        """The unit of an exact cost: `cycles per insert`."""
        if self.base:
            return f"% of {self.one_of_base}, by the author’s rates"
        return f"{self.weight} per {self.operation}"

    def shown(self, costs: Iterable[float]) -> tuple[float, str]:
        """Return what to multiply costs by for readers, and their unit then: `cycles/insert`.

        Args:
            costs: all of one column, which has one unit.
        """
        if self.base:
            return 1, f"% of {self.base}, author’s rates"
        factor, unit = shown_in(self.weight, costs)
        return factor, f"{unit}/{self.operation}"


@dataclass(frozen=True)
class Unknown:
    """Why there is no number."""

    reason: str


def work_captured(profile: HasCaptures, step_runs: Sequence[StepRun]) -> Work | Unknown:
    """Return the operations done while the captures of a profile were taken.

    How long a capture lasted that ends too early is not known. Whole captures alone show what
    an operation costs; cut ones are taken for as many operations as their weight gives at
    that cost. So they change no cost, and what they add to the profile counts in its shares.

    Args:
        profile: of one cell and event. Only the captures that it holds count.
        step_runs: all runs of the cell. If one that was captured has no rate, nothing can be
            noted for the merged profile.
    """
    for capture in profile.captures:
        if capture.shares_only:
            return Unknown(f"{capture.file} has shares only: {capture.shares_only}")
    captured = captured_runs(profile, step_runs)
    if not captured:
        return Unknown("no run of this step has captures in the profile")
    if len({each.step_run.step.capture.scope for each in captured}) > 1:
        return Unknown("some captures cover the process, others the whole host")
    known = [each for each in captured if each.whole]
    works: list[Work] = []
    for each in known:
        work = _work_of_run(each)
        if isinstance(work, Unknown):
            return work
        works.append(work)
    held = [capture for each in captured for capture in each.captures]
    whole = [capture for each in known for capture in each.whole]
    if not whole:
        file = next(capture.file for capture in held if capture.partial)
        return Unknown(f"{file} is there in part only: of how many seconds is not known")
    methods = sorted({work.method for work in works})
    if len(whole) < len(held):
        partial = len(held) - len(whole)
        methods.append(f"{partial} of {len(held)} captures, there in part, at the others' cost")
    return Work(
        operations=sum(work.operations for work in works) * (_weight(held) / _weight(whole)),
        scope=works[0].scope,
        method="; ".join(methods),
    )


def _weight(captures: Sequence[Capture]) -> int:
    return sum(int(capture.weight) for capture in captures)


def cost_per_operation(weight: int, work: Work | Unknown) -> float | None:
    """Return the weight of one operation, in the profile's unit; None where the work is unknown.

    Weight ÷ (operations per second × captured seconds), or with fixed work weight ÷ operations.
    """
    return None if isinstance(work, Unknown) else weight / work.operations


def _work_of_run(captured: RunCaptures) -> Work | Unknown:
    """Return the operations done while the whole captures of a run were taken."""
    step_run, whole = captured.step_run, len(captured.whole)
    step, run_id = step_run.step, step_run.bundle.run_id
    scope = SCOPES[step.capture.scope]
    if step.capture.seconds is None:
        operations = _operations(step_run)
        if step.work != "fixed" or not operations:
            return Unknown("how long the captures lasted is not recorded")
        return Work(operations, scope, "fixed work: the captures are taken to cover all of it")
    if reason := why_no_number(step_run, "throughput"):
        return Unknown(f"no throughput of {run_id}, the run that was captured: {reason}")
    rate = step_run.measured["throughput"]
    return Work(
        operations=rate.value * whole * step.capture.seconds,
        scope=scope,
        method=f"captures of {step.capture.seconds:g} s, at the rate of the run that was captured",
    )


def _operations(step_run: StepRun) -> float | None:
    if step_run.step.operations is not None:
        return step_run.step.operations
    if why_no_number(step_run, "operations"):
        return None
    return step_run.measured["operations"].value

"""Cost per operation: what the profile weighs, over the operations done while it was captured."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.analysis.captured import Captured, captured_runs
from pipeline.analysis.counted import why_no_number
from pipeline.profile import Capture, Profile
from pipeline.study.study import StepRun

SCOPES = {
    "process": "the process under test",
    "host": "the whole host, the client that drove the benchmark included",
    None: "what was sampled is not stated",
}


@dataclass(frozen=True)
class Work:
    """The operations that a profile's weight stands for."""

    operations: float
    scope: str
    """What was sampled, in words."""
    method: str
    """How the operations were found, in words with the numbers."""


@dataclass(frozen=True)
class Unknown:
    """Why there is no number."""

    reason: str


def work_captured(profile: Profile, step_runs: Sequence[StepRun]) -> Work | Unknown:
    """Return the operations done while the captures of a profile were taken.

    How long a capture lasted that ends too early is not known. The whole captures alone tell what
    an operation costs; those in part are taken to stand for as many operations as they weigh at
    that cost. So they change no cost, and what they add to the profile counts in its shares.

    Args:
        profile: of one cell and event. Only the captures that it holds count.
        step_runs: all runs of the cell. Where one that was captured does not tell, nothing can be
            said of the merged profile.
    """
    for capture in profile.captures:
        if capture.shares_only:
            return Unknown(f"{capture.file} tells shares only: {capture.shares_only}")
    captured = captured_runs(profile, step_runs)
    if not captured:
        return Unknown("no run of this step has captures in the profile")
    if len({each.step_run.step.capture.scope for each in captured}) > 1:
        return Unknown("some captures are of the process, others of the host")
    telling = [each for each in captured if each.whole]
    works: list[Work] = []
    for each in telling:
        work = _work_of_run(each)
        if isinstance(work, Unknown):
            return work
        works.append(work)
    held = [capture for each in captured for capture in each.captures]
    whole = [capture for each in telling for capture in each.whole]
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


def _work_of_run(captured: Captured) -> Work | Unknown:
    """Return the operations done while the whole captures of a run were taken."""
    step_run, whole = captured.step_run, len(captured.whole)
    step, run_id = step_run.step, step_run.bundle.run_id
    scope = SCOPES[step.capture.scope]
    if step.capture.seconds is None:
        operations = _operations(step_run)
        if step.work != "fixed" or not operations:
            return Unknown(f"how long the captures of {run_id} lasted is not stated")
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

"""Plans profiling: which processes to sample, and with which events perf can."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from perfpress.base.problems import Problem, bad_input
from perfpress.host.capture import perf, processes
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.folding import Folder
from perfpress.host.capture.profiler import Sampling, sampling_arguments, target_arguments


@dataclass(frozen=True)
class Target:
    """Which processes are profiled; the whole host by default."""

    pids: Sequence[int] = ()
    name: str | None = None
    """Of the program."""
    backend: str | None = None
    """A part of the command line."""
    is_command: bool = False
    """What the capture itself starts."""


def plan_profiling(
    sampling: Sampling, target: Target, raw: Path, *, separate_run: bool
) -> tuple[Profiling, list[Problem]]:
    """Return how to profile, and warnings where that differs from the request.

    Raises:
        BadInput: perf cannot, or the processes are not there.
    """
    find_pids = _finder(target)
    available = perf.available_events(
        sampling.events, _target_now(target, find_pids), sampling_arguments(sampling)
    )
    problems = _differences_from_request(sampling.events, available)
    folder = Folder.find()
    if folder is None:
        problems.append(NO_NODE)
    profiling = Profiling(
        replace(sampling, events=available),
        folder=folder,
        find_pids=find_pids,
        separate_run=separate_run,
        raw=raw,
    )
    return profiling, problems


NO_NODE = Problem(
    path="node",
    found="not installed, or too old",
    expected="Node, to fold captures",
    do="no harm: they go into the bundle as perf script text, several times as large",
    severity="warning",
)


def _differences_from_request(asked: Sequence[str], available: Sequence[str]) -> list[Problem]:
    """Return the events that differ from the request."""
    problems = []
    if perf.FALLBACK_EVENT in {one.partition(":")[0] for one in available} - set(asked):
        found = f"no hardware counter of {perf.DEFAULT_EVENT}, as in most virtual machines"
        do = f"the timer {perf.FALLBACK_EVENT} is sampled instead, and the bundle says so"
        problems.append(Problem(path="perf", found=found, do=do, severity="warning"))
    if any(one.endswith(":u") and one not in asked for one in available):
        found = f"it may not sample the kernel: {', '.join(available)} is of programs only"
        do = "to have all, run as root, or: sysctl kernel.perf_event_paranoid=1"
        problems.append(Problem(path="perf", found=found, do=do, severity="warning"))
    return problems


FindPids = Callable[[int], Sequence[int]]


def _finder(target: Target) -> FindPids | None:
    """Return a function that finds the processes to profile; `None` for the whole host."""
    name, backend, pids = target.name, target.backend, target.pids
    if target.is_command:
        return lambda own: processes.with_descendants([own])
    if name is not None:
        return lambda _: processes.pids_by_name(name)
    if backend is not None:
        return lambda _: processes.pids_by_command_line(backend)
    if pids:
        return lambda _: processes.with_descendants(pids)
    return None


def _target_now(target: Target, find_pids: FindPids | None) -> tuple[str, ...]:
    """Return the target of perf's trial run before the benchmark starts.

    Raises:
        BadInput: a server that was named does not run. A backend may come with the benchmark.
    """
    if find_pids is None:
        return target_arguments(())
    pids = () if target.is_command else find_pids(0)
    named = f"--name {target.name}" if target.name else "--pid"
    if not pids and (target.name or target.pids):
        found, do = "no such process", "start the server, or correct it: ps -eo pid,comm,args"
        raise bad_input(path=named, found=found, expected="a running server", do=do)
    return target_arguments(pids) if pids else ()

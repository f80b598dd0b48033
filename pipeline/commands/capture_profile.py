"""Whom `perfpress capture --profile` samples and how, by its arguments and by what perf may do."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.capture import perf, processes
from pipeline.capture.captures import Profiling
from pipeline.capture.folding import Folder
from pipeline.capture.profiler import Sampling, sampling_arguments, target_arguments
from pipeline.console import tell
from pipeline.problems import BadInput, Problem


def check_profiling(arguments: argparse.Namespace) -> None:
    """Check that nothing is said of a profile that is not taken.

    Raises:
        BadInput: something is.
    """
    whom = arguments.pid or arguments.name or arguments.backend or arguments.of_command
    asked = whom or arguments.separate_run
    found = do = ""
    if not arguments.profile and (asked or _sampling(arguments) != Sampling()):
        found, do = "options of a profile without --profile", "add it, or leave them out"
    if arguments.of_command and arguments.during:
        found, do = "--command, but no command", "say whom to profile: --pid, --name, --backend"
    if found:
        raise BadInput(Problem(path="perfpress capture", found=found, do=do))


def _sampling(arguments: argparse.Namespace) -> Sampling:
    return Sampling(
        events=arguments.event,
        frequency=arguments.frequency,
        call_graph=arguments.call_graph,
        captures=arguments.captures,
        seconds=arguments.length,
        every=arguments.every,
        raw=arguments.raw,
    )


def profiling_asked(arguments: argparse.Namespace, raw: Path) -> Profiling:
    """Return how to profile; say on stderr where it is not quite as asked.

    Raises:
        BadInput: perf cannot, or the processes are not there.
    """
    sampling = _sampling(arguments)
    find_pids = _finder(arguments)
    available = perf.available_events(
        sampling.events, _target_now(arguments, find_pids), sampling_arguments(sampling)
    )
    tell(_unlike_asked(sampling.events, available))
    folder = Folder.find()
    if folder is None:
        tell([NO_NODE])
    return Profiling(
        replace(sampling, events=available),
        folder=folder,
        find_pids=find_pids,
        separate_run=arguments.separate_run,
        raw=raw,
    )


NO_NODE = Problem(
    path="node",
    found="not installed, or too old",
    expected="Node, to fold captures",
    do="no harm: they go into the bundle as perf script text, several times as large",
    severity="warning",
)


def _unlike_asked(asked: Sequence[str], available: Sequence[str]) -> list[Problem]:
    """Return what is sampled otherwise than was asked for."""
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


def _finder(arguments: argparse.Namespace) -> FindPids | None:
    """Return what finds the processes to profile; `None` for the whole host."""
    if arguments.of_command:
        return lambda own: processes.with_descendants([own])
    if arguments.name is not None:
        return lambda _: processes.pids_by_name(arguments.name)
    if arguments.backend is not None:
        return lambda _: processes.pids_by_command_line(arguments.backend)
    if arguments.pid:
        return lambda _: processes.with_descendants(arguments.pid)
    return None


def _target_now(arguments: argparse.Namespace, find_pids: FindPids | None) -> tuple[str, ...]:
    """Return what perf is to try itself on before anything runs, as it takes it.

    Raises:
        BadInput: a server that was named does not run. A backend may come with the benchmark.
    """
    if find_pids is None:
        return target_arguments(())
    pids = () if arguments.of_command else find_pids(0)
    named = f"--name {arguments.name}" if arguments.name else "--pid"
    if not pids and (arguments.name or arguments.pid):
        found, do = "no such process", "start the server, or correct it: ps -eo pid,comm,args"
        raise BadInput(Problem(path=named, found=found, expected="a running server", do=do))
    return target_arguments(pids) if pids else ()

"""`perfpress capture`: run a benchmark on a lab host, record it, write a bundle."""

import argparse
import re
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace as replace_fields

from pipeline.bundle import schema
from pipeline.bundle.read import read_bundle
from pipeline.bundle.schema import FILE_NAME
from pipeline.bundle.secrets import redact
from pipeline.capture import bundle_writer
from pipeline.capture.folding import Folder
from pipeline.capture.machine import machine_facts
from pipeline.capture.processes import pids_by_command_line
from pipeline.capture.profiler import DEFAULT_EVENT, Sampling, available_event
from pipeline.capture.step import Measured, Profiling, StepRequest, measure
from pipeline.capture.tools import tool_version
from pipeline.problems import BadInput, Problem

HELP = "run a benchmark, record what it did, write a bundle"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.usage = "%(prog)s --report R --release X --step NAME --operation OP --out DIR -- COMMAND"
    parser.epilog = (
        "Call it once for each step with the same --out: the steps make one bundle. "
        "The command's output becomes the step's log; secrets in it and in the command are taken "
        "out. With --profile, perf records short captures while the command runs."
    )
    run = parser.add_argument_group("what is measured")
    run.add_argument("--report", required=True, metavar="NAME")
    run.add_argument("--release", required=True, metavar="NAME")
    run.add_argument("--benchmark", metavar="NAME", help="default: the first step's command")
    run.add_argument(
        "--host", default=socket.gethostname(), metavar="NAME", help="default: its own"
    )
    run.add_argument("--config", metavar="NAME")
    run.add_argument("--clients", type=positive, metavar="N")
    run.add_argument("--axis", type=pair, action="append", default=[], metavar="NAME=VALUE")
    step = parser.add_argument_group("the step")
    step.add_argument("--step", required=True, metavar="NAME")
    step.add_argument("--operation", required=True, metavar="NAME", help="what is counted: insert")
    step.add_argument("--work", choices=("timed", "fixed"), default="timed")
    step.add_argument(
        "--operations", type=positive, metavar="N", help="done in all, where no log tells"
    )
    files = parser.add_argument_group("what is kept")
    files.add_argument("--out", type=Path, required=True, metavar="DIR", help="the bundle")
    files.add_argument(
        "--attach",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a text file to show and to compare between releases: the server's settings",
    )
    files.add_argument(
        "--tool",
        action="append",
        default=[],
        metavar="NAME[=TEXT]",
        help="a program's version; without a text, what NAME --version says",
    )
    _add_profiling(parser.add_argument_group("profile"))
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=argparse.SUPPRESS)


def _add_profiling(group: "argparse._ArgumentGroup") -> None:
    defaults = Sampling()
    group.add_argument("--profile", action="store_true", help="record captures with perf")
    group.add_argument(
        "--pid", type=positive, action="append", default=[], help="default: the whole host"
    )
    group.add_argument(
        "--backend", metavar="TEXT", help="instead of --pid: a text of the command lines to profile"
    )
    group.add_argument(
        "--event",
        default=defaults.event,
        help=f"default: {DEFAULT_EVENT}, or cpu-clock where the machine has no counters",
    )
    group.add_argument(
        "--frequency", type=positive, default=defaults.frequency, metavar="HZ", help="%(default)s"
    )
    group.add_argument("--call-graph", default=defaults.call_graph, help="%(default)s")
    group.add_argument(
        "--captures", type=positive, default=defaults.captures, metavar="N", help="%(default)s"
    )
    group.add_argument(
        "--for",
        dest="length",
        type=seconds,
        default=defaults.seconds,
        metavar="TIME",
        help="how long each capture lasts (default: %(default)g s)",
    )
    group.add_argument(
        "--every",
        type=seconds,
        default=defaults.every,
        metavar="TIME",
        help="from the start of one capture to the next (default: %(default)g s)",
    )
    group.add_argument(
        "--raw",
        type=int,
        default=defaults.raw,
        metavar="N",
        help="leave the first N captures as perf script text",
    )
    group.add_argument(
        "--separate-run",
        action="store_true",
        help="this run is made for its profile; its rate is no repeat",
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure one step and write it into the bundle.

    The exit status is 1 where the benchmark or the profiler failed; what there is stays.
    """
    try:
        measured = capture(arguments)
    except BadInput as failure:
        print(failure, file=sys.stderr)
        return 1
    for problem in measured.problems:
        print(problem, file=sys.stderr)
    failed = any(problem.severity == "error" for problem in measured.problems)
    return 1 if failed else 0


def capture(arguments: argparse.Namespace) -> Measured:
    """Run the benchmark and write the bundle; print where it is.

    Raises:
        BadInput: the bundle cannot take this step, or the profiler cannot work.
    """
    out: Path = arguments.out
    earlier = bundle_writer.earlier_run(out)
    whole = bundle_writer.joined(_run_without_steps(arguments, earlier), earlier)
    bundle_writer.check_new(arguments.step, whole)
    request = StepRequest(
        name=arguments.step,
        operation=arguments.operation,
        command=tuple(arguments.command),
        work=arguments.work,
        operations=arguments.operations,
        profiling=_profiling(arguments) if arguments.profile else None,
    )
    out.mkdir(parents=True, exist_ok=True)
    bundle_writer.attach(arguments.attach, out)
    measured = measure(request, out)
    path = bundle_writer.write_bundle(
        replace_fields(whole, steps=(*whole.steps, measured.step)), out, measured.complete
    )
    if not measured.complete:
        problem = Problem(
            path=str(path),
            found="this step is not whole, so nothing will read the bundle",
            do=f"run the step again, or rename the file to {FILE_NAME} to publish what is there",
        )
        return replace(measured, problems=(*measured.problems, problem))
    print(path)
    return replace(measured, problems=(*measured.problems, *read_bundle(out, str(out))[1]))


def _run_without_steps(arguments: argparse.Namespace, earlier: schema.Run | None) -> schema.Run:
    program = Path(arguments.command[0]).name
    tools = {}
    for tool in arguments.tool:
        name, equals, text = tool.partition("=")
        tools[name] = text if equals else tool_version(name)
    if arguments.profile:
        tools["perf"] = tool_version("perf")
    return schema.Run(
        schema=1,
        report=arguments.report,
        release=arguments.release,
        benchmark=arguments.benchmark or (earlier.benchmark if earlier else program),
        host=arguments.host,
        config=arguments.config,
        clients=arguments.clients,
        started=datetime.now(UTC).replace(microsecond=0),
        attachments=tuple(sorted({path.name for path in arguments.attach})),
        axes=dict(arguments.axis),
        machine=dict(machine_facts()),
        tools={name: redact(text)[0] for name, text in tools.items() if text},
        steps=(),
    )


def _profiling(arguments: argparse.Namespace) -> Profiling:
    sampling = Sampling(
        event=arguments.event,
        frequency=arguments.frequency,
        call_graph=arguments.call_graph,
        captures=arguments.captures,
        seconds=arguments.length,
        every=arguments.every,
        raw=arguments.raw,
    )
    return Profiling(
        sampling,
        event=available_event(sampling.event),
        folder=Folder.find(),
        find_pids=_finder(arguments.pid, arguments.backend),
        separate_run=arguments.separate_run,
    )


def _finder(pids: Sequence[int], backend: str | None) -> Callable[[], Sequence[int]] | None:
    """Return what finds the processes to profile; `None` for the whole host."""
    if backend is not None:
        return lambda: pids_by_command_line(backend)
    return (lambda: pids) if pids else None


def positive(text: str) -> int:
    """Return a whole number above zero."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def seconds(text: str) -> float:
    """Return a time in seconds: `3`, `0.5s`, `2m`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m)?", text)
    if match is None or not float(match[1]):
        raise ValueError(text)
    return float(match[1]) * (60 if match[2] == "m" else 1)


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of `NAME=VALUE`."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ValueError(text)
    return name, value

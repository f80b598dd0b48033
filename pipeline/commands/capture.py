"""`perfpress capture`: run a benchmark on a lab host, record it, write a bundle."""

import argparse
import socket
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
from pipeline.capture.step import Measured, Profiling, StepRequest, check_program, measure
from pipeline.capture.tools import tool_version
from pipeline.commands.arguments import count, name, name_of, pair, positive, seconds, tool
from pipeline.console import tell
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
    run.add_argument(
        "--report", type=name_of("report"), required=True, metavar="NAME", help="the study"
    )
    run.add_argument(
        "--release",
        type=name_of("release"),
        required=True,
        metavar="NAME",
        help="the build under test",
    )
    run.add_argument(
        "--benchmark", type=name, metavar="NAME", help="default: the first step's command"
    )
    run.add_argument(
        "--host",
        type=name_of("host"),
        default=socket.gethostname(),
        metavar="NAME",
        help="as it is to be published (default: this machine's own name)",
    )
    run.add_argument(
        "--config", type=name, metavar="NAME", help="configuration of the program under test"
    )
    run.add_argument(
        "--clients", type=positive, metavar="N", help="how many drive the program at once"
    )
    run.add_argument(
        "--axis",
        type=pair,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what else is held equal when releases are compared: size=480m; repeatable",
    )
    step = parser.add_argument_group("the step")
    step.add_argument(
        "--step",
        type=name_of("step"),
        required=True,
        metavar="NAME",
        help="what is measured, called the same in all releases",
    )
    step.add_argument(
        "--operation",
        type=name,
        required=True,
        metavar="NAME",
        help="what is counted, in the singular: insert",
    )
    step.add_argument(
        "--work",
        choices=("timed", "fixed"),
        default="timed",
        help="fixed: the same operations however long they take (default: timed)",
    )
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
        help="a text file to show, and to compare between releases: settings; repeatable",
    )
    files.add_argument(
        "--tool",
        type=tool,
        action="append",
        default=[],
        metavar="NAME[=TEXT]",
        help="a program's version; without a text, what NAME --version says; repeatable",
    )
    _add_profiling(parser.add_argument_group("profile"))
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=argparse.SUPPRESS)


def _add_profiling(group: "argparse._ArgumentGroup") -> None:
    defaults = Sampling()
    group.add_argument("--profile", action="store_true", help="record captures with perf")
    whom = group.add_mutually_exclusive_group()
    whom.add_argument(
        "--pid",
        type=positive,
        action="append",
        default=[],
        help="a process to profile; repeatable (default: the whole host)",
    )
    whom.add_argument(
        "--backend",
        type=name,
        metavar="TEXT",
        help="instead of --pid: processes with it in their command lines",
    )
    group.add_argument(
        "--event",
        default=defaults.event,
        metavar="NAME",
        help=f"what is sampled (default: {DEFAULT_EVENT}, or cpu-clock where there is no counter)",
    )
    group.add_argument(
        "--frequency",
        type=positive,
        default=defaults.frequency,
        metavar="HZ",
        help="samples a second (default: %(default)s)",
    )
    group.add_argument(
        "--call-graph",
        default=defaults.call_graph,
        metavar="KIND",
        help="how perf finds callers (default: %(default)s)",
    )
    group.add_argument(
        "--captures",
        type=positive,
        default=defaults.captures,
        metavar="N",
        help="how many are taken (default: %(default)s)",
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
        type=count,
        default=defaults.raw,
        metavar="N",
        help="leave the first N captures as perf script text (default: %(default)s)",
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
    measured = capture(arguments)
    tell(measured.problems)
    failed = any(problem.severity == "error" for problem in measured.problems)
    return 1 if failed else 0


def capture(arguments: argparse.Namespace) -> Measured:
    """Run the benchmark and write the bundle; print where it is.

    Raises:
        BadInput: there is no such program, the bundle cannot take this step, or the profiler cannot
            work.
    """
    out: Path = arguments.out
    check_program(arguments.command[0])
    _check_profiling(arguments)
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
    for tool_name, text in arguments.tool:
        tools[tool_name] = tool_version(tool_name) if text is None else text
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


def _check_profiling(arguments: argparse.Namespace) -> None:
    """Check that nothing is said of a profile that is not taken.

    Raises:
        BadInput: something is.
    """
    asked = arguments.pid or arguments.backend or arguments.separate_run
    if not arguments.profile and (asked or _sampling(arguments) != Sampling()):
        found, do = "options of a profile without --profile", "add it, or leave them out"
        raise BadInput(Problem(path="perfpress capture", found=found, do=do))


def _sampling(arguments: argparse.Namespace) -> Sampling:
    return Sampling(
        event=arguments.event,
        frequency=arguments.frequency,
        call_graph=arguments.call_graph,
        captures=arguments.captures,
        seconds=arguments.length,
        every=arguments.every,
        raw=arguments.raw,
    )


def _profiling(arguments: argparse.Namespace) -> Profiling:
    sampling = _sampling(arguments)
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

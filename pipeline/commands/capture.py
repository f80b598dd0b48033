"""`perfpress capture`: run a benchmark on a lab host, record it, write a bundle."""

import argparse
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace as replace_fields

from pipeline.build.progress import Progress
from pipeline.bundle import schema
from pipeline.bundle.read import read_bundle
from pipeline.bundle.secrets import redact
from pipeline.capture import bundle_writer, host_counters, interruption
from pipeline.capture.machine import machine_facts
from pipeline.capture.step import Measured, StepRequest, check_program, measure
from pipeline.capture.tools import tool_version
from pipeline.commands import capture_arguments
from pipeline.commands.capture_profile import check_profiling, profiling_asked
from pipeline.console import tell
from pipeline.problems import BadInput, Problem
from pipeline.slug import slug

HELP = "run a benchmark, record what it did, write a bundle"

add_arguments = capture_arguments.add_arguments

OUTPUT = "output.txt"
"""The log that the command's output goes into."""


def run(arguments: argparse.Namespace) -> int:
    """Measure one step and write it into the bundle.

    The exit status is 1 where the benchmark or the profiler failed; what there is stays.
    """
    progress = Progress()
    try:
        with interruption.noted() as asked_to_stop:
            measured = capture(arguments, asked_to_stop, progress)
    except OSError as error:
        raise BadInput(_not_written(arguments.out, error)) from error
    finally:
        progress.end()
    tell(measured.problems)
    failed = any(problem.severity == "error" for problem in measured.problems)
    return 1 if failed else 0


def _not_written(out: Path, error: OSError) -> Problem:
    return Problem(
        path=str(error.filename or out),
        found=error.strerror or str(error),
        expected="a place for the bundle",
        do="make room, or write onto another disk (--out), and run it again: this is no bundle",
    )


def capture(
    arguments: argparse.Namespace, asked_to_stop: interruption.Interruption, progress: Progress
) -> Measured:
    """Run the benchmark and write the bundle; print where it is.

    Raises:
        BadInput: there is no such program, the bundle cannot take this step, or the profiler cannot
            work.
    """
    out: Path = arguments.out
    command = _command(arguments)
    check_program(command[0])
    check_profiling(arguments)
    bundle_writer.check_names(arguments.log, (OUTPUT, *host_counters.FILES), "--log")
    if arguments.perf_stat:
        host_counters.check_perf_stat()
    earlier = bundle_writer.earlier_run(out)
    whole = bundle_writer.joined(_run_without_steps(arguments, earlier), earlier)
    whole = bundle_writer.without_step(arguments.step, whole)
    raw = out.resolve().with_name(f"{out.resolve().name}.raw")
    request = StepRequest(
        name=arguments.step,
        operation=arguments.operation,
        command=command,
        work=arguments.work,
        log=OUTPUT,
        more_logs=tuple(arguments.log),
        operations=arguments.operations,
        is_benchmark=arguments.during is None,
        perf_stat=arguments.perf_stat,
        profiling=(
            profiling_asked(arguments, raw / slug(arguments.step)) if arguments.profile else None
        ),
    )
    if asked_to_stop.signal is not None:
        raise KeyboardInterrupt
    out.mkdir(parents=True, exist_ok=True)
    with bundle_writer.unfinished(out):
        bundle_writer.attach(arguments.attach, out)
        measured = measure(
            request, out, asked_to_stop, lambda text: progress.tell(f"{arguments.step}: {text}")
        )
        run = replace_fields(whole, steps=(*whole.steps, measured.step))
        path = bundle_writer.write_bundle(run, out)
    progress.end()
    if request.profiling is not None:
        _tell_raw(raw)
    print(path)
    return replace(measured, problems=(*measured.problems, *read_bundle(out, str(out))[1]))


def _command(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the command to run; one that waits, where the load comes from elsewhere.

    Raises:
        BadInput: there is none, or both are given.
    """
    if bool(arguments.command) == (arguments.during is not None):
        raise BadInput(
            Problem(
                path="perfpress capture",
                found="both --during and a command" if arguments.command else "no command",
                expected="the benchmark behind --, or --during TIME where it runs elsewhere",
                do="see: perfpress capture --help",
            )
        )
    if arguments.command:
        return tuple(arguments.command)
    if not arguments.benchmark:
        do = "name what makes the load: --benchmark NAME"
        raise BadInput(Problem(path="--during", found="no name of a benchmark", do=do))
    return ("sleep", f"{arguments.during:g}")


def _tell_raw(raw: Path) -> None:
    """Say what is kept of the captures on this host only."""
    with suppress(OSError):
        raw.rmdir()  # where nothing was kept
    if raw.exists():
        print(f"not in the bundle: the captures as perf wrote them, {raw}", file=sys.stderr)


def _version(tool_name: str) -> str | None:
    """Return the version of a program that `--tool` names; tell where it does not answer."""
    found = tool_version(tool_name)
    if found is None:
        told = Problem(
            path=f"--tool {tool_name}",
            found="no version",
            expected=f"a program that answers to {tool_name} --version",
            do=f"state it: --tool '{tool_name}=TEXT'",
            severity="warning",
        )
        tell([told])
    return found


def _run_without_steps(arguments: argparse.Namespace, earlier: schema.Run | None) -> schema.Run:
    program = Path(arguments.command[0]).name if arguments.command else ""
    tools = {}
    for tool_name, text in arguments.tool:
        tools[tool_name] = _version(tool_name) if text is None else text
    if arguments.profile or arguments.perf_stat:
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

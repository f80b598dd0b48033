"""`perfpress capture`: run a benchmark on a lab host, record it, write a bundle."""

import argparse
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace as replace_fields

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.base.secrets.redact import redact
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.build.progress import Progress
from perfpress.cli import capture_arguments
from perfpress.host.capture import bundle_writer, command_times, host_counters, interruption
from perfpress.host.capture.benchmark_steps import steps_of_benchmarks
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.machine import machine_facts, tool_version
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.profiling import Target, plan_profiling
from perfpress.host.capture.step import MeasuredStep, Repeats, StepRequest, check_program, measure
from perfpress.input.bundles import schema
from perfpress.input.bundles.read import read_bundle
from perfpress.input.bundles.schema import is_description
from perfpress.input.logs.described import read_parser

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
    print_problems(measured.problems)
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
) -> MeasuredStep:
    """Run the benchmark and write the bundle; print where it is.

    Raises:
        BadInput: there is no such program, the bundle cannot take this step, or the profiler cannot
            work.
    """
    out: Path = arguments.out
    command = _command(arguments)
    check_program(command[0])
    _check_profiling(arguments)
    _check_repeats(arguments)
    own_files = (OUTPUT, command_times.FILE, *host_counters.FILES)
    bundle_writer.check_names(arguments.log, own_files, "--log")
    if arguments.perf_stat:
        host_counters.check_perf_stat()
    earlier = bundle_writer.earlier_run(out)
    whole = bundle_writer.with_earlier_steps(_run_without_steps(arguments, earlier), earlier)
    whole = bundle_writer.without_step(arguments.step, whole)
    raw = out.resolve().with_name(f"{out.resolve().name}.raw")
    request = StepRequest(
        name=arguments.step,
        operation=arguments.operation,
        command=command,
        work=arguments.work,
        log=OUTPUT,
        more_logs=tuple(arguments.log),
        formats=_formats(arguments),
        operations=arguments.operations,
        is_benchmark=arguments.during is None,
        perf_stat=arguments.perf_stat,
        profiling=(
            _profiling(arguments, raw / slug(arguments.step)) if arguments.profile else None
        ),
        repeats=Repeats(arguments.repeat, arguments.repeat_for),
    )
    if asked_to_stop.signal is not None:
        raise KeyboardInterrupt
    out.mkdir(parents=True, exist_ok=True)
    with bundle_writer.unfinished(out):
        bundle_writer.attach(arguments.attach, out)
        measured = measure(
            request, out, asked_to_stop, lambda text: progress.show(f"{arguments.step}: {text}")
        )
        steps = steps_of_benchmarks(measured.step, out)
        run = replace_fields(whole, steps=(*whole.steps, *steps))
        path = bundle_writer.write_bundle(run, out)
    progress.end()
    if request.profiling is not None:
        _print_raw_files(raw)
    print(path)
    return replace(measured, problems=(*measured.problems, *read_bundle(out, str(out))[1]))


def _formats(arguments: argparse.Namespace) -> dict[str, str | Path]:
    """Return how logs are read, by their names in the bundle.

    Raises:
        BadInput: there is no such log, or a description cannot be read.
    """
    logs = (OUTPUT, *(path.name for path in arguments.log))
    found: dict[str, str | Path] = {}
    for file, format_ in arguments.format:
        log = Path(file).name or OUTPUT
        if log not in logs:
            raise bad_input(
                path=f"--format {file}={format_}",
                found=f"no log {shown_value(file)}",
                expected=" or ".join(logs),
                do="name it with --log too, or leave it out for what the command prints",
            )
        if is_description(format_):
            parser, problems = read_parser(Path(format_), format_)
            if parser is None:
                raise BadInput(*problems)
            bundle_writer.check_names([Path(format_)], (*logs, *found), "--format")
        found[log] = Path(format_) if is_description(format_) else format_
    return found


def _command(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the command to run; one that waits, where the load comes from elsewhere.

    Raises:
        BadInput: neither or both are given.
    """
    if bool(arguments.command) == (arguments.during is not None):
        raise bad_input(
            path="perfpress capture",
            found="both --during and a command" if arguments.command else "no command",
            expected="the benchmark behind --, or --during TIME where it runs elsewhere",
            do="see: perfpress capture --help",
        )
    if arguments.command:
        return tuple(arguments.command)
    if not arguments.benchmark:
        do = "name what makes the load: --benchmark NAME"
        raise bad_input(path="--during", found="no name of a benchmark", do=do)
    return ("sleep", f"{arguments.during:g}")


def _check_repeats(arguments: argparse.Namespace) -> None:
    """Check that what is to be repeated is a command, timed itself.

    Raises:
        BadInput: it is something else.
    """
    others = ("profile", "during", "operations")
    given = next((f"--{other}" for other in others if getattr(arguments, other)), None)
    if given and (arguments.repeat > 1 or arguments.repeat_for):
        raise bad_input(
            path="perfpress capture",
            found=f"--repeat with {given}",
            expected="repeats of a command that is timed itself",
            do=f"leave one out; a profile is a step of its own, with {given}"
            if given == "--profile"
            else f"leave out one of them: with {given} the command is not timed",
        )


def _check_profiling(arguments: argparse.Namespace) -> None:
    """Check that no option describes a profile that is not taken.

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
        raise bad_input(path="perfpress capture", found=found, do=do)


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


def _profiling(arguments: argparse.Namespace, raw: Path) -> Profiling:
    target = Target(
        arguments.pid, arguments.name, arguments.backend, is_command=arguments.of_command
    )
    profiling, problems = plan_profiling(
        _sampling(arguments), target, raw, separate_run=arguments.separate_run
    )
    print_problems(problems)
    return profiling


def _print_raw_files(raw: Path) -> None:
    """Say what is kept of the captures on this host only."""
    with suppress(OSError):
        raw.rmdir()  # where nothing was kept
    if raw.exists():
        print(f"not in the bundle: the captures as perf wrote them, {raw}", file=sys.stderr)


def _version(tool_name: str) -> str | None:
    """Return the version of a program that `--tool` names; report where it does not answer."""
    found = tool_version(tool_name)
    if found is None:
        problem = Problem(
            path=f"--tool {tool_name}",
            found="no version",
            expected=f"a program that answers to {tool_name} --version",
            do=f"state it: --tool '{tool_name}=TEXT'",
            severity="warning",
        )
        print_problems([problem])
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

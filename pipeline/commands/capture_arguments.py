"""The arguments of `perfpress capture`."""

import argparse
import socket
from pathlib import Path

from pipeline.capture import perf
from pipeline.capture.profiler import Sampling
from pipeline.commands.arguments import (
    count,
    events,
    name,
    name_of,
    pair,
    positive,
    seconds,
    tool,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.usage = (
        "%(prog)s --report NAME --release NAME --step NAME --operation NAME --out DIR [OPTION]…\n"
        "                         -- COMMAND…"
    )
    parser.epilog = (
        "Call it once for each step with the same --out: the steps make one bundle. "
        "The command's output becomes the step's log; secrets in it and in the command are taken "
        "out. With --profile, perf records short captures while the command runs. "
        "Ctrl-C ends the command and keeps what there is, marked as cut short. "
        "TIME is in seconds, or 10s, 5m, 2h."
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
    step.add_argument(
        "--during",
        type=seconds,
        metavar="TIME",
        help="instead of a COMMAND: so long, while the load comes from elsewhere",
    )
    files = parser.add_argument_group("what is kept")
    files.add_argument("--out", type=Path, required=True, metavar="DIR", help="the bundle")
    files.add_argument(
        "--log",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a file that the benchmark writes, copied when it is over; repeatable",
    )
    files.add_argument(
        "--perf-stat",
        action="store_true",
        help="count instructions and cycles of the whole host too",
    )
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
    parser.add_argument("command", nargs="*", metavar="COMMAND", help=argparse.SUPPRESS)


def _add_profiling(group: "argparse._ArgumentGroup") -> None:
    defaults = Sampling()
    group.add_argument("--profile", action="store_true", help="record captures with perf")
    whom = group.add_mutually_exclusive_group()
    whom.add_argument(
        "--pid",
        type=positive,
        action="append",
        default=[],
        help="a process, its threads and all it started; repeatable (default: the whole host)",
    )
    whom.add_argument(
        "--name", type=name, metavar="NAME", help="all processes called so: mysqld, postgres"
    )
    whom.add_argument(
        "--backend",
        type=name,
        metavar="TEXT",
        help="some processes only: those with TEXT in their command lines",
    )
    whom.add_argument(
        "--command",
        dest="of_command",
        action="store_true",
        help="COMMAND itself and all it started",
    )
    group.add_argument(
        "--event",
        type=events,
        default=defaults.events,
        metavar="NAME[,NAME]",
        help=f"what is sampled (default: {perf.DEFAULT_EVENT}, "
        f"or {perf.FALLBACK_EVENT} where there is no counter)",
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
        help="how perf finds callers: fp, dwarf,BYTES or lbr (default: %(default)s)",
    )
    group.add_argument(
        "--captures",
        type=positive,
        metavar="N",
        help="at most so many (default: 6 to 12, spread over the run)",
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
        metavar="TIME",
        help="one so often, until the command ends (default: spread over the run)",
    )
    group.add_argument(
        "--raw",
        type=count,
        default=defaults.raw,
        metavar="N",
        help="put the first N captures into the bundle as perf script text (default: 0)",
    )
    group.add_argument(
        "--separate-run",
        action="store_true",
        help="this run is made for its profile; its rate is no repeat",
    )

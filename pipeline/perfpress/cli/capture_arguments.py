"""The arguments of `perfpress capture`."""

import argparse
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from perfpress.cli.arguments import (
    count,
    events,
    given_path,
    log_format,
    name,
    name_of,
    pair,
    positive,
    seconds,
    tool,
)
from perfpress.host.capture import perf
from perfpress.host.capture.profiler import Sampling

ReadArgument = Callable[[str], Any]
"""Takes what was given; refuses it by `argparse.ArgumentTypeError`."""


class Option(NamedTuple):
    """One option, with its keywords for argparse."""

    flag: str
    settings: Mapping[str, Any]


def value(
    flag: str, metavar: str | None, read: ReadArgument, help_text: str, **more: Any
) -> Option:
    """Return an option with a value."""
    return Option(flag, {"metavar": metavar, "type": read, "help": help_text, **more})


def values(flag: str, metavar: str | None, read: ReadArgument, help_text: str) -> Option:
    """Return an option with a value that may be given several times."""
    return value(flag, metavar, read, help_text, action="append", default=[])


def switch(flag: str, help_text: str, **more: Any) -> Option:
    """Return an option without a value."""
    return Option(flag, {"action": "store_true", "help": help_text, **more})


MEASURED = (
    value("--report", "NAME", name_of("report"), "the study", required=True),
    value("--release", "NAME", name_of("release"), "the build under test", required=True),
    value("--benchmark", "NAME", name, "default: the first step's command"),
    value(
        "--host",
        "NAME",
        name_of("host"),
        "as it is to be published (default: this machine's own name)",
        default=socket.gethostname(),
    ),
    value("--config", "NAME", name, "configuration of the program under test"),
    value("--clients", "N", positive, "how many drive the program at once"),
    values(
        "--axis",
        "NAME=VALUE",
        pair,
        "what else is held equal when releases are compared: size=480m; repeatable",
    ),
)

STEP = (
    value(
        "--step",
        "NAME",
        name_of("step"),
        "what is measured, called the same in all releases",
        required=True,
    ),
    value(
        "--operation",
        "NAME",
        name,
        "what is counted, in the singular: insert (default: run, of a command that is timed)",
    ),
    value(
        "--repeat",
        "N",
        positive,
        "run the command so often, and time it: for commands that print no rate (default: 1)",
        default=1,
    ),
    value(
        "--repeat-for",
        "TIME",
        seconds,
        "run the command again until so much time has passed",
        default=0.0,
    ),
    value(
        "--work",
        None,
        str,
        "fixed: the same operations however long they take (default: timed)",
        choices=("timed", "fixed"),
        default="timed",
    ),
    value("--operations", "N", positive, "done in all, where no log has them"),
    value(
        "--during",
        "TIME",
        seconds,
        "instead of a COMMAND: so long, while the load comes from elsewhere",
    ),
)

KEPT = (
    value("--out", "DIR", given_path, "the bundle", required=True),
    values(
        "--log",
        "FILE",
        given_path,
        "a file that the benchmark writes, copied when it is over; repeatable",
    ),
    values(
        "--format",
        "[FILE=]FORMAT",
        log_format,
        "the format of what the command prints, or of a file of --log, where it is not recognised: "
        "its name, or a description in TOML, which the bundle keeps; repeatable",
    ),
    switch("--perf-stat", "count instructions and cycles of the whole host too"),
    values(
        "--attach",
        "FILE",
        given_path,
        "a text file to show, and to compare between releases: settings; repeatable",
    ),
    values(
        "--tool",
        "NAME[=TEXT]",
        tool,
        "a program's version; without a text, the output of NAME --version; repeatable",
    ),
)

PROFILE = switch("--profile", "record captures with perf")

WHOM = (
    values(
        "--pid",
        None,
        positive,
        "a process, its threads and all it started; repeatable (default: the whole host)",
    ),
    value("--name", "NAME", name, "all processes called so: mysqld, postgres"),
    value("--backend", "TEXT", name, "some processes only: those with TEXT in their command lines"),
    switch("--command", "COMMAND itself and all it started", dest="of_command"),
)
"""One of them."""

DEFAULTS = Sampling()

CAPTURES = (
    value(
        "--event",
        "NAME[,NAME]",
        events,
        f"what is sampled (default: {perf.DEFAULT_EVENT}, "
        f"or {perf.FALLBACK_EVENT} where there is no counter)",
        default=DEFAULTS.events,
    ),
    value(
        "--frequency",
        "HZ",
        positive,
        "samples a second (default: %(default)s)",
        default=DEFAULTS.frequency,
    ),
    value(
        "--call-graph",
        "KIND",
        str,
        "how perf finds callers: fp, dwarf,BYTES or lbr (default: %(default)s)",
        default=DEFAULTS.call_graph,
    ),
    value("--captures", "N", positive, "at most so many (default: 6 to 12, spread over the run)"),
    value(
        "--for",
        "TIME",
        seconds,
        "how long each capture lasts (default: %(default)g s)",
        default=DEFAULTS.seconds,
        dest="length",
    ),
    value(
        "--every",
        "TIME",
        seconds,
        "one so often, until the command ends (default: spread over the run)",
    ),
    value(
        "--raw",
        "N",
        count,
        "put the first N captures into the bundle as perf script text (default: 0)",
        default=DEFAULTS.raw,
    ),
    switch("--separate-run", "this run is made for its profile; its rate is no repeat"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.usage = (
        "%(prog)s --report NAME --release NAME --step NAME --out DIR [OPTION]…\n"
        "                         -- COMMAND…"
    )
    parser.epilog = (
        "Call it once for each step with the same --out: the steps make one bundle. "
        "The command's output becomes the step's log; secrets in it and in the command are taken "
        "out. With --profile, perf records short captures while the command runs. "
        "Ctrl-C ends the command and keeps what there is, marked as cut short. "
        "TIME is in seconds, or 10s, 5m, 2h."
    )
    _add(parser.add_argument_group("what is measured"), MEASURED)
    _add(parser.add_argument_group("the step"), STEP)
    _add(parser.add_argument_group("what is kept"), KEPT)
    profile = parser.add_argument_group("profile")
    _add(profile, [PROFILE])
    _add(profile.add_mutually_exclusive_group(), WHOM)
    _add(profile, CAPTURES)
    parser.add_argument("command", nargs="*", metavar="COMMAND", help=argparse.SUPPRESS)


def _add(group: "argparse._ActionsContainer", options: Iterable[Option]) -> None:
    for option in options:
        group.add_argument(option.flag, **option.settings)

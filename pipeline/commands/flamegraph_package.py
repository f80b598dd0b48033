"""Hands a verb over to the Node package that does the work."""

import argparse
import subprocess
from collections.abc import Sequence

from pipeline.node.requests import FLAMEGRAPH, node_path

OPTIONS = ("out", "event", "samples", "title", "annotate", "normalize", "threads")
"""What is handed over besides files; a verb may have fewer."""

COMPAT_OPTIONS = {
    "pid": "threads are told apart: NAME-PID",
    "tid": "NAME-PID/TID",
    "kernel": "mark the kernel's frames: _[k]",
    "jit": "mark frames of code made at run time: _[j]",
    "all": "mark both",
    "addrs": "tell the address of frames without a symbol",
}
"""Flags of stackcollapse-perf.pl, and what they do."""


def add_options(parser: argparse.ArgumentParser, out: str) -> None:
    """Add `-o OUT`, whose suffix says what is written, and what chooses among samples."""
    parser.add_argument("-o", "--out", metavar="OUT", help=out)
    parser.add_argument("--event", metavar="NAME", help="the event to take, where FILE has several")
    parser.add_argument(
        "--label",
        metavar="KEY",
        action="append",
        help="make frames of the values of a label of pprof's; once for each label",
    )
    parser.add_argument(
        "--samples",
        action="store_true",
        default=None,
        help="count samples instead of what the event counts, where FILE tells them",
    )


def add_title(parser: argparse.ArgumentParser) -> None:
    """Add `--title TEXT`."""
    parser.add_argument("--title", metavar="TEXT", help="heads the drawing (default: the files)")


def add_compat(parser: argparse.ArgumentParser) -> None:
    """Add `--compat` and the options that go with it."""
    parser.add_argument(
        "--compat",
        action="store_true",
        default=None,
        help="print what stackcollapse-perf.pl prints of perf script text, to continue an archive",
    )
    for name, meaning in COMPAT_OPTIONS.items():
        parser.add_argument(
            f"--{name}", action="store_true", default=None, help=f"with --compat: {meaning}"
        )
    parser.add_argument(
        "--event-filter",
        metavar="EVENT",
        help="with --compat: the event to take (default: the first in FILE)",
    )


def hand_over(verb: str, files: Sequence[str], arguments: argparse.Namespace) -> int:
    """Run `node cli.js VERB FILE… [--out=OUT …]` with the terminal's own input and output.

    Raises:
        BadInput: there is no Node.
    """
    names = (*OPTIONS, "compat", *COMPAT_OPTIONS, "event-filter")
    given = {name: getattr(arguments, name.replace("-", "_"), None) for name in names}
    options = [
        f"--{name}" if value is True else f"--{name}={value}"
        for name, value in given.items()
        if value is not None
    ]
    options += [f"--label={key}" for key in arguments.label or ()]
    command = [str(node_path()), str(FLAMEGRAPH), verb, *options, "--", *files]
    # close_fds: a file may be /dev/fd/63, which is what a shell makes of <(…)
    return subprocess.run(command, check=False, close_fds=False).returncode

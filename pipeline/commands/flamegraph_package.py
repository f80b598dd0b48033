"""Hands a verb over to the Node package that does the work."""

import argparse
import subprocess
from collections.abc import Sequence

from pipeline.node import FLAMEGRAPH, node_path

OPTIONS = ("out", "event", "title")
"""What is handed over besides files; a verb may have fewer."""


def add_options(parser: argparse.ArgumentParser, out: str) -> None:
    """Add `-o OUT`, whose suffix says what is written, and `--event NAME`."""
    parser.add_argument("-o", "--out", metavar="OUT", help=out)
    parser.add_argument("--event", metavar="NAME", help="the event to take, where FILE has several")


def add_title(parser: argparse.ArgumentParser) -> None:
    """Add `--title TEXT`."""
    parser.add_argument("--title", metavar="TEXT", help="heads the drawing (default: the files)")


def hand_over(verb: str, files: Sequence[str], arguments: argparse.Namespace) -> int:
    """Run `node cli.js VERB FILE… [--out=OUT …]` with the terminal's own input and output.

    Raises:
        BadInput: there is no Node.
    """
    given = {option: getattr(arguments, option, None) for option in OPTIONS}
    options = [f"--{option}={value}" for option, value in given.items() if value is not None]
    command = [str(node_path()), str(FLAMEGRAPH), verb, *options, "--", *files]
    return subprocess.run(command, check=False).returncode

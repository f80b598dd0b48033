"""Hands a verb over to the Node package that does the work."""

import argparse
import subprocess
from collections.abc import Sequence

from pipeline.node import FLAMEGRAPH, node_path


def add_out(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `-o OUT`; its suffix says what is written."""
    parser.add_argument("-o", "--out", metavar="OUT", help=what)


def hand_over(verb: str, files: Sequence[str], out: str | None) -> int:
    """Run `node cli.js VERB FILE… [-o OUT]` with the terminal's own input and output.

    Raises:
        BadInput: there is no Node.
    """
    plain = [f"./{file}" if file.startswith("-") else file for file in files]
    command = [str(node_path()), str(FLAMEGRAPH), verb, *plain]
    return subprocess.run([*command, "-o", out] if out else command, check=False).returncode

"""`perfpress fold`: captures in, folded stacks or a profile out."""

import argparse

from pipeline.commands.flamegraph_package import add_options, hand_over

HELP = "turn captures of any format into folded stacks or a profile, merged"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a capture, or a .json profile")
    add_options(parser, ".folded, .folded.gz, .json or .json.gz (default: folded stacks on stdout)")


def run(arguments: argparse.Namespace) -> int:
    """Hand over to the Node package."""
    return hand_over("fold", arguments.files, arguments)

"""`perfpress flamegraph`: captures in, one SVG out."""

import argparse

from pipeline.commands.flamegraph_package import add_options, add_title, hand_over

HELP = "draw a flame graph of captures, merged"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a capture, or a .json profile")
    add_options(parser, ".svg (default: on stdout)")
    add_title(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hand over to the Node package."""
    return hand_over("flamegraph", arguments.files, arguments)

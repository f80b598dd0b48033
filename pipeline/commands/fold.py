"""`perfpress fold`: captures in, folded stacks or a profile out."""

import argparse

from pipeline.commands.flamegraph_package import add_compat, add_options, hand_over

HELP = "turn captures of any format into folded stacks or a profile, merged"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a capture, or a .json profile")
    add_options(
        parser,
        ".folded, .json (a profile), .pb or .pprof, .speedscope.json, each with .gz behind it or "
        "not (default: folded stacks on stdout)",
    )
    parser.add_argument(
        "--annotate",
        metavar="LIST",
        help="what folded stacks mark behind names: all, none, or some of "
        "kernel,jit,inlined,library (default: all)",
    )
    parser.add_argument(
        "--threads",
        metavar="N",
        help="1 leaves all to one CPU; a second one takes half of a large plain capture "
        "(default: as many as there are)",
    )
    add_compat(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hand over to the Node package."""
    return hand_over("fold", arguments.files, arguments)

"""`perfpress diff`: two captures or profiles in, what changed out."""

import argparse

from pipeline.commands.flamegraph_package import add_options, add_title, hand_over

HELP = "show what changed from one profile to another"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("base", metavar="BASE", help="a capture, or a .json profile")
    parser.add_argument("after", metavar="AFTER", help="what is compared with it")
    add_options(parser, ".svg, .json or .folded with two columns (default: those on stdout)")
    add_title(parser)
    parser.add_argument(
        "--normalize",
        action="store_true",
        default=None,
        help="write the two columns as if BASE had the total of AFTER",
    )


def run(arguments: argparse.Namespace) -> int:
    """Hand over to the Node package."""
    return hand_over("diff", [arguments.base, arguments.after], arguments)

"""`perfpress add`: take bundles into the results, each as a whole or not at all."""

import argparse

from perfpress.analysis.bundle_summary.unlike_repeats import unlike_repeats
from perfpress.base.console import print_lines
from perfpress.base.problems import BadInput
from perfpress.cli.arguments import (
    add_all_problems,
    add_bundles,
    add_results,
    given_bundles,
    print_found,
)
from perfpress.input.bundles.adding import add
from perfpress.input.bundles.checking import checked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_bundles(parser)
    add_results(parser, "directory of accepted bundles")
    add_all_problems(parser)


def run(arguments: argparse.Namespace) -> int:
    """Add each bundle that is good; the exit status is 1 where one is refused."""
    refused = False
    for directory in given_bundles(arguments):
        bundle, problems = checked(directory)
        print_found(arguments, problems)
        if bundle is None:
            refused = True
            continue
        try:
            print_lines(add(bundle, arguments.results))
            print_found(arguments, unlike_repeats(bundle, arguments.results))
        except BadInput as failure:
            print_found(arguments, failure.problems)
            refused = True
    return 1 if refused else 0

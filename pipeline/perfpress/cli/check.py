"""`perfpress check`: check a bundle, and summarize it."""

import argparse
from pathlib import Path

from perfpress.analysis.bundle_summary.summary import summary
from perfpress.analysis.bundle_summary.unlike_repeats import unlike_repeats
from perfpress.base.console import print_lines, print_problems
from perfpress.base.problems import Problem
from perfpress.cli.arguments import (
    RESULTS,
    add_all_problems,
    add_bundles,
    add_results,
    given_bundles,
    print_found,
)
from perfpress.input.bundles.checking import checked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_bundles(parser)
    add_results(parser, "accepted bundles, which these are compared with")
    add_all_problems(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check each directory; the exit status is 1 where one is refused."""
    if not arguments.results.is_dir() and arguments.results != RESULTS:
        print_problems([_nothing_to_compare_with(arguments.results)])
    refused = False
    for number, directory in enumerate(given_bundles(arguments)):
        bundle, problems = checked(directory)
        if number:
            print()
        if bundle is not None:
            lines, of_logs = summary(bundle, arguments.results.resolve())
            print_lines(lines)
            problems += [*of_logs, *unlike_repeats(bundle, arguments.results)]
        print_found(arguments, problems)
        refused = refused or bundle is None
    return 1 if refused else 0


def _nothing_to_compare_with(results: Path) -> Problem:
    return Problem(
        path=str(results),
        found="no directory" if results.exists() else "no such directory",
        expected="accepted bundles to compare with",
        do="correct --results",
        severity="warning",
    )

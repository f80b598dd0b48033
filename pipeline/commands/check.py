"""`perfpress check`: tell whether a directory is a bundle, and what it says."""

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.build.cache import ROOT
from pipeline.bundle.contents import check_contents
from pipeline.bundle.long_lines import long_lines
from pipeline.bundle.read import Bundle, read_bundle
from pipeline.bundle.schema import FILE_NAME
from pipeline.commands.arguments import given_path
from pipeline.commands.check_summary import summary
from pipeline.console import say, tell
from pipeline.problems import Problem

RESULTS = ROOT / "data" / "results"
"""On a lab host there are none."""

HELP = "validate bundles and print what they say"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "directories", nargs="+", type=given_path, metavar="DIR", help="a directory with a run.toml"
    )
    add_results(parser, "accepted bundles, which these are compared with")


def add_results(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--results DIR`."""
    parser.add_argument(
        "--results",
        type=given_path,
        default=RESULTS,
        metavar="DIR",
        help=f"{what} (default: data/results)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check each directory; the exit status is 1 where one is refused."""
    if not arguments.results.is_dir() and arguments.results != RESULTS:
        tell([_nothing_to_compare_with(arguments.results)])
    refused = False
    for number, directory in enumerate(arguments.directories):
        bundle, problems = checked(directory)
        if number:
            print()
        if bundle is not None:
            lines, of_logs = summary(bundle, arguments.results.resolve())
            say(lines)
            problems += of_logs
        tell(problems)
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


CLOCKS_DIFFER = timedelta(days=1)
"""Time zones that were mistaken, and a little."""


def checked(directory: Path, shown_as: str = "") -> tuple[Bundle | None, list[Problem]]:
    """Return the bundle of a directory and all that is wrong; `None` where it must be refused."""
    bundle, problems = read_bundle(directory, shown_as or str(directory))
    if bundle is None:
        return None, problems
    problems += [*_yet_to_come(bundle, datetime.now(UTC)), *check_contents(bundle)]
    if not _is_refused(problems):
        problems += long_lines(bundle)
    return None if _is_refused(problems) else bundle, problems


def _is_refused(problems: Sequence[Problem]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def _yet_to_come(bundle: Bundle, now: datetime) -> Iterator[Problem]:
    if bundle.run.started is not None and bundle.run.started > now + CLOCKS_DIFFER:
        yield Problem(
            path=f"{bundle.shown_as}/{FILE_NAME}",
            found=f"`started` is {bundle.run.started}",
            expected="a time that has been",
            do="set the host's clock, and correct it",
        )

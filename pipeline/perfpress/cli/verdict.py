"""`perfpress verdict`: what the results say of a release, for people and for CI."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from perfpress.analysis.verdicts.states import FAILING
from perfpress.base.checkout import ROOT
from perfpress.base.console import print_problems, printable
from perfpress.base.problems import BadInput, Problem
from perfpress.cli.arguments import FAILED_VERDICT, add_fail_on, add_inputs, name
from perfpress.site.downloads.verdict_formats import FORMATS

if TYPE_CHECKING:
    from perfpress.site.downloads.verdict_records import VerdictRecord

MOST_NAMED = 3
"""Steps that a message names."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_inputs(parser, "the texts, whose front matter names base and order")
    parser.add_argument("--report", type=name, metavar="REPORT", help="default: all reports")
    parser.add_argument(
        "--release", type=name, metavar="RELEASE", help="default: the last one of each report"
    )
    parser.add_argument(
        "--against",
        choices=("base", "previous", "both"),
        default="both",
        help="which release it is compared with (default: both)",
    )
    add_fail_on(parser, "what a correction accepts does not fail, a step that failed does")
    parser.add_argument("--format", choices=list(FORMATS), default="text", help="default: text")


def run(arguments: argparse.Namespace) -> int:
    """Print the verdicts.

    Raises:
        BadInput: there is no such directory, report or release, or --fail-on had nothing to
            compare.
    """
    # Imported here because pandas is not installed on every host that has the other verbs.
    from perfpress.analysis.study.study import read_studies
    from perfpress.base.cache import shared_by_machines
    from perfpress.build.progress import Progress
    from perfpress.site.downloads.verdict_choice import chosen_records

    if not arguments.results.is_dir():
        raise BadInput(_no_directory(arguments.results, "accepted bundles", "--results"))
    if not arguments.content.is_dir():
        # Without it another release would be the base, and nobody would know.
        raise BadInput(_no_directory(arguments.content, "the texts", "--content"))
    progress = Progress()
    try:
        with shared_by_machines(ROOT / "data" / ".cache", arguments.cache) as cache:
            studies, problems = read_studies(
                arguments.results.resolve(),
                arguments.results.resolve().parent / "corrections",
                arguments.content.resolve(),
                cache,
                os.cpu_count() or 1,
                progress.show,
            )
    finally:
        progress.end()
    print_problems(problems)
    chosen = chosen_records(studies, arguments.report, arguments.release, arguments.against)
    records = list(chosen)
    sys.stdout.write(FORMATS[arguments.format](records))
    failing = FAILING.get(arguments.fail_on or "", frozenset())
    failed = [each for each in records if each.verdict in failing and not each.accepted]
    if failing and not failed and all(each.ratio is None for each in records):
        raise BadInput(_nothing_compared(records))
    return FAILED_VERDICT if failed else 0


def _nothing_compared(records: "Sequence[VerdictRecord]") -> Problem:
    """Report that a gate had nothing to judge by: that is not a pass."""
    reasons = ", ".join(dict.fromkeys(f"{each.step}: {each.why}" for each in records[:MOST_NAMED]))
    return Problem(
        path="--fail-on",
        found=f"nothing was compared ({printable(reasons) or 'no release to compare with'})",
        expected="a step with a rate in both releases",
        do="check --release and --against, and the base in the report's text",
    )


def _no_directory(path: Path, expected: str, option: str) -> Problem:
    return Problem(
        path=str(path),
        found="no such directory",
        expected=expected,
        do=f"check {option}",
    )

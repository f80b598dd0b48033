"""`perfpress accept`: take what hosts have pushed into the main branch."""

import argparse
import os
import random
from pathlib import Path

from perfpress.base.console import print_lines, print_problems
from perfpress.base.disk import temporary_directory
from perfpress.base.problems import BadInput, Problem
from perfpress.cli.arguments import add_results, given_path
from perfpress.cli.remotes import Remote, remote, resolved, source
from perfpress.host.accepting.accept import Acceptance, Accepted, PushSource, prepare, target
from perfpress.host.accepting.land import land, restored, save
from perfpress.host.accepting.patience import PATIENT, QUICK, Patience
from perfpress.host.pushing.git import GitFailed, as_bad_input
from perfpress.host.pushing.repository import Repository


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.epilog = (
        "The site's workflow calls it. Runs on branches `results/<host>` are accepted; a branch "
        "that touches anything else, changes what was accepted, or claims another host's place is "
        "refused and left as it is. A branch of which all was accepted is removed."
    )
    parser.add_argument(
        "sources",
        nargs="*",
        type=source,
        default=[],
        metavar="[HOST=]REMOTE",
        help="git repositories and object stores that hosts push to; with HOST= only that host may "
        "(default: $PERFPRESS_ACCEPT_FROM, separated by spaces, and the repository itself)",
    )
    parser.add_argument(
        "--into",
        type=remote,
        default="origin",
        metavar="REMOTE",
        help="the git repository of the site (default: origin, of this checkout)",
    )
    add_results(parser, "accepted bundles, whose names the new ones must spell alike")
    parser.add_argument(
        "--patient",
        action="store_true",
        help="with --prepare: wait for what took too long in the call before",
    )
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument(
        "--prepare",
        type=given_path,
        metavar="DIR",
        help="write what may be accepted there, and move nothing: this needs no right to write",
    )
    parts.add_argument(
        "--land",
        type=given_path,
        metavar="DIR",
        help="move the main branch to what --prepare wrote there, if it adds runs and nothing else",
    )


def run(arguments: argparse.Namespace) -> int:
    """Accept what is good; the exit status is 1 where something was refused."""
    into = resolved(arguments.into)
    with temporary_directory("perfpress-accept-") as temporary:
        try:
            with target(into, temporary) as repository:
                if arguments.land is not None:
                    landed = land(restored(repository, arguments.land), repository, _turn())
                    print_problems(landed.problems)
                    print_lines(f"{'/'.join(place)}: in the main branch" for place in landed.runs)
                    return 0
                accepted = _accept(arguments, into, repository, temporary)
        except GitFailed as failure:
            raise as_bad_input(failure, into) from None
    print_problems(accepted.problems)
    print_lines(accepted.lines())
    return 1 if any(each.severity == "error" for each in accepted.problems) else 0


def _accept(
    arguments: argparse.Namespace, into: str, repository: Repository, directory: Path
) -> Accepted:
    sources, problems = _sources(arguments, into)
    accepted = Accepted()
    pushed_now = os.environ.get("GITHUB_REF_NAME", "")
    # What came in time lands before anybody waits for the rest.
    for patience in (PATIENT,) if arguments.patient else (QUICK, PATIENT):
        turn = _turn(patience)
        asked = Acceptance(sources, into, arguments.results.resolve(), turn, patience, pushed_now)
        landing = prepare(asked, repository, directory, accepted)
        if arguments.prepare is not None:
            save(repository, landing, arguments.prepare, is_late=accepted.is_late)
            break
        accepted.problems += land(landing, repository, turn).problems
        if not accepted.is_late:
            break
    accepted.problems += problems
    return accepted


def _turn(patience: Patience = QUICK) -> int:
    """Return which branches come first in this call; see `turns`."""
    # Every run of GitHub's workflow has the next number. Where every second one is patient, half of
    # the branches would never be its first: that is left to chance, as it is elsewhere.
    number = os.environ.get("GITHUB_RUN_NUMBER", "") if not patience.is_last else ""
    return int(number) if number.isdecimal() else random.randrange(1_000_000)


def _sources(arguments: argparse.Namespace, into: str) -> tuple[list[PushSource], list[Problem]]:
    """Return where hosts push to; a malformed address is a problem, and the others are used."""
    problems: list[Problem] = []
    asked: list[tuple[str, Remote]] = list(arguments.sources)
    sources = [] if asked else [PushSource(into, is_store=False)]
    if not asked:
        for text in os.environ.get("PERFPRESS_ACCEPT_FROM", "").split():
            try:
                asked.append(source(text))
            except argparse.ArgumentTypeError as error:
                problems.append(Problem(path="$PERFPRESS_ACCEPT_FROM", found=str(error)))
    for host, each in asked:
        try:
            sources.append(PushSource(resolved(each), each.is_store, host))
        except BadInput as failure:
            problems += failure.problems
    return sources, problems

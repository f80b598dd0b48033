"""`perfpress accept`: take what hosts have pushed into the main branch."""

import argparse
import os
from pathlib import Path

from pipeline.commands.check import add_results
from pipeline.console import say, tell
from pipeline.problems import BadInput, Problem
from pipeline.push.accept import Acceptance, Source, accept
from pipeline.push.remote import Remote, remote, resolved, source

HELP = "check what hosts have pushed and take it into the main branch"


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


def run(arguments: argparse.Namespace) -> int:
    """Accept what is good; the exit status is 1 where something was refused."""
    into: Remote = arguments.into
    sources: list[tuple[str, Remote]] = arguments.sources or [("", into), *_configured()]
    results: Path = arguments.results
    accepted = accept(
        Acceptance(
            sources=[Source(resolved(each), each.is_store, host) for host, each in sources],
            into=resolved(into),
            results=results.resolve(),
        )
    )
    tell(accepted.problems)
    say(accepted.lines())
    return 1 if any(each.severity == "error" for each in accepted.problems) else 0


def _configured() -> list[tuple[str, Remote]]:
    try:
        return [source(text) for text in os.environ.get("PERFPRESS_ACCEPT_FROM", "").split()]
    except argparse.ArgumentTypeError as error:
        raise BadInput(Problem(path="$PERFPRESS_ACCEPT_FROM", found=str(error))) from None

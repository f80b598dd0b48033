"""`perfpress add`: take bundles into the results, each as a whole or not at all."""

import argparse
import os
import shutil
from pathlib import Path

from pipeline.bundle.discover import ADDING, accepted_spellings, place_of, spelling_problems
from pipeline.bundle.read import Bundle, read_bundle
from pipeline.commands.arguments import given_path
from pipeline.commands.check import add_results, checked
from pipeline.console import say, tell
from pipeline.problems import BadInput, Problem
from pipeline.slug import slug

HELP = "check bundles and copy them into data/results"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "directories", nargs="+", type=given_path, metavar="DIR", help="a directory with a run.toml"
    )
    add_results(parser, "where accepted bundles stand")


def run(arguments: argparse.Namespace) -> int:
    """Add each bundle that is good; the exit status is 1 where one is refused."""
    refused = False
    for directory in arguments.directories:
        bundle, problems = checked(directory)
        tell(problems)
        if bundle is None:
            refused = True
            continue
        try:
            say(add(bundle, arguments.results))
        except BadInput as failure:
            tell(failure.problems)
            refused = True
    return 1 if refused else 0


def add(bundle: Bundle, results: Path) -> list[str]:
    """Copy a bundle to its place; return the lines to print. The same bundle twice is one.

    Raises:
        BadInput: its names clash with accepted ones, or its files changed meanwhile.
    """
    place = place_of(bundle)
    target = results.joinpath(*place)
    if target.exists():
        return [f"{target}: there already", *addresses(bundle)]
    check_spelling(bundle, results)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{ADDING}{target.name}-{os.getpid()}")
    try:
        _copy(bundle, unfinished)
        copied, problems = read_bundle(unfinished, bundle.shown_as)
        if copied is None or copied.content_hash != bundle.content_hash:
            changed = Problem(
                path=bundle.shown_as,
                found="the files changed while they were copied",
                expected="a bundle that nobody writes to",
                do="add it again when it is complete",
            )
            raise BadInput(changed, *problems)
        try:
            unfinished.rename(target)
        except OSError:
            if not target.exists():  # else another process added the same bundle
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return [str(target), *addresses(bundle)]


def _copy(bundle: Bundle, target: Path) -> None:
    for file in bundle.files:
        copy = target / file.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle.directory / file.name, copy, follow_symlinks=False)


def check_spelling(bundle: Bundle, results: Path) -> None:
    """Refuse names that have the addresses of other names.

    Raises:
        BadInput: an accepted bundle spells one of them otherwise.
    """
    spelled = accepted_spellings(results, place_of(bundle))
    if problems := spelling_problems(bundle, spelled):
        raise BadInput(*problems)


def addresses(bundle: Bundle) -> list[str]:
    """Return the addresses that the run's pages will have."""
    report, release, _, _ = place_of(bundle)
    above = f"/reports/{report}/{release}/"
    return [f"  {above}", *(f"  {above}{slug(step.name)}/" for step in bundle.steps)]

"""`perfpress archive`: move old bundles to an object store, verify them there, bring them back."""

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from perfpress.base.console import print_lines, print_problems
from perfpress.base.display import byte_size, plural
from perfpress.base.object_store import StoreFailure, address_from
from perfpress.base.problems import BadInput, bad_input
from perfpress.cli.arguments import add_results, given_path, given_store, refused
from perfpress.host.archiving.archive import archive, restore, verify
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle

MOST_FAILURES = 3
"""Bundles in a row that a store fails with: it is away, and thousands more would wait for it."""
NEXT = "commit the change: git add --all data/results"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.epilog = (
        "Of an archived bundle, run.toml and a list of the files with sizes and checksums stay; "
        "`build` reads both kinds. A file is removed here when it has been read back from the "
        "store. What was interrupted goes on where it is called again."
    )
    parser.add_argument(
        "directories",
        nargs="*",
        type=given_path,
        metavar="DIR",
        help="a run, release or report below the results (default: all results)",
    )
    add_results(parser, "directory of accepted bundles")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--to", type=given_store, metavar="ADDRESS", help="move bundles there: s3://bucket/path"
    )
    what.add_argument("--undo", action="store_true", help="bring archived bundles back")
    what.add_argument(
        "--verify", action="store_true", help="read archived bundles and compare checksums"
    )
    parser.add_argument(
        "--before",
        type=day,
        metavar="DATE",
        help="only runs that started before this day, 2024-01-31 (default: of any age)",
    )


def day(text: str) -> date:
    """Return a day as ISO 8601 has it."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise refused(text, "a day: 2024-01-31") from None


def run(arguments: argparse.Namespace) -> int:
    """Move, bring back or verify; the exit status is 1 where that failed for a bundle."""
    results: Path = arguments.results.resolve()
    if arguments.to and _is_below(arguments.to, results):
        found, expected = "it is among the results", "a place for what is no longer among them"
        raise bad_input(path=arguments.to, found=found, expected=expected)
    bundles, problems = discover(results, str(arguments.results))
    print_problems(problems)
    chosen = list(_chosen(bundles, results, arguments.directories, arguments.before))
    if arguments.to is None:
        chosen = [each for each in chosen if each.archived]
    done = moved = failures = 0
    is_whole = True
    for at, bundle in enumerate(chosen, 1):
        try:
            moved += _act(bundle, arguments)
            done += 1
            failures = 0
        except BadInput as failure:
            print_problems(failure.problems)
            is_whole = False
            failures = failures + 1 if isinstance(failure, StoreFailure) else 0
        if failures == MOST_FAILURES:
            left = plural(len(chosen) - at, "bundle")
            print_lines([f"the store failed with {failures} in a row: {left} not tried"])
            break
    what = "archived" if arguments.to else "verified" if arguments.verify else "brought back"
    print_lines([f"{plural(done, 'bundle')} {what}, {byte_size(moved)}"])
    if moved and not arguments.verify:
        print_lines([NEXT])
    return 0 if is_whole else 1


def _is_below(address: str, results: Path) -> bool:
    """Return whether a store is a directory below the results."""
    scheme, _, path = address_from(address, Path()).partition("://")
    return scheme == "file" and Path(path).resolve().is_relative_to(results)


def _act(bundle: Bundle, arguments: argparse.Namespace) -> int:
    if arguments.to:
        return archive(bundle, arguments.to)
    return verify(bundle) if arguments.verify else restore(bundle)


def _chosen(
    bundles: Sequence[Bundle], results: Path, directories: Sequence[Path], before: date | None
) -> Iterator[Bundle]:
    """Yield the bundles at or below some directories that started before a day.

    Raises:
        BadInput: a directory has none.
    """
    wanted = [directory.resolve() for directory in directories] or [results]
    for directory in wanted:
        if not any(each.directory.is_relative_to(directory) for each in bundles):
            found = "no accepted bundle is there"
            do = "name a run, release or report below data/results"
            raise bad_input(path=str(directory), found=found, do=do)
    for bundle in bundles:
        below = any(bundle.directory.is_relative_to(directory) for directory in wanted)
        if below and (before is None or _started(bundle, before)):
            yield bundle


def _started(bundle: Bundle, before: date) -> bool:
    """Return whether a run started before a day; one without a date did not."""
    started = bundle.run.started
    return started is not None and started.astimezone(UTC) < datetime(
        before.year, before.month, before.day, tzinfo=UTC
    )

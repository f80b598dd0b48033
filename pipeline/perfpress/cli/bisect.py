"""`perfpress bisect`: find the commit that made a benchmark slower, or faster."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from perfpress.base.console import print_lines, print_problems
from perfpress.base.display import plural
from perfpress.base.problems import Problem
from perfpress.build.progress import Progress
from perfpress.cli.arguments import add_format, given_path, name, positive
from perfpress.host.comparing.bisect import Found, Search, bisect
from perfpress.host.comparing.worktrees import git
from perfpress.input.bundles.schema import is_description

MOST_RUNS = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("good", type=name, metavar="GOOD", help="a commit before the change")
    parser.add_argument("bad", type=name, metavar="BAD", help="a later one that has it")
    parser.add_argument(
        "--command",
        required=True,
        help="the benchmark, run by sh in a checkout of each commit; what prints no rate is timed",
    )
    parser.add_argument(
        "--build", default="", metavar="COMMAND", help="run once before each commit is measured"
    )
    parser.add_argument(
        "--out",
        type=given_path,
        required=True,
        metavar="DIR",
        help="for the bundles; call it again with the same to go on",
    )
    parser.add_argument(
        "--repository",
        type=given_path,
        default=Path(),
        metavar="DIR",
        help="a clone (default: the directory here)",
    )
    parser.add_argument(
        "--step", type=name, metavar="NAME", help="default: the one that changed most"
    )
    parser.add_argument(
        "--most",
        type=positive,
        default=MOST_RUNS,
        metavar="N",
        help=f"runs of a commit, at most (default: {MOST_RUNS})",
    )
    parser.add_argument(
        "--log",
        type=name,
        action="append",
        default=[],
        metavar="FILE",
        help="a file in the checkout that the benchmark writes; repeatable",
    )
    add_format(parser, "as of perfpress capture")


def run(arguments: argparse.Namespace) -> int:
    """Print the commit that made it slower; return 1 if that is not confirmed."""
    repository: Path = arguments.repository
    if git(repository, "status", "--porcelain", "--untracked-files=no"):
        print_problems([_uncommitted(repository)])
    progress = Progress()
    search = Search(
        repository=repository,
        good=arguments.good,
        bad=arguments.bad,
        build=arguments.build,
        command=arguments.command,
        capturing=tuple(_capturing(arguments)),
        step=arguments.step,
        out=arguments.out,
        most=arguments.most,
    )
    try:
        found = bisect(search, progress.show)
    finally:
        progress.end()
    print_lines(_lines(repository, found))
    return 0 if found.is_confirmed else 1


def _uncommitted(repository: Path) -> Problem:
    return Problem(
        path=str(repository),
        found="changes that are not committed",
        do="commit them where they are to be measured",
        severity="warning",
    )


def _capturing(arguments: argparse.Namespace) -> Iterator[str]:
    for file in arguments.log:
        yield from ("--log", file)
    for file, format_ in arguments.format:
        own = str(Path(format_).resolve()) if is_description(format_) else format_
        yield from ("--format", f"{file}={own}" if file else own)


def _lines(repository: Path, found: Found) -> Iterator[str]:
    what = f"{found.change.step}, {found.change.metric.replace('_', ' ')}"
    shown = [
        git(repository, "show", "--no-patch", "--date=short", "--format=%h  %ad  %an: %s", commit)
        for commit in found.commits
    ]
    if len(shown) == 1:
        yield f"First commit with the change ({what}):"
        yield f"  {shown[0]}"
        if not found.headline:
            yield "Its size is unknown: the commit before cannot be measured."
        elif found.is_confirmed:
            yield found.headline
        else:
            yield "Cannot tell: measured beside the commit before, it does not show the change:"
            yield found.headline
    else:
        yield f"Cannot tell which of these made the change ({what}):"
        yield from (f"  {line}" for line in shown)
    yield f"The ends: {found.ends}"
    yield f"{plural(found.measured, 'commit')} measured against the good one."
    if found.skipped:
        skipped = ", ".join(git(repository, "rev-parse", "--short", each) for each in found.skipped)
        yield f"Skipped, as they could not be measured or judged: {skipped}."

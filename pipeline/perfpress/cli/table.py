"""`perfpress table`: the shares of named paths, one row a capture or profile."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from perfpress.base.cache import Artifact
from perfpress.base.console import print_problems
from perfpress.base.disk import temporary_directory
from perfpress.base.node.jobs import Failed, Job, ask
from perfpress.base.node.messages.message import Output
from perfpress.base.node.messages.profiles import CaptureFile, FoldRequest
from perfpress.base.node.requests import PROFILE
from perfpress.base.problems import BadInput, Problem, bad_input, pointing_at

if TYPE_CHECKING:
    from perfpress.analysis.drilldowns.columns import PathColumn
    from perfpress.analysis.profiles.profile import Profile

FORMATS = ("text", "markdown", "csv", "json")
"""As `perfpress.site.formats.drilldown_formats` has them, which needs numpy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a capture, or a .json profile")
    parser.add_argument(
        "--path",
        action="append",
        required=True,
        dest="paths",
        metavar="PATH",
        help="A > B directly, A >> B anywhere below, A | B either, self(A), A of B; repeatable",
    )
    parser.add_argument(
        "--head",
        action="append",
        default=[],
        dest="heads",
        metavar="TEXT",
        help="heads the column of the path of the same number; repeatable (default: a, b, c)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def run(arguments: argparse.Namespace) -> int:
    """Print the table.

    Raises:
        BadInput: a path is malformed, or no file could be read.
    """
    # Imported here because numpy is not installed on every host that has the other verbs.
    from perfpress.analysis.drilldowns.drilldowns import drilldown
    from perfpress.site.formats.drilldown_formats import FORMATS as WRITTEN
    from perfpress.site.formats.sheet import Sheet, SheetRow

    columns = tuple(_columns(arguments.paths, arguments.heads))
    profiles, problems = _read_profiles(arguments.files)
    if not profiles:
        raise BadInput(*problems)
    table = drilldown(columns, profiles, work={})
    rows = tuple(
        SheetRow(row.release, profile.event, profile.unit, profile.total, row.cells)
        for row, profile in zip(table.along_path, profiles.values(), strict=True)
    )
    heads = tuple(column.head for column in columns)
    sheet = Sheet(columns, heads, "file", rows)
    sys.stdout.write(WRITTEN[arguments.format].written([sheet]))
    print_problems(problems)
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _columns(paths: Sequence[str], heads: Sequence[str]) -> Iterator["PathColumn"]:
    from perfpress.analysis.drilldowns.columns import PathColumn
    from perfpress.analysis.paths.parse import parse_path
    from perfpress.analysis.paths.tokens import PathError
    from perfpress.site.formats.drilldown_formats import letters

    if len(heads) > len(paths):
        found, expected = f"{len(heads)} heads", f"at most {len(paths)}, one a path"
        raise bad_input(path="--head", found=found, expected=expected)
    free = letters(len(paths))
    for number, text in enumerate(paths):
        head = heads[number] if number < len(heads) else free[number]
        try:
            yield PathColumn(head, text, parse_path(text))
        except PathError as error:
            found = f"character {error.position}: {error.found}"
            where = f"--path {text!r}"
            excerpt = pointing_at(text, error.position)
            problem = Problem(path=where, found=found, expected=error.expected, excerpt=excerpt)
            raise BadInput(problem) from error


def _read_profiles(files: Sequence[str]) -> tuple[dict[str, "Profile"], list[Problem]]:
    """Return the profiles by label, one a file and event, and what could not be read."""
    from perfpress.analysis.profiles.profile import read_profile

    profiles: dict[str, Profile] = {}
    problems: list[Problem] = []
    with temporary_directory("perfpress-table-") as folder:
        outs = [folder / str(number) for number in range(len(files))]
        jobs = [_fold(file, out) for file, out in zip(files, outs, strict=True)]
        for file, out, answer in zip(files, outs, ask(PROFILE, jobs), strict=True):
            problems += answer.problems
            folded = () if isinstance(answer, Failed) else answer.profiles
            for each in folded:
                label = file if len(folded) == 1 else f"{file} ({each.event})"
                profiles[_distinct(label, profiles)] = read_profile(out / each.path, file)
    return profiles, problems


def _fold(file: str, out: Path) -> Job[FoldRequest]:
    capture = CaptureFile(file=file, path=Artifact(Path(file), ""))
    return Job(file, FoldRequest(captures=(capture,), out=Output(str(out.absolute()))))


def _distinct(label: str, taken: dict[str, "Profile"]) -> str:
    """Return a label that no other row has, where a file is named twice."""
    if label not in taken:
        return label
    return next(other for number in count(2) if (other := f"{label} ({number})") not in taken)

"""`perfpress table`: the shares of named paths, one row a capture or profile."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pipeline.console import tell
from pipeline.node.requests import FLAMEGRAPH, run_requests
from pipeline.problems import BadInput, Problem, pointing_at

if TYPE_CHECKING:
    from pipeline.analysis.drilldown_columns import PathColumn
    from pipeline.profile import Profile

HELP = "show what share of each profile some paths have, one row a file"

FORMATS = ("text", "markdown", "csv", "json")
"""As `pipeline.drilldown_files.formats` has them, which needs numpy."""


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
        BadInput: a path is none, or no file could be read.
    """
    # Imported here because numpy is not installed on every host that has the other verbs.
    from pipeline.analysis.drilldown import drilldown
    from pipeline.drilldown_files.formats import FORMATS as WRITTEN
    from pipeline.drilldown_files.sheet import Sheet, SheetRow

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
    tell(problems)
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _columns(paths: Sequence[str], heads: Sequence[str]) -> Iterator["PathColumn"]:
    from pipeline.analysis.drilldown_columns import PathColumn
    from pipeline.drilldown_files.formats import letters
    from pipeline.paths.parse import parse_path
    from pipeline.paths.tokens import PathError

    if len(heads) > len(paths):
        found, expected = f"{len(heads)} heads", f"at most {len(paths)}, one a path"
        raise BadInput(Problem(path="--head", found=found, expected=expected))
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
    from pipeline.profile import read_profile

    profiles: dict[str, Profile] = {}
    problems: list[Problem] = []
    with tempfile.TemporaryDirectory() as folder:
        outs = [Path(folder, str(number)) for number in range(len(files))]
        requests = [
            {"job": "fold", "captures": [{"file": file, "path": file}], "out": str(out)}
            for file, out in zip(files, outs, strict=True)
        ]
        answers = run_requests(FLAMEGRAPH, requests)
        for file, out, answer in zip(files, outs, answers, strict=True):
            result = answer.get("result", {})
            found = [*answer.get("problems", ()), *result.get("problems", ())]
            problems += msgspec.convert(found, list[Problem])
            folded = result.get("profiles", [])
            for each in folded:
                label = file if len(folded) == 1 else f"{file} ({each['event']})"
                profiles[_distinct(label, profiles)] = read_profile(out / each["path"], file)
    return profiles, problems


def _distinct(label: str, taken: dict[str, "Profile"]) -> str:
    """Return a label that no other row has, where a file is named twice."""
    if label not in taken:
        return label
    return next(other for number in count(2) if (other := f"{label} ({number})") not in taken)

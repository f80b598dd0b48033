"""`perfpress table`: the shares of named paths, one row a capture or profile."""

import argparse
import csv
import io
import json
import string
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pipeline.console import printable, tell
from pipeline.display import fixed
from pipeline.node import FLAMEGRAPH, run_requests
from pipeline.problems import BadInput, Problem
from pipeline.units import noun

if TYPE_CHECKING:
    from pipeline.analysis.drilldown import PathColumn, PathWeight
    from pipeline.profile import Profile

HELP = "show what share of each profile some paths have, one row a file"

ABSENT = "x"
GAP = "   "


class Row(NamedTuple):
    """A profile and what the paths weigh in it."""

    label: str
    """The file; where it holds several events, with the event."""
    profile: "Profile"
    cells: tuple["PathWeight", ...]
    """One a path."""


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
    parser.add_argument("--format", choices=list(FORMATS), default="text", help="default: text")


def run(arguments: argparse.Namespace) -> int:
    """Print the table.

    Raises:
        BadInput: a path is none, or no file could be read.
    """
    # Imported here because numpy is not installed on every host that has the other verbs.
    from pipeline.analysis.drilldown import drilldown

    columns = list(_columns(arguments.paths, arguments.heads))
    profiles, problems = _read_profiles(arguments.files)
    if not profiles:
        raise BadInput(*problems)
    table = drilldown(columns, profiles, work={})
    rows = [Row(row.release, profiles[row.release], row.cells) for row in table.along_path]
    sys.stdout.write(FORMATS[arguments.format](columns, rows))
    tell(problems)
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _columns(paths: Sequence[str], heads: Sequence[str]) -> Iterator["PathColumn"]:
    from pipeline.analysis.drilldown import PathColumn
    from pipeline.paths.parse import parse_path
    from pipeline.paths.tokens import PathError

    if len(heads) > len(paths):
        found, expected = f"{len(heads)} heads", f"at most {len(paths)}, one a path"
        raise BadInput(Problem(path="--head", found=found, expected=expected))
    for number, text in enumerate(paths):
        head = heads[number] if number < len(heads) else _letters(number)
        try:
            yield PathColumn(head, text, parse_path(text))
        except PathError as error:
            found = f"character {error.position}: {error.found}"
            where = f"--path {text!r}"
            raise BadInput(Problem(path=where, found=found, expected=error.expected)) from error


def _letters(number: int) -> str:
    """Return the number as a head: a to z, then a2 to z2."""
    turn, letter = divmod(number, len(string.ascii_lowercase))
    return string.ascii_lowercase[letter] + (str(turn + 1) if turn else "")


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


def _text(columns: Sequence["PathColumn"], rows: Sequence[Row]) -> str:
    """Return the legend, the table and its notes.

    a - my-oneconnection
    b - rocksdb:high

    Numbers are the percentage of cycles in each path including what it called.
    a       b       file
    49.89   2.46    2022-03-07.folded.gz
    """
    heads = [printable(column.head) for column in columns]
    lines = [
        f"{head} - {printable(column.text)}" for head, column in zip(heads, columns, strict=True)
    ]
    nouns = " or ".join(sorted({noun(row.profile.unit) for row in rows}))
    lines += ["", f"Numbers are the percentage of {nouns} in each path including what it called."]
    table = [[*heads, "file"], *([*map(_percent, row.cells), printable(row.label)] for row in rows)]
    widths = [max(len(cells[at]) for cells in table) for at in range(len(columns))]
    for *numbers, label in table:
        padded = [text.ljust(width) for text, width in zip(numbers, widths, strict=True)]
        lines.append(GAP.join([*padded, label]))
    notes = [printable(f"{row.label}, {head}: {note}") for row, head, note in _notes(columns, rows)]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def _markdown(columns: Sequence["PathColumn"], rows: Sequence[Row]) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(_escaped(cell) for cell in cells)} |"

    lines = [
        line(["file", *(column.head for column in columns)]),
        line(["---", *("---:" for _ in columns)]),
        *(line([row.label, *map(_percent, row.cells)]) for row in rows),
        "",
        *(f"- {_escaped(column.head)}: {_code(column.text)}" for column in columns),
        *(_escaped(f"- {row.label}, {head}: {note}") for row, head, note in _notes(columns, rows)),
    ]
    return "\n".join(lines) + "\n"


def _csv(columns: Sequence["PathColumn"], rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["file", "event", "unit", "head", "path", "percent", "weight", "absent"])
    for row in rows:
        for column, cell in zip(columns, row.cells, strict=True):
            percent = "" if cell.share is None else repr(100 * cell.share)
            facts = (row.label, row.profile.event, row.profile.unit, column.head, column.text)
            writer.writerow([*map(_no_formula, facts), percent, cell.weight, cell.absent])
    return out.getvalue()


def _json(columns: Sequence["PathColumn"], rows: Sequence[Row]) -> str:
    tables = [
        {
            "file": row.label,
            "event": row.profile.event,
            "unit": row.profile.unit,
            "total": str(row.profile.total),
            "paths": [
                {
                    "head": column.head,
                    "path": column.text,
                    "share": cell.share,
                    "weight": str(cell.weight),
                    "samples": cell.samples,
                    "names": [
                        {"name": name.name, "class": name.frame_class, "weight": str(name.weight)}
                        for name in cell.names
                    ],
                    "mixed_classes": cell.mixed_classes,
                    "absent": cell.absent,
                }
                for column, cell in zip(columns, row.cells, strict=True)
            ],
        }
        for row in rows
    ]
    return json.dumps(tables, indent=2, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Sequence["PathColumn"], Sequence[Row]], str]] = {
    "text": _text,
    "markdown": _markdown,
    "csv": _csv,
    "json": _json,
}


def _percent(cell: "PathWeight") -> str:
    return ABSENT if cell.share is None else fixed(100 * cell.share, 2)


def _notes(columns: Sequence["PathColumn"], rows: Sequence[Row]) -> Iterator[tuple[Row, str, str]]:
    """Yield what must be known of single cells: why one is absent, or mixes classes."""
    for row in rows:
        for column, cell in zip(columns, row.cells, strict=True):
            if cell.absent:
                yield row, column.head, cell.absent
            elif cell.mixed_classes:
                yield row, column.head, f"matches frames of {', '.join(cell.mixed_classes)}"


def _escaped(text: str) -> str:
    r"""Return text as Markdown shows it literally: \*, \|, \<."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#!" else char for char in printable(text))


def _code(text: str) -> str:
    """Return text as a Markdown code span, fenced by more backticks than it holds in a row."""
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {printable(text)} {fence}"


def _no_formula(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text

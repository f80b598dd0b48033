"""`perfpress compare`: what differs between two captures, logs, or directories of results."""

import argparse
import filecmp
import os
import shutil
import stat
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

from perfpress.analysis.verdicts.states import FAILING
from perfpress.base.disk import temporary_directory
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.cli.arguments import (
    FAILED_VERDICT,
    add_all_problems,
    add_fail_on,
    add_format,
    given_path,
    print_found,
)
from perfpress.cli.node_verbs import run_node
from perfpress.host.drafting.found_runs import found_runs
from perfpress.input.bundles.schema import is_description
from perfpress.input.logs.read import DescriptionFile

if TYPE_CHECKING:
    from perfpress.analysis.comparison.comparison import Comparison
    from perfpress.site.shapes.comparison import ComparisonPage

STDIN = "-"

RECORDING = b"PERFILE2"
"""What perf.data begins with."""

WIDTH_OF_FILES = 100
"""Columns, where the output is no terminal and COLUMNS says nothing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    what = "a log, a capture, or a directory of them or of bundles; - is stdin"
    parser.add_argument("base", type=given_path, metavar="A", help=what)
    parser.add_argument("after", type=given_path, metavar="B", help="what is compared with it")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--markdown", action="store_true", help="for a pull request")
    formats.add_argument(
        "--json", action="store_true", help="all numbers; schema/comparison.schema.json on the site"
    )
    parser.add_argument(
        "--html",
        type=given_path,
        metavar="FILE",
        help="write a page that needs no other file, with the diff as a flame graph",
    )
    parser.add_argument(
        "--event", metavar="NAME", help="the event to compare, where captures have several"
    )
    parser.add_argument(
        "--same-work",
        action="store_true",
        help="each capture covers the same work: compare costs, and no shares",
    )
    add_format(
        parser,
        "the format of logs, or of those called FILE, where it is not recognised: its name, or a "
        "description in TOML",
    )
    add_fail_on(parser, "a step that failed does, too")
    add_all_problems(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the answer.

    Raises:
        BadInput: a side cannot be read, or the two have nothing in common.
    """
    # Imported here because reading tells most of what can be wrong, and --help takes none of it.
    from perfpress.analysis.comparison.comparison import compared
    from perfpress.analysis.comparison.labels import labels_of
    from perfpress.analysis.comparison.profiles import HowCompared
    from perfpress.analysis.comparison.sides import Side
    from perfpress.site.pages.comparison import comparison_page

    given = [str(path) for path in (arguments.base, arguments.after)]
    if given == [STDIN, STDIN]:
        raise bad_input(path=STDIN, found="stdin on both sides", do="name a file for one")
    with temporary_directory("perfpress-compare-") as folder:
        paths = [_as_file(path, folder / str(at)) for at, path in enumerate(given)]
        _refuse_the_same(paths, given)
        formats = {
            Path(file).name: DescriptionFile(Path(own), own) if is_description(own) else own
            for file, own in arguments.format
        }
        found = [found_runs(*each, formats) for each in zip(paths, given, strict=True)]
        sides = [
            Side(label, each.bundles, each.read)
            for label, each in zip(labels_of(*given), found, strict=True)
        ]
        for each, path in zip(found, given, strict=True):
            if not each.bundles:
                raise BadInput(*each.problems, _nothing_found(path))
        how = HowCompared(arguments.event, arguments.same_work, drawn=arguments.html is not None)
        comparison = compared(sides[0], sides[1], how, folder)
        problems = [problem for each in found for problem in each.problems]
        page = comparison_page(
            comparison.base,
            comparison.after,
            comparison.rates,
            comparison.profiles,
            comparison.notes,
        )
        if arguments.html:
            _write_page(arguments.html, page)
        sys.stdout.write(_written(arguments, comparison, page))
        sys.stdout.flush()  # the first line that people see is the answer
        print_found(arguments, (*problems, *comparison.problems))
    return _status(arguments.fail_on, comparison)


def _refuse_the_same(paths: Sequence[Path], given: Sequence[str]) -> None:
    if all(path.is_file() for path in paths) and filecmp.cmp(paths[0], paths[1], shallow=False):
        found, do = f"the same bytes as {given[0]}", "name another file"
    elif all(path.exists() for path in paths) and paths[0].samefile(paths[1]):
        found, do = f"the same directory as {given[0]}", "name another one"
    else:
        return
    raise bad_input(path=given[1], found=found, expected="two measurements", do=do)


def _as_file(path: str, folder: Path) -> Path:
    """Return the path of a file or directory that can be read more than once.

    Stdin and pipes are copied: `perfpress compare <(zcat a.txt.gz) b.txt` names /dev/fd/63. Perf's
    own recordings are folded by perf, on the host that recorded them.
    """
    if path == STDIN:
        return _copied(sys.stdin.buffer, folder, "stdin")
    try:
        is_pipe = stat.S_ISFIFO(Path(path).stat().st_mode)
    except OSError:
        return Path(path)  # whoever reads it says why not
    if not is_pipe:
        return _folded(path, folder) if _is_recording(Path(path)) else Path(path)
    with Path(path).open("rb") as pipe:
        return _copied(pipe, folder, "pipe")


def _is_recording(path: Path) -> bool:
    with path.open("rb") if path.is_file() else BytesIO() as file:
        return file.read(len(RECORDING)) == RECORDING


def _folded(path: str, folder: Path) -> Path:
    folder.mkdir()
    out = folder / "recording.folded"
    if status := run_node("fold", [path, "--out", str(out)]):
        raise SystemExit(status)  # it has said why
    return out


def _copied(source: IO[bytes], folder: Path, name: str) -> Path:
    folder.mkdir()
    copy = folder / name
    with copy.open("wb") as file:
        shutil.copyfileobj(source, file)
    return copy


def _nothing_found(path: str) -> Problem:
    return Problem(
        path=path,
        found="no log and no capture of a known format",
        expected="what a benchmark or a profiler wrote",
        do="the formats are in the docs, under logs and captures",
    )


def _written(
    arguments: argparse.Namespace, comparison: "Comparison", page: "ComparisonPage"
) -> str:
    if arguments.json:
        from perfpress.site.downloads.comparison_record import comparison_json

        paths = str(arguments.base), str(arguments.after)
        return comparison_json(comparison, page.answer.text, paths)
    if arguments.markdown:
        from perfpress.site.formats.comparison_markdown import comparison_markdown

        return comparison_markdown(page)
    from perfpress.site.formats.terminal import NARROWEST, WIDEST, Screen, terminal_text

    is_terminal = sys.stdout.isatty()
    size = shutil.get_terminal_size((WIDTH_OF_FILES, 0))
    screen = Screen(
        width=min(WIDEST, max(NARROWEST, size.columns)),
        height=size.lines if is_terminal and size.lines else None,
        is_coloured=is_terminal
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb",
    )
    return terminal_text(page, screen)


def _write_page(path: Path, page: "ComparisonPage") -> None:
    from perfpress.site.formats.comparison_page import comparison_html

    try:
        path.write_text(comparison_html(page), encoding="utf-8")
    except OSError as error:
        found = f"cannot be written ({error.strerror})"
        raise bad_input(path=str(path), found=found, do="name another file with --html") from None


def _status(fail_on: str | None, comparison: "Comparison") -> int:
    """Return the exit status.

    Raises:
        BadInput: --fail-on had nothing to judge by; that is not a pass.
    """
    if fail_on is None:
        return 0
    steps = comparison.rates.steps if comparison.rates else ()
    verdicts = [verdict for step in steps for verdict in step.judged]
    if any(verdict.state in FAILING[fail_on] for verdict in verdicts):
        return FAILED_VERDICT
    if not any(verdict.comparison for verdict in verdicts):
        raise bad_input(
            path="--fail-on",
            found="nothing was compared that is faster or slower",
            expected="a step with a rate or an exact count on both sides",
        )
    return 0

"""`perfpress import`: make bundles of whole directories of results."""

import argparse
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from perfpress.base.console import print_lines
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.build.progress import Progress
from perfpress.cli.arguments import add_all_problems, given_path, name, name_of, print_found
from perfpress.host.importing.builds import REPEAT
from perfpress.host.importing.bundles import Importer, Outcome
from perfpress.host.importing.distinction import AXIS, unsaid_repeats
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import FILL_IN
from perfpress.host.importing.mapping import (
    MapText,
    open_map,
    to_fill_in,
    update_map,
    with_whole_paths,
)
from perfpress.host.importing.outcomes import (
    left_out_lines,
    missing_steps,
    outcome_lines,
    unknown_versions,
    unlike_workloads,
)
from perfpress.host.importing.plan import PlannedRun
from perfpress.host.importing.planning import plan_all
from perfpress.host.importing.recognition import (
    KIND_NAMES,
    kind_called,
    map_beside,
    nothing_found,
    recognized,
)
from perfpress.host.importing.report_draft import report_drafts, versions_of
from perfpress.host.importing.unpacking import open_archives, read_archives, study_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments; a word before the directories may say what they hold."""
    parser.add_argument(
        "archives",
        nargs="+",
        type=given_path,
        action=_Archives,
        metavar="DIR",
        help="directories of results, or what holds them; or .tar, plain or compressed. A word "
        f"before them says what they hold: {', '.join(KIND_NAMES)}; {AUTO}: recognized (default)",
    )
    parser.add_argument(
        "--out",
        type=given_path,
        required=True,
        metavar="DIR",
        help="where the bundles go, such as data/results",
    )
    parser.add_argument(
        "--map",
        type=given_path,
        metavar="FILE",
        help="what names mean, to correct (default: DIR.KIND.toml, beside DIR)",
    )
    parser.add_argument(
        "--report",
        type=name_of("report"),
        metavar="NAME",
        help="the study (default: the name of DIR)",
    )
    parser.add_argument(
        "--host",
        type=name_of("host"),
        metavar="NAME",
        help="the machine that was measured (default: empty, to fill in)",
    )
    parser.add_argument(
        "--benchmark",
        type=name,
        metavar="NAME",
        help="the program that measured (default: by the kind, or empty, to fill in)",
    )
    parser.add_argument(
        "--event",
        type=name,
        metavar="NAME",
        help="what was sampled, such as cycles; unknown where nobody knows "
        "(default: empty, to fill in where neither captures nor names say it)",
    )
    parser.add_argument(
        "--work",
        choices=("timed", "fixed"),
        help="whether steps run for a set time, or do the same operations however long they take "
        "(default: empty, to fill in where the kind does not say it)",
    )
    parser.add_argument(
        "--content",
        type=given_path,
        metavar="DIR",
        help="write a draft of each report file that is not there (default: print it)",
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="remove bundles of the same runs that were imported under other names",
    )
    add_all_problems(parser)


AUTO = "auto"
"""The word for a kind that is to be recognized, as it is without a word."""


class _Archives(argparse.Action):
    """Takes the kind from the words, if the first is one and others follow."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Set `kind`, empty where it is to be recognized, and `archives`."""
        first, *others = values
        is_kind = str(first) in (*KIND_NAMES, AUTO) and (bool(others) or not first.exists())
        if is_kind and not others:
            parser.error(f"no directory of the kind {first}: expected DIR")
        namespace.kind = str(first) if is_kind and str(first) != AUTO else ""
        namespace.archives = others if is_kind else values


def run(arguments: argparse.Namespace) -> int:
    """Write or complete the map; where nothing is to be filled in, write the bundles too."""
    archives: list[Path] = arguments.archives
    with ExitStack() as unpacked:
        roots, damaged = open_archives(archives, unpacked)
        with_map = [each for each in KIND_NAMES if map_beside(archives[0], each).exists()]
        stated = arguments.kind or (with_map[0] if len(with_map) == 1 and not arguments.map else "")
        kind = kind_called(stated, roots) if stated else recognized(roots)
        if kind is None:
            raise BadInput(nothing_found(archives[0], stated))
        path = arguments.map or map_beside(archives[0], kind.name)
        if known := open_map(path, kind):
            kind = with_whole_paths(kind, known.rules)
        directories, left_out = read_archives(roots, kind)
        left_out = [*damaged, *left_out]
        if not directories:
            print_lines(left_out_lines(left_out))
            raise BadInput(nothing_found(archives[0], kind.name))
        given = _given(arguments, kind)
        study = study_name(archives[0], directories, kind)
        if not path.exists() and not given["report"] and (arguments.out / slug(study)).exists():
            raise BadInput(_taken(study, arguments.out))
        update = update_map(path, kind, directories, given, study)
        what = "written; directories" if update.is_new else "kept; new directories"
        print_lines([f"{path}: {what}: {update.added}"])
        if update.is_new and any(AXIS in each.axes for each in update.map.value.directories):
            print_lines([f"{path}: axes.{AXIS} tells directories of one name apart; see there"])
        if update.is_new and any(REPEAT in each.axes for each in update.map.value.directories):
            print_lines([f"{path}: axes.{REPEAT} is of directories called as repeats; see there"])
        wanting = to_fill_in(
            update.map,
            directories,
            kind.keys_to_fill_in(file.name for each in directories for file in each.files),
        )
        if wanting:
            if update.is_new:
                print_lines(left_out_lines(left_out))
            print_found(arguments, wanting)
            return 1
        planned, more = plan_all(directories, update.map.value, update.map.rules, kind.clients)
        if not planned:
            print_lines(left_out_lines([*left_out, *more]))
            raise BadInput(_all_left_out(archives[0], path))
        if unsaid := list(unsaid_repeats(planned, str(path))):
            print_found(arguments, unsaid)
            return 1
        print_lines(left_out_lines([*left_out, *more]))
        outcomes = _written(planned, update.map, arguments)
    found = [problem for outcome in outcomes for problem in outcome.problems]
    found += (*missing_steps(outcomes), *unlike_workloads(outcomes))
    found += unknown_versions(outcomes, versions_of(outcomes, update.map.value))
    print_found(arguments, found)
    print_lines(outcome_lines(outcomes, arguments.out))
    for name_of_text, text in report_drafts(outcomes, update.map.value, kind):
        _draft(name_of_text, text, arguments.content)
    return 1 if any(outcome.what == "refused" for outcome in outcomes) else 0


def _given(arguments: argparse.Namespace, kind: ArchiveKind) -> dict[str, str]:
    """Return what the command line says of the keys of the map that a person has to fill in."""
    given = {key: getattr(arguments, key) or "" for key in (*FILL_IN, "event", "work")}
    asked = {*FILL_IN, *kind.asks}
    for key in given.keys() - asked:
        if given[key]:
            found = f"of no use: files of the kind {kind.name} say it, or its map does"
            raise bad_input(path=f"--{key}", found=found, do="leave it out")
    return {key: value for key, value in given.items() if key in asked}


def _all_left_out(archive: Path, the_map: Path) -> Problem:
    return Problem(
        path=str(archive),
        found="nothing of it is imported, for the reasons above",
        expected="a log, a capture or a number of a table",
        do=f"say in {the_map} how its files are used, and run the same command again",
    )


def _taken(report: str, out: Path) -> Problem:
    return Problem(
        path=str(out / slug(report)),
        found="a report of this name, and no map that says that this archive belongs to it",
        expected="a report of its own for a new archive",
        do=f"name one: --report NAME; or --report {shown_value(report)} to add to what is there",
    )


def _written(
    planned: Sequence[PlannedRun], the_map: MapText, arguments: argparse.Namespace
) -> list[Outcome]:
    """Write the bundles; show on stderr how far that is."""
    progress = Progress()
    importer = Importer(arguments.out, arguments.replace)
    outcomes: list[Outcome] = []
    jobs = min(os.cpu_count() or 1, len(planned))
    every = max(1, len(planned) // 10)
    try:
        for outcome in importer.place_all(planned, the_map.value.operations, jobs):
            outcomes.append(outcome)
            if len(outcomes) % every == 0:
                progress.show(f"{len(outcomes)} of {len(planned)} runs")
    finally:
        progress.end()
    return outcomes


def _draft(name: str, text: str, content: Path | None) -> None:
    """Write a draft of a report file where there is none, or print it."""
    if content is None:
        print_lines([f"a draft of {name} (--content DIR writes it):", "", *text.splitlines()])
        return
    path = content / name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        print_lines([f"{path}: drafted"])
    except FileExistsError:
        print_lines([f"{path}: kept as it is"])

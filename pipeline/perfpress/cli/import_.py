"""`perfpress import`: make bundles of whole directories of results."""

import argparse
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from perfpress.base.console import print_lines, print_problems
from perfpress.base.problems import BadInput, Problem, first_of_each_kind
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.build.progress import Progress
from perfpress.cli.arguments import given_path, name, name_of
from perfpress.host.importing import flame_graphs, insert_benchmark, sysbench
from perfpress.host.importing.bundles import Importer, Outcome
from perfpress.host.importing.distinction import AXIS, unsaid_repeats
from perfpress.host.importing.kind import Kind
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
)
from perfpress.host.importing.plan import PlannedRun, plan_all
from perfpress.host.importing.report_draft import report_drafts
from perfpress.host.importing.unpacking import plain_name, read_archives, study_name

KINDS: tuple[tuple[Kind, str], ...] = (
    (sysbench.KIND, "sysbench output: a directory a build, a file a test"),
    (insert_benchmark.KIND, "Insert Benchmark: a directory a step, or summaries"),
    (flame_graphs.KIND, "flame graphs alone: a directory a release"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments: a further word for each kind of archive."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for kind, what in KINDS:
        inner = kinds.add_parser(kind.name, help=what)
        inner.add_argument(
            "archives",
            nargs="+",
            type=given_path,
            metavar="DIR",
            help="directories of results, or what holds them; or .tar, plain or compressed",
        )
        inner.add_argument(
            "--out",
            type=given_path,
            required=True,
            metavar="DIR",
            help="where the bundles go, such as data/results",
        )
        inner.add_argument(
            "--map",
            type=given_path,
            metavar="FILE",
            help=f"what names mean, to correct (default: DIR.{kind.name}.toml, beside DIR)",
        )
        inner.add_argument(
            "--report",
            type=name_of("report"),
            metavar="NAME",
            help="the study (default: the name of DIR)",
        )
        inner.add_argument(
            "--host",
            type=name_of("host"),
            metavar="NAME",
            help="the machine that was measured (default: empty, to fill in)",
        )
        inner.add_argument(
            "--benchmark",
            type=name,
            metavar="NAME",
            help=f"the program that measured (default: {kind.benchmark or 'empty, to fill in'})",
        )
        if "event" in kind.asks:
            inner.add_argument(
                "--event",
                type=name,
                metavar="NAME",
                help="what was sampled, such as cycles; unknown where nobody knows "
                "(default: empty, to fill in where the captures do not say)",
            )
        if "work" in kind.asks:
            inner.add_argument(
                "--work",
                choices=("timed", "fixed"),
                help="whether steps run for a set time, or do the same operations however long "
                "they take (default: empty, to fill in)",
            )
        inner.add_argument(
            "--content",
            type=given_path,
            metavar="DIR",
            help="write a draft of each report file that is not there (default: print it)",
        )
        inner.add_argument(
            "--replace",
            action="store_true",
            help="remove bundles of the same runs that were imported under other names",
        )


def run(arguments: argparse.Namespace) -> int:
    """Write or complete the map; where nothing is to be filled in, write the bundles too."""
    kind = next(each for each, _ in KINDS if each.name == arguments.kind)
    path = arguments.map or _beside(arguments.archives[0], kind)
    if known := open_map(path, kind):
        kind = with_whole_paths(kind, known.rules)
    with ExitStack() as unpacked:
        directories, left_out = read_archives(arguments.archives, kind, unpacked)
        if not directories:
            print_lines(left_out_lines(left_out))
            raise BadInput(_nothing(arguments.archives, kind))
        given = {key: getattr(arguments, key) or "" for key in (*FILL_IN, *kind.asks)}
        study = study_name(arguments.archives[0], directories)
        if not path.exists() and not given["report"] and (arguments.out / slug(study)).exists():
            raise BadInput(_taken(study, arguments.out))
        update = update_map(path, kind, directories, given, study)
        what = "written; directories" if update.is_new else "kept; new directories"
        print_lines([f"{path}: {what}: {update.added}"])
        if update.is_new and any(AXIS in each.axes for each in update.map.value.directories):
            print_lines([f"{path}: axes.{AXIS} tells directories of one name apart; see there"])
        wanting = to_fill_in(
            update.map,
            directories,
            kind.keys_to_fill_in(file.name for each in directories for file in each.files),
        )
        if wanting:
            if update.is_new:
                print_lines(left_out_lines(left_out))
            raise BadInput(*wanting)
        planned, more = plan_all(directories, update.map.value, update.map.rules)
        if not planned:
            raise BadInput(_nothing(arguments.archives, kind))
        if unsaid := list(unsaid_repeats(planned, update.map.value.directories, str(path))):
            raise BadInput(*first_of_each_kind(unsaid))
        print_lines(left_out_lines([*left_out, *more]))
        outcomes = _written(planned, update.map, arguments)
    print_lines(outcome_lines(outcomes, arguments.out))
    print_problems(missing_steps(outcomes))
    for name_of_text, text in report_drafts(outcomes, update.map.value, kind):
        _draft(name_of_text, text, arguments.content)
    return 1 if any(outcome.what == "refused" for outcome in outcomes) else 0


def _beside(archive: Path, kind: Kind) -> Path:
    """Return the map of an archive that has none by name: each archive has its own."""
    named = archive.resolve() if archive.name in ("", "..") else archive
    return named.with_name(f"{plain_name(named)}.{kind.name}.toml")


def _taken(report: str, out: Path) -> Problem:
    return Problem(
        path=str(out / slug(report)),
        found="a report of this name, and no map that says that this archive belongs to it",
        expected="a report of its own for a new archive",
        do=f"name one: --report NAME; or --report {shown_value(report)} to add to what is there",
    )


def _nothing(archives: Sequence[Path], kind: Kind) -> Problem:
    others = ", ".join(each.name for each, _ in KINDS if each.name != kind.name)
    return Problem(
        path=str(archives[0]),
        found=f"no results of the kind {kind.name}",
        expected=kind.expected,
        do=f"name what holds such; other kinds are {others}; for single runs: perfpress init",
    )


def _written(
    planned: Sequence[PlannedRun], the_map: MapText, arguments: argparse.Namespace
) -> list[Outcome]:
    """Write the bundles; show on stderr how far that is, and what is wrong."""
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
    problems = [problem for outcome in outcomes for problem in outcome.problems]
    print_problems(first_of_each_kind(problems))
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

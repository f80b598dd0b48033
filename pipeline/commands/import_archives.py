"""`perfpress import`: make bundles of whole directories of results."""

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from pipeline.build.progress import Progress
from pipeline.bundle.variant import variant_of
from pipeline.commands.arguments import given_path, name, name_of
from pipeline.commands.import_told import (
    by_report,
    differing,
    say_left_out,
    say_written,
    tell_some,
)
from pipeline.console import say, tell
from pipeline.importing import flame_graphs, insert_benchmark, sysbench
from pipeline.importing.archive import LeftOut, ResultDirectory, joined, read_archive
from pipeline.importing.bundles import Importer, Outcome
from pipeline.importing.kind import Kind
from pipeline.importing.mapping import (
    FILL_IN,
    MapText,
    extended,
    new_map,
    open_map,
    read_map,
    to_fill_in,
    with_given,
)
from pipeline.importing.plan import PlannedRun, plan
from pipeline.importing.report_draft import Imported, drafted
from pipeline.importing.unpacking import is_packed, plain_name, unpack
from pipeline.problems import BadInput, Problem
from pipeline.report.report import text_of
from pipeline.slug import slug

HELP = "make bundles of archives of results, through a map to correct"

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
            help=f"what names mean, to correct (default: import-{kind.name}.toml beside --out)",
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
    """Write or complete the map; where nothing is to be filled in, write the bundles too.

    The exit status is 0 also where a new map has to be completed by hand before bundles come out.
    """
    kind = next(each for each, _ in KINDS if each.name == arguments.kind)
    with ExitStack() as unpacked:
        directories, left_out = _read(arguments.archives, kind, unpacked)
        path = arguments.map or _beside(arguments.out) / f"import-{kind.name}.toml"
        the_map, is_new = _mapped(path, kind, directories, arguments)
        wanting = to_fill_in(the_map, (each.name for each in directories))
        if wanting and not is_new:
            raise BadInput(*wanting)
        if wanting:
            say_left_out(left_out)
            tell(wanting)
            return 0
        planned = list(_planned(the_map, directories, left_out))
        if not planned:
            raise BadInput(_nothing(arguments.archives, kind))
        say_left_out(left_out)
        outcomes = _written(planned, the_map, arguments)
    say_written(outcomes, arguments.out)
    tell(differing(outcomes))
    for report, imported in by_report(outcomes).items():
        _draft(report, imported, the_map, kind, arguments.content)
    return 1 if any(outcome.what == "refused" for outcome in outcomes) else 0


def _beside(directory: Path) -> Path:
    """Return the directory above, as the user would name it."""
    return directory.resolve().parent if directory.name in ("", "..") else directory.parent


def _read(
    archives: Sequence[Path], kind: Kind, unpacked: ExitStack
) -> tuple[list[ResultDirectory], list[LeftOut]]:
    """Return what the archives hold; what is packed is unpacked until `unpacked` is closed."""
    found = []
    more: list[LeftOut] = []
    for path in archives:
        if not path.exists():
            do = "correct the name"
            raise BadInput(Problem(path=str(path), found="no such directory", do=do))
        root = path
        if is_packed(path):
            above = unpacked.enter_context(tempfile.TemporaryDirectory(prefix="perfpress-import-"))
            root = Path(above) / (plain_name(path) or "archive")
            root.mkdir()
            more += unpack(path, root)
        found.append(read_archive(root, kind.home, kind.why_not))
    directories, left_out = joined(found)
    if not directories:
        say_left_out([*more, *left_out])
        raise BadInput(_nothing(archives, kind))
    return directories, [*more, *left_out]


def _nothing(archives: Sequence[Path], kind: Kind) -> Problem:
    others = ", ".join(each.name for each, _ in KINDS if each.name != kind.name)
    return Problem(
        path=str(archives[0]),
        found=f"no results of the kind {kind.name}",
        expected=kind.expected,
        do=f"name what holds such; other kinds are {others}; for single runs: perfpress init",
    )


def _mapped(
    path: Path, kind: Kind, directories: Sequence[ResultDirectory], arguments: argparse.Namespace
) -> tuple[MapText, bool]:
    """Return the map, written or added to where that is needed, and whether it is new."""
    given = {key: getattr(arguments, key) or "" for key in FILL_IN}
    old = open_map(path, kind)
    if old is None:
        first = arguments.archives[0]
        report = given["report"] or _study(first, directories)
        text = new_map(kind, directories, {**given, "report": report})
        said = f"{path}: written; directories: {len(directories)}"
    else:
        filled = read_map(with_given(old.text, old.value, given, str(path)), str(path), kind)
        text = extended(filled, kind, directories)
        known = {entry.source for entry in old.value.directories}
        new = [each for each in directories if each.name not in known]
        said = f"{path}: kept; new directories: {len(new)}"
    the_map = read_map(text, str(path), kind)
    if old is None or text != old.text:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    say([said])
    return the_map, old is None


def _study(first: Path, directories: Sequence[ResultDirectory]) -> str:
    """Return a name for the study: the directory that holds those of results."""
    if is_packed(first):
        return plain_name(first)
    is_result = any(each.path.resolve() == first.resolve() for each in directories)
    resolved = first.resolve()
    return resolved.parent.name if is_result else resolved.name


def _planned(
    the_map: MapText, directories: Sequence[ResultDirectory], left_out: list[LeftOut]
) -> Iterator[PlannedRun]:
    entries = {entry.source: entry for entry in the_map.value.directories}
    for directory in directories:
        entry = entries[directory.name]
        if entry.leave_out:
            left_out.append(LeftOut(directory.name, entry.leave_out))
            continue
        runs, others = plan(directory, entry, the_map.value, the_map.rules)
        left_out += others
        yield from runs


def _written(
    planned: Sequence[PlannedRun], the_map: MapText, arguments: argparse.Namespace
) -> list[Outcome]:
    progress = Progress()
    importer = Importer(arguments.out, arguments.replace)
    outcomes: list[Outcome] = []
    jobs = min(os.cpu_count() or 1, len(planned))
    every = max(1, len(planned) // 10)
    try:
        for outcome in importer.place_all(planned, the_map.value.operations, jobs):
            outcomes.append(outcome)
            if len(outcomes) % every == 0:
                progress.tell(f"{len(outcomes)} of {len(planned)} runs")
    finally:
        progress.end()
    tell_some([problem for outcome in outcomes for problem in outcome.problems])
    return outcomes


def _draft(
    report: str, outcomes: Sequence[Outcome], the_map: MapText, kind: Kind, content: Path | None
) -> None:
    """Write a draft of the report file where there is none, or print it."""
    versions = {entry.source: entry.version for entry in the_map.value.directories}
    runs = [
        Imported(
            release=outcome.planned.run.release,
            version=versions[outcome.planned.source.name],
            variant=variant_of(outcome.planned.run).slug,
            steps=outcome.steps,
        )
        for outcome in outcomes
    ]
    text = drafted(report, runs, kind.groups, kind.place)
    name = text_of(slug(report))
    if content is None:
        say([f"a draft of {name} (--content DIR writes it):", "", *text.splitlines()])
        return
    path = content / name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        say([f"{path}: drafted"])
    except FileExistsError:
        say([f"{path}: kept as it is"])

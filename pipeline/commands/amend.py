"""`perfpress amend`: write a correction."""

import argparse
import itertools
import os
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from pipeline.bundle.discover import discover
from pipeline.bundle.read import Bundle
from pipeline.commands.check import add_results
from pipeline.console import say
from pipeline.corrected import apply_corrections
from pipeline.corrections import (
    Accept,
    Change,
    Correction,
    Invalid,
    Rename,
    Set,
    Supersede,
    Value,
    correction_name,
    correction_toml,
    order_in_report,
    parse_correction,
    read_corrections,
)
from pipeline.problems import BadInput, Problem
from pipeline.slug import slug

HELP = "write a correction: invalid, supersede, set, rename or accept"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments: a further word for each kind."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    invalid = kinds.add_parser("invalid", help="runs leave all figures")
    invalid.add_argument("run", nargs="?", metavar="RUN", help="a run id, or its directory")
    invalid.add_argument("--release", metavar="NAME", help="instead of RUN: all its runs")
    supersede = kinds.add_parser("supersede", help="another run takes the place of one")
    supersede.add_argument("run", metavar="RUN")
    supersede.add_argument("replacement", metavar="REPLACEMENT", help="the run that counts")
    setting = kinds.add_parser("set", help="a key of run.toml has another value")
    setting.add_argument("setting", metavar="KEY=VALUE", help="clients=8, machine.kernel=6.1.0")
    setting.add_argument("run", nargs="?", metavar="RUN")
    setting.add_argument("--release", metavar="NAME", help="instead of RUN: all its runs")
    rename = kinds.add_parser("rename", help="a release or a step has another name")
    rename.add_argument("what", choices=("release", "step"))
    rename.add_argument("old", metavar="FROM")
    rename.add_argument("new", metavar="TO")
    accept = kinds.add_parser("accept", help="a regression is known")
    accept.add_argument("release", metavar="RELEASE")
    accept.add_argument("--variant", metavar="SLUG", help="this variant only")
    for kind in (invalid, supersede, setting, accept):
        kind.add_argument("--step", metavar="NAME", help="this step only")
    for kind in (invalid, supersede, setting, rename, accept):
        kind.add_argument("--report", metavar="NAME", help="needed where RUN does not tell")
        kind.add_argument("--reason", required=True, metavar="TEXT", help="shown on the pages")
        add_results(kind, "accepted bundles; corrections stand beside them")


def run(arguments: argparse.Namespace) -> int:
    """Write the correction if it fits the accepted bundles; print its path."""
    results: Path = arguments.results
    bundles, _ = discover(results, str(results))
    report = _report(arguments, bundles)
    directory = results.resolve().parent / "corrections"
    problems: list[Problem] = []
    for change in _changes(arguments):
        misfits = _misfits(change, report, bundles, directory)
        if not misfits:
            say([str(_write(change, directory / report))])
            return 0
        if not problems or not isinstance(getattr(change, "value", ""), str):
            # Of a number it is more to the point what is wrong with it than that it is no text.
            problems = misfits
    raise BadInput(*problems)


def _changes(arguments: argparse.Namespace) -> Iterator[Change]:
    """Yield what the arguments may mean: a value of `set` may be a number or a text."""
    reason = arguments.reason
    run = Path(arguments.run).name if getattr(arguments, "run", None) else None
    match arguments.kind:
        case "invalid":
            yield Invalid(run=run, release=arguments.release, step=arguments.step, reason=reason)
        case "supersede":
            replacement = Path(arguments.replacement).name
            yield Supersede(
                run=run or "", replacement=replacement, step=arguments.step, reason=reason
            )
        case "set":
            key, _, text = arguments.setting.partition("=")
            for value in _values(text):
                yield Set(
                    run=run,
                    release=arguments.release,
                    step=arguments.step,
                    key=key,
                    value=value,
                    reason=reason,
                )
        case "rename":
            yield Rename(what=arguments.what, old=arguments.old, new=arguments.new, reason=reason)
        case "accept":
            yield Accept(
                release=arguments.release,
                step=arguments.step,
                variant=arguments.variant,
                reason=reason,
            )


def _values(text: str) -> Iterator[Value]:
    """Yield what a text may stand for, likeliest first.

    8 and true are what TOML takes them for, then a text; 6.10 is a kernel as a text and only then a
    number.
    """
    try:
        value = tomllib.loads(f"value = {text}").get("value")
    except ValueError:  # of more digits than Python reads, too
        value = None
    if isinstance(value, int):
        yield value
    yield text
    if isinstance(value, float):
        yield value


def _report(arguments: argparse.Namespace, bundles: Sequence[Bundle]) -> str:
    """Return the slug of the report that the correction is for.

    Raises:
        BadInput: nothing tells which.
    """
    if arguments.report:
        return slug(arguments.report)
    run = getattr(arguments, "run", None)
    reports = {
        slug(bundle.run.report)
        for bundle in bundles
        if run is None or bundle.run_id == Path(run).name
    }
    if len(reports) == 1:
        return reports.pop()
    found = f"no run {Path(run).name!r}" if run and not reports else f"{len(reports)} reports"
    do = "see the names of directories there" if run else "name the report: --report NAME"
    raise BadInput(Problem(path=str(arguments.results), found=found, expected="one", do=do))


def _misfits(
    change: Change, report: str, bundles: Sequence[Bundle], directory: Path
) -> list[Problem]:
    """Return why a change cannot be applied on top of the corrections that are there."""
    name = _free_path(change, directory / report).name
    shown_as = f"{directory.name}/{report}/{name}"
    correction, problems = parse_correction(correction_toml(change), name, report, shown_as)
    if correction is None:
        return problems
    earlier, _ = read_corrections(directory, directory.name)
    _, before = apply_corrections(bundles, earlier)
    ordered = sorted((*earlier, correction), key=_place)
    _, after = apply_corrections(bundles, ordered)
    return [problem for problem in after if problem not in before]


def _place(correction: Correction) -> tuple[str, str]:
    """Return what `read_corrections` sorts by."""
    return correction.report, order_in_report(Path(correction.shown_as).name)


def _write(change: Change, directory: Path) -> Path:
    """Write a correction under a name that is free."""
    directory.mkdir(parents=True, exist_ok=True)
    while True:
        path = _free_path(change, directory)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(correction_toml(change))
            return path
        except FileExistsError:
            continue  # somebody else took the name just now


def _free_path(change: Change, directory: Path) -> Path:
    wanted = directory / correction_name(change, date.today())
    others = (wanted.with_stem(f"{wanted.stem}-{number}") for number in itertools.count(2))
    paths = itertools.chain([wanted], others)
    return next(path for path in paths if not os.path.lexists(path))

"""`perfpress amend`: write a correction."""

import argparse
import itertools
import os
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from msgspec.structs import replace

from pipeline.bundle.discover import discover
from pipeline.bundle.read import Bundle
from pipeline.commands.arguments import name, refused
from pipeline.commands.check import add_results
from pipeline.console import say
from pipeline.corrections.corrected import apply_corrections
from pipeline.corrections.files import (
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
from pipeline.toml.words import nearest, shown_value

HELP = "write a correction: invalid, supersede, set, rename or accept"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments: a further word for each kind."""
    kinds = parser.add_subparsers(dest="kind", required=True)
    invalid = kinds.add_parser("invalid", help="runs leave all figures")
    invalid.add_argument("run", nargs="?", metavar="RUN", help="a run id, or its directory")
    invalid.add_argument("--release", metavar="NAME", help="instead of RUN: all its runs")
    supersede = kinds.add_parser("supersede", help="another run takes the place of one")
    supersede.add_argument(
        "run", metavar="RUN", help="the run that leaves all figures: its id, or its directory"
    )
    supersede.add_argument("replacement", metavar="REPLACEMENT", help="the run that counts instead")
    setting = kinds.add_parser("set", help="a key of run.toml has another value")
    setting.add_argument(
        "setting", type=_setting, metavar="KEY=VALUE", help="clients=8, machine.kernel=6.1.0"
    )
    setting.add_argument("run", nargs="?", metavar="RUN", help="a run id, or its directory")
    setting.add_argument("--release", metavar="NAME", help="instead of RUN: all its runs")
    rename = kinds.add_parser("rename", help="a release or a step has another name")
    rename.add_argument("what", choices=("release", "step"), help="what is renamed")
    rename.add_argument("old", metavar="FROM", help="its name until now")
    rename.add_argument("new", metavar="TO", help="its name on the pages, in the whole report")
    accept = kinds.add_parser("accept", help="a regression is known")
    accept.add_argument("release", metavar="RELEASE", help="the one that is slower")
    accept.add_argument("--variant", metavar="SLUG", help="this variant only")
    for kind in (invalid, supersede, setting, accept):
        kind.add_argument("--step", metavar="NAME", help="this step only")
    for kind in (invalid, supersede, setting, rename, accept):
        kind.add_argument("--report", metavar="NAME", help="needed where RUN does not tell")
        kind.add_argument(
            "--reason", type=name, required=True, metavar="TEXT", help="shown on the pages"
        )
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
            key, text = arguments.setting
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


def _setting(text: str) -> tuple[str, str]:
    """Return key and value of `KEY=VALUE`; the value may be empty."""
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise refused(text, "KEY=VALUE, such as clients=8")
    return key, value


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
        return _known_report(arguments.report, bundles, str(arguments.results))
    run = getattr(arguments, "run", None)
    reports = {
        slug(bundle.run.report)
        for bundle in bundles
        if run is None or bundle.run_id == Path(run).name
    }
    if len(reports) == 1:
        return reports.pop()
    where = str(arguments.results)
    if not bundles:
        do = "correct --results, or add the run first: perfpress add DIR"
        raise BadInput(Problem(path=where, found="no bundles", expected="accepted ones", do=do))
    if run is None or reports:
        found, do = f"{len(reports)} reports", "name the report: --report NAME"
        raise BadInput(Problem(path=where, found=found, expected="one", do=do))
    found, near = f"no run {shown_value(Path(run).name)}", _nearest_run(Path(run).name, bundles)
    do = f"did you mean {near}?" if near else "see the names of the directories there"
    raise BadInput(Problem(path=where, found=found, expected="a run id", do=do))


def _known_report(wanted: str, bundles: Sequence[Bundle], where: str) -> str:
    known = {slug(bundle.run.report) for bundle in bundles}
    if slug(wanted) not in known:
        near = nearest(slug(wanted), sorted(known))
        found = f"no report {shown_value(wanted)}"
        do = (
            f"did you mean {near}?"
            if near
            else "correct --results, or add a run: perfpress add DIR"
        )
        raise BadInput(Problem(path=where, found=found, expected="one with bundles", do=do))
    return slug(wanted)


def _nearest_run(wanted: str, bundles: Sequence[Bundle]) -> str | None:
    """Return the run that was probably meant; the hash at the end of an id alone tells it."""
    known = [bundle.run_id for bundle in bundles]
    return next((run_id for run_id in known if wanted and wanted in run_id), nearest(wanted, known))


def _misfits(
    change: Change, report: str, bundles: Sequence[Bundle], directory: Path
) -> list[Problem]:
    """Return why a change cannot be applied on top of the corrections that are there."""
    file_name = _free_path(change, directory / report).name
    shown_as = f"{directory.name}/{report}/{file_name}"
    correction, problems = parse_correction(correction_toml(change), file_name, report, shown_as)
    if correction is None:
        return [_asked_for(problem) for problem in problems]
    earlier, _ = read_corrections(directory, directory.name)
    _, before = apply_corrections(bundles, earlier)
    ordered = sorted((*earlier, correction), key=_place)
    _, after = apply_corrections(bundles, ordered)
    return [
        _asked_for(problem) if problem.path == shown_as else problem
        for problem in after
        if problem not in before
    ]


def _asked_for(problem: Problem) -> Problem:
    """Return a problem of a correction that is not written as one of what was asked for."""
    return replace(problem, path="perfpress amend", line=0)


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

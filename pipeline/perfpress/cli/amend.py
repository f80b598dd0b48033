"""`perfpress amend`: write a correction."""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from perfpress.base.console import line_of, print_lines
from perfpress.cli.arguments import RESULTS, given_path, name, refused
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.files import (
    Accept,
    AnyCorrection,
    CorrectedValue,
    Invalid,
    Rename,
    Set,
    Supersede,
)
from perfpress.input.corrections.place import DirectoryScope, place_in, results_above
from perfpress.input.corrections.sentences import sentence_of
from perfpress.input.corrections.write import report_of, write_correction
from perfpress.input.report.report import same_config_in

RUN = "a run id, or its directory; default: the run whose directory this is called in"
RELEASE = "instead of RUN: all its runs; default: the release whose directory this is called in"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments: a further word for each kind."""
    kinds = parser.add_subparsers(dest="kind", required=True)
    invalid = kinds.add_parser("invalid", help="runs leave all figures")
    invalid.add_argument("run", nargs="?", metavar="RUN", help=RUN)
    invalid.add_argument("--release", metavar="NAME", help=RELEASE)
    supersede = kinds.add_parser("supersede", help="another run takes the place of one")
    supersede.add_argument(
        "run", metavar="RUN", help="the run that leaves all figures: its id, or its directory"
    )
    supersede.add_argument("replacement", metavar="REPLACEMENT", help="the run that counts instead")
    setting = kinds.add_parser("set", help="a key of run.toml has another value")
    setting.add_argument(
        "setting", type=_setting, metavar="KEY=VALUE", help="clients=8, machine.kernel=6.1.0"
    )
    setting.add_argument("run", nargs="?", metavar="RUN", help=RUN)
    setting.add_argument("--release", metavar="NAME", help=RELEASE)
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
        kind.add_argument(
            "--report",
            metavar="NAME",
            help="default: that of RUN, or of the directory that this is called in",
        )
        kind.add_argument(
            "--reason", type=name, required=True, metavar="TEXT", help="shown on the pages"
        )
        kind.add_argument(
            "--results",
            type=given_path,
            metavar="DIR",
            help="accepted bundles; corrections are next to them (default: data/results of the "
            "site that this is called in)",
        )


def run(arguments: argparse.Namespace) -> int:
    """Write the correction if it fits the accepted bundles; print its path."""
    results: Path = arguments.results or results_above(Path.cwd()) or RESULTS
    bundles, _ = discover(results, str(results))
    place = _place(arguments, results, bundles)
    report = report_of(arguments.report or place.report, place.run, bundles, str(results))
    corrections = results.resolve().parent / "corrections"
    same_config = same_config_in(results.resolve().parent.parent / "content", report)
    changes = _changes(arguments, place)
    path, change = write_correction(changes, report, bundles, corrections, same_config)
    print(line_of(f"{sentence_of(change)} The next build shows it."), file=sys.stderr)
    print_lines([str(path)])
    return 0


def _place(
    arguments: argparse.Namespace, results: Path, bundles: Sequence[Bundle]
) -> DirectoryScope:
    """Return the report, release and run that are meant: named, or those of this directory."""
    here = place_in(results, bundles, Path.cwd())
    run = getattr(arguments, "run", None)
    release = getattr(arguments, "release", None)
    if run is not None:
        of_run = place_in(results, bundles, Path(run)) if Path(run).is_dir() else DirectoryScope()
        report = of_run.report or here.report
        return DirectoryScope(report=report, release=release, run=of_run.run or Path(run).name)
    if release is not None or arguments.kind == "rename":
        return DirectoryScope(report=here.report, release=release)
    return here


def _changes(arguments: argparse.Namespace, place: DirectoryScope) -> Iterator[AnyCorrection]:
    """Yield what the arguments may mean: a value of `set` may be a number or a text."""
    reason, run = arguments.reason, place.run
    match arguments.kind:
        case "invalid":
            yield Invalid(run=run, release=place.release, step=arguments.step, reason=reason)
        case "supersede":
            replacement = Path(arguments.replacement).resolve().name
            yield Supersede(
                run=run or "", replacement=replacement, step=arguments.step, reason=reason
            )
        case "set":
            key, text = arguments.setting
            for value in _values(text):
                yield Set(
                    run=run,
                    release=place.release,
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


def _values(text: str) -> Iterator[CorrectedValue]:
    """Yield possible meanings of a text, likeliest first.

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

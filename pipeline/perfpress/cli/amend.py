"""`perfpress amend`: write a correction."""

import argparse
import tomllib
from collections.abc import Iterator
from pathlib import Path

from perfpress.base.console import print_lines
from perfpress.cli.arguments import add_results, name, refused
from perfpress.input.bundles.discover import discover
from perfpress.input.corrections.files import (
    Accept,
    Change,
    Invalid,
    Rename,
    Set,
    Supersede,
    Value,
)
from perfpress.input.corrections.write import report_of, write_correction


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
        kind.add_argument("--report", metavar="NAME", help="needed where RUN does not name it")
        kind.add_argument(
            "--reason", type=name, required=True, metavar="TEXT", help="shown on the pages"
        )
        add_results(kind, "accepted bundles; corrections are next to them")


def run(arguments: argparse.Namespace) -> int:
    """Write the correction if it fits the accepted bundles; print its path."""
    results: Path = arguments.results
    bundles, _ = discover(results, str(results))
    run_id = _run_id(arguments)
    report = report_of(arguments.report, run_id, bundles, str(results))
    corrections = results.resolve().parent / "corrections"
    print_lines([str(write_correction(_changes(arguments, run_id), report, bundles, corrections))])
    return 0


def _run_id(arguments: argparse.Namespace) -> str | None:
    run = getattr(arguments, "run", None)
    return None if run is None else Path(run).name


def _changes(arguments: argparse.Namespace, run: str | None) -> Iterator[Change]:
    """Yield what the arguments may mean: a value of `set` may be a number or a text."""
    reason = arguments.reason
    run = run or None
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

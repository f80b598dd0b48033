"""Types of arguments, shared by the verbs: an error names the expected value."""

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path

from perfpress.analysis.verdicts.states import FAILING
from perfpress.base.checkout import ROOT
from perfpress.base.console import print_grouped, print_problems
from perfpress.base.object_store import address_from
from perfpress.base.problems import Problem
from perfpress.base.slugs import Level, reserved
from perfpress.base.toml.words import nearest, shown_value
from perfpress.input.bundles.discover import bundles_below
from perfpress.input.bundles.schema import is_description
from perfpress.input.logs.formats import FORMATS

LONGEST_NAME = 200
"""Characters, as `perfpress.input.bundles.schema.Name`."""

STORE = re.compile(r"(?!(?:https?|ssh|git)://)[a-z][a-z0-9+]*://.")
"""`s3://bucket/path`, `file:///path`: what fsspec opens. A repository on disk is a path."""

CUT_SHORT = re.compile(r"(?:s3|gs|gcs|az|abfs|file):(?!//.)")
"""`s3:/bucket`: git would take it for a host called s3."""

LAST_PORT = 2**16 - 1

LONGEST_TIME = 31 * 24 * 3600
"""Seconds."""


RESULTS = ROOT / "data" / "results"
"""On a lab host there are none."""


def add_inputs(parser: ArgumentParser, texts: str) -> None:
    """Add `--results DIR` and `--content DIR`; `texts` says what the latter holds."""
    add_results(parser, "bundles; corrections are read from `corrections` next to it")
    parser.add_argument(
        "--content",
        type=given_path,
        default=ROOT / "content",
        metavar="DIR",
        help=f"{texts} (default: content)",
    )
    parser.add_argument(
        "--cache",
        type=store,
        default=os.environ.get("PERFPRESS_CACHE") or None,
        metavar="ADDRESS",
        help="cache that machines share, beside data/.cache of this one: s3://bucket/path, a "
        "directory (default: $PERFPRESS_CACHE, or none)",
    )


FAILED_VERDICT = 3
"""The exit status of a verdict that was asked to fail."""


def add_fail_on(parser: ArgumentParser, besides: str) -> None:
    """Add `--fail-on VERDICT`; `besides` says what else fails or does not."""
    parser.add_argument(
        "--fail-on",
        choices=list(FAILING),
        metavar="VERDICT",
        help=f"exit with {FAILED_VERDICT} where a verdict is slower (several runs show it) or "
        f"slower-one-run (one does); {besides}",
    )


ALL_PROBLEMS = "--all-problems"


def add_format(parser: ArgumentParser, what: str) -> None:
    """Add `--format`, for logs whose format is not recognised."""
    parser.add_argument(
        "--format",
        type=log_format,
        action="append",
        default=[],
        metavar="[FILE=]FORMAT",
        help=f"{what}; repeatable",
    )


def add_all_problems(parser: ArgumentParser) -> None:
    """Add `--all-problems`."""
    parser.add_argument(
        ALL_PROBLEMS,
        action="store_true",
        help="print each problem on a line of its own (default: one line for all of one text)",
    )


def print_found(arguments: Namespace, problems: Iterable[Problem]) -> None:
    """Print what was found: by kind, or each as `--all-problems` asks."""
    if arguments.all_problems:
        print_problems(problems)
    else:
        print_grouped(problems, f"{ALL_PROBLEMS} lists all")


def add_bundles(parser: ArgumentParser) -> None:
    """Add `DIR…`: bundles, or directories of bundles."""
    parser.add_argument(
        "directories",
        nargs="+",
        type=given_path,
        metavar="DIR",
        help="a directory with a run.toml, or one that holds such directories",
    )


def given_bundles(arguments: Namespace) -> list[Path]:
    """Return the directories of the bundles that `DIR…` name."""
    return [bundle for given in arguments.directories for bundle in bundles_below(given)]


def add_results(parser: ArgumentParser, what: str) -> None:
    """Add `--results DIR`."""
    parser.add_argument(
        "--results",
        type=given_path,
        default=RESULTS,
        metavar="DIR",
        help=f"{what} (default: data/results)",
    )


def refused(text: str, expected: str) -> ArgumentTypeError:
    """Return what to raise where an argument is not what it should be."""
    found = shown_value(text) if text else "nothing"
    return ArgumentTypeError(f"{found}; expected {expected}")


def given_path(text: str) -> Path:
    """Return the path of a file or directory. An empty one would be that of the directory here."""
    if not text:
        raise refused(text, "the name of a file or directory")
    return Path(text)


def store(text: str) -> str:
    """Return the address of an object store as fsspec has it; a directory is one too."""
    return address_from(given_store(text), Path())


def given_store(text: str) -> str:
    """Return the address of an object store, or the path of a directory."""
    if not text or not text.isprintable():
        raise refused(text, "s3://bucket/path, or a directory")
    if CUT_SHORT.match(text):
        raise refused(text, "s3://bucket/path or file:///path")
    return text.rstrip("/") if STORE.match(text) else str(Path(text))


def name(text: str) -> str:
    """Return a name as run.toml takes it."""
    if not (1 <= len(text) <= LONGEST_NAME and text.isprintable()):
        raise refused(text, f"1 to {LONGEST_NAME} printable characters")
    return text


def name_of(level: Level) -> Callable[[str], str]:
    """Return a reader of names that no other page of that level has."""

    def read(text: str) -> str:
        if reserved(text, level):
            raise refused(text, "a name that no other page has")
        return name(text)

    return read


def address(text: str) -> str:
    """Return the address of a site."""
    if not re.match(r"https?://[^/]|/|file:$", text):
        raise refused(text, "https://… or, on the same host, /…/ or, to be read from disk, file:")
    return text


def positive(text: str) -> int:
    """Return a whole number above zero."""
    number = _whole(text)
    if not number:
        raise refused(text, "a whole number above zero")
    return number


def count(text: str) -> int:
    """Return a whole number, zero too."""
    number = _whole(text)
    if number is None:
        raise refused(text, "a whole number")
    return number


def port(text: str) -> int:
    """Return the number of a port that can be listened on."""
    number = _whole(text)
    if not number or number > LAST_PORT:
        raise refused(text, f"a port from 1 to {LAST_PORT}")
    return number


def seconds(text: str) -> float:
    """Return a time in seconds: `3`, `0.5s`, `2m`, `1h`; up to a month."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(s|m|h)?", text, re.ASCII)
    found = float(match[1]) * {"m": 60, "h": 3600}.get(match[2], 1) if match else 0.0
    if not 0 < found <= LONGEST_TIME:
        raise refused(text, "a time above zero: 3, 0.5s, 2m, 1h")
    return found


def events(text: str) -> tuple[str, ...]:
    """Return the events of `NAME[,NAME]`, as perf takes them."""
    found = tuple(text.split(","))
    # perf takes some punctuation for grouping, and a leading dash for an option.
    if not all(re.fullmatch(r"[A-Za-z][\w:/.=-]{0,199}", each) for each in found):
        raise refused(text, "events of perf list: cycles, or cycles,page-faults")
    return tuple(dict.fromkeys(found))


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of `NAME=VALUE`."""
    left, _, right = text.partition("=")
    if not (left and right):
        raise refused(text, "NAME=VALUE")
    return name(left), name(right)


def log_format(text: str) -> tuple[str, str]:
    """Return both sides of `FILE=FORMAT`, or an empty text and FORMAT."""
    file, equals, format_ = text.rpartition("=")
    if (equals and not file) or not format_:
        raise refused(text, "FORMAT or FILE=FORMAT")
    if format_ not in FORMATS and not is_description(format_):
        near = nearest(format_, FORMATS)
        hint = f"; did you mean {near}?" if near else ", or a description ending in .toml"
        raise refused(text, f"a format{hint}")
    return file, format_


def tool(text: str) -> tuple[str, str | None]:
    """Return both sides of `NAME=TEXT`, or NAME and `None`."""
    left, equals, right = text.partition("=")
    if not left:
        raise refused(text, "NAME or NAME=TEXT")
    return name(left), right if equals else None


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,15}", text, re.ASCII) else None

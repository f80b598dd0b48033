"""Verbs of the Node packages: their arguments go there as they are.

The options are defined in `cli/options.json` of each package. Node reads arguments by it, and
here it makes the help and the page of the documentation.
"""

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from perfpress.base.node.requests import FLAMEGRAPH, PROFILE, node_path

SCRIPTS = {"fold": PROFILE, "diff": FLAMEGRAPH, "flamegraph": FLAMEGRAPH}


class OptionDescription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One option."""

    meaning: str
    value: str | None = None
    """Placeholder of its value; a flag has none."""
    short: str | None = None
    repeatable: bool = False


class VerbDescription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One verb."""

    files: dict[str, str]
    """Their meanings by name; `FILE…` is one or several."""
    out: str
    """What may be written."""
    options: tuple[str, ...]
    """Besides OUT."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`options.json` of a Node package."""

    options: dict[str, OptionDescription]
    verbs: dict[str, VerbDescription]


def add_arguments(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the arguments that Node takes."""
    package = _options(SCRIPTS[verb])
    described = _options(PROFILE).options | package.options
    of_verb = package.verbs[verb]
    for file, meaning in of_verb.files.items():
        name = file.removesuffix("…")
        nargs = "+" if name != file else None
        parser.add_argument(name.lower(), nargs=nargs, metavar=name, help=meaning)
    _add(parser, "out", OptionDescription(of_verb.out, "OUT", "o"))
    for option in of_verb.options:
        _add(parser, option, described[option])


def run_node(verb: str, words: Sequence[str]) -> int:
    """Run the verb with the terminal's own input and output; return the exit status.

    Raises:
        BadInput: there is no Node.
    """
    command = [str(node_path()), str(SCRIPTS[verb]), verb, *words]
    # close_fds: a file may be /dev/fd/63, which is what a shell makes of <(…)
    return subprocess.run(command, check=False, close_fds=False).returncode


def _options(script: Path) -> Options:
    return msgspec.json.decode(script.with_name("options.json").read_bytes(), type=Options)


def _add(parser: argparse.ArgumentParser, name: str, option: OptionDescription) -> None:
    flags = [f"-{option.short}"] if option.short else []
    flags.append(f"--{name}")
    meaning = option.meaning.replace("%", "%%")
    if option.value is None:
        parser.add_argument(*flags, action="store_true", help=meaning)
    else:
        action = "append" if option.repeatable else "store"
        parser.add_argument(*flags, metavar=option.value, action=action, help=meaning)

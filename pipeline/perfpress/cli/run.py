"""Runs one verb: parses its arguments and turns failures into messages and an exit status."""

import argparse
import importlib
import itertools
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem
from perfpress.base.system_errors import ADVICE, system_problem
from perfpress.base.toml.words import nearest
from perfpress.cli import node_verbs
from perfpress.cli.verbs import VERBS


class VerbModule(Protocol):
    """What the module of a verb offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the verb's arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status."""


def run_verb(name: str, words: Sequence[str]) -> int:
    """Run a verb; return the exit status."""
    if name not in VERBS:
        near = nearest(name, VERBS)
        hint = f"did you mean {near}?" if near else "see: perfpress --help"
        print(f"perfpress: no verb {name!r}; {hint}", file=sys.stderr)
        return 2
    try:
        parser = verb_parser(name)
        if VERBS[name].module:
            return _module(name).run(_parsed(parser, words))
        options = itertools.takewhile(lambda word: word != "--", words)
        if not {"-h", "--help"}.isdisjoint(options):
            parser.print_help()
            return 0
        return node_verbs.run_node(name, words)
    except SystemExit as leaving:  # argparse has printed why
        return leaving.code if isinstance(leaving.code, int) else 2
    except BadInput as failure:
        print_problems(failure.problems)
        return 1
    except ModuleNotFoundError as missing:  # a lab host has only what capturing and checking need
        if (missing.name or "").startswith("perfpress"):
            raise
        found = f"the Python package {missing.name} is not installed"
        do = "install all of it: uv sync --extra site"
        print_problems([Problem(path="perfpress", found=found, do=do)])
        return 1
    except OSError as error:
        if error.filename is None and error.errno not in ADVICE:
            raise
        print_problems([system_problem(error, "perfpress")])
        return 1


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; options may be between words: `import sysbench --out results study`."""
    if "--" not in words:  # what follows it is a command with options of its own
        with suppress(TypeError):  # a verb with verbs of its own, such as `amend`
            return parser.parse_intermixed_args(words)
    return parser.parse_args(words)


def verb_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a verb's arguments."""
    parser = argparse.ArgumentParser(
        prog=f"perfpress {name}", description=VERBS[name].help, allow_abbrev=False
    )
    if VERBS[name].module:
        _module(name).add_arguments(parser)
    else:
        node_verbs.add_arguments(parser, name)
    return parser


def _module(name: str) -> VerbModule:
    return importlib.import_module(f"perfpress.cli.{VERBS[name].module}")

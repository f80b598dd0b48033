"""The command line: `perfpress VERB …`.

Exit status: 0 good, 1 bad input, 2 bad usage, 3 a verdict that was asked to fail.
"""

import argparse
import errno
import importlib
import importlib.metadata
import os
import signal
import sys
from collections.abc import Sequence
from typing import Protocol

from pipeline.console import tell
from pipeline.problems import BadInput, Problem
from pipeline.toml.words import nearest

VERBS = (
    "check",
    "init",
    "import",
    "add",
    "amend",
    "fold",
    "diff",
    "flamegraph",
    "table",
    "build",
    "serve",
    "verdict",
    "capture",
    "push",
    "accept",
)

MODULES = {"import": "import_archives"}
"""Modules that cannot be called as their verb is: Python has taken the word."""


ADVICE = {
    errno.EACCES: "let it be read and written, or name another place",
    errno.EPERM: "let it be read and written, or name another place",
    errno.EROFS: "name another place: nothing can be written there",
    errno.ENOENT: "correct the name, or make the directory first",
    errno.ENOTDIR: "name a directory: there is a file on the way",
    errno.EISDIR: "name a file: it is a directory",
    errno.ENOSPC: "make room, or name another disk",
    errno.ENAMETOOLONG: "choose a shorter name",
}
"""What to do where the system refuses a file."""


class Verb(Protocol):
    """What the module of a verb offers."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the verb's arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb; return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if argv is None:  # not in a test: what is under way is put in order, as after Ctrl-C
        signal.signal(signal.SIGTERM, _terminated)
    try:
        return _dispatch(list(sys.argv[1:] if argv is None else argv))
    except SystemExit as leaving:  # argparse has said why
        return leaving.code if isinstance(leaving.code, int) else 2
    except BadInput as failure:
        tell(failure.problems)
        return 1
    except ModuleNotFoundError as missing:  # a lab host has only what capturing and checking need
        if (missing.name or "").startswith("pipeline"):
            raise
        found = f"the Python package {missing.name} is not installed"
        do = "install all of it: uv sync --extra site"
        tell([Problem(path="perfpress", found=found, do=do)])
        return 1
    except BrokenPipeError:  # perfpress check DIR | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        if error.filename is None:
            raise
        found = error.strerror or str(error)
        do = ADVICE.get(error.errno or 0, "see whether the name is right, and the disk")
        tell([Problem(path=str(error.filename), found=found, do=do)])
        return 1
    except KeyboardInterrupt:
        return 130


def _terminated(number: int, _: object) -> None:
    sys.exit(128 + number)


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["help"] and words[1:]:
        words = [words[1], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if words else 2
    name, *rest = words
    if name == "--version":
        print(f"perfpress {importlib.metadata.version('perfpress')}")
        return 0
    if name not in VERBS:
        near = nearest(name, VERBS)
        hint = f"did you mean {near}?" if near else "see: perfpress --help"
        print(f"perfpress: no verb {name!r}; {hint}", file=sys.stderr)
        return 2
    return _verb(name).run(verb_parser(name).parse_args(rest))


def verb_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a verb's arguments."""
    verb = _verb(name)
    parser = argparse.ArgumentParser(
        prog=f"perfpress {name}", description=verb.HELP, allow_abbrev=False
    )
    verb.add_arguments(parser)
    return parser


def _verb(name: str) -> Verb:
    return importlib.import_module(f"pipeline.commands.{MODULES.get(name, name)}")


def _overview() -> str:
    lines = [f"  {name:<12}{_verb(name).HELP}" for name in VERBS]
    return "\n".join(
        (
            "usage: perfpress VERB …",
            "",
            "Publishes benchmark regression reports. Each verb explains itself: perfpress VERB -h",
            "",
            *lines,
            "",
            "Exit status: 0 good, 1 bad input, 2 bad usage, 3 a verdict that was asked to fail.",
        )
    )


if __name__ == "__main__":
    sys.exit(main())

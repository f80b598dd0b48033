"""The page of the documentation that describes the command line, made from its own parsers.

python -m perfpress.cli.reference > content/docs/command-line.md
"""

import argparse
import sys
from collections.abc import Iterator

from perfpress.cli.run import verb_parser
from perfpress.cli.verbs import VERBS

HEAD = """\
+++
title = "The command line"
description = "Every verb of perfpress with its arguments, and its exit status."
weight = 50
[params]
  part = "Look up"
+++

`perfpress VERB` does one thing; `perfpress VERB -h` explains it. Results go to stdout or to \
the named file. Problems go to stderr, one a line: the file and line, what was found, what was \
expected, what to do. A problem of one input never stops the others.

FILE is a [capture](/docs/captures/) of any format, plain, `.gz`, `.zst` or `.xz`, or a profile. \
Its content decides which.

| exit status | means |
|---|---|
| 0 | good; for `build`, that a site came out: what it lacks is printed, and listed on \
its page *Problems* |
| 1 | bad input; for `build`, that no site came out, and the last one is still there |
| 2 | bad usage |
| 3 | a verdict that was asked to fail |
"""


def reference() -> str:
    """Return the page as Markdown."""
    sections = ["\n".join(_section(verb_parser(name), name)) for name in VERBS]
    return "\n".join([HEAD, *sections])


def _section(parser: argparse.ArgumentParser, name: str, level: int = 2) -> Iterator[str]:
    """Yield the lines of a verb, or of what a verb's first word chooses."""
    help_text = parser.description or ""
    yield f"{'#' * level} {name} {{#{name.replace(' ', '-')}}}"
    yield ""
    yield f"{help_text[:1].upper()}{help_text[1:]}."
    yield ""
    yield "```text"
    yield parser.usage % {"prog": parser.prog} if parser.usage else _usage(parser)
    yield "```"
    yield ""
    if parser.epilog:
        yield from (parser.epilog, "")
    rows = list(_rows(parser))
    if rows:
        yield from ("| argument | meaning |", "|---|---|", *rows, "")
    for kind, inner, kind_help in _kinds(parser):
        inner.description = kind_help
        yield from _section(inner, f"{name} {kind}", level + 1)


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return one line: argparse's own is broken into lines differently by each Python."""
    words = []
    for action in _own_actions(parser):
        words.append(_shown(action) if action.required else f"[{_shown(action)}]")
    words += ["KIND …"] if any(_kinds(parser)) else []
    return " ".join((parser.prog, *words))


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    formatter = argparse.HelpFormatter(parser.prog)
    for action in _own_actions(parser):
        if action.help == argparse.SUPPRESS:
            continue
        meaning = formatter._expand_help(action) if action.help else ""
        if action.choices:
            choices = ", ".join(f"`{choice}`" for choice in action.choices)
            meaning = f"{choices}; {meaning}" if meaning else choices
        shown, help_text = (text.replace("|", r"\|") for text in (_shown(action), meaning))
        yield f"| `{shown}` | {help_text} |"


def _own_actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments: those without a dash first, in the order of their definition."""
    actions = [
        action
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    return sorted(actions, key=lambda action: bool(action.option_strings))


def _kinds(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield choice.dest, action.choices[choice.dest], choice.help or ""


def _shown(action: argparse.Action) -> str:
    """Return an argument with its value: `-o, --out OUT`, `FILE…`."""
    name = ", ".join(action.option_strings)
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not name:
        return f"{value}…" if action.nargs in ("+", "*") else value
    return name if action.nargs == 0 else f"{name} {value}"


if __name__ == "__main__":
    sys.stdout.write(reference())

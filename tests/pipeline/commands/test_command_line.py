"""The frame of the command line: verbs, help, exit status, and no stack trace for bad input."""

import argparse
import importlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pipeline.__main__ import MODULES, VERBS, main, verb_parser
from pipeline.console import printable
from pipeline.problems import BadInput, Problem

Captured = pytest.CaptureFixture[str]

DESIGNED = {
    "check", "init", "import", "add", "amend", "fold", "diff", "flamegraph", "table", "build",
    "serve", "verdict", "capture", "push", "accept",
}  # fmt: skip


def test_every_verb_of_the_design_is_known() -> None:
    assert set(VERBS) == DESIGNED


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_shows_one_line_a_verb(word: str, capsys: Captured) -> None:
    assert main([word]) == 0
    out = capsys.readouterr().out
    for verb in VERBS:
        (line,) = [line for line in out.splitlines() if line.startswith(f"  {verb} ")]
        assert len(line) <= 100


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: Captured) -> None:
    assert main([verb, "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert main(["help", verb]) == 0
    assert " ".join(capsys.readouterr().out.split()) == out
    assert out.startswith("usage: ")
    assert importlib.import_module(f"pipeline.commands.{MODULES.get(verb, verb)}").HELP in out


def arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments of a verb, those of its kinds too."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for kind in action.choices.values():
                yield from arguments(kind)
        else:
            yield action


@pytest.mark.parametrize("verb", VERBS)
def test_every_argument_says_what_it_is(verb: str) -> None:
    silent = [action.dest for action in arguments(verb_parser(verb)) if not action.help]
    assert silent == []


def test_the_version_is_told(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("perfpress 0.")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chek"], "perfpress: no verb 'chek'; did you mean check?"),
        (["pusch"], "perfpress: no verb 'pusch'; did you mean push?"),
        (["xyzzy"], "perfpress: no verb 'xyzzy'; see: perfpress --help"),
        (["check"], "the following arguments are required: DIR"),
        (["check", "--reslts", "x", "d"], "unrecognized arguments: --reslts"),
        (["amend", "frob"], "invalid choice: 'frob'"),
        (["amend", "invalid", "x"], "the following arguments are required: --reason"),
        (["diff", "a"], "the following arguments are required: AFTER"),
        (["build", "--jobs", "0"], "argument --jobs: '0'; expected a whole number above zero"),
        (["serve", "--port", "65536"], "'65536'; expected a port from 1 to 65535"),
        (["amend"], "{invalid,supersede,set,rename,accept}"),
        (["capture", "--pid=1", "--backend=x"], "--backend: not allowed with argument --pid"),
    ],
)
def test_bad_usage_is_told(words: list[str], told: str, capsys: Captured) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_nothing_to_do_is_bad_usage(capsys: Captured) -> None:
    assert main([]) == 2
    assert "usage: perfpress VERB" in capsys.readouterr().out


def verb_that_raises(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    def run(_: object) -> int:
        raise failure

    monkeypatch.setattr("pipeline.commands.check.run", run)


def test_bad_input_is_told_without_a_stack_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    problems = (
        Problem(path="a\x1b[31m", line=3, found="x"),
        Problem(path="b", found="y", severity="warning"),
    )
    verb_that_raises(monkeypatch, BadInput(*problems))
    assert main(["check", "d"]) == 1
    assert capsys.readouterr().err == "a\N{REPLACEMENT CHARACTER}[31m:3: x\nwarning: b: y\n"


def test_only_plain_spaces_and_printable_characters_are_printed() -> None:
    assert printable("+5.3\u00a0% é\x07\n\u202e") == "+5.3 % é" + "\N{REPLACEMENT CHARACTER}" * 3


def test_a_file_that_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    verb_that_raises(monkeypatch, PermissionError(13, "Permission denied", "/x"))
    assert main(["check", "d"]) == 1
    told = "/x: Permission denied; let it be read and written, or name another place\n"
    assert capsys.readouterr().err == told


def test_an_interrupted_verb_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    verb_that_raises(monkeypatch, KeyboardInterrupt())
    assert main(["check", "d"]) == 130
    assert capsys.readouterr().err == ""


def test_lab_hosts_need_no_pandas() -> None:
    script = (
        "import sys, pipeline.__main__\n"
        "for verb in ('check', 'init', 'add', 'amend', 'capture', 'push'):\n"
        "    pipeline.__main__._verb(verb)\n"
        "print([name for name in ('pandas', 'numpy', 'scipy', 'hugo') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_pipe_that_is_closed_early_is_no_error() -> None:
    command = f"{sys.executable} -m pipeline --help | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""

"""The frame of the command line: verbs, help, exit status, and no stack trace for bad input."""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundle_samples import write_files
from perfpress.__main__ import main
from perfpress.base.console import printable
from perfpress.base.problems import BadInput, Problem
from perfpress.cli.run import verb_parser
from perfpress.cli.verbs import VERBS

Captured = pytest.CaptureFixture[str]

DESIGNED = {
    "check", "init", "import", "add", "amend", "compare", "fold", "diff", "flamegraph", "table",
    "bisect", "build", "serve", "verdict", "archive", "capture", "push", "accept",
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
    assert VERBS[verb].help in out


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


def test_the_version_is_printed(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("perfpress 0.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chek"], "perfpress: no verb 'chek'; did you mean check?"),
        (["pusch"], "perfpress: no verb 'pusch'; did you mean push?"),
        (["xyzzy"], "perfpress: no verb 'xyzzy'; see: perfpress --help"),
        (["check"], "the following arguments are required: DIR"),
        (["check", "--reslts", "x", "d"], "unrecognized arguments: --reslts"),
        (["amend", "frob"], "invalid choice: 'frob'"),
        (["amend", "invalid", "x"], "the following arguments are required: --reason"),
        (["build", "--jobs", "0"], "argument --jobs: '0'; expected a whole number above zero"),
        (["serve", "--port", "65536"], "'65536'; expected a port from 1 to 65535"),
        (["amend"], "{invalid,supersede,set,rename,accept}"),
        (["capture", "--pid=1", "--backend=x"], "--backend: not allowed with argument --pid"),
    ],
)
def test_bad_usage_is_reported(words: list[str], message: str, capsys: Captured) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_nothing_to_do_is_bad_usage(capsys: Captured) -> None:
    assert main([]) == 2
    assert "usage: perfpress VERB" in capsys.readouterr().out


def verb_that_raises(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    def run(_: object) -> int:
        raise failure

    monkeypatch.setattr("perfpress.cli.check.run", run)


def test_bad_input_is_reported_without_a_stack_trace(
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


def test_a_file_that_cannot_be_written_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    verb_that_raises(monkeypatch, PermissionError(13, "Permission denied", "/x"))
    assert main(["check", "d"]) == 1
    message = "/x: Permission denied; let it be read and written, or name another place\n"
    assert capsys.readouterr().err == message


def test_an_interrupted_verb_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    verb_that_raises(monkeypatch, KeyboardInterrupt())
    assert main(["check", "d"]) == 130
    assert capsys.readouterr().err == ""


def modules_imported(*words: str) -> set[str]:
    """Return the modules that a call of perfpress in a process of its own imports."""
    script = (
        "import sys; from perfpress.__main__ import main; main(sys.argv[1:]); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split("\n"))


def test_the_overview_imports_no_verb_and_no_package() -> None:
    for word in ("--help", "--version"):
        modules = modules_imported(word)
        assert modules & {"argparse", "msgspec", "numpy", "pandas", "scipy"} == set()
        own = {name for name in modules if name.startswith("perfpress.")}
        assert own == {"perfpress.__main__", "perfpress.cli", "perfpress.cli.verbs"}


@pytest.mark.parametrize("verb", ["check", "init", "add", "amend", "capture", "push"])
def test_verbs_of_lab_hosts_import_no_pandas(verb: str) -> None:
    modules = modules_imported(verb, "--help")
    assert f"perfpress.cli.{verb}" in modules
    assert modules & {"pandas", "numpy", "scipy", "hugo", "fsspec"} == set()


def test_check_of_a_first_run_imports_no_statistics(tmp_path: Path) -> None:
    write_files(tmp_path / "b")
    results = tmp_path / "results"
    results.mkdir()
    modules = modules_imported("check", str(tmp_path / "b"), "--results", str(results))
    assert modules & {"pandas", "numpy", "scipy"} == set()


def test_check_starts_no_node_where_there_is_no_capture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def node_path() -> Path:
        pytest.fail("Node is started")

    monkeypatch.setattr("perfpress.base.node.requests.node_path", node_path)
    write_files(tmp_path / "b")
    (tmp_path / "results").mkdir()
    assert main(["check", str(tmp_path / "b"), "--results", str(tmp_path / "results")]) == 0
    assert "1,000 transactions/s" in capsys.readouterr().out


def test_a_pipe_that_is_closed_early_is_no_error() -> None:
    command = f"{sys.executable} -m perfpress --help | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""

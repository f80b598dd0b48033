"""fold, diff and flamegraph hand over to the Node package, and pass on its answer."""

import os
from pathlib import Path

import pytest
from perfpress.__main__ import main

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a directory with two captures."""
    monkeypatch.chdir(tmp_path)
    Path("base.folded").write_text("a;b 3\na;c 4\n")
    Path("-after.folded").write_text("a;b 6\n")
    samples = (f"m 1 1.0: 3 {event}:\n\t 7f f (/x)\n\n" for event in ("cycles", "branches"))
    Path("two.txt").write_text("".join(samples))


@pytest.mark.usefixtures("captures")
def test_captures_are_folded_to_stdout(capfd: Captured) -> None:
    assert main(["fold", "base.folded", "base.folded"]) == 0
    stacks = [line for line in capfd.readouterr().out.splitlines() if not line.startswith("#")]
    assert stacks == ["a;b 6", "a;c 8"]


@pytest.mark.usefixtures("captures")
@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["fold", "base.folded", "-o", "out.json"], "{"),
        (["flamegraph", "-o", "out.svg", "base.folded"], "<"),
        (["diff", "-o", "out.svg", "base.folded", "--", "-after.folded"], "<"),
    ],
)
def test_the_named_file_is_written(words: list[str], begins: str) -> None:
    assert main(words) == 0
    assert Path(words[words.index("-o") + 1]).read_text().startswith(begins)


def test_what_a_shell_makes_of_another_command_is_read(capfd: Captured) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"m;f 3\n")
    os.close(writing)
    os.set_inheritable(reading, True)  # as for: perfpress fold <(…)
    try:
        assert main(["fold", f"/dev/fd/{reading}"]) == 0
    finally:
        os.close(reading)
    assert capfd.readouterr().out.splitlines()[1:] == ["m;f 3"]


@pytest.mark.usefixtures("captures")
def test_a_file_that_is_not_there_is_bad_input(capfd: Captured) -> None:
    assert main(["fold", "missing.folded"]) == 1
    error = capfd.readouterr().err
    assert error.startswith("missing.folded: ")


@pytest.mark.usefixtures("captures")
@pytest.mark.parametrize("verb", ["fold", "flamegraph", "diff"])
def test_of_several_events_one_is_chosen(verb: str, capfd: Captured) -> None:
    words = [verb, *(["two.txt"] * (2 if verb == "diff" else 1))]
    assert main(words) == 1
    assert "the events branches, cycles; expected one event" in capfd.readouterr().err
    assert main([*words, "--event", "cycles"]) == 0


@pytest.mark.usefixtures("captures")
@pytest.mark.parametrize("words", [["flamegraph"], ["diff", "base.folded"]])
def test_a_drawing_has_the_title_that_was_asked_for(words: list[str]) -> None:
    assert main([*words, "base.folded", "--title=-1 % <b>", "-o", "out.svg"]) == 0
    assert "-1 % &lt;b" in Path("out.svg").read_text()


@pytest.mark.usefixtures("captures")
def test_a_name_that_says_no_format_is_bad_usage_of_the_verb(capfd: Captured) -> None:
    assert main(["fold", "base.folded", "-o", "out.png"]) == 2
    usage, *_, error = capfd.readouterr().err.splitlines()
    assert usage.startswith("usage: perfpress fold FILE… [-o OUT] [--event NAME]")
    assert error.startswith('error: -o "out.png": expected a name that ends in .folded or ')


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["fold"], "no FILE given"),
        (["diff", "a"], "diff takes BASE and AFTER, not 1 files"),
        (["flamegraph", "a", "--colour"], "Unknown option '--colour'"),
    ],
)
def test_bad_usage_shows_how_the_verb_is_used(
    words: list[str], error: str, capfd: Captured
) -> None:
    assert main(words) == 2
    usage, reason = capfd.readouterr().err.split("\n", 1)
    assert usage.startswith(f"usage: perfpress {words[0]} ")
    assert f"error: {error}" in reason


@pytest.mark.usefixtures("captures")
def test_samples_are_counted_where_asked_for(capfd: Captured) -> None:
    assert main(["fold", "two.txt", "--event", "cycles", "--samples"]) == 0
    assert capfd.readouterr().out.splitlines()[1:] == ["m;f 1"]
    assert main(["diff", "base.folded", "base.folded", "--samples"]) == 1
    assert "base.folded: stacks without numbers of samples" in capfd.readouterr().err


@pytest.mark.usefixtures("captures")
def test_marks_of_folded_stacks_are_chosen(capfd: Captured) -> None:
    Path("kernel.txt").write_text("m 1 1.0: 3 cycles:\n\t 7f f ([kernel.kallsyms])\n\n")
    assert main(["fold", "kernel.txt", "--annotate", "jit,inlined"]) == 0
    assert capfd.readouterr().out.splitlines()[1:] == ["m;f 3"]
    assert main(["fold", "kernel.txt", "--annotate", "colour"]) == 2


@pytest.mark.usefixtures("captures")
def test_an_archive_of_stackcollapse_can_be_continued(capfd: Captured) -> None:
    capture = "mysqld 1/2 1.0: 3 cycles:\n\t 7f f(int) ([kernel.kallsyms])\n\n"
    Path("kernel.txt").write_text(capture)
    assert main(["fold", "--compat", "kernel.txt"]) == 0
    assert capfd.readouterr().out == "mysqld;f 3\n"
    assert main(["fold", "--compat", "--all", "--tid", "kernel.txt", "kernel.txt"]) == 0
    assert capfd.readouterr().out == "mysqld-1/2;f_[k] 6\n"
    assert main(["fold", "--compat", "--event-filter", "branches", "kernel.txt"]) == 1
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "the event cycles; expected branches" in printed.err
    for words in (["--pid"], ["--compat", "--event", "cycles"], ["--event-filter", "cycles"]):
        assert main(["fold", *words, "kernel.txt"]) == 2
        assert "usage: perfpress fold" in capfd.readouterr().err

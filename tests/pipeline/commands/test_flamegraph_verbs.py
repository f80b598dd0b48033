"""fold, diff and flamegraph hand over to the Node package, and pass on its answer."""

from pathlib import Path

import pytest

from pipeline.__main__ import main

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a directory with two captures."""
    monkeypatch.chdir(tmp_path)
    Path("base.folded").write_text("a;b 3\na;c 4\n")
    Path("-after.folded").write_text("a;b 6\n")


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


@pytest.mark.usefixtures("captures")
def test_a_file_that_is_not_there_is_bad_input(capfd: Captured) -> None:
    assert main(["fold", "missing.folded"]) == 1
    told = capfd.readouterr().err
    assert told.startswith("missing.folded: ")

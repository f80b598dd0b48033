"""The command line, as the tests of verbs call it."""

from pathlib import Path

import pytest
from perfpress.__main__ import main
from verb_calls import Answer, Perfpress


@pytest.fixture
def perfpress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Perfpress:
    """Return a caller of the command line in a directory with `data/results`."""
    (tmp_path / "data" / "results").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        status = main([*words, *([] if words[0] == "init" else ["--results", "data/results"])])
        return Answer(status, *capsys.readouterr())

    return call

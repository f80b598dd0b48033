"""Calls `perfpress import` in a directory of the test's own."""

from pathlib import Path

import pytest
from import_calls import Answer, Import
from perfpress.__main__ import main


@pytest.fixture
def imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Import:
    """Return a caller of `perfpress import KIND DIR… --out results` in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        status = main(["import", *words, "--out", "results"])
        return Answer(status, *capsys.readouterr())

    return call

"""Puts fake programs where commands are looked for, and nothing else."""

import stat
import sys
from pathlib import Path

import pytest
from fake_programs import FAKE_PERF, Program


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory that is the only place where commands are found."""
    directory = tmp_path / "commands"
    directory.mkdir()
    monkeypatch.setenv("PATH", str(directory))
    return directory


@pytest.fixture
def program(commands: Path) -> Program:
    """Return a maker of commands from Python text."""

    def make(name: str, text: str) -> Path:
        path = commands / name
        path.write_text(f"#!{sys.executable}\n{text}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return make


@pytest.fixture
def perf(program: Program) -> Path:
    """Put a perf in place; return the file that its calls are written to, a line each."""
    return program("perf", FAKE_PERF).with_name("perf.calls")

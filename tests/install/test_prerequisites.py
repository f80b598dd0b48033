import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "pipeline" / "install" / "prerequisites.sh"

GOOD = {"git": "", "python3": f'exec {sys.executable} "$@"'}


@pytest.fixture
def programs() -> dict[str, str]:
    """Shell scripts by the name of the program that they stand for; a test changes some."""
    return dict(GOOD)


def check(tmp_path: Path, programs: Mapping[str, str], **environment: str) -> tuple[int, str]:
    for name, script in programs.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    finished = subprocess.run(
        [shutil.which("sh") or "/bin/sh", SCRIPT],
        env={"PATH": os.fspath(tmp_path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.returncode, finished.stderr


def test_nothing_is_printed_where_all_is_there(tmp_path: Path, programs: dict[str, str]) -> None:
    assert check(tmp_path, programs) == (0, "")


@pytest.mark.parametrize("name", sorted(GOOD))
def test_what_is_missing_is_named_with_the_line_that_installs_it(
    tmp_path: Path, programs: dict[str, str], name: str
) -> None:
    del programs[name]
    code, output = check(tmp_path, programs)
    assert code == 1
    first, line = output.splitlines()
    assert first.startswith(f"{name} is missing")
    assert line.strip().startswith("apt-get install -y")


def test_the_line_has_sudo_where_that_is_there(tmp_path: Path, programs: dict[str, str]) -> None:
    del programs["python3"]
    _, output = check(tmp_path, programs | {"sudo": ""})
    assert "    sudo apt-get install -y python3 python3-venv\n" in output


def test_all_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    code, output = check(tmp_path, {})
    assert code == 1
    assert [line.split()[0] for line in output.splitlines()[::2]] == ["git", "python3"]


def test_an_old_python_is_named(tmp_path: Path, programs: dict[str, str]) -> None:
    programs["python3.9"] = '[ "$1" = -V ] && echo Python 3.9.2 && exit; exit 1'
    code, output = check(tmp_path, programs, PYTHON="python3.9")
    assert code == 1
    assert output.startswith("python3.9 is Python 3.9.2; expected Python 3.11 or newer;")

"""The workflows that `perfpress init --ci` writes."""

import subprocess
import sys
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.host.drafting import ci

ROOT = Path(__file__).parents[4]
ACTIONLINT = ROOT / ".tools" / "bin" / "actionlint"
COMMAND = "./bench --size 'a \"b\"' : # no comment"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    subprocess.run(["git", "init"], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_the_workflows_are_valid_and_safe(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ci, "_own_repository", lambda: ("owner/perfpress", "0" * 40))
    assert main(["init", "--ci", COMMAND, str(project)]) == 0
    written = capsys.readouterr().out.splitlines()
    assert [Path(each).name for each in written] == ["benchmark-comment.yml", "benchmark.yml"]
    assert not any("@COMMAND@" in Path(each).read_text() for each in written)
    tools = Path(sys.executable).parent
    schema = [str(tools / "check-jsonschema"), "--builtin-schema", "vendor.github-workflows"]
    checks = [[*schema, *written], [str(tools / "zizmor"), "--offline", "--no-progress", *written]]
    if ACTIONLINT.exists():
        checks.append([str(ACTIONLINT), *written])
    for check in checks:
        done = subprocess.run(check, cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_without_a_remote_the_owner_is_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ci, "_own_repository", lambda: (ci.UNKNOWN_OWNER, "main"))
    assert main(["init", "--ci", "true", str(project)]) == 0
    assert "put the owner of your copy of Perfpress there" in capsys.readouterr().err


def test_the_job_that_runs_strangers_programs_may_write_nothing(project: Path) -> None:
    assert main(["init", "--ci", "true", str(project)]) == 0
    text = (project / ".github/workflows/benchmark.yml").read_text()
    assert "write" not in text.replace("no write access", "")
    assert "secrets" not in text
    assert "pull_request:" in text


def test_nothing_is_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--ci", "true", str(project)]) == 0
    assert main(["init", "--ci", "true", str(project)]) == 1
    assert "there already" in capsys.readouterr().err


def test_a_directory_without_git_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--ci", "true", str(tmp_path)]) == 1
    assert "no checkout of git" in capsys.readouterr().err

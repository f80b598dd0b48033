"""The workflows that `perfpress init --ci` writes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.host.drafting import ci
from ruamel.yaml import YAML

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


def test_the_action_knows_what_the_draft_gives_it(project: Path) -> None:
    (project / "Makefile").touch()
    assert main(["init", "--ci", "./bench -o a.json", str(project)]) == 0
    yaml = YAML(typ="safe")
    drafted = yaml.load(project / ".github/workflows/benchmark.yml")
    given = drafted["jobs"]["compare"]["steps"][-1]["with"]
    assert (given["build"], given["log"]) == ("make", "a.json")
    assert set(given) < set(yaml.load(ROOT / ".github/actions/compare/action.yml")["inputs"])


def test_without_a_remote_the_owner_is_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ci, "_own_repository", lambda: (ci.UNKNOWN_OWNER, "main"))
    assert main(["init", "--ci", "true", str(project)]) == 0
    assert "put your copy of Perfpress on GitHub" in capsys.readouterr().err


def test_the_job_that_runs_strangers_programs_may_write_nothing(project: Path) -> None:
    assert main(["init", "--ci", "true", str(project)]) == 0
    text = (project / ".github/workflows/benchmark.yml").read_text()
    assert "write" not in re.sub("no write access|it writes its results", "", text)
    assert "secrets" not in text
    assert "pull_request:" in text


DRAFTS = {
    "pytest --benchmark-json a.json": (
        "pyproject.toml",
        "python3 -m venv .venv && .venv/bin/pip install --quiet pytest-benchmark .",
        ". .venv/bin/activate && pytest --benchmark-json a.json",
        "a.json",
    ),
    "venv/bin/python bench.py -o a.json": (
        "requirements.txt",
        "python3 -m venv .venv && .venv/bin/pip install --quiet pyperf -r requirements.txt",
        "venv/bin/python bench.py -o a.json",
        "a.json",
    ),
    "cargo bench 2>errors.txt": (
        "Cargo.toml", "cargo bench --no-run", "cargo bench 2>errors.txt", ""
    ),
    "java -jar target/b.jar -rff jmh.json": (
        "pom.xml",
        "mvn --quiet --batch-mode package -DskipTests",
        "java -jar target/b.jar -rff jmh.json",
        "jmh.json",
    ),
    "node b.js > out.txt": ("package-lock.json", "npm ci", "node b.js > out.txt", "out.txt"),
    "./bench --config kept.json >/dev/null": (
        "Makefile", "make", "./bench --config kept.json >/dev/null", ""
    ),
    "go test -bench .": ("go.mod", "", "go test -bench .", ""),
}  # fmt: skip
"""By command: a file of the project, and the draft."""


@pytest.mark.parametrize("command", DRAFTS)
def test_build_and_log_are_drafted_from_the_command_and_the_project(
    command: str, project: Path
) -> None:
    file, *expected = DRAFTS[command]
    for name in (file, "kept.json", "a.json"):
        (project / name).touch()  # a.json is from an earlier run
    subprocess.run(["git", "add", file, "kept.json"], cwd=project, check=True)
    assert list(ci.drafted(project, command)) == expected


def test_a_draft_without_a_build_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--ci", "true", str(project)]) == 0
    assert "a draft without a build" in capsys.readouterr().err
    assert "# build: make" in (project / ".github/workflows/benchmark.yml").read_text()


def test_nothing_is_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--ci", "true", str(project)]) == 0
    assert main(["init", "--ci", "true", str(project)]) == 1
    assert "there already" in capsys.readouterr().err


def test_a_directory_without_git_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--ci", "true", str(tmp_path)]) == 1
    assert "no checkout of git" in capsys.readouterr().err

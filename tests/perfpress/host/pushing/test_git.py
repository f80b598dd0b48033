"""How git is called: in no other repository, in one language, and so that it asks nobody."""

from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.host.pushing.git import GitFailed, as_bad_input, environment
from repositories import branches_of, bundle, git, site_repository


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"]
)
def test_a_hook_of_another_repository_can_push(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Git tells hooks where they are called from, and every git that they call."""
    site = site_repository(tmp_path / "site.git")
    pushed = bundle(tmp_path / "a")
    with monkeypatch.context() as hook:
        hook.setenv(name, str(tmp_path / "elsewhere"))
        assert main(["push", str(pushed), "--to", str(site)]) == 0
    assert branches_of(site) == ["main", "results/lab1"]
    assert git(site, "fsck", "--strict", "--no-dangling") == ""
    assert not (tmp_path / "elsewhere").exists()


def test_git_answers_in_the_language_that_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert environment()["LC_ALL"] == "C"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_git_asks_for_a_password_only_where_somebody_is(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool
) -> None:
    monkeypatch.delenv("GIT_TERMINAL_PROMPT", raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: is_terminal)
    assert environment().get("GIT_TERMINAL_PROMPT") == (None if is_terminal else "0")


@pytest.mark.parametrize(
    ("address", "stderr"),
    [
        ("https://alice:hunter2@example.org/x", "fatal: unable to access '{address}'"),
        ("https://alice:p@hunter2@example.org/x", "fatal: unable to access '{address}'"),
        ("https://example.org/x", "fatal: unable to access 'https://alice:hunter2@example.org/x'"),
        ("https://example.org/x", "fatal: unable to access 'https://hunter2@example.org/x'"),
        ("https://example.org/x", "remote: declined: --password=hunter2"),
    ],
)
def test_what_git_says_is_reported_without_secrets(address: str, stderr: str) -> None:
    text = str(as_bad_input(GitFailed(stderr.format(address=address)), address))
    assert "hunter2" not in text
    assert text.startswith("https://example.org/x: ")

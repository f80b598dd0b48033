"""What the page on leaked secrets says is done, to a repository that holds one."""

import os
import subprocess
from pathlib import Path

from docs_pages import DOCS, blocks, commands
from repositories import branches_of, commit_files, commits_of, files_of, git, site_repository

PAGE = DOCS / "leaked-secrets.md"
RUN = "data/results/postgres/17.0/lab1/undated-3998280b"
OTHER = "data/results/postgres/17.0/lab1/undated-00000000"
BETWEEN = "-- the next command --"


def leaky(directory: Path) -> Path:
    """Make a repository with a secret in a run that was accepted, and then removed again."""
    site = site_repository(directory)
    work = site.with_suffix(".work")
    other = {f"{OTHER}/run.toml": "schema = 1\n"}
    commit_files(work, {**other, f"{RUN}/select.txt": "--password=hunter2\n"}, "Accept 1 run")
    commit_files(work, {"README.md": "a better site\n"}, "Write more")
    git(work, "push", "--quiet", "origin", "HEAD:main", "HEAD:results/lab1")
    return site


def test_a_secret_is_gone_from_all_commits(tmp_path: Path) -> None:
    site = leaky(tmp_path / "site.git")
    assert "hunter2" in git(site, "log", "-p", "--all")
    shown = [
        command
        for block in blocks(PAGE)
        if block.language == "console"
        for command in commands(block)
    ]
    script = f"\necho '{BETWEEN}'\n".join(command.line for command in shown)
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"SITE": str(site)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    )
    printed = done.stdout.split(f"{BETWEEN}\n")
    for command, answer in zip(shown, printed, strict=True):
        if "…" not in command.shown:
            assert answer.strip() == command.shown.strip(), command.line
    git(site, "gc", "--quiet", "--prune=now")
    assert "hunter2" not in git(site, "log", "-p", "--all")
    assert files_of(site, "main") == ["README.md", "data/corrections/.gitkeep", f"{OTHER}/run.toml"]
    assert commits_of(site, "main") == 3
    assert branches_of(site) == ["main", "results/lab1"]

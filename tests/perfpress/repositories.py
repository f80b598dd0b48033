"""Bare git repositories for tests, which answer as GitHub does, and what is pushed to them."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from bundle_samples import pgbench_log, write_files
from perfpress.__main__ import main
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle

PROGRAM = ("-c", "user.name=author", "-c", "user.email=author@example.com")


def git(directory: Path, *words: str) -> str:
    """Call git; return what it printed."""
    done = subprocess.run(
        ["git", *PROGRAM, *words], cwd=directory, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(errors="surrogateescape").strip()


def site_repository(directory: Path) -> Path:
    """Make a repository with a main branch that holds a site's files and one accepted run."""
    directory.mkdir(parents=True)
    git(directory, "init", "--quiet", "--bare", "--initial-branch=main")
    for setting in ("allowFilter", "allowAnySHA1InWant"):
        git(directory, "config", f"uploadpack.{setting}", "true")
    work = directory.with_suffix(".work")
    git(directory, "clone", "--quiet", str(directory), str(work))
    commit_files(work, {"README.md": "a site\n", "data/corrections/.gitkeep": ""}, "Begin")
    git(work, "push", "--quiet", "origin", "HEAD:main")
    return directory


def commit_files(work: Path, files: Mapping[str, str | None], message: str) -> None:
    """Write and commit files of a clone; `None` removes one."""
    for name, text in files.items():
        path = work / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    git(work, "add", "--all", "--force")
    git(work, "commit", "--quiet", "--allow-empty", "--message", message)


def files_of(repository: Path, branch: str) -> list[str]:
    """Return the names of all files on a branch."""
    return git(repository, "ls-tree", "-r", "--name-only", branch).splitlines()


def branches_of(repository: Path) -> list[str]:
    """Return the names of all branches."""
    return git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()


def commits_of(repository: Path, branch: str) -> int:
    """Return how many commits a branch has."""
    return int(git(repository, "rev-list", "--count", branch))


def bundle(directory: Path, host: str = "lab1", rate: float = 1000.0, **changes: object) -> Path:
    """Write a bundle of a host; another rate makes another run."""
    return write_files(directory, {"host": host} | changes, {"select.txt": pgbench_log(rate)})


def push(site: Path, *bundles: Path) -> None:
    """Push bundles to a site, each to the branch of its host."""
    assert main(["push", *map(str, bundles), "--to", str(site)]) == 0


def accepted(site: Path, tmp_path: Path, *sources: str) -> int:
    """Accept into a site what was pushed; return the exit status."""
    (tmp_path / "results").mkdir(exist_ok=True)
    return main(["accept", *sources, "--into", str(site), "--results", str(tmp_path / "results")])


def place(directory: Path) -> str:
    """Return where a bundle belongs in the repository of a site."""
    read, problems = read_bundle(directory, "b")
    assert read, problems
    return "/".join(("data/results", *place_of(read)))

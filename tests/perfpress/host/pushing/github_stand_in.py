"""A GitHub on this machine: act runs the workflows of a repository on disk, without containers.

What cannot run here has a stand-in in `stand_ins/`: the actions that the workflows use, by the name
of the action, and `gh` among the programs. All else is what GitHub would run: the workflows' own
steps, on a checkout of the repository.
"""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from installed_packages import put_packages
from repositories import git

ROOT = Path(__file__).parents[4]
STAND_INS = Path(__file__).with_name("stand_ins")
PROGRAMS = ROOT / ".tools" / "bin"
INSTALLED = (
    ".tools/prerequisites",
    ".tools/uv/bin/uv",
    ".venv/.installed",
    "node_modules/.package-lock.json",
)
"""What make compares the age of."""

needs_act = pytest.mark.skipif(
    not all((PROGRAMS / name).exists() for name in ("act", "gojq")),
    reason="act is not installed, so the workflows are not run: `make install-go` says why",
)


SMALL: Mapping[str, str | None] = {
    "content/docs": None,
    "content/method": None,
    "content/reports": None,
    **{f"data/results/{report.name}": None for report in (ROOT / "data/results").glob("*/")},
    "tests/flamegraph": None,
    "tests/profile": None,
    "tests/perfpress": None,
    "tests/site/pages.spec.js": (
        'import { expect, test } from "@playwright/test";\n'
        'test("is there", { tag: "@safe" }, async ({ request }) => {\n'
        '  expect((await request.get("")).ok()).toBe(true);\n'
        "});\n"
    ),
}
"""Changes that leave a site of few pages, which is built in seconds and hardly tested."""


@dataclass(frozen=True)
class Ran:
    """What came of one event."""

    good: bool
    log: str
    summary: str
    calls: list[dict[str, Any]]
    """What `gh` was asked: words and body."""


class GitHub:
    """A repository, what its workflows keep, and the site that they publish."""

    def __init__(self, directory: Path, repository: Path, address: str) -> None:
        self.directory = directory
        self.repository = repository
        self.address = address
        """Of the site, without a slash at its end."""
        self.published = directory / "pages" / "perf"
        self.kept = directory / "kept"
        self.answers = directory / "gh" / "answers"
        self.installed = directory / "installed"
        for made in (self.published.parent, self.kept, self.answers):
            made.mkdir(parents=True)
        _installed(self.installed)

    def run(self, workflow: str, event: str, payload: Mapping[str, Any], *options: str) -> Ran:
        """Run a workflow as it stands on main.

        Args:
            workflow: its name, as in `<name>.yml`.
            event: what starts it.
            payload: what GitHub tells of the event.
            options: more for act.
        """
        here = Path(tempfile.mkdtemp(prefix="run-", dir=self.directory))
        git(here, "clone", "--quiet", str(self.repository), "checkout")
        (here / "event.json").write_text(json.dumps({**_REPOSITORY, **payload}))
        (here / "summary").touch()
        settings = {
            "BASH_ENV": str(STAND_INS / "bash_env"),
            "GITHUB_REPOSITORY": "owner/site",
            "PERFPRESS_TEST_PORT": str(_free_port()),
            "STAND_IN_SUMMARY": str(here / "summary"),
        }
        path = here / "checkout" / ".github" / "workflows" / f"{workflow}.yml"
        command = [str(PROGRAMS / "act"), event, f"--workflows={path}"]
        command += [f"--eventpath={here / 'event.json'}"]
        command += ["--platform=ubuntu-24.04=-self-hosted", "--no-skip-checkout"]
        command += ["--no-cache-server", "--defaultbranch=main", "--secret=GITHUB_TOKEN=of-the-run"]
        command += [f"--env={name}={value}" for name, value in settings.items()]
        command += [f"--local-repository={used}={STAND_INS / name}" for used, name in _used(path)]
        before = self.calls()
        done = subprocess.run(
            [*command, *options], cwd=here / "checkout", env=_home(here) | self.environment(),
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=1800,
        )  # fmt: skip
        summary = (here / "summary").read_text()
        return Ran(done.returncode == 0, done.stdout, summary, self.calls()[len(before) :])

    def environment(self) -> dict[str, str]:
        """Return what the stand-ins read, and where the programs among them are."""
        return {
            "PATH": f"{STAND_INS / 'programs'}:{os.environ['PATH']}",
            "STAND_IN_ADDRESS": self.address,
            "STAND_IN_GH": str(self.directory / "gh"),
            "STAND_IN_GOJQ": str(PROGRAMS / "gojq"),
            "STAND_IN_INSTALLED": str(self.installed),
            "STAND_IN_KEPT": str(self.kept),
            "STAND_IN_PUBLISHED": str(self.published),
            "STAND_IN_REPOSITORY": str(self.repository),
        }

    def calls(self) -> list[dict[str, Any]]:
        """Return what `gh` has been asked so far."""
        calls = self.directory / "gh" / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        return [json.loads(line) for line in lines]


_REPOSITORY = {"repository": {"default_branch": "main", "full_name": "owner/site"}}


@contextmanager
def github(directory: Path, changes: Mapping[str, str | None]) -> Iterator[GitHub]:
    """Put this project into a repository, with other contents, and serve what it publishes."""
    repository = project_repository(directory / "site.git", changes)
    pages = functools.partial(_Quiet, directory=str(directory / "pages"))
    with ThreadingHTTPServer(("127.0.0.1", 0), pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield GitHub(directory, repository, f"http://127.0.0.1:{server.server_port}/perf")
        finally:
            server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def project_repository(repository: Path, changes: Mapping[str, str | None]) -> Path:
    """Make a bare repository of this checkout's files, as they are now.

    Args:
        repository: where.
        changes: the text of files by name; `None` removes a file, or all in a directory.
    """
    work = repository.with_suffix(".work")
    work.mkdir(parents=True)
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    gone = tuple(name for name, text in changes.items() if text is None)
    for name in names:
        if not name.startswith(gone):
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, work / name)
    for name, text in changes.items():
        if text is not None:
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
    git(work, "init", "--quiet", "--initial-branch=main")
    git(work, "add", "--all", "--force")
    git(work, "commit", "--quiet", "--message=Begin")
    git(repository.parent, "clone", "--quiet", "--bare", str(work), str(repository))
    git(work, "remote", "add", "origin", str(repository))
    for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(repository, "config", setting, "true")
    # Each job fetches all of it: looking for files that are alike would take longer than the rest.
    git(repository, "config", "pack.window", "0")
    return repository


def _installed(directory: Path) -> None:
    """Make what `make install` would make, which leads to what it has made here.

    What a workflow installs or removes nevertheless, it does in there: the directories are its own,
    and a link that is removed takes nothing with it.
    """
    venv = directory / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    [own] = venv.glob("lib/python*/site-packages")
    # A .pth file there is not read, so that the program is the one of the checkout.
    # The first leads from where a checkout has its copy of this directory to its program.
    paths = ("../../../../pipeline", sysconfig.get_path("purelib"))
    (own / "installed.pth").write_text("".join(f"{path}\n" for path in paths))
    perfpress = venv / "bin" / "perfpress"
    perfpress.write_text('#!/bin/sh\nexec "${0%/*}/python" -m perfpress "$@"\n')
    perfpress.chmod(0o755)
    put_packages(directory)
    for name in INSTALLED:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()


def _used(workflow: Path) -> list[tuple[str, str]]:
    """Return the actions that a workflow uses, as `owner/name@hash`, each with its name."""
    found = re.findall(r"uses: (actions/([\w-]+)@\w+)", workflow.read_text())
    return sorted(set(found))


def _home(here: Path) -> dict[str, str]:
    """Return what act itself sees: a home of its own, nothing of a workflow that tests run in."""
    kept = ("LANG", "LC_ALL", "CHROMIUM_PATH", "PLAYWRIGHT_BROWSERS_PATH", "TMPDIR")
    home = {"HOME": str(here / "home"), "XDG_CACHE_HOME": str(here / "cache")}
    return home | {name: os.environ[name] for name in kept if name in os.environ}


def _free_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Quiet) as server:
        return server.server_port

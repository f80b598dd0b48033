"""Writes the workflows that measure each pull request of a project against what it is for."""

import json
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from perfpress.base.checkout import ROOT
from perfpress.base.problems import bad_input

TEMPLATES = Path(__file__).parent / "workflows"
WORKFLOWS = Path(".github") / "workflows"

UNKNOWN_OWNER = "OWNER/perfpress"
REMOTE = re.compile(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?$")
COMMIT = re.compile(r"[0-9a-f]{40}")

VENV = "python3 -m venv .venv && .venv/bin/pip install --quiet"
IN_VENV = ". .venv/bin/activate && "
PYTHON = {"pyproject.toml": ".", "setup.py": ".", "requirements.txt": "-r requirements.txt"}
NODE = r"\b(node|npx|npm|pnpm|yarn)\b"
CMAKE = "cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel"

BUILDS = (
    (r"^cargo bench\b", "Cargo.toml", "cargo bench --no-run"),
    (r"\btarget/release/", "Cargo.toml", "cargo build --release"),
    *((r"\bpytest\b", file, f"{VENV} pytest-benchmark {of}") for file, of in PYTHON.items()),
    *((r"\bpython3?\b", file, f"{VENV} pyperf {of}") for file, of in PYTHON.items()),
    (NODE, "package-lock.json", "npm ci"),
    (NODE, "pnpm-lock.yaml", "npx --yes pnpm install --frozen-lockfile"),
    (NODE, "yarn.lock", "yarn install"),
    (r"\bjava\b", "pom.xml", "mvn --quiet --batch-mode package -DskipTests"),
    (r"\bjava\b.*jmh", "gradlew", "./gradlew --quiet jmhJar"),
    (r"\bbuild/", "CMakeLists.txt", CMAKE),
    (r"^\./", "Makefile", "make"),
)
"""What builds a project for a command like the first and with a file like the second. What it
installs stays in the checkout: both sides are built before either is measured."""

WRITTEN = re.compile(
    r"\s--?[\w-]+[= ](?P<name>[\w.][\w./-]*\.json)\b|(?<!2)>\s*(?P<redirected>[\w.][\w./-]*)"
)
"""A file that a command writes; most tools have an option for one."""


class Draft(NamedTuple):
    """What a workflow is made of."""

    build: str
    """Empty: nothing is known to build it."""
    command: str
    log: str
    """Empty: the command prints its results."""


def drafted(project: Path, command: str) -> Draft:
    """Return how to build and measure a project, from the files at its root.

    Args:
        project: the root of its checkout.
        command: the benchmark.
    """
    build = next(
        (
            build
            for pattern, file, build in BUILDS
            if re.search(pattern, command) and (project / file).is_file()
        ),
        "",
    )
    if build.startswith(VENV) and "venv" not in command:
        command = f"{IN_VENV}{command}"
    names = [each["name"] or each["redirected"] for each in WRITTEN.finditer(command)]
    # What git keeps is read by the command, not written.
    made = [name for name in names if not _answer(project, "ls-files", "--", name)]
    return Draft(build, command, made[-1] if made else "")


def write_workflows(project: Path, draft: Draft) -> tuple[list[Path], bool]:
    """Write both workflows into a project; return them, and whether their actions are known.

    Args:
        project: the root of its checkout.
        draft: how to build and measure it.

    Raises:
        BadInput: it is no checkout, or a workflow is there already.
    """
    if not (project / ".git").exists():
        found, do = "no checkout of git", "name the root of the project"
        raise bad_input(path=str(project), found=found, do=do)
    action, ref = _own_repository()
    values = {
        "@ACTION@": action,
        "@REF@": ref,
        "@BUILD@": f"build: {json.dumps(draft.build)}" if draft.build else "# build: make",
        "@COMMAND@": f"command: {json.dumps(draft.command)}",
        "@LOG@": f"log: {json.dumps(draft.log)}" if draft.log else "# log: results.json",
    }
    written: list[Path] = []
    for template in sorted(TEMPLATES.glob("*.yml")):
        text = template.read_text(encoding="utf-8")
        for name, value in values.items():
            text = text.replace(name, value)
        path = project / WORKFLOWS / template.name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            found, do = "there already", "edit it, or remove it to have a new draft"
            raise bad_input(path=str(path), found=found, do=do) from None
        written.append(path)
    return written, action != UNKNOWN_OWNER


def _own_repository() -> tuple[str, str]:
    """Return where this Perfpress is from on GitHub, and its commit, which nobody can change."""
    found = REMOTE.search(_answer(ROOT, "remote", "get-url", "origin"))
    commit = _answer(ROOT, "rev-parse", "HEAD")
    if found is None or not COMMIT.fullmatch(commit):
        return UNKNOWN_OWNER, "main"
    return found[1], commit


def _answer(repository: Path, *words: str) -> str:
    """Return what git says; nothing where it fails."""
    command = ["git", "-C", str(repository), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()

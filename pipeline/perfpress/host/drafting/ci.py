"""Writes the workflows that measure each pull request of a project against what it is for."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from perfpress.base.checkout import ROOT
from perfpress.base.problems import bad_input

TEMPLATES = Path(__file__).parent / "workflows"
WORKFLOWS = Path(".github") / "workflows"

UNKNOWN_OWNER = "OWNER/perfpress"
REMOTE = re.compile(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?$")
COMMIT = re.compile(r"[0-9a-f]{40}")


def write_workflows(project: Path, command: str) -> tuple[list[Path], bool]:
    """Write both workflows into a project; return them, and whether their actions are known.

    Args:
        project: the root of its checkout.
        command: the benchmark.

    Raises:
        BadInput: it is no checkout, or a workflow is there already.
    """
    if not (project / ".git").exists():
        found, do = "no checkout of git", "name the root of the project"
        raise bad_input(path=str(project), found=found, do=do)
    action, ref = _own_repository()
    written: list[Path] = []
    for template in sorted(TEMPLATES.glob("*.yml")):
        text = template.read_text(encoding="utf-8")
        values = {"@ACTION@": action, "@REF@": ref, "@COMMAND@": json.dumps(command)}
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
    answers = list(_asked(["remote", "get-url", "origin"], ["rev-parse", "HEAD"]))
    found = REMOTE.search(answers[0])
    if found is None or not COMMIT.fullmatch(answers[1]):
        return UNKNOWN_OWNER, "main"
    return found[1], answers[1]


def _asked(*questions: list[str]) -> Iterator[str]:
    for words in questions:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False
        )
        yield done.stdout.strip()

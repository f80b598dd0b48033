"""Which versions of the tools made a run: the `[tools]` of `run.toml`."""

import shutil
import subprocess
from collections.abc import Iterable

ANSWER_SECONDS = 10
"""Longer than any tool needs to tell its version; one that starts to work instead is stopped."""


def tool_versions(commands: Iterable[str]) -> dict[str, str]:
    """Return what each command answers to `--version`, by its name.

    Commands that are not installed, or that answer nothing, are left out.
    """
    found = {command: tool_version(command) for command in commands}
    return {command: version for command, version in found.items() if version is not None}


def tool_version(command: str) -> str | None:
    """Return the first line that `command --version` prints, without the command's own name.

    `perf version 6.1.187` and `pgbench (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` become
    `version 6.1.187` and `(PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
    """
    if shutil.which(command) is None:
        return None
    try:
        answer = subprocess.run(
            [command, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = answer.stdout.decode("utf-8", "replace").splitlines()
    if answer.returncode != 0 or not lines:
        return None
    return lines[0].removeprefix(f"{command} ").strip() or None

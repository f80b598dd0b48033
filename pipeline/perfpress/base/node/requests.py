"""Finds Node, and sends requests to the Node packages."""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from perfpress.base import workers
from perfpress.base.checkout import NODE_PACKAGES, ROOT
from perfpress.base.limits import Budget
from perfpress.base.problems import bad_input
from perfpress.base.workers import WorkerAnswer, WorkerRequest

PROFILE = NODE_PACKAGES / "profile" / "cli" / "main.js"
FLAMEGRAPH = NODE_PACKAGES / "flamegraph" / "cli" / "main.js"
CHARTS = NODE_PACKAGES / "charts" / "cli.js"

OLDEST_NODE = (22, 15)
"""The first release whose zlib reads zstd."""

LARGEST_HEAP = 2048
"""MiB of JavaScript objects; the largest real captures take a fifth of it."""

NODE_MEMORY = 700_000_000
"""Bytes of data that Node reserves before it reads anything (measured: 630 MB, most of it never
used). With less it may wait for ever for a thread that the system refused it."""


@cache
def node_path() -> Path:
    """Return the pinned Node, or the one on PATH where that is new enough.

    The pinned one comes first because the bytes of compressed files depend on its zlib.

    Raises:
        BadInput: no Node, or only an older one than `OLDEST_NODE`.
    """
    pinned = ROOT / "node_modules" / ".bin" / "node"
    if pinned.exists():
        return pinned
    wanted = ".".join(map(str, OLDEST_NODE))
    found = shutil.which("node")
    if found is None:
        raise bad_input(
            path="node",
            found="not installed",
            expected=f"Node {wanted} or newer",
            do="run: make site",
        )
    version = subprocess.run(
        [found, "--version"], capture_output=True, text=True, check=True
    ).stdout
    numbers = tuple(int(part) for part in version.strip().lstrip("v").split(".")[:2])
    if numbers < OLDEST_NODE:
        raise bad_input(
            path=found,
            found=version.strip(),
            expected=f"Node {wanted} or newer",
            do="run: make site",
        )
    return Path(found)


@cache
def node_version() -> str:
    """Return the version of the Node that runs: the bytes it compresses to depend on it."""
    asked = subprocess.run([node_path(), "--version"], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def run_requests(
    script: Path,
    requests: Sequence[WorkerRequest],
    processes: int = 1,
    budgets: Sequence[Budget] | None = None,
) -> list[WorkerAnswer]:
    """Send requests to `processes` copies of a Node package's `jobs` verb; answers in their order.

    Raises:
        BadInput: there is no Node.
    """
    heap = f"--max-old-space-size={LARGEST_HEAP}"
    node = workers.Program(str(node_path()), heap, str(script), "jobs", memory=NODE_MEMORY)
    return workers.run_requests(node, requests, processes, budgets)

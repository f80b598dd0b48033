"""Finds Node, and sends requests to the Node packages."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
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


Pools = dict[tuple[Path, int], workers.Pool]
"""By script and number of processes."""

_STAYING: ContextVar[Pools | None] = ContextVar("staying", default=None)
"""The pool of the last package that was asked, where it stays."""


@contextmanager
def staying_processes() -> Iterator[None]:
    """Have the processes of a package stay until another one is asked, or the context ends.

    A start takes a tenth of a second, and a process draws its tenth graph in half the time.
    """
    pools: Pools = {}
    token = _STAYING.set(pools)
    try:
        yield
    finally:
        _STAYING.reset(token)
        _end(pools)


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
    staying = _STAYING.get()
    if staying is None:
        return workers.run_requests(_program(script), requests, processes, budgets)
    return _staying_pool(staying, script, processes).answers(requests, budgets)


def begin(script: Path, processes: int) -> None:
    """Start the processes of a package before there are requests, where they stay.

    Raises:
        BadInput: there is no Node.
    """
    if (staying := _STAYING.get()) is not None:
        _staying_pool(staying, script, processes).begin(processes)


def _staying_pool(staying: Pools, script: Path, processes: int) -> workers.Pool:
    if (script, processes) not in staying:
        _end(staying)
        staying[script, processes] = workers.Pool(_program(script), processes)
    return staying[script, processes]


def _program(script: Path) -> workers.Program:
    heap = f"--max-old-space-size={LARGEST_HEAP}"
    return workers.Program(str(node_path()), heap, str(script), "jobs", memory=NODE_MEMORY)


def _end(pools: Pools) -> None:
    for pool in pools.values():
        pool.end()
    pools.clear()

"""Finds Node, and sends requests to the Node packages: one process answers many.

A request is a JSON object with a `job` and what the job takes. Its answer is one of

    {"ok": true, "result": …}
    {"ok": false, "problems": […]}      the input is bad
    {"ok": false, "defect": "…"}        we are: an exception, or a process that ended
"""

import contextlib
import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.build.cache import ROOT
from pipeline.problems import BadInput, Problem

FLAMEGRAPH = ROOT / "pipeline" / "flamegraph" / "cli.js"
CHARTS = ROOT / "pipeline" / "charts" / "cli.js"

OLDEST_NODE = (22, 15)
"""The first release whose zlib reads zstd."""

Request = Mapping[str, Any]
Answer = dict[str, Any]


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
        raise BadInput(
            Problem(
                path="node",
                found="not installed",
                expected=f"Node {wanted} or newer",
                do="run: make site",
            )
        )
    version = subprocess.run(
        [found, "--version"], capture_output=True, text=True, check=True
    ).stdout
    numbers = tuple(int(part) for part in version.strip().lstrip("v").split(".")[:2])
    if numbers < OLDEST_NODE:
        raise BadInput(
            Problem(
                path=found,
                found=version.strip(),
                expected=f"Node {wanted} or newer",
                do="run: make site",
            )
        )
    return Path(found)


@cache
def node_version() -> str:
    """Return the version of the Node that runs: the bytes it compresses to depend on it."""
    asked = subprocess.run([node_path(), "--version"], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def run_requests(script: Path, requests: Sequence[Request], processes: int = 1) -> list[Answer]:
    """Send requests to `processes` copies of a Node package's `jobs` verb; answers in their order.

    A process that ends in the middle of a request costs that request only.

    Raises:
        BadInput: there is no Node.
    """
    node = node_path()
    answers: list[Answer] = [{} for _ in requests]
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(requests)):
        waiting.put(number)
    failures: list[Exception] = []

    def answer_what_waits() -> None:
        try:
            with _Process(node, script) as process:
                for number in _taken_from(waiting):
                    answers[number] = process.answer(number, requests[number])
        except Exception as error:
            failures.append(error)

    threads = [
        threading.Thread(target=answer_what_waits)
        for _ in range(min(max(1, processes), len(requests)))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return answers


def _taken_from(waiting: "queue.SimpleQueue[int]") -> Iterator[int]:
    with contextlib.suppress(queue.Empty):
        while True:
            yield waiting.get_nowait()


class _Process:
    """A Node process that answers requests, and is started anew when it has ended."""

    def __init__(self, node: Path, script: Path) -> None:
        self._command = [str(node), str(script), "jobs"]
        self._process = self._started()

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *_: object) -> None:
        self._ended()

    def answer(self, number: int, request: Request) -> Answer:
        """Return the answer to one request."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        line = ""
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps({"id": number, **request}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if line.endswith("\n"):
            answer: Answer = json.loads(line)
            return answer
        status = self._ended()
        self._process = self._started()
        return {"ok": False, "defect": f"node ended with status {status}"}

    def _started(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def _ended(self) -> int:
        """Let the process end; return its exit status."""
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()
        return self._process.wait()

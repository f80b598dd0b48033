"""Runs the Node packages: one process takes many jobs, and what a job made is kept in the cache.

A job's request is plain data in which `Artifact` stands for a file to read and `Output` for a file
to write. The same request with the same inputs is never run twice.
"""

import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

import msgspec

from pipeline.cache import ROOT, Artifact, Cache, key_of, node_version_key
from pipeline.problems import BadInput, Problem

FLAMEGRAPH = ROOT / "pipeline" / "flamegraph" / "cli.js"
CHARTS = ROOT / "pipeline" / "charts" / "cli.js"

OLDEST_NODE = (22, 15)
"""The first release whose zlib reads zstd."""


@dataclass(frozen=True)
class Output:
    """A file, or with an empty name the directory, that a job writes."""

    name: str


@dataclass(frozen=True)
class Job:
    """One request to a Node package."""

    name: str
    request: Mapping[str, Any]


@dataclass(frozen=True)
class Done:
    """What a job answered."""

    directory: Path
    key: str
    result: Mapping[str, Any]
    problems: tuple[Problem, ...]

    def artifact(self, name: str) -> Artifact:
        """Return one of the files that the job wrote."""
        return Artifact(self.directory / name, f"{self.key}/{name}")


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


class NodeFailed(Exception):
    """A Node process ended in the middle of its jobs: a defect of ours, never of the input."""


def run_requests(
    script: Path, requests: Sequence[Mapping[str, Any]], processes: int = 1
) -> list[dict[str, Any]]:
    """Send requests to `processes` copies of a Node package's `jobs` verb; answers in their order.

    Each request has a `job` and what the job takes; each answer is `{"ok": true, "result": …}` or
    `{"ok": false, "problems": […]}`.

    Raises:
        NodeFailed: a process ended before it had answered.
    """
    answers: list[dict[str, Any]] = [{} for _ in requests]
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(requests)):
        waiting.put(number)
    failures: list[str] = []

    def serve_one_process() -> None:
        with subprocess.Popen(
            [node_path(), script, "jobs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        ) as process:
            to_node, from_node = _pipes(process)
            while not failures:
                try:
                    number = waiting.get_nowait()
                except queue.Empty:
                    break
                to_node.write(json.dumps({"id": number, **requests[number]}) + "\n")
                to_node.flush()
                line = from_node.readline()
                if not line:
                    failures.append(f"node {script.name} ended at request {requests[number]}")
                    break
                answers[number] = json.loads(line)
            to_node.close()

    threads = [
        threading.Thread(target=serve_one_process)
        for _ in range(max(1, min(processes, len(requests))))
        if requests
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise NodeFailed(failures[0])
    return answers


def run_jobs(
    cache: Cache,
    script: Path,
    jobs: Sequence[Job],
    processes: int = 1,
    tell: Callable[[int], None] = lambda _: None,
) -> list[Done]:
    """Return what each job made, running only those that the cache does not hold.

    `tell` hears how many have to be run.
    """
    keys = [
        key_of(node_version_key(), script.parent.name, job.name, _plain(job.request))
        for job in jobs
    ]
    missing = {
        key: job
        for key, job in zip(keys, jobs, strict=True)
        if not cache.directory(job.name, key).is_dir()
    }
    tell(len(missing))
    _run_missing(cache, script, missing, processes)
    return [
        _read_done(cache.directory(job.name, key), key) for key, job in zip(keys, jobs, strict=True)
    ]


def _run_missing(cache: Cache, script: Path, missing: Mapping[str, Job], processes: int) -> None:
    """Run jobs into new cache directories, in slices: a build that dies keeps what it made."""
    pending = list(missing.items())
    slice_length = 16 * max(1, processes)
    for start in range(0, len(pending), slice_length):
        _run_slice(cache, script, pending[start : start + slice_length], processes)


def _run_slice(cache: Cache, script: Path, jobs: Iterable[tuple[str, Job]], processes: int) -> None:
    with ExitStack() as directories:
        places = [
            (directories.enter_context(cache.filling(job.name, key)), job) for key, job in jobs
        ]
        requests = [{"job": job.name, **_real(job.request, directory)} for directory, job in places]
        for (directory, _), answer in zip(
            places, run_requests(script, requests, processes), strict=True
        ):
            (directory / "answer.json").write_text(
                json.dumps(answer, ensure_ascii=False, sort_keys=True), encoding="utf-8"
            )


def _read_done(directory: Path, key: str) -> Done:
    answer = json.loads((directory / "answer.json").read_text(encoding="utf-8"))
    result = answer.get("result") or {}
    problems = [*answer.get("problems", []), *result.get("problems", [])]
    return Done(directory, key, result, tuple(msgspec.convert(problems, tuple[Problem, ...])))


def _plain(value: Any) -> Any:
    """Return the request as the key sees it: files by what they were made from, or by name."""
    if isinstance(value, Artifact):
        return {"artifact": value.key}
    if isinstance(value, Output):
        return {"output": value.name}
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _real(value: Any, directory: Path) -> Any:
    """Return the request as Node sees it, with real paths."""
    if isinstance(value, Artifact):
        return os.fspath(value.path)
    if isinstance(value, Output):
        return os.fspath(directory / value.name)
    if isinstance(value, Mapping):
        return {name: _real(inner, directory) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_real(inner, directory) for inner in value]
    return value


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout

"""Jobs of the Node packages, each run once: what a job made is kept in the cache.

A job's request is plain data in which `Artifact` stands for a file to read and `Output` for a file
to write. The same request with the same inputs is never run twice.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pipeline.build.cache import Artifact, Cache, key_of, node_version_key
from pipeline.node.requests import Answer, node_version, run_requests
from pipeline.problems import REPORT_IT, Problem

ANSWER = "answer.json"


@dataclass(frozen=True)
class Output:
    """A file, or with an empty name the directory, that a job writes."""

    name: str


@dataclass(frozen=True)
class Job:
    """One request to a Node package."""

    name: str
    about: str
    """What it is of, for the message should it fail: a capture's path, a release and step."""
    request: Mapping[str, Any]


@dataclass(frozen=True)
class Done:
    """What a job made."""

    directory: Path
    key: str
    result: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()

    def artifact(self, name: str) -> Artifact:
        """Return one of the files that the job wrote."""
        return Artifact(self.directory / name, f"{self.key}/{name}")


@dataclass(frozen=True)
class Failed:
    """Why a job made nothing."""

    problems: tuple[Problem, ...]


def run_jobs(
    cache: Cache,
    script: Path,
    jobs: Sequence[Job],
    processes: int = 1,
    tell: Callable[[int], None] = lambda _: None,
    at_once: int = 16,
) -> list[Done | Failed]:
    """Return what each job made, running only those that the cache does not hold.

    A job that fails costs itself only.

    Args:
        cache: holds what was made before.
        script: of the Node package.
        jobs: all of them.
        processes: how many to run them in.
        tell: hears how many have to be run.
        at_once: jobs a process runs before what it made is kept; starting one takes a while.
    """
    keys = [_key(script, job) for job in jobs]
    missing = {
        key: job
        for key, job in zip(keys, jobs, strict=True)
        if not cache.directory(job.name, key).is_dir()
    }
    tell(len(missing))
    defects: dict[str, str] = {}
    pending = list(missing.items())
    # In slices, so that a build that dies keeps what it made until then.
    length = at_once * max(1, processes)
    for start in range(0, len(pending), length):
        defects |= _run(cache, script, pending[start : start + length], processes)
    return [
        _defective(job, defects[key]) if key in defects else _kept(cache, job, key)
        for key, job in zip(keys, jobs, strict=True)
    ]


def _key(script: Path, job: Job) -> str:
    """Return the hash of the code that runs, with the Node that runs it, and of the request."""
    versions = (node_version_key(), node_version())
    return key_of(versions, script.parent.name, job.name, _plain(job.request))


def _run(
    cache: Cache, script: Path, jobs: Sequence[tuple[str, Job]], processes: int
) -> dict[str, str]:
    """Run jobs, keep what they made or why their input is bad; return the defects by key."""
    defects: dict[str, str] = {}
    with ExitStack() as directories:
        places = [directories.enter_context(cache.working()) for _ in jobs]
        requests = [
            {"job": job.name, **_real(job.request, place)}
            for (_, job), place in zip(jobs, places, strict=True)
        ]
        answers = run_requests(script, requests, processes)
        for (key, job), place, answer in zip(jobs, places, answers, strict=True):
            if "defect" in answer:
                defects[key] = answer["defect"]
                continue
            text = json.dumps(answer, ensure_ascii=False, sort_keys=True)
            (place / ANSWER).write_text(text, encoding="utf-8")
            cache.keep(place, job.name, key)
    return defects


def _kept(cache: Cache, job: Job, key: str) -> Done | Failed:
    directory = cache.directory(job.name, key)
    answer: Answer = json.loads((directory / ANSWER).read_text(encoding="utf-8"))
    if not answer["ok"]:
        return Failed(_problems(answer))
    result = answer["result"]
    return Done(directory, key, result, _problems(result))


def _problems(source: Mapping[str, Any]) -> tuple[Problem, ...]:
    return msgspec.convert(source.get("problems", []), tuple[Problem, ...])


def _defective(job: Job, defect: str) -> Failed:
    return Failed(
        (
            Problem(
                path=job.about,
                found=f"{job.name} failed: {defect[:500]}",
                do=REPORT_IT,
            ),
        )
    )


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

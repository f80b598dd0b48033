"""Jobs of the Node packages, each run once: what a job made is kept in the cache.

In a job's request `Artifact` stands for a file to read and `Output` for a file to write. The same
request with the same inputs is never run twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from perfpress.base import workers
from perfpress.base.cache import Artifact, Cache, SourceFile, file_state, key_of, node_version_key
from perfpress.base.cluster import Cluster
from perfpress.base.limits import Budget, budget_of
from perfpress.base.node.messages.message import Answer, Output, Request, plain, real
from perfpress.base.node.requests import node_version, run_requests
from perfpress.base.node.tasks import packed, share_inputs, unpacked
from perfpress.base.problems import Problem
from perfpress.base.workers import failures

ANSWER = "answer.json"

TASKS_OF_A_SLICE = 2
"""A task takes some seconds, and a second of them to start: little is lost with its worker."""

A = TypeVar("A", bound=Answer)
A_co = TypeVar("A_co", bound=Answer, covariant=True)
R_co = TypeVar("R_co", bound=Request[Any], covariant=True)


@dataclass(frozen=True)
class Job(Generic[R_co]):
    """One request to a Node package."""

    about: str
    """What it works on, for messages: a capture's path, or a release and step."""
    request: R_co

    @property
    def name(self) -> str:
        """The job's name."""
        return str(self.request.job())


@dataclass(frozen=True)
class Done(Generic[A_co]):
    """What a job made."""

    directory: Path
    key: str
    result: A_co

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What it found wrong with its input, and did without."""
        return self.result.problems

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
    jobs: Sequence[Job[Request[A]]],
    processes: int = 1,
    progress: Callable[[int, int], None] = lambda *_: None,
    at_once: int = 16,
) -> list[Done[A] | Failed]:
    """Return what each job made, running only those that the cache does not hold.

    A job that fails costs itself only.

    Args:
        cache: holds what was made before.
        script: of the Node package.
        jobs: all of them.
        processes: how many to run them in.
        progress: called with how many jobs are done, 0 first, and how many had to be.
        at_once: jobs a process runs before what it made is kept; starting one takes a while.
    """
    keys = [_key(script, job) for job in jobs]
    wanted = dict(zip(keys, jobs, strict=True))
    outcomes = _found(cache, wanted)
    missing = {key: job for key, job in wanted.items() if key not in outcomes}
    progress(0, len(missing))
    if missing and cache.cluster is not None:
        _run_elsewhere(cache, cache.cluster, script, list(missing.items()), at_once)
        outcomes |= _found(cache, missing)
    here = [(key, job) for key, job in missing.items() if key not in outcomes]
    # In slices, so that a build that dies keeps what it made until then.
    length = at_once * max(1, processes)
    for start in range(0, len(here), length):
        outcomes |= _run(cache, script, here[start : start + length], processes)
        progress(min(start + length, len(here)), len(here))
    return [outcomes[key] for key in keys]


def missing_jobs(cache: Cache, script: Path, jobs: Iterable[Job[R_co]]) -> list[Job[R_co]]:
    """Return the jobs that this machine's cache holds nothing of."""
    return [job for job in jobs if cache.find(job.name, _key(script, job)) is None]


def _found(cache: Cache, jobs: Mapping[str, Job[Request[A]]]) -> dict[str, Done[A] | Failed]:
    """Return what was made before, here or on another machine, by key."""
    for stage, keys in _by_stage(jobs.items()).items():
        cache.bring(stage, keys)
    return {
        key: _outcome(job, entry, key)
        for key, job in jobs.items()
        if (entry := cache.find(job.name, key)) is not None
    }


def _by_stage(jobs: Iterable[tuple[str, Job[Any]]]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for key, job in jobs:
        keys.setdefault(job.name, []).append(key)
    return keys


def _run_elsewhere(
    cache: Cache,
    cluster: Cluster,
    script: Path,
    jobs: Sequence[tuple[str, Job[Any]]],
    at_once: int,
) -> None:
    """Have workers of a cluster fill the cache that they share with this machine.

    What they cannot do is left to this machine, which finds out why. So is all, where the store has
    failed: each task would fail for want of its inputs, and be done here after that.
    """
    share_inputs(cache, jobs)
    length = max(1, at_once // TASKS_OF_A_SLICE)
    slices = [jobs[start : start + length] for start in range(0, len(jobs), length)]
    is_shared = cache.shared is not None and not cache.shared.is_lost
    if is_shared and not cluster.is_lost:
        cluster.run(perform, [packed(cache, script, each) for each in slices])


def perform(task: bytes) -> None:
    """Run the jobs of a task on a worker; what they make goes to the cache that is shared."""
    with unpacked(task) as (cache, script, jobs):
        _run(cache, script, jobs, processes=1)


def _key(script: Path, job: Job[Any]) -> str:
    """Return the hash of the code that runs, with the Node that runs it, and of the request."""
    versions = (node_version_key(), node_version())
    # Files by what they were made from, or by name.
    request = plain(
        job.request,
        lambda file: (
            {"artifact": file.key} if isinstance(file, Artifact) else {"output": file.name}
        ),
    )
    return key_of(versions, script.parent.name, request)


def _run(
    cache: Cache, script: Path, jobs: Sequence[tuple[str, Job[Request[A]]]], processes: int
) -> dict[str, Done[A] | Failed]:
    """Run jobs; keep what they made or why their input is bad, but no defect."""
    outcomes: dict[str, Done[A] | Failed] = {}
    with cache.working() as above:
        places = [above / str(number) for number in range(len(jobs))]
        for place in places:
            place.mkdir()
        requests = [real(job.request, place) for (_, job), place in zip(jobs, places, strict=True)]
        files = [_files(job) for _, job in jobs]
        sources = [[file for file in each if isinstance(file, SourceFile)] for each in files]
        states = [[file_state(source.path) for source in own] for own in sources]
        answers = run_requests(script, requests, processes, [_budget(each) for each in files])
        for (key, job), place, answer, own, before in zip(
            jobs, places, answers, sources, states, strict=True
        ):
            made = _decoded(job, answer)
            if isinstance(made, Failed) and any(each.is_defect for each in made.problems):
                outcomes[key] = made
                continue
            after = [file_state(source.path) for source in own]
            if after != before or not all(source.is_unchanged() for source in own):
                outcomes[key] = _changed(job)
                continue
            (place / ANSWER).write_bytes(msgspec.json.encode(answer, order="sorted"))
            outcomes[key] = _outcome(job, cache.keep(place, job.name, key), key)
    for stage, keys in _by_stage(jobs).items():
        cache.send(stage, keys)
    return outcomes


def ask(script: Path, jobs: Sequence[Job[Request[A]]]) -> list[A | Failed]:
    """Return the answers to jobs whose results nobody keeps; their outputs are absolute paths.

    Raises:
        BadInput: there is no Node.
    """
    requests = [real(job.request, Path("/")) for job in jobs]
    budgets = [_budget(_files(job)) for job in jobs]
    answers = run_requests(script, requests, budgets=budgets)
    return [_decoded(job, answer) for job, answer in zip(jobs, answers, strict=True)]


def _decoded(job: Job[Request[A]], answer: workers.WorkerAnswer) -> A | Failed:
    """Return what a package answered; otherwise its problems, or a defect where it does not fit."""
    if not answer.get("ok"):
        own = msgspec.convert(answer.get("problems", ()), tuple[Problem, ...])
        return Failed((*own, *failures(answer, job.about, job.name)))
    try:
        return msgspec.convert(answer["result"], job.request.answer())
    except msgspec.ValidationError as wrong:
        defect = {"defect": f"an answer that does not fit: {wrong}"}
        return Failed(tuple(failures(defect, job.about, job.name)))


def _outcome(job: Job[Request[A]], entry: Path, key: str) -> Done[A] | Failed:
    made = _decoded(job, msgspec.json.decode((entry / ANSWER).read_bytes()))
    return made if isinstance(made, Failed) else Done(entry, key, made)


def _changed(job: Job[Any]) -> Failed:
    return Failed(
        (
            Problem(
                path=job.about,
                found="changed while it was read",
                expected="a file that nobody writes to",
                do="build again",
            ),
        )
    )


def _files(job: Job[Any]) -> list[Artifact]:
    """Return the files that a job reads."""
    files: list[Artifact | Output] = []
    plain(job.request, files.append)
    return [file for file in files if isinstance(file, Artifact)]


def _budget(files: Sequence[Artifact]) -> Budget:
    paths = (file.path for file in files)
    return budget_of(sum(path.stat().st_size for path in paths if path.is_file()))

"""Captures taken while a step runs, and what recording and folding them needs."""

import gzip
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from perfpress.base.problems import BadInput, Problem
from perfpress.base.slugs import slug
from perfpress.host.capture.captures import Profiling
from perfpress.host.capture.folding import Folder
from perfpress.host.capture.perf import available_events
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes.bundles import measure_step

FIRST_AFTER_SECONDS = 1


def profiling(
    sampling: Sampling, folder: Folder, find_pids: Callable[[int], list[int]] = lambda pid: [pid]
) -> Profiling:
    """Return how a step is profiled: apart from its rates, with the events of this machine.

    `find_pids` gets the process of the command, and returns what to profile: by default itself.
    """
    sampling = replace(sampling, events=available_events(sampling.events, ()))
    return Profiling(sampling, folder, find_pids, separate_run=True)


@dataclass(frozen=True)
class Captures:
    """How captures are taken."""

    file: str
    """Their names, behind the number."""
    take: Callable[[], Callable[[], bytes]]
    """Takes one, and returns what makes the content of its file: later, as that takes CPU time."""
    seconds: float
    """How long each covers."""
    count: int = 4


def taken_during(request: StepRequest, directory: Path, captures: Captures) -> schema.Step:
    """Run a step, take captures meanwhile, and return the step with them.

    Files are made of them when the step has ended: a busy machine takes seconds for each, and the
    last captures would be of a server without load.

    Raises:
        BadInput: the step or a capture failed.
    """

    def take() -> list[Callable[[], bytes]]:
        time.sleep(FIRST_AFTER_SECONDS)
        return [captures.take() for _ in range(captures.count)]

    with ThreadPoolExecutor(max_workers=1) as beside:
        taking = beside.submit(take)
        measured = measure_step(request, directory).step
    contents = [content() for content in taking.result()]
    place = slug(request.name)
    names = tuple(f"{place}/{at}.{captures.file}" for at in range(1, captures.count + 1))
    for name, content in zip(names, contents, strict=True):
        (directory / name).write_bytes(content)
    facts = schema.Capture(seconds=captures.seconds, scope="process", separate_run=True)
    return msgspec.structs.replace(measured, captures=names, capture=facts)


def folded(text: str, folder: Folder) -> bytes:
    """Return the content of a file of folded stacks.

    Raises:
        BadInput: the text cannot be folded.
    """
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "capture.txt"
        file.write_text(text, "utf-8")
        return gzip.compress(folder.fold(file), mtime=0)


def sample_buffer() -> str:
    """Return how much memory perf may have for samples, as its option takes it.

    Where that is much, it holds a second of samples with 32 KiB of stack each, so that none is
    lost while perf waits for a CPU.
    """
    return "16M" if os.geteuid() == 0 else ""


def found_folder() -> Folder:
    """Return what folds captures.

    Raises:
        BadInput: there is no Node.
    """
    if folder := Folder.find():
        return folder
    raise BadInput(
        Problem(
            path="node",
            found="not installed",
            expected="Node, to fold captures",
            do="make install",
        )
    )

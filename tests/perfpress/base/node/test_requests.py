"""How long the processes of a Node package stay."""

import os
from pathlib import Path
from typing import IO

import pytest
from perfpress.base import workers
from perfpress.base.node.requests import begin, run_requests, staying_processes

WHO_ANSWERS = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify({ ok: true, result: { process: process.pid } }));
"""


@pytest.fixture
def scripts(tmp_path: Path) -> tuple[Path, Path]:
    """Return two programs that answer with the ids of their processes."""
    paths = tmp_path / "a.mjs", tmp_path / "b.mjs"
    for path in paths:
        path.write_text(WHO_ANSWERS)
    return paths


def process_of(script: Path) -> int:
    (answer,) = run_requests(script, [{}], processes=2)
    return int(answer["result"]["process"])


def has_ended(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_process_ends_with_its_requests(scripts: tuple[Path, Path]) -> None:
    first = process_of(scripts[0])
    assert has_ended(first)
    assert process_of(scripts[0]) != first


def test_a_process_stays_until_another_package_is_asked(scripts: tuple[Path, Path]) -> None:
    with staying_processes():
        first = process_of(scripts[0])
        assert process_of(scripts[0]) == first
        second = process_of(scripts[1])
        assert has_ended(first)
        assert not has_ended(second)
    assert has_ended(second)


def test_a_process_is_there_before_the_first_request(
    scripts: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[workers.Process] = []
    start = workers.Program.__call__

    def counted(program: workers.Program, errors: IO[bytes]) -> workers.Process:
        started.append(start(program, errors))
        return started[-1]

    monkeypatch.setattr(workers.Program, "__call__", counted)
    begin(scripts[0], 2)
    assert not started, "it would stay for ever"
    with staying_processes():
        begin(scripts[0], 2)
        processes = [each.pid for each in started]
        assert len(processes) == 2
        assert process_of(scripts[0]) in processes
    assert len(started) == 2
    assert all(map(has_ended, processes))


def test_nothing_stays_of_what_was_interrupted(
    scripts: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with staying_processes():
        first = process_of(scripts[0])
        with monkeypatch.context() as patch:
            patch.setattr("perfpress.base.workers._ready", interrupted)
            with pytest.raises(KeyboardInterrupt):
                process_of(scripts[0])
        assert has_ended(first)
        assert process_of(scripts[0]) != first


def interrupted(_: object) -> None:
    raise KeyboardInterrupt

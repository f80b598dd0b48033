"""What becomes of jobs that fail: each costs itself only, and no defect is kept for ever."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from perfpress.base import workers
from perfpress.base.cache import Artifact, Cache, SourceFile, file_hash
from perfpress.base.limits import Budget
from perfpress.base.node import jobs as jobs_module
from perfpress.base.node import requests as node
from perfpress.base.node.jobs import Done, Failed, Job, run_jobs
from perfpress.base.node.messages.message import Answer, Output, Request
from perfpress.base.problems import BadInput
from time_limit import within

ANSWERING = """
import { createInterface } from "node:readline";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  appendFileSync(request.log, `${request.job}\\n`);
  if (request.job === "die") process.exit(7);
  if (request.job === "spin") for (;;);
  if (request.job === "wait") await new Promise(() => setInterval(() => {}, 1000));
  if (request.job === "plod")
    for (let part = 0; part < 12; part++) {
      for (const begun = process.cpuUsage().user; process.cpuUsage().user < begun + 30_000; );
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  if (request.job === "hoard") for (const all = []; ; ) all.push({ x: Math.random() });
  if (request.job === "vanish") {
    const bytes = readFileSync(request.source);
    rmSync(request.source);
    writeFileSync(request.source, bytes);
  }
  if (request.job === "write") writeFileSync(request.out, request.text);
  const answers = {
    write: { ok: true, result: { length: request.text?.length } },
    plod: { ok: true, result: { length: 1 } },
    vanish: { ok: false, problems: [{ path: "a.txt", found: "no such file" }] },
    refuse: { ok: false, problems: [{ path: "a.txt", line: 3, found: "nonsense" }] },
    throw: { ok: false, defect: "ENOSPC" },
    mistake: { ok: true, result: { length: "long" } },
  };
  console.log(JSON.stringify({ id: request.id, ...answers[request.job] }));
}
"""


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Fail where a job is never stopped: the spans of wall time here are minutes."""
    with within(120):
        yield


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return a Node program that gives the wanted answers."""
    path = tmp_path / "package" / "cli.mjs"
    path.parent.mkdir()
    path.write_text(ANSWERING)
    return path


class Written(Answer, frozen=True):
    """What the program answers to `write`."""

    length: int


class Noted(Request[Written], frozen=True, kw_only=True):
    """A request that is noted each time it is run."""

    log: str
    out: Output | UnsetType = UNSET
    text: str | UnsetType = UNSET
    source: Artifact | UnsetType = UNSET


def job(tmp_path: Path, name: str, **request: Any) -> Job[Noted]:
    """Return a job that notes each time it is run."""
    kind = msgspec.defstruct(name, [], bases=(Noted,), tag=name, frozen=True)
    return Job(f"about {name}", cast("type[Noted]", kind)(log=str(tmp_path / "log"), **request))


def runs(tmp_path: Path) -> list[str]:
    """Return the jobs that were run, in their order."""
    log = tmp_path / "log"
    return log.read_text().split() if log.exists() else []


def test_jobs_say_how_many_of_them_are_done(tmp_path: Path, script: Path) -> None:
    cache = Cache(tmp_path / "cache")
    jobs = [job(tmp_path, "write", out=Output("x"), text=text) for text in "abc"]
    run_jobs(cache, script, jobs[:1])
    told: list[tuple[int, int]] = []
    run_jobs(cache, script, jobs, progress=lambda *how: told.append(how), at_once=1)
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_a_job_is_run_once_for_the_same_request(tmp_path: Path, script: Path) -> None:
    cache = Cache(tmp_path / "cache")
    write = job(tmp_path, "write", out=Output("made.txt"), text="abc")
    (first,) = run_jobs(cache, script, [write])
    (second,) = run_jobs(cache, script, [write])
    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert runs(tmp_path) == ["write"]
    assert second.artifact("made.txt").path.read_text() == "abc"
    assert second.result == Written(length=3)


def test_another_input_is_another_job(tmp_path: Path, script: Path) -> None:
    cache = Cache(tmp_path / "cache")
    for key in ("1", "2"):
        source = Artifact(tmp_path / "same-path", key)
        run_jobs(cache, script, [job(tmp_path, "write", source=source, out=Output("x"), text="")])
    assert runs(tmp_path) == ["write", "write"]


def test_a_process_that_ends_costs_its_request_only(tmp_path: Path, script: Path) -> None:
    cache = Cache(tmp_path / "cache")
    jobs = [
        job(tmp_path, "write", out=Output("1"), text="1"),
        job(tmp_path, "die"),
        job(tmp_path, "write", out=Output("2"), text="2"),
    ]
    first, died, last = run_jobs(cache, script, jobs, processes=1)
    assert isinstance(first, Done)
    assert isinstance(last, Done)
    assert isinstance(died, Failed)
    assert "node ended with status 7" in str(died.problems[0])
    assert died.problems[0].path == "about die"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("spin", "spin needs more than 1 s of CPU time, and was stopped"),
        ("hoard", "hoard needs more than 2.0 GB of memory, and was stopped"),
    ],
)
def test_a_job_beyond_its_budget_is_a_problem_of_its_input(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch, name: str, found: str
) -> None:
    seconds = 1 if name == "spin" else 60
    monkeypatch.setattr(jobs_module, "budget_of", lambda _: Budget(seconds, 2_000_000_000))
    monkeypatch.setattr(node, "LARGEST_HEAP", 200)
    cache = Cache(tmp_path / "cache")
    write = job(tmp_path, "write", out=Output("2"), text="2")
    for _ in range(2):
        (stopped, done) = run_jobs(cache, script, [job(tmp_path, name), write])
        assert isinstance(stopped, Failed)
        (problem,) = stopped.problems
        assert (problem.path, problem.found) == (f"about {name}", found)
        assert not problem.is_defect
        assert isinstance(done, Done)
    assert runs(tmp_path) == [name, "write"]


def test_a_job_that_waits_without_end_is_stopped(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "budget_of", lambda _: Budget(0.2, 2_000_000_000))
    (stopped,) = run_jobs(Cache(tmp_path / "cache"), script, [job(tmp_path, "wait")])
    assert isinstance(stopped, Failed)
    assert stopped.problems[0].found == "wait failed: no answer within 2 s"
    assert stopped.problems[0].is_defect


@pytest.mark.slow
def test_a_job_that_a_busy_machine_slows_down_is_waited_for(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It works a tenth of the time: CPU time is what is limited, and it uses little."""
    monkeypatch.setattr(jobs_module, "budget_of", lambda _: Budget(60, 2_000_000_000))
    monkeypatch.setattr(Budget, "wall_seconds", 1.0)
    monkeypatch.setattr(workers, "LEAST_PROGRESS", 1e-5)
    (made,) = run_jobs(Cache(tmp_path / "cache"), script, [job(tmp_path, "plod")])
    assert isinstance(made, Done), made
    assert runs(tmp_path) == ["plod"]


@pytest.mark.slow
def test_memory_that_earlier_jobs_left_behind_does_not_count(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "budget_of", lambda _: Budget(60, 2_000_000_000))
    monkeypatch.setattr(node, "LARGEST_HEAP", 200)
    jobs = [job(tmp_path, "write", out=Output("x"), text="x"), job(tmp_path, "hoard")]
    _, stopped = run_jobs(Cache(tmp_path / "cache"), script, jobs)
    assert isinstance(stopped, Failed)
    assert runs(tmp_path) == ["write", "hoard", "hoard"]


def test_bad_input_is_kept_and_a_defect_is_tried_again(tmp_path: Path, script: Path) -> None:
    cache = Cache(tmp_path / "cache")
    jobs = [job(tmp_path, "refuse"), job(tmp_path, "throw")]
    for _ in range(2):
        refused, defective = run_jobs(cache, script, jobs)
        assert isinstance(refused, Failed)
        assert isinstance(defective, Failed)
        assert str(refused.problems[0]) == "a.txt:3: nonsense"
        assert "ENOSPC" in str(defective.problems[0])
    assert runs(tmp_path) == ["refuse", "throw", "throw"]
    assert not list((tmp_path / "cache").glob(".working-*"))


def test_what_a_file_that_was_gone_for_a_moment_gave_is_not_kept(
    tmp_path: Path, script: Path
) -> None:
    source = tmp_path / "cpu.folded"
    source.write_text("main 1\n")
    cache = Cache(tmp_path / "cache")
    vanish = job(tmp_path, "vanish", source=SourceFile(source, file_hash(source)))
    for _ in range(2):
        (made,) = run_jobs(cache, script, [vanish])
        assert isinstance(made, Failed)
        assert [each.found for each in made.problems] == ["changed while it was read"]
    assert runs(tmp_path) == ["vanish", "vanish"]


def test_an_answer_that_does_not_fit_is_a_defect_that_names_job_and_field(
    tmp_path: Path, script: Path
) -> None:
    for _ in range(2):
        (failed,) = run_jobs(Cache(tmp_path / "cache"), script, [job(tmp_path, "mistake")])
        assert isinstance(failed, Failed)
        (problem,) = failed.problems
        assert problem.is_defect
        assert problem.found == (
            "mistake failed: an answer that does not fit: Expected `int`, got `str` - at `$.length`"
        )
    assert runs(tmp_path) == ["mistake", "mistake"]


def test_answers_come_in_the_order_of_requests(tmp_path: Path, script: Path) -> None:
    texts = [f"{number:03}" for number in range(60)]
    jobs = [job(tmp_path, "write", out=Output("x"), text=text) for text in texts]
    done = run_jobs(Cache(tmp_path / "cache"), script, jobs, processes=3)
    found = [each.artifact("x").path.read_text() for each in done if isinstance(each, Done)]
    assert found == texts


def test_without_node_it_is_reported(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node.node_path.cache_clear()
    monkeypatch.setattr(node, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(BadInput, match="make site"):
            node.run_requests(script, [{"job": "write"}])
    finally:
        node.node_path.cache_clear()

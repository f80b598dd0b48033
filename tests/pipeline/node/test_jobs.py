"""What becomes of jobs that fail: each costs itself only, and no defect is kept for ever."""

from pathlib import Path

import pytest

from pipeline.build.cache import Artifact, Cache
from pipeline.node import requests as node
from pipeline.node.jobs import Done, Failed, Job, Output, run_jobs
from pipeline.problems import BadInput

ANSWERING = """
import { createInterface } from "node:readline";
import { appendFileSync, writeFileSync } from "node:fs";
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  appendFileSync(request.log, `${request.job}\\n`);
  if (request.job === "die") process.exit(7);
  if (request.job === "write") writeFileSync(request.out, request.text);
  const answers = {
    write: { ok: true, result: { length: request.text?.length } },
    refuse: { ok: false, problems: [{ path: "a.txt", line: 3, found: "nonsense" }] },
    throw: { ok: false, defect: "ENOSPC" },
  };
  console.log(JSON.stringify({ id: request.id, ...answers[request.job] }));
}
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return a Node program that answers as it is told to."""
    path = tmp_path / "package" / "cli.mjs"
    path.parent.mkdir()
    path.write_text(ANSWERING)
    return path


def job(tmp_path: Path, name: str, **request: object) -> Job:
    """Return a job that notes each time it is run."""
    return Job(name, f"about {name}", {"log": str(tmp_path / "log"), **request})


def runs(tmp_path: Path) -> list[str]:
    """Return the jobs that were run, in their order."""
    log = tmp_path / "log"
    return log.read_text().split() if log.exists() else []


def test_a_job_is_run_once_for_the_same_request(tmp_path: Path, script: Path) -> None:
    cache = Cache(tmp_path / "cache")
    write = job(tmp_path, "write", out=Output("made.txt"), text="abc")
    (first,) = run_jobs(cache, script, [write])
    (second,) = run_jobs(cache, script, [write])
    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert runs(tmp_path) == ["write"]
    assert second.artifact("made.txt").path.read_text() == "abc"
    assert second.result == {"length": 3}


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


def test_answers_come_in_the_order_of_requests(tmp_path: Path, script: Path) -> None:
    texts = [f"{number:03}" for number in range(60)]
    jobs = [job(tmp_path, "write", out=Output("x"), text=text) for text in texts]
    done = run_jobs(Cache(tmp_path / "cache"), script, jobs, processes=3)
    found = [each.artifact("x").path.read_text() for each in done if isinstance(each, Done)]
    assert found == texts


def test_without_node_it_is_said(
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

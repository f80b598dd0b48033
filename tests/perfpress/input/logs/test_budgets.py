"""A log that costs too much to read is a problem of its own; the others are read."""

import os
from pathlib import Path

import pytest
from bundle_samples import pgbench_log
from perfpress.base.limits import Budget
from perfpress.input.logs import workers
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.workers import LogFile, read_each
from time_limit import within

pytestmark = pytest.mark.slow


def hostile(path: Path, shown_as: str, hint: str | None) -> LogReading:
    """Read a log, or do what no parser should, as its name says."""
    if path.name == "spin":
        while True:
            pass
    if path.name == "hoard":
        bytes(4_000_000_000)
    if path.name == "fill":
        [bytes(1_000_000) for _ in range(4000)]
    if path.name == "die":
        os._exit(3)
    if path.name == "raise":
        raise ValueError("\ud800")
    return read_log(path, shown_as, hint)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("spin", "reading it needs more than 1 s of CPU time, and was stopped"),
        ("hoard", "reading it needs more than 1.0 GB of memory, and was stopped"),
        ("fill", "reading it needs more than 1.0 GB of memory, and was stopped"),
        ("die", "reading it failed: python ended with status 3"),
        ("raise", "reading it failed: ValueError('\\ud800')"),
    ],
)
def test_a_log_beyond_its_budget_costs_itself_only(
    name: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 1 if name == "spin" else 60
    monkeypatch.setattr(workers, "budget_of_file", lambda _: Budget(seconds, 1_000_000_000))
    monkeypatch.setattr(Budget, "wall_seconds", 600.0)  # whatever else the machine does
    monkeypatch.setattr(workers, "read_log", hostile)
    good = LogFile(tmp_path / "good", "good")
    good.path.write_text(pgbench_log(1000))
    with within(120):
        first, stopped, last = read_each([good, LogFile(tmp_path / name, f"run/{name}"), good])
    assert first == last == read_log(good.path, "good")
    (problem,) = stopped.problems
    assert (problem.path, problem.found) == (f"run/{name}", found)
    assert problem.do

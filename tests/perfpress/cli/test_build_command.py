"""`perfpress build`: what it prints of a site that came out."""

import pytest
from perfpress.__main__ import main
from perfpress.base.problems import Problem
from perfpress.build import stages
from perfpress.build.stages import Built


def test_one_mistake_in_a_hundred_bundles_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [f"results/r/{number:03}/run.toml" for number in range(100)]
    problems = tuple(Problem(path=path, line=5, found="unknown key `hots`") for path in paths)
    built = Built("public: 1 report", problems, ())
    monkeypatch.setattr(stages, "build", lambda *_: built)
    assert main(["build"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    where = "results/r/001/run.toml:5, results/r/002/run.toml:5, results/r/003/run.toml:5, …"
    assert line == (
        "results/r/000/run.toml:5: unknown key `hots`; "
        f"99 more places: {where}; the page Problems of the site lists all"
    )

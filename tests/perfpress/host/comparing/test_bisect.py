"""Finding the commit that changed a benchmark, in small repositories."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.base.problems import BadInput
from perfpress.host.comparing import bisect as module
from perfpress.host.comparing.alternate import Job, run
from perfpress.host.comparing.bisect import Found, MetricChange, Search, bisect
from perfpress.host.comparing.printed_comparison import (
    PrintedComparison,
    PrintedMetric,
    PrintedSide,
    PrintedStep,
    PrintedVerdict,
)

ONE_RUN = PrintedSide(runs=1)
COUNT = "executed_instructions"


def git(repository: Path, *words: str) -> str:
    own = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    done = subprocess.run(
        ["git", *own, *words], cwd=repository, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def repository(folder: Path, sizes: list[str]) -> Path:
    """Return a repository with a commit for each text of its file; tags are c1, c2, c3."""
    made = folder / "project"
    made.mkdir()
    git(made, "init")
    for number, size in enumerate(sizes, start=1):
        (made / "size.txt").write_text(size)
        (made / "number.txt").write_text(str(number))
        git(made, "add", ".")
        git(made, "commit", "--message", f"commit {number}")
        git(made, "tag", f"c{number}")
    return made


def search(made: Path, good: str, bad: str) -> Search:
    return Search(
        repository=made,
        good=good,
        bad=bad,
        build="! grep broken size.txt",
        command="grep -x '[0-9]*' size.txt",
        capturing=(),
        step=None,
        out=made.parent / "out",
        most=40,
    )


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have a benchmark print what the file holds, an exact count; return what was measured."""
    names: list[str] = []
    kept: dict[Path, PrintedComparison] = {}

    def alternate(
        job: Job,
        prepare: Callable[[], None],
        _is_decided: Callable[[PrintedComparison, int], bool],
        _show: Callable[[str], None],
    ) -> PrintedComparison:
        job.out.mkdir(parents=True, exist_ok=True)
        if job.out in kept:
            return kept[job.out]
        prepare()
        base, head = (
            float(run(["sh", "-c", job.command], tree, "the benchmark").stdout)
            for tree in job.checkouts
        )
        names.append((job.checkouts[1] / "number.txt").read_text())
        verdict = "no change seen" if base == head else "slower" if head > base else "faster"
        judged = PrintedVerdict(verdict, evidence="an exact count", ratio=head / base)
        step = PrintedStep("sum", numbers=(PrintedMetric(COUNT, judged),))
        kept[job.out] = PrintedComparison(f"{base:.0f} to {head:.0f}", ONE_RUN, ONE_RUN, (step,))
        return kept[job.out]

    monkeypatch.setattr(module, "alternate", alternate)
    return names


def found_in(made: Path, good: str, bad: str) -> Found:
    return bisect(search(made, good, bad), lambda _: None)


def names_of(made: Path, found: Found) -> list[str]:
    return [git(made, "describe", "--tags", commit) for commit in found.commits]


def test_the_commit_is_found(tmp_path: Path, measured: list[str]) -> None:
    made = repository(tmp_path, ["100"] * 5 + ["130"] * 4)
    found = found_in(made, "c1", "c9")
    assert names_of(made, found) == ["c6"]
    assert (found.headline, found.is_confirmed) == ("100 to 130", True)
    assert found.change == MetricChange("sum", COUNT, 1.3)
    assert measured[0] == "9"
    assert len(measured) < 7
    assert not (tmp_path / "out" / "checkouts").exists()
    assert git(made, "worktree", "list").count("\n") == 0


def test_what_was_measured_is_not_measured_again(tmp_path: Path, measured: list[str]) -> None:
    made = repository(tmp_path, ["100"] * 3 + ["broken"] + ["130"] * 3)
    first = found_in(made, "c1", "c7")
    count = len(measured)
    assert found_in(made, "c1", "c7") == first
    assert len(measured) == count


def test_runs_of_another_command_are_not_taken_for_these(tmp_path: Path) -> None:
    made = repository(tmp_path, ["100", "130"])
    wanted = search(made, "c1", "c2")
    with pytest.raises(BadInput, match="the benchmark ended"):
        bisect(wanted._replace(command="exit 3"), lambda _: None)  # a slip, which can be mended
    bisect(wanted, lambda _: None)
    with pytest.raises(BadInput, match="runs of another --command"):
        bisect(wanted._replace(command="echo 5"), lambda _: None)


def test_a_small_change_on_the_way_is_not_the_large_one(tmp_path: Path) -> None:
    made = repository(tmp_path, ["100", "100", "104", "104", "104", "130", "130"])
    assert names_of(made, found_in(made, "c1", "c7")) == ["c6"]


def test_a_faster_commit_is_found_too(tmp_path: Path) -> None:
    made = repository(tmp_path, ["130", "130", "100", "100"])
    assert names_of(made, found_in(made, "c1", "c4")) == ["c3"]


def test_commits_that_do_not_build_are_skipped(tmp_path: Path) -> None:
    made = repository(tmp_path, ["100", "100", "broken", "100", "130", "130", "130"])
    found = found_in(made, "c1", "c7")
    assert names_of(made, found) == ["c5"]
    assert found.is_confirmed


def test_candidates_are_named_where_what_is_between_cannot_be_measured(tmp_path: Path) -> None:
    made = repository(tmp_path, ["100", "100", "broken", "nothing", "130", "130"])
    found = found_in(made, "c1", "c6")
    assert names_of(made, found) == ["c3", "c4", "c5"]
    assert (found.headline, found.is_confirmed) == ("", False)
    assert len(found.skipped) == 2


def test_a_checkout_in_use_is_left_alone(tmp_path: Path) -> None:
    made = repository(tmp_path, ["100", "100", "130"])
    (made / "size.txt").write_text("7")
    (made / "notes.txt").write_text("mine")
    assert names_of(made, found_in(made, "c1", "c3")) == ["c3"]
    assert (made / "size.txt").read_text() == "7"
    assert git(made, "status", "--porcelain").splitlines() == ["M size.txt", "?? notes.txt"]


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("c1", "nowhere", "no commit 'nowhere'"),
        ("--all", "c2", "no commit '--all'"),
        ("c1", "c1", "the same commit"),
        ("c3", "c1", "no ancestor of c1"),
        ("c1", "c2", "100 to 100"),  # no change
        ("c1", "c4", "the build of"),
        ("c1", "c5", "the benchmark ended"),
    ],
)
def test_ends_that_show_nothing_are_refused(
    tmp_path: Path, good: str, bad: str, expected: str
) -> None:
    made = repository(tmp_path, ["100", "100", "130", "broken", "130"])
    wanted = search(made, good, bad)
    if bad == "c5":
        wanted = wanted._replace(command="exit 3")
    with pytest.raises(BadInput, match=expected):
        bisect(wanted, lambda _: None)
    assert git(made, "worktree", "list").count("\n") == 0


def test_a_step_that_nobody_measures_is_refused(tmp_path: Path) -> None:
    made = repository(tmp_path, ["100", "130"])
    with pytest.raises(BadInput, match="no rate and no exact count of other"):
        bisect(search(made, "c1", "c2")._replace(step="other"), lambda _: None)


def of_rate(ratio: float, interval: tuple[float, float] | None) -> PrintedComparison:
    return PrintedComparison(
        "",
        ONE_RUN,
        ONE_RUN,
        (PrintedStep("a", PrintedVerdict("noisy", ratio=ratio, interval=interval)),),
    )


@pytest.mark.parametrize(
    ("interval", "happened"),
    [((0.98, 1.02), False), ((0.75, 0.85), True), ((0.85, 0.95), None), (None, None)],
)
def test_a_time_is_judged_by_its_interval(
    interval: tuple[float, float] | None, happened: bool | None
) -> None:
    change = MetricChange("a", "throughput", 0.8)
    assert change.has_happened(of_rate(0.9, interval)) is happened
    assert change._replace(step="b").has_happened(of_rate(0.9, interval)) is None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="captures need Linux")
def test_the_command_finds_a_slow_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()
    made = repository(tmp_path, ["0.01", "0.3", "0.3"])
    out = str(tmp_path / "out")
    words = ["--command", "sleep $(cat size.txt)", "--out", out, "--repository", str(made)]
    assert main(["bisect", "c1", "c3", *words]) == 0
    shown = capsys.readouterr().out
    assert "First commit with the change (benchmark, throughput):" in shown
    assert "commit 2" in shown
    assert "longer than" in shown

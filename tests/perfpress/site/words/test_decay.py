"""Throughput that collapses within the runs leads a report: the mean describes no moment of it."""

from pathlib import Path

from bundle_samples import pgbench_log
from perfpress.analysis.study.study import StepRun
from perfpress.site.report_figures import Figures
from perfpress.site.words.decay import decay_sentences
from perfpress.site.words.newest_release import newest_release_sentences
from perfpress.site.words.verdict_sentences import plain
from step_run_samples import step_run
from study_samples import study_of


def run(directory: Path, release: str, start: float, end: float) -> StepRun:
    """Return a run of a minute whose rate falls along a straight line."""
    rates = [start - (start - end) * at / 59 for at in range(60)]
    progress = "".join(
        f"progress: {second}.0 s, {rate} tps, lat 1.0 ms stddev 0.1, 0 failed\n"
        for second, rate in enumerate(rates, start=1)
    )
    head, _, rest = pgbench_log((start + end) / 2).partition("\n")
    log = f"{head}\n{progress}{rest}"
    return step_run(directory, changes={"release": release}, files={"select.txt": log})


def figures(*runs: StepRun) -> Figures:
    return Figures(study_of(list(runs)))


def test_the_end_of_the_runs_is_given_for_both_releases_and_comes_first(tmp_path: Path) -> None:
    falls = run(tmp_path / "a", "17", 1000.0, 10.0)
    made = figures(falls, run(tmp_path / "b", "18", 990.0, 980.0))
    first, *_ = newest_release_sentences(made, "socket2", {})
    text = plain((first,))
    assert text.startswith(
        "At the end of its runs, select is at 51.95 transactions per second on 17, 5"
    )
    assert " and at 980.4 on 18, 99" in text
    assert text.endswith("(last and first tenth, medians of 1 run).")
    assert [phrase.url != "" for phrase in first if phrase.text in ("17", "18")] == [True, True]


def test_runs_that_hold_or_fall_a_little_need_no_sentence(tmp_path: Path) -> None:
    made = figures(
        run(tmp_path / "a", "17", 1000.0, 700.0), run(tmp_path / "b", "18", 900.0, 900.0)
    )
    assert decay_sentences(made, "18", "socket2") == ()

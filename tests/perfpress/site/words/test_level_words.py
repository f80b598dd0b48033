"""What a step's page and its chart say of changes of level."""

from pathlib import Path
from typing import cast

from perfpress.base.node.messages.charts import RelativeRequest
from perfpress.input.report.front_matter import Release
from perfpress.site.figures.comparison_charts import comparison_chart
from perfpress.site.report_figures import Figures
from perfpress.site.words.level_changes import (
    level_sentences,
    release_level_sentences,
    since_words,
)
from study_samples import cell_of, repeats, study_of

SPACE = "\N{NO-BREAK SPACE}"


def figures_of(directory: Path, *rates: float) -> Figures:
    runs = [
        run
        for at, rate in enumerate(rates)
        for run in repeats(directory, f"r{at:02}", [rate + at % 3])
    ]
    return Figures(study_of(runs))


def test_a_fall_is_reported_in_a_sentence_and_marked_in_the_chart(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 6, *[900.0] * 5)
    assert level_sentences(figures, "socket2", "select") == (
        f"Throughput dropped 10.0{SPACE}% at r06: from 1,001 to 901 transactions per second "
        "(levels of 6 and 5 releases, p < 0.0001).",
    )
    for release in figures.study.measured:
        planned = comparison_chart(figures, cell_of(release))
        assert planned is not None
        request = cast(RelativeRequest, planned.request())
        marks = [row.mark for row in request.releases]
        assert marks == ["", *[""] * 5, f"level \N{MINUS SIGN}10.0{SPACE}% from here on", *[""] * 4]
        assert "r06: level" in request.description


def test_a_fall_in_two_steps_has_the_release_of_the_first_and_that_of_the_whole(
    tmp_path: Path,
) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 6, 800.0, *[600.0] * 5)
    (sentence,) = level_sentences(figures, "socket2", "select")
    assert sentence.startswith(
        f"Throughput dropped 39.9{SPACE}% at r06 (in full at r07): from 1,001 to 601 transactions"
    )


def test_a_level_that_stays_marks_nothing(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 10)
    assert level_sentences(figures, "socket2", "select") == (
        "Throughput shows no lasting change over 10 releases.",
    )
    planned = comparison_chart(figures, cell_of("r00"))
    assert planned is not None
    assert {row.mark for row in cast(RelativeRequest, planned.request()).releases} == {""}


def test_of_fewer_than_six_releases_there_is_no_sentence(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 3, *[500.0] * 2)
    assert level_sentences(figures, "socket2", "select") == ()


def test_a_release_that_alone_differs_is_named_and_never_called_the_same(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 4, 450.0, *[1000.0] * 6)
    assert level_sentences(figures, "socket2", "select") == (
        f"Throughput shows no lasting change over 11 releases; r04 alone was 54.9{SPACE}% lower.",
    )


def test_beside_a_change_a_fluke_has_a_sentence_of_its_own(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 6, *[500.0] * 3, 1000.0, *[500.0] * 4)
    change, fluke = level_sentences(figures, "socket2", "select")
    assert change.startswith(f"Throughput dropped 50.0{SPACE}% at r06: ")
    assert fluke == f"r09 alone was 99.6{SPACE}% higher."


def test_a_change_of_the_newest_release_says_that_it_is_alone(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 8, 700.0)
    (sentence,) = level_sentences(figures, "socket2", "select")
    assert "only the newest release, after 8 releases" in sentence


def test_many_changes_are_one_sentence(tmp_path: Path) -> None:
    levels = [rate for rate in (1000.0, 500.0, 800.0, 400.0) for _ in range(6)]
    (sentence,) = level_sentences(figures_of(tmp_path, *levels), "socket2", "select")
    start = "Throughput changed its level in 3 releases: r06 \N{MINUS SIGN}50."
    assert sentence.startswith(start)
    assert ", r12 +" in sentence
    assert ", r18 \N{MINUS SIGN}" in sentence


def test_a_series_that_scatters_is_not_called_steady(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0, 600.0, 1400.0, 800.0, 1100.0, 700.0, 1300.0])
    (sentence,) = level_sentences(figures, "socket2", "select")
    assert "which scatter by 3" in sentence


def test_releases_of_other_branches_are_no_part_of_the_series(tmp_path: Path) -> None:
    releases = [Release(id=f"r{at:02}") for at in range(8)]
    releases[3:3] = [Release(id="patched", branch="patched")]
    runs = [
        *repeats(tmp_path, "patched", [500.0]),
        *(run for at in range(8) for run in repeats(tmp_path, f"r{at:02}", [1000.0 + at])),
    ]
    figures = Figures(study_of(runs, report={"releases": tuple(releases)}))
    levels = figures.levels["throughput"]["socket2", "select"]
    assert "patched" not in levels.releases
    assert levels.flukes == ()


def test_a_release_counts_by_the_median_of_its_runs(tmp_path: Path) -> None:
    runs = [run for at in range(8) for run in repeats(tmp_path, f"r{at}", [1000.0 + at])]
    runs += repeats(tmp_path, "r8", [1000.0, 1.0, 1001.0])
    figures = Figures(study_of(runs))
    levels = figures.levels["throughput"]["socket2", "select"]
    assert (len(levels.releases), levels.changes, levels.flukes) == (9, (), ())


def test_since_when_a_release_is_slower(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 5, *[500.0] * 5)
    assert since_words(figures, "socket2", "select", "r00", "r07") == "since r05"
    assert since_words(figures, "socket2", "select", "r00", "r02") == ""


def test_steps_that_change_together_are_one_sentence_of_the_release(tmp_path: Path) -> None:
    runs = [
        run
        for at in range(8)
        for step, after in (("a", 500.0), ("b", 800.0), ("c", 1000.0))
        for run in repeats(
            tmp_path, f"r{at}", [(1000.0 if at < 4 else after) + at], step={"name": step}
        )
    ]
    figures = Figures(study_of(runs, report={"steps": ("a", "b", "c")}))
    assert release_level_sentences(figures, "r4", {}) == (
        f"Throughput of 2 steps dropped at this release, by 19.6{SPACE}% to 49.5{SPACE}%: "
        "levels of 4 and 4 releases, p < 0.0001.",
    )
    assert release_level_sentences(figures, "r5", {}) == ()

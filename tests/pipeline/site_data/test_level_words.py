"""What a step's page and its chart say of changes of level."""

from pathlib import Path

from study_samples import repeats, study_of

from pipeline.site_data.chart_jobs import comparison_jobs
from pipeline.site_data.figures import Figures
from pipeline.site_data.level_words import level_sentences

SPACE = "\N{NO-BREAK SPACE}"


def figures_of(directory: Path, *rates: float) -> Figures:
    runs = [
        run
        for at, rate in enumerate(rates)
        for run in repeats(directory, f"r{at:02}", [rate + at % 3])
    ]
    return Figures(study_of(runs))


def test_a_fall_is_told_in_a_sentence_and_marked_in_the_chart(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 6, *[900.0] * 5)
    assert level_sentences(figures, "socket2", "select") == (
        "Along the series the level falls with r06: from 1,001 to 901 transactions per second "
        f"(\N{MINUS SIGN}10.0{SPACE}%; means of 6 releases before and 5 from there on, "
        "p < 0.0001).",
    )
    jobs = dict(comparison_jobs(figures))
    for job in jobs.values():
        marks = [row["mark"] for row in job.request["releases"]]
        assert marks == ["", *[""] * 5, f"level \N{MINUS SIGN}10.0{SPACE}% from here on", *[""] * 4]
        assert "r06: level" in job.request["description"]


def test_a_level_that_stays_is_told_and_marks_nothing(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 10)
    assert level_sentences(figures, "socket2", "select") == (
        "Its level is the same in all 10 releases of the series.",
    )
    job = next(iter(dict(comparison_jobs(figures)).values()))
    assert {row["mark"] for row in job.request["releases"]} == {""}


def test_of_fewer_than_ten_releases_nothing_is_said(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *[1000.0] * 5, *[500.0] * 4)
    assert level_sentences(figures, "socket2", "select") == ()

"""Verdicts in words: what pages about many steps say first."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from bundle_samples import pgbench_log
from step_run_samples import step_run
from study_samples import repeats, study_of

from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Phrase, Sentence
from pipeline.site_data.verdict_sentences import (
    MOST_NAMED,
    brief_counts,
    newest_sentences,
    plain,
    release_sentences,
)
from pipeline.study.study import StepRun

FIVE = [98.0, 99.0, 100.0, 101.0, 102.0]
WILD = [20.0, 70.0, 100.0, 250.0, 400.0]


def of_step(
    directory: Path, release: str, step: str, rates: list[float], **changes: Any
) -> list[StepRun]:
    return repeats(
        directory / step,
        release,
        rates,
        step={"name": step},
        changes={"release": release, **changes},
    )


def times(factor: float) -> list[float]:
    return [factor * rate for rate in FIVE]


def figures_of(steps: list[str], *many: list[StepRun], **report: Any) -> Figures:
    return Figures(
        study_of([each for own in many for each in own], report={"steps": tuple(steps), **report})
    )


def compared(directory: Path, **after: list[float]) -> Figures:
    """Return figures of steps that all were steady in 17, and in 18 as told."""
    return figures_of(
        list(after),
        *(of_step(directory, "17", step, FIVE) for step in after),
        *(of_step(directory, "18", step, rates) for step, rates in after.items()),
    )


def said(figures: Figures, release: str = "18") -> list[str]:
    return [plain([sentence]) for sentence in release_sentences(figures, release)]


def test_what_is_slower_comes_first_with_its_ratio_and_the_largest_change_leads(
    tmp_path: Path,
) -> None:
    figures = compared(
        tmp_path, scan=times(0.9), insert=times(2.0), select=times(0.5), update=times(1.001)
    )
    assert said(figures) == [
        "Against 17, 2 of 4 steps are slower (select ×0.500, scan ×0.900), "
        "1 faster (insert ×2.000), 1 with no change seen (update)."
    ]


def test_that_none_is_slower_is_said_too(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(1.6), select=WILD)
    assert said(figures) == [
        "Against 17, 1 of 2 steps is faster (insert ×1.600), none slower, "
        "1 too noisy to tell (select)."
    ]


def test_where_nothing_changed_nothing_leads(tmp_path: Path) -> None:
    assert said(compared(tmp_path, insert=FIVE, select=WILD)) == [
        "Against 17, none of 2 steps is seen to be slower or faster, "
        "1 with no change seen (insert), 1 too noisy to tell (select)."
    ]


def test_steps_in_one_state_are_told_together(tmp_path: Path) -> None:
    """That none of them changed is not known where it cannot be told."""
    both = compared(tmp_path / "both", insert=FIVE, select=FIVE)
    assert said(both) == ["Against 17, no change was seen in either step (insert, select)."]
    three = compared(tmp_path / "three", a=times(2.0), b=times(3.0), c=times(1.5))
    assert said(three) == ["Against 17, all 3 steps are faster (b ×3.000, a ×2.000, c ×1.500)."]


def test_many_steps_that_cannot_be_told_are_not_named(tmp_path: Path) -> None:
    names = [f"s{at}" for at in range(MOST_NAMED + 1)]
    one_run_each = figures_of(
        names,
        *(of_step(tmp_path, "17", name, [100.0]) for name in names),
        *(of_step(tmp_path, "18", name, [100.1]) for name in names),
    )
    assert said(one_run_each) == [
        "Against 17, whether any of 6 steps changed cannot be told.",
    ]


def test_of_a_single_step_nothing_is_counted(tmp_path: Path) -> None:
    sentences = {
        "a": (FIVE, "Against 17, no change was seen in a."),
        "b": (times(1.6), "Against 17, b is faster, ×1.600."),
        "c": (WILD, "Against 17, c is too noisy to tell."),
    }
    for step, (rates, sentence) in sentences.items():
        assert said(compared(tmp_path / step, **{step: rates})) == [sentence]


def test_one_run_is_said_to_be_one(tmp_path: Path) -> None:
    assert said(compared(tmp_path, insert=[50.0])) == [
        "Against 17, insert is slower in one run, ×0.500."
    ]


def test_of_many_steps_a_few_are_named(tmp_path: Path) -> None:
    names = [f"s{at}" for at in range(MOST_NAMED + 2)]
    (text,) = said(compared(tmp_path, **{name: times(0.5) for name in names}))
    assert "s4 ×0.500 and 2 more)" in text
    assert "s5" not in text


def test_each_step_and_release_is_a_link(tmp_path: Path) -> None:
    (sentence,) = release_sentences(compared(tmp_path, insert=times(1.6)), "18")
    assert [each for each in sentence if each.url] == [
        Phrase(text="17", url="/reports/servers/17/"),
        Phrase(text="insert", url="/reports/servers/18/insert/"),
    ]


def test_base_and_previous_have_a_sentence_each_and_the_base_has_none(tmp_path: Path) -> None:
    figures = figures_of(
        ["insert"],
        of_step(tmp_path, "16", "insert", FIVE),
        of_step(tmp_path, "17", "insert", times(2.0)),
        of_step(tmp_path, "18", "insert", times(1.0)),
    )
    assert [each.split(",")[0] for each in said(figures)] == ["Against 16", "Against 17"]
    assert len(said(figures, "17")) == 1
    assert said(figures, "16") == []


def test_variants_are_named_where_there_are_several(tmp_path: Path) -> None:
    figures = figures_of(
        ["insert"],
        *(
            of_step(tmp_path / host, release, "insert", FIVE, host=host)
            for host in ("socket2", "lab1")
            for release in ("17", "18")
        ),
        variants={"socket2": "the big one", "lab1": "the small one"},
    )
    assert [each.split(",")[0] for each in said(figures)] == [
        "On the big one",
        "On the small one",
    ]


def test_an_accepted_regression_is_said_to_be_one(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(0.5))
    verdicts = {
        key: replace(verdict, accepted="known") for key, verdict in figures.verdicts.items()
    }
    vars(figures)["verdicts"] = verdicts
    assert said(figures) == ["Against 17, insert is slower, ×0.500, accepted."]


def test_a_failed_step_is_counted(tmp_path: Path) -> None:
    failed = step_run(
        tmp_path / "cut",
        step={"name": "select"},
        changes={"release": "18"},
        files={"select.txt": pgbench_log(1.0)[:40]},
    )
    figures = figures_of(
        ["insert", "select"],
        of_step(tmp_path, "17", "insert", FIVE),
        of_step(tmp_path, "17", "select", FIVE),
        of_step(tmp_path, "18", "insert", times(0.5)),
        [failed],
    )
    assert said(figures) == [
        "Against 17, 1 of 2 steps is slower (insert ×0.500), none faster, 1 failed (select)."
    ]


def test_where_things_stand_is_told_of_the_newest_release(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(1.6))
    opening, *rest = newest_sentences(figures, "socket2")
    assert _links(opening) == ["/reports/servers/18/"]
    assert plain([opening, *rest]).startswith("The newest release here is 18. Against 17, ")


def test_counts_alone_are_brief(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(1.6), select=FIVE, update=times(0.5))
    counts = brief_counts(figures, "18", "socket2", "17")
    assert counts == "1 slower, 1 faster, 1 with no change seen"


def _links(sentence: Sentence) -> list[str]:
    return [each.url for each in sentence if each.url]

"""Verdicts in words: what pages about many steps say first."""

from math import exp
from pathlib import Path
from random import Random
from typing import Any

from bundle_samples import pgbench_log
from msgspec.structs import replace
from perfpress.analysis.metrics.throughput import CellComparison
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.input.report.front_matter import Release
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.all_steps import response_time_words
from perfpress.site.words.verdict_phrases import MOST_NAMED
from perfpress.site.words.verdict_sentences import (
    brief_counts,
    headline,
    newest_sentences,
    plain,
    release_sentences,
)
from step_run_samples import step_run
from study_samples import repeats, study_of

FIVE = [98.0, 99.0, 100.0, 101.0, 102.0]
WILD = [88.0, 94.0, 100.0, 107.0, 115.0]


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
    """Return figures of steps that all were steady in 17, and in 18 with the rates given."""
    return figures_of(
        list(after),
        *(of_step(directory, "17", step, FIVE) for step in after),
        *(of_step(directory, "18", step, rates) for step, rates in after.items()),
    )


def sentences(figures: Figures, release: str = "18") -> list[str]:
    return [plain([sentence]) for sentence in release_sentences(figures, release)]


def test_what_is_slower_comes_first_with_its_ratio_and_the_largest_change_leads(
    tmp_path: Path,
) -> None:
    figures = compared(
        tmp_path, scan=times(0.9), insert=times(2.0), select=times(0.5), update=times(1.001)
    )
    assert sentences(figures) == [
        "Against 17, 2 of 4 steps are slower (select ×0.500, scan ×0.900), "
        "1 faster (insert ×2.000), no change was seen in 1. "
        "Geometric mean of 4 steps: ×0.974, by itself not beyond noise (95 % interval ×0.941 to "
        "×1.009, assuming that builds differ by 1 % by chance)."
    ]


def test_that_none_is_slower_is_in_the_sentence(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(1.6), select=WILD)
    assert sentences(figures) == [
        "Against 17, 1 of 2 steps is faster (insert ×1.600), none slower, "
        "1 is too noisy for a verdict (select)."
    ]


def test_where_nothing_changed_nothing_leads(tmp_path: Path) -> None:
    assert sentences(compared(tmp_path, insert=FIVE, select=WILD)) == [
        "Against 17, no change was seen in 1 of 2 steps (insert), "
        "1 is too noisy for a verdict (select)."
    ]


def test_steps_in_one_state_are_reported_together(tmp_path: Path) -> None:
    """Steps without a verdict are not called unchanged."""
    both = compared(tmp_path / "both", insert=FIVE, select=FIVE)
    assert sentences(both) == ["Against 17, no change was seen in either step (insert, select)."]
    three = compared(tmp_path / "three", a=times(2.0), b=times(3.0), c=times(1.5))
    assert sentences(three) == [
        "Against 17, all 3 steps are faster (b ×3.000, a ×2.000, c ×1.500). "
        "Geometric mean of 3 steps: ×2.080, faster beyond noise "
        "(p < 0.0001, assuming that builds differ by 1 % by chance)."
    ]


def test_many_steps_without_a_change_are_not_named(tmp_path: Path) -> None:
    names = [f"s{at}" for at in range(MOST_NAMED + 1)]
    one_run_each = figures_of(
        names,
        *(of_step(tmp_path, "17", name, [100.0]) for name in names),
        *(of_step(tmp_path, "18", name, [100.1]) for name in names),
    )
    assert sentences(one_run_each) == [
        "Against 17, no change was seen in any of 6 steps. Geometric mean of 6 steps: ×1.001, "
        "which may be noise (95 % interval ×0.961 to ×1.042, assuming that builds differ by 1 % by "
        "chance).",
    ]


def test_of_a_single_step_nothing_is_counted(tmp_path: Path) -> None:
    by_step = {
        "a": (FIVE, "Against 17, no change was seen in a."),
        "b": (times(1.6), "Against 17, b is faster, ×1.600."),
        "c": (WILD, "Against 17, c is too noisy for a verdict."),
    }
    for step, (rates, sentence) in by_step.items():
        assert sentences(compared(tmp_path / step, **{step: rates})) == [sentence]


def test_one_run_is_called_one_run(tmp_path: Path) -> None:
    assert sentences(compared(tmp_path, insert=[50.0])) == [
        "Against 17, insert is slower in one run, ×0.500."
    ]


def test_of_many_steps_a_few_are_named(tmp_path: Path) -> None:
    names = [f"s{at}" for at in range(MOST_NAMED + 2)]
    (text,) = sentences(compared(tmp_path, **{name: times(0.5) for name in names}))
    assert "s4 ×0.500 and 2 more)" in text
    assert "s5" not in text


def test_of_many_changes_the_largest_of_either_direction_are_named(tmp_path: Path) -> None:
    slower = {f"s{at}": times(0.9 - at / 100) for at in range(MOST_NAMED)}
    figures = compared(tmp_path, **slower, b=times(3.0), c=[50.0], same=FIVE)
    (text,) = sentences(figures)
    assert text.startswith(
        "Against 17, 6 of 8 steps are slower (1 in one run), 1 faster, no change was seen in 1. "
        "The largest changes: b ×3.000, c ×0.500, one run; s4 ×0.860, s3 ×0.870, s2 ×0.880. "
        "Geometric mean of 8 steps: ×0."
    )


def test_of_many_changes_in_one_direction_none_is_in_the_other(tmp_path: Path) -> None:
    faster = {f"s{at}": times(1.5) for at in range(MOST_NAMED + 1)}
    (text,) = sentences(compared(tmp_path, **faster, same=FIVE))
    assert text.startswith(
        "Against 17, 6 of 7 steps are faster, none slower, no change was seen in 1."
    )


def thirty_steps(directory: Path, drop_at: int, releases: int) -> Figures:
    """Return figures of 30 steps, a run each; from a release on all are 3 % slower."""
    random = Random(4)
    names = [f"s{at}" for at in range(30)]
    noise = {release: random.gauss(0, 0.001) for release in range(releases)}
    return figures_of(
        names,
        *(
            of_step(
                directory,
                f"r{release}",
                name,
                [1000 * exp(noise[release] + random.gauss(0, 0.015)) * (0.97 if late else 1)],
            )
            for name in names
            for release in range(releases)
            for late in [release >= drop_at]
        ),
        releases=tuple(Release(id=f"r{at}") for at in range(releases)),
    )


def test_all_steps_together_are_slower_where_none_is_by_itself(tmp_path: Path) -> None:
    newest = thirty_steps(tmp_path / "newest", drop_at=8, releases=9)
    assert sentences(newest, "r8")[0] == (
        "Against r0, no change was seen in 27 of 30 steps, "
        "3 are too noisy for a verdict (s29, s17, s14). "
        "Geometric mean of 30 steps: ×0.969, slower beyond noise (p = 0.016, one run)."
    )
    assert sentences(newest, "r7")[0].endswith(
        "×1.002, which may be noise (95 % interval ×0.983 to ×1.021)."
    )


def test_that_all_steps_lean_one_way_is_no_noise_of_single_steps(tmp_path: Path) -> None:
    """What the steps of a build have in common may be as large, and the sentence says so."""
    steps = {f"s{at}": times(0.984) for at in range(8)}
    (text,) = sentences(compared(tmp_path / "all", **steps))
    assert text == (
        "Against 17, no change was seen in any of 8 steps. Geometric mean of 8 steps: ×0.984, "
        "which may be noise (95 % interval ×0.951 to ×1.018, assuming that builds differ by 1 % by "
        "chance). All 8 ratios are below 1 (sign test, p = 0.0078): the release is slower, or its "
        "build or day was."
    )
    less = steps | {"s0": times(1.003)}
    assert "which may be noise" in sentences(compared(tmp_path / "less", **less))[0]
    assert "sign test" not in sentences(compared(tmp_path / "less", **less))[0]


def test_steps_that_are_slower_by_themselves_are_not_taken_back_by_the_mean(tmp_path: Path) -> None:
    """Means of neighbours that changed in their turn say nothing against the changes of steps."""
    names = [f"s{at}" for at in range(5)]
    common = (1, 1.2, 0.9, 1.3, 1, 1.25, 0.95)
    last = (0.6, 0.7, 0.8, 1.001, 0.99)
    figures = figures_of(
        names,
        *(
            of_step(tmp_path, f"r{at}", name, [1000 * level * (1 + run / 500) for run in range(5)])
            for own, name in zip(last, names, strict=True)
            for at, level in enumerate((*common, common[-1] * own))
        ),
        releases=tuple(Release(id=f"r{at}") for at in range(8)),
    )
    against_previous = sentences(figures, "r7")[1]
    assert "3 of 5 steps are slower" in against_previous
    assert "may be noise" not in against_previous
    assert against_previous.endswith(
        "Geometric mean of 5 steps: ×0.803, no more than neighbouring releases differ."
    )


def test_a_step_that_makes_most_of_the_mean_is_named(tmp_path: Path) -> None:
    steps = {"scan": times(1.005), "insert": times(1.08), "select": times(1.04)}
    (text,) = sentences(compared(tmp_path / "one", update=times(1.3), **steps))
    assert text.endswith(
        "×1.101, faster beyond noise (p < 0.0001, assuming that builds differ by 1 % by chance), "
        "mostly from update: ×1.041 without it."
    )
    (text,) = sentences(compared(tmp_path / "all", update=times(1.09), **steps))
    assert "beyond noise" in text
    assert "mostly from" not in text


def of_ratio(ratio: float) -> Verdict:
    """Return a verdict on response times."""
    changed = CellComparison("17", ratio, ratio, ratio, 1, 1)
    state = State.SLOWER if ratio > 1 else State.FASTER if ratio < 1 else State.NO_CHANGE
    return Verdict(CellKey("18", "v", "s"), "17", state, "", comparison=changed)


def test_response_times_are_counted_with_the_largest_change_of_either_direction() -> None:
    longer, longest, shorter, same = map(of_ratio, (1.5, 2.9, 0.8, 1.0))
    assert response_time_words([shorter, same, same]) == (
        "the 95th percentile of response times is shorter in 1 of 3 steps (×0.80)"
    )
    assert response_time_words([longer, shorter, longest, same]) == (
        "the 95th percentile of response times is longer in 2 of 4 steps (up to ×2.90), "
        "shorter in 1 (×0.80)"
    )
    assert response_time_words([same]) == ""


def test_where_all_verdicts_are_the_same_against_both_releases_they_are_said_once(
    tmp_path: Path,
) -> None:
    rates = {"16": (1.0, 1.0), "17": (1.0, 1.0), "18": (0.5, 1.0)}
    figures = figures_of(
        ["insert", "scan"],
        *(
            of_step(tmp_path, release, step, times(factor))
            for release, factors in rates.items()
            for step, factor in zip(("insert", "scan"), factors, strict=True)
        ),
    )
    against_base, against_previous = sentences(figures)
    assert against_base.startswith("Against 16, 1 of 2 steps is slower (insert ×0.500)")
    assert against_previous == "Against 17, the verdicts on both steps are the same as against 16."
    links = [phrase.url for phrase in release_sentences(figures, "18")[1] if phrase.url]
    assert [link.split("/")[-2] for link in links] == ["17", "16"]


def test_the_mean_of_all_steps_has_a_release_that_it_changed_with(tmp_path: Path) -> None:
    figures = thirty_steps(tmp_path, drop_at=4, releases=9)
    against_base, against_previous = sentences(figures, "r8")
    assert against_base.endswith("since r4.")
    assert "×0.997, which may be noise (95 % interval ×0.981 to ×1.014)." in against_previous


def test_each_step_and_release_is_a_link(tmp_path: Path) -> None:
    (sentence,) = release_sentences(compared(tmp_path, insert=times(1.6)), "18")
    assert [each for each in sentence if each.url] == [
        Phrase(text="17", url="/reports/servers/17/"),
        Phrase(text="insert", url="/reports/servers/18/insert/"),
    ]


def test_a_step_that_a_release_lacks_is_no_link(tmp_path: Path) -> None:
    figures = figures_of(
        ["insert", "scan", "select"],
        *(of_step(tmp_path, "17", step, FIVE) for step in ("insert", "scan", "select")),
        *(of_step(tmp_path, "18", step, times(0.8)) for step in ("insert", "scan")),
    )
    (sentence,) = release_sentences(figures, "18")
    assert [each.url for each in sentence if each.text == "select"] == [""]
    assert any("/18/scan/" in url for url in _links(sentence))


def test_base_and_previous_have_a_sentence_each_and_the_base_has_none(tmp_path: Path) -> None:
    figures = figures_of(
        ["insert"],
        of_step(tmp_path, "16", "insert", FIVE),
        of_step(tmp_path, "17", "insert", times(2.0)),
        of_step(tmp_path, "18", "insert", times(1.0)),
    )
    assert [each.split(",")[0] for each in sentences(figures)] == ["Against 16", "Against 17"]
    assert len(sentences(figures, "17")) == 1
    assert sentences(figures, "16") == []


def test_other_variants_are_named_by_what_they_have_of_their_own(tmp_path: Path) -> None:
    figures = figures_of(
        ["insert"],
        *(
            of_step(tmp_path / host, release, "insert", FIVE, host=host)
            for host in ("socket2", "lab1")
            for release in ("17", "18")
        ),
        variants={"socket2": "the big one, 40 clients", "lab1": "the big one, 8 clients"},
    )
    assert [each.split(",")[0] for each in sentences(figures)] == [
        "Against 17",
        "8 clients: against 17",
    ]


def test_an_accepted_regression_is_called_accepted(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(0.5))
    verdicts = {
        key: replace(verdict, accepted="known") for key, verdict in figures.verdicts.items()
    }
    vars(figures)["verdicts"] = verdicts
    assert sentences(figures) == ["Against 17, insert is slower, ×0.500, accepted."]


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
    assert sentences(figures) == [
        "Against 17, 1 of 2 steps is slower (insert ×0.500), none faster, 1 failed (select)."
    ]


def test_verdicts_of_one_run_count_first(tmp_path: Path) -> None:
    unchanged = {"a": FIVE, "b": FIVE, "c": FIVE}
    one = compared(tmp_path / "one", insert=times(1.6)[:1], **unchanged)
    assert sentences(one)[0].startswith(
        "Against 17, 1 of 4 steps is faster (one run: insert ×1.568), none slower, "
        "no change was seen in 3. "
    )
    two = compared(tmp_path / "two", insert=times(1.6)[:1], scan=times(1.7)[:1], **unchanged)
    assert sentences(two)[0].startswith(
        "Against 17, 2 of 5 steps are faster (one run each: scan ×1.666, insert ×1.568), "
        "none slower, "
    )
    mixed = compared(tmp_path / "mixed", insert=times(1.6)[:1], scan=times(1.5), **unchanged)
    assert sentences(mixed)[0].startswith(
        "Against 17, 2 of 5 steps are faster (insert ×1.568, one run; scan ×1.500), none slower, "
    )


def test_of_changes_in_both_directions_none_is_called_none(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(0.5), select=times(1.6)[:1])
    assert sentences(figures) == [
        "Against 17, 1 of 2 steps is slower (insert ×0.500), 1 faster (one run: select ×1.568)."
    ]


def test_many_verdicts_of_one_run_count_too(tmp_path: Path) -> None:
    slower = {f"s{at}": [50.0 - at] for at in range(MOST_NAMED + 1)}
    (text,) = sentences(compared(tmp_path, **slower, same=FIVE))
    assert text.startswith(
        "Against 17, 6 of 7 steps are slower (one run each), none faster, no change was seen in 1. "
        "The largest changes: s5 ×0.450, s4 ×0.460, s3 ×0.470, s2 ×0.480, s1 ×0.490. "
    )


def test_the_opening_is_about_the_newest_release(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(1.6))
    opening, *rest = newest_sentences(figures, "socket2")
    assert _links(opening) == ["/reports/servers/18/"]
    assert plain([opening, *rest]).startswith("The newest release here is 18. Against 17, ")


def test_a_headline_is_the_newest_release_against_the_base_and_names_few_steps(
    tmp_path: Path,
) -> None:
    few = compared(tmp_path / "few", insert=times(1.6), select=FIVE, update=times(0.5))
    sentence = headline(few, "socket2")
    assert _links(sentence)[:2] == ["/reports/servers/18/", "/reports/servers/17/"]
    assert plain([sentence]).startswith("18, the newest release, against 17: 1 of 3 steps is slow")
    many = {f"s{at}": times(0.5) for at in range(MOST_NAMED)} | {"up": times(1.6), "same": FIVE}
    assert plain([headline(compared(tmp_path / "many", **many), "socket2")]) == (
        "18, the newest release, against 17: 5 of 7 steps are slower, 1 faster, no change was "
        "seen in 1. Geometric mean of 7 steps: ×0.652, slower beyond noise "
        "(p < 0.0001, assuming that builds differ by 1 % by chance)."
    )


def test_the_headline_of_a_base_alone_says_which_release_there_is(tmp_path: Path) -> None:
    alone = figures_of(["insert"], of_step(tmp_path, "17", "insert", FIVE))
    assert plain([headline(alone, "socket2")]) == "The newest release here is 17."


def test_counts_alone_are_brief(tmp_path: Path) -> None:
    figures = compared(tmp_path, insert=times(1.6), select=FIVE, update=times(0.5))
    counts = brief_counts(figures, "18", "socket2", "17")
    assert counts == "1 slower, 1 faster, 1 with no change seen"


def _links(sentence: Sentence) -> list[str]:
    return [each.url for each in sentence if each.url]


def test_a_headline_says_of_which_variant_a_release_is_the_newest(tmp_path: Path) -> None:
    variants = {"socket2": "the big one, 40 clients", "lab1": "the big one, 8 clients"}
    figures = figures_of(
        ["select"],
        of_step(tmp_path, "17", "select", FIVE),
        of_step(tmp_path, "18", "select", times(0.5)),
        of_step(tmp_path, "18", "select", FIVE, host="lab1"),
        of_step(tmp_path, "19", "select", times(0.5), host="lab1"),
        variants=variants,
        releases=tuple(Release(id=each) for each in ("17", "18", "19")),
    )
    assert plain([headline(figures, "socket2")]).startswith(
        "18, the newest release with 40 clients, against 17: select is slower"
    )
    assert plain([headline(figures, "lab1")]).startswith(
        "19, the newest release, against 18: select is slower"
    )

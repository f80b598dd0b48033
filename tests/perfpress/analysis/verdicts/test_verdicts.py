"""Which evidence makes which verdict."""

from dataclasses import replace
from random import Random

import msgspec
import pytest
from definition_samples import report_of
from perfpress.analysis.metrics.intervals import interval_of_ratio
from perfpress.analysis.metrics.throughput import summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import LevelChange, SeriesLevels
from perfpress.analysis.verdicts.noise_windows import noise_models
from perfpress.analysis.verdicts.significance import mann_whitney
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import (
    WEIGHTS,
    Absent,
    JudgedMetric,
    Verdict,
    resolved,
    verdicts_against,
)
from perfpress.input.report.front_matter import Release
from perfpress.input.report.report import Report

STEADY = [1000.0, 1004.0, 998.0, 1002.0, 996.0, 1001.0]


def report(*steps: str, **more: object) -> Report:
    """Return a report of three releases and two variants."""
    return report_of(
        "123", **({"variants": {"a": "A", "b": "B"}, "steps": steps or ("insert",)} | more)
    )


def metric(values: dict[tuple[str, str, str], list[float]], **absent: str) -> JudgedMetric:
    """Return throughputs by release, variant and step; `absent` by release of variant a, insert."""
    return JudgedMetric(
        {
            CellKey(*key): summarise({f"run{number}": value for number, value in enumerate(runs)})
            for key, runs in values.items()
        },
        {
            CellKey(release.removeprefix("r"), "a", "insert"): Absent(State.FAILED, reason)
            for release, reason in absent.items()
        },
        {},
    )


def all_judged(found: JudgedMetric, made: Report, release: str = "2") -> dict[CellKey, Verdict]:
    """Return the verdicts on all steps against release 1, the noise learned from the metric."""
    noise = noise_models(found.summaries, made, {})
    ran = {cell.variant for cell in (*found.summaries, *found.absent) if cell.release == release}
    return verdicts_against(replace(found, noise=noise), made, release, "1", sorted(ran))


def judged(found: JudgedMetric, made: Report | None = None, release: str = "2") -> Verdict:
    """Return the verdict on insert of variant a against release 1."""
    return all_judged(found, made or report(), release)[CellKey(release, "a", "insert")]


def of_two(base: list[float], after: list[float]) -> JudgedMetric:
    """Return the throughputs of releases 1 and 2."""
    return metric({("1", "a", "insert"): base, ("2", "a", "insert"): after})


def test_many_runs_are_judged_by_the_test() -> None:
    verdict = judged(of_two(STEADY, [value * 0.95 for value in STEADY]))
    assert verdict.state == "slower"
    assert verdict.why.startswith("6 and 6 runs; Mann-Whitney, p = 0.014")
    assert verdict.evidence == "a test"
    assert judged(of_two(STEADY, [value * 1.05 for value in STEADY])).state == "faster"


def test_what_is_lower_is_better_for_some_metrics() -> None:
    found = of_two(STEADY, [value * 0.95 for value in STEADY])
    assert judged(replace(found, better="lower")).state == "faster"


def test_no_change_says_which_change_it_excludes() -> None:
    verdict = judged(of_two(STEADY, [*STEADY[1:], 1003.0]))
    assert verdict.state == "no change seen"
    assert verdict.within is not None
    assert 0.001 < verdict.within < 0.01
    assert verdict.words.startswith("no change seen (within ±0.")


def test_runs_that_differ_too_much_to_say_unchanged_are_noisy() -> None:
    wild = [1000.0, 900.0, 1100.0, 950.0, 1050.0]
    noisy = judged(of_two(wild, [1010.0, 890.0, 1110.0, 960.0, 1060.0]))
    assert (noisy.state, noisy.words) == ("noisy", "noisy (within ±17 %)")
    wilder = [1000.0, 600.0, 1400.0, 900.0, 1200.0]
    useless = judged(of_two(wilder, [1100.0, 640.0, 1300.0, 950.0, 1250.0]))
    assert (useless.state, useless.within) == ("cannot tell", None)


def test_where_nothing_tells_the_noise_a_prior_does_and_the_verdict_says_so() -> None:
    halved = judged(of_two([1000.0], [500.0]))
    assert (halved.state, halved.evidence) == ("slower, one run", "the prior")
    assert halved.why == "one run on each side; noise floor ±8.2 % from the prior, p < 0.0001"
    near = judged(of_two([1000.0], [960.0]))
    assert (near.state, near.evidence) == ("noisy", "the prior")
    assert near.within == pytest.approx(0.112, abs=0.001)


def test_one_run_beyond_the_noise_floor_says_so() -> None:
    values = {
        ("1", "a", "insert"): [1000.0],
        ("2", "a", "insert"): [700.0],
        ("3", "a", "insert"): [1000.0, 1010.0, 990.0, 1005.0],
    }
    verdict = judged(metric(values))
    assert verdict.state == "slower, one run"
    assert "noise floor" in verdict.why
    assert "from repeats and the prior" in verdict.why
    assert verdict.evidence == "the noise floor"
    assert verdict.state.is_slower
    assert not verdict.state.is_confirmed


def test_two_runs_on_each_side_beyond_the_floor_are_no_longer_one_run() -> None:
    assert judged(of_two([1000.0, 1004.0], [700.0, 702.0])).state == "slower"


def test_declared_twins_tell_the_noise() -> None:
    """By the prior 7 % between single runs would be noise; by four twins 0.1 % apart it is not."""
    steps = [f"step{number}" for number in range(4)]
    values = {
        (release, variant, step): [1000.0 + (variant == "b")]
        for release in ("1", "2")
        for variant in ("a", "b")
        for step in steps
    }
    values["2", "a", "step3"], values["2", "b", "step3"] = [930.0], [931.0]
    cell = CellKey("2", "a", "step3")
    assert all_judged(metric(values), report(*steps))[cell].state == "noisy"
    twins = all_judged(metric(values), report(*steps, twin_variants=(("a", "b"),)))
    assert twins[cell].state == "slower, one run"
    assert "from twin variants" in twins[cell].why
    same = twins[CellKey("2", "a", "step0")]
    assert (same.state, same.words) == ("no change seen", "no change seen (within ±0.24 %)")


def test_five_runs_of_a_build_say_nothing_of_another_build_of_the_same_code() -> None:
    """Release 3 is release 1 built again, and 3 % off: so the 3 % of release 2 are noise."""
    values = {
        ("1", "a", "insert"): STEADY,
        ("2", "a", "insert"): [value * 0.97 for value in STEADY],
        ("3", "a", "insert"): [value * 1.03 for value in STEADY],
    }
    assert judged(metric(values)).state == "slower"
    again = judged(metric(values), report(same_code=(("1", "3"),)))
    assert again.state == "no change seen"
    assert again.evidence == "a test"
    assert "Student's t, noise floor ±" in again.why


def test_a_level_change_between_two_releases_is_evidence() -> None:
    """Neighbours that differ by 20 % make one run say little; five releases on each side do not."""
    jumpy = [1000.0, 1200.0, 1000.0, 1200.0, 1000.0, 500.0, 600.0, 500.0, 600.0, 500.0]
    releases = tuple(Release(id=str(number)) for number in range(1, 11))
    values = {
        (release.id, "a", "insert"): [value] for release, value in zip(releases, jumpy, strict=True)
    }
    made = report(releases=releases)
    found = metric(values)
    names = tuple(each.id for each in releases)
    change = LevelChange("6", "5", 1080.0, 540.0, 5, 5, 1e-6)
    levels = SeriesLevels(
        "throughput", "higher", names, (change,), (), (names[:5], names[5:]), scatter=0.1
    )
    found = replace(found, levels={("a", "insert"): levels})
    fell = judged(found, made, "7")
    assert (fell.state, fell.evidence, fell.since) == ("slower", "the series", change)
    assert judged(found, made, "5").since is None
    fluke = replace(found, levels={("a", "insert"): replace(levels, levels=(names[:5], names[7:]))})
    assert judged(fluke, made, "7").since is None, "7 is on neither level"
    other_way = msgspec.structs.replace(change, before=540.0, after=1080.0)
    against = replace(found, levels={("a", "insert"): replace(levels, changes=(other_way,))})
    assert judged(against, made, "7").since is None


def test_more_comparisons_need_more_evidence() -> None:
    """Of forty steps that did not change, one that seems to is taken for chance."""
    random = Random(1)
    steps = [f"step{number}" for number in range(40)]
    values = {
        (release, "a", step): [random.gauss(1000, 10) for _ in range(5)]
        for release in ("1", "2")
        for step in steps
    }
    verdicts = all_judged(metric(values), report(*steps)).values()
    assert {verdict.state for verdict in verdicts} == {"no change seen"}
    assert all("adjusted for 40 comparisons" in verdict.why for verdict in verdicts)


def test_where_the_test_cannot_reach_its_level_the_floor_decides() -> None:
    """2 in 252 orders of five and five values, times two kinds and forty steps, is above 5 %."""
    steps = [f"step{number}" for number in range(40)]
    values = {
        (release, "a", step): [1000.0, 1001.0, 999.0, 1002.0, 998.0]
        for release in ("1", "2")
        for step in steps
    }
    values["2", "a", "step3"] = [800.0, 801.0, 799.0, 802.0, 798.0]
    verdict = all_judged(metric(values), report(*steps))[CellKey("2", "a", "step3")]
    assert (verdict.state, verdict.evidence) == ("slower", "the noise floor")
    assert verdict.why.endswith("from repeats, p < 0.0001, adjusted for 40 comparisons")


def test_missing_failed_and_incomparable_are_told_apart() -> None:
    base = {("1", "a", "insert"): [1000.0]}
    elsewhere = {("1", "a", "update"): [1000.0], ("2", "a", "update"): [1000.0]}
    assert judged(metric(base | elsewhere), report("insert", "update")).state == "missing"
    assert all_judged(metric(base), report()) == {}, "nothing of it was run"
    failed = judged(metric(base, r2="no operation was finished"))
    assert (failed.state, failed.why) == ("failed", "no operation was finished")
    without_base = judged(metric({("2", "a", "insert"): [1000.0]}))
    assert (without_base.state, without_base.why) == ("cannot tell", "1: no run")
    assert judged(of_two([1000.0], [0.0])).state == "cannot tell"


def test_a_jump_of_one_run_is_resolved_by_the_next_release() -> None:
    values = {
        ("1", "a", "insert"): [1000.0, 1004.0, 996.0],
        ("2", "a", "insert"): [600.0],
        ("3", "a", "insert"): [1001.0],
    }
    found = metric(values)
    jump, later = judged(found), judged(found, release="3")
    assert resolved(jump, later).resolved == "3"
    assert resolved(later, jump).resolved == ""
    values["2", "a", "insert"] = [600.0, 602.0]
    values["1", "a", "insert"] = [1000.0]
    found = metric(values)
    repeated, later = judged(found), judged(found, release="3")
    assert (repeated.state, later.state) == ("slower, one run", "no change seen")
    assert resolved(repeated, later).resolved == ""


def test_without_two_values_the_verdict_names_both_releases_and_why() -> None:
    after, base = ("2", "a", "insert"), ("1", "a", "insert")
    cases = [
        (metric({after: [1.0]}), State.CANNOT_TELL, "1: no run"),
        (metric({after: [1.0]}, r1="out of memory"), State.CANNOT_TELL, "1: out of memory"),
        (metric({base: [1.0]}, r2="crashed"), State.FAILED, "crashed"),
        (
            metric({after: [0.0], base: [0.0]}),
            State.CANNOT_TELL,
            "a value that is not above 0 has no ratio",
        ),
        (
            metric({base: [1.0], ("2", "a", "other"): [1.0]}),
            State.MISSING,
            "no run of this release",
        ),
    ]
    for found, state, why in cases:
        verdict = judged(found, report("insert", "other"))
        assert (verdict.state, verdict.why) == (state, why)
        assert (verdict.cell, verdict.base) == (CellKey("2", "a", "insert"), "1")


def test_a_verdict_of_the_test_carries_its_numbers() -> None:
    changed = judged(of_two(STEADY, [value * 0.95 for value in STEADY]))
    assert (changed.cell, changed.base) == (CellKey("2", "a", "insert"), "1")
    assert changed.comparison is not None
    ranks = mann_whitney(STEADY, [value * 0.95 for value in STEADY])
    assert changed.p == pytest.approx(ranks / WEIGHTS["test"])
    assert changed.within is None
    assert "adjusted" not in changed.why
    same = judged(of_two(STEADY, [*STEADY[1:], 1003.0]))
    assert same.comparison is not None
    interval = same.interval
    assert interval is not None
    assert same.within == max(interval.high - 1, 1 - interval.low)


def test_a_verdict_of_the_test_counts_the_comparisons_that_it_was_adjusted_for() -> None:
    slower = [value * 0.9 for value in STEADY]
    steps = ("insert", "update")
    found = metric(
        {("1", "a", step): STEADY for step in steps} | {("2", "a", step): slower for step in steps}
    )
    assert judged(found, report(*steps)).why == (
        "6 and 6 runs; Mann-Whitney, p = 0.014, adjusted for 2 comparisons"
    )


def test_only_a_jump_of_one_run_is_resolved() -> None:
    sure = judged(of_two(STEADY, [value * 0.95 for value in STEADY]))
    unchanged = judged(of_two(STEADY, [*STEADY[1:], 1003.0]))
    assert resolved(sure, unchanged) == sure
    assert resolved(unchanged, unchanged) == unchanged


def test_an_interval_is_widened_to_hold_the_ratio_of_the_medians() -> None:
    """Two levels each, of different weights: no single factor leads from one side to the other."""
    after = [1.0 + at / 1e6 for at in range(10)] + [1.3 + at / 100 for at in range(9)]
    before = [0.7 + at / 1e9 for at in range(9)] + [1.0 + at / 1e6 for at in range(10)]
    own = interval_of_ratio(after, before)
    assert own is not None
    verdict = judged(of_two(before, after))
    assert verdict.interval is not None
    assert verdict.comparison is not None
    assert verdict.comparison.ratio == pytest.approx(1.0, abs=1e-4)
    assert verdict.interval.low <= verdict.comparison.ratio < own.low

"""Which evidence makes which verdict."""

from dataclasses import replace
from random import Random

from pipeline.analysis.throughput import summarise
from pipeline.analysis.verdicts import Absent, Metric, Verdict, resolved, verdicts_against
from pipeline.report.front_matter import Release
from pipeline.report.report import Report
from pipeline.study.profiles import CellKey

STEADY = [1000.0, 1004.0, 998.0, 1002.0, 996.0, 1001.0]


def report(*steps: str, **more: object) -> Report:
    """Return a report of three releases and two variants."""
    made = Report(
        id="r",
        title="R",
        base="1",
        default_variant="a",
        releases=tuple(Release(id=each) for each in ("1", "2", "3")),
        variants={"a": "A", "b": "B"},
        steps=steps or ("insert",),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def metric(values: dict[tuple[str, str, str], list[float]], **absent: str) -> Metric:
    """Return throughputs by release, variant and step; `absent` by release of variant a, insert."""
    return Metric(
        {
            CellKey(*key): summarise({f"run{number}": value for number, value in enumerate(runs)})
            for key, runs in values.items()
        },
        {
            CellKey(release.removeprefix("r"), "a", "insert"): Absent("failed", reason)
            for release, reason in absent.items()
        },
    )


def judged(found: Metric, made: Report | None = None, release: str = "2") -> Verdict:
    """Return the verdict on insert of variant a against release 1."""
    verdicts = verdicts_against(found, made or report(), release, "1")
    return verdicts[CellKey(release, "a", "insert")]


def of_two(base: list[float], after: list[float]) -> Metric:
    """Return the throughputs of releases 1 and 2."""
    return metric({("1", "a", "insert"): base, ("2", "a", "insert"): after})


def test_many_runs_are_judged_by_the_test() -> None:
    verdict = judged(of_two(STEADY, [value * 0.95 for value in STEADY]))
    assert verdict.state == "slower"
    assert verdict.why.startswith("Mann-Whitney, 6 and 6 runs: p = 0.00")
    assert judged(of_two(STEADY, [value * 1.05 for value in STEADY])).state == "faster"


def test_what_is_lower_is_better_for_some_metrics() -> None:
    found = of_two(STEADY, [value * 0.95 for value in STEADY])
    assert judged(replace(found, better="lower")).state == "faster"


def test_no_change_says_what_it_could_have_missed() -> None:
    verdict = judged(of_two(STEADY, [*STEADY[1:], 1003.0]))
    assert verdict.state == "no change seen"
    assert verdict.could_miss is not None
    assert 0.001 < verdict.could_miss < 0.01
    assert verdict.words.startswith("no change seen (could miss ±0.")


def test_runs_that_differ_too_much_to_say_unchanged_are_noisy() -> None:
    wild = [1000.0, 600.0, 1400.0, 900.0, 1200.0]
    assert judged(of_two(wild, [1100.0, 640.0, 1300.0, 950.0, 1250.0])).state == "noisy"


def test_one_run_without_anything_to_compare_its_noise_with_tells_nothing() -> None:
    verdict = judged(of_two([1000.0], [500.0]))
    assert verdict.state == "cannot tell"
    assert (
        verdict.why
        == "one run on each side, and nothing tells how far equal runs differ on this step"
    )


def test_one_run_beyond_the_noise_floor_says_so() -> None:
    values = {
        ("1", "a", "insert"): [1000.0],
        ("2", "a", "insert"): [700.0],
        ("3", "a", "insert"): [1000.0, 1010.0, 990.0, 1005.0],
    }
    verdict = judged(metric(values))
    assert verdict.state == "slower, one run"
    assert "noise floor" in verdict.why
    assert "3 differences between repeats" in verdict.why
    assert verdict.is_slower
    assert not verdict.is_confirmed


def test_two_runs_on_each_side_beyond_the_floor_are_no_longer_one_run() -> None:
    assert judged(of_two([1000.0, 1004.0], [700.0, 702.0])).state == "slower"


def test_declared_twins_tell_the_noise() -> None:
    values = {
        ("1", "a", "insert"): [1000.0],
        ("1", "b", "insert"): [1010.0],
        ("2", "a", "insert"): [995.0],
        ("2", "b", "insert"): [1001.0],
    }
    assert judged(metric(values)).state == "cannot tell"
    twins = report(twin_variants=(("a", "b"),))
    assert judged(metric(values), twins).state == "no change seen"


def test_more_comparisons_need_more_evidence() -> None:
    """Of forty steps that did not change, one that seems to is taken for chance."""
    random = Random(1)
    steps = [f"step{number}" for number in range(40)]
    values = {
        (release, "a", step): [random.gauss(1000, 10) for _ in range(5)]
        for release in ("1", "2")
        for step in steps
    }
    verdicts = verdicts_against(metric(values), report(*steps), "2", "1").values()
    assert {verdict.state for verdict in verdicts} == {"no change seen"}
    assert all("for 40 comparisons" in verdict.why for verdict in verdicts)


def test_runs_so_few_that_the_test_cannot_reach_its_level_are_judged_by_the_floor() -> None:
    """2 in 252 orders of five and five values, times forty comparisons, is above 5 %."""
    steps = [f"step{number}" for number in range(40)]
    values = {
        (release, "a", step): [1000.0, 1001.0, 999.0, 1002.0, 998.0]
        for release in ("1", "2")
        for step in steps
    }
    values["2", "a", "step3"] = [800.0, 801.0, 799.0, 802.0, 798.0]
    verdict = verdicts_against(metric(values), report(*steps), "2", "1")[CellKey("2", "a", "step3")]
    assert verdict.state == "slower"
    assert "noise floor" in verdict.why


def test_missing_failed_and_incomparable_are_told_apart() -> None:
    base = {("1", "a", "insert"): [1000.0]}
    elsewhere = {("1", "a", "update"): [1000.0], ("2", "a", "update"): [1000.0]}
    assert judged(metric(base | elsewhere), report("insert", "update")).state == "missing"
    assert verdicts_against(metric(base), report(), "2", "1") == {}, "nothing of it was run"
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

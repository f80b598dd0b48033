"""When two counts are the same, and what the verdict on counts says."""

import pytest
from definition_samples import report_of
from perfpress.analysis.metrics.throughput import summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.exact_counts import is_counted_alike, is_same_count
from perfpress.analysis.verdicts.noise import Noise, NoiseModel, NoiseSource
from perfpress.analysis.verdicts.variances import Variance
from perfpress.analysis.verdicts.verdicts import Evidence, JudgedMetric, Verdict, verdicts_against

LINE = ("a", "insert")
NOISE = {LINE: Noise((NoiseSource.REPEATS,), Variance(0.02**2, 20))}


def runs(*values: float) -> dict[str, float]:
    return {f"run{at}": value for at, value in enumerate(values)}


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        (10, 10.9, True),
        (10, 11, False),
        (0, 0.9, True),
        (0, 1, False),
        (10_000, 10_010, True),
        (10_000, 9_990, True),
        (10_000, 10_011, False),
        (10_000, 9_989, False),
        (1e9, 1.001e9, True),
        (1e9, 1.0011e9, False),
    ],
)
def test_a_count_is_the_same_up_to_one_in_a_thousand_or_less_than_one(
    before: float, after: float, is_same: bool
) -> None:
    assert is_same_count(summarise(runs(after)), summarise(runs(before))) is is_same


def test_the_part_that_may_differ_is_of_the_base() -> None:
    """1,000.5 is more than a thousandth of a million, and less than one of what it leads to."""
    low, high = summarise(runs(1_000_000)), summarise(runs(1_001_000.5))
    assert not is_same_count(high, low)
    assert is_same_count(low, high)


def test_medians_are_compared_and_all_runs_of_both_sides_must_agree() -> None:
    steady, uneven = summarise(runs(5000, 5001, 5004)), summarise(runs(5000, 5000, 6000))
    assert is_same_count(uneven, steady)
    assert is_counted_alike(steady, steady)
    assert not is_counted_alike(uneven, steady)
    assert not is_counted_alike(steady, uneven)


def judged(base: list[float], after: list[float], **more: object) -> Verdict:
    """Return the verdict on instructions of release 2 against release 1."""
    summaries = {
        CellKey(release, *LINE): summarise(runs(*values))
        for release, values in (("1", base), ("2", after))
        if values
    }
    noise = {"2": NoiseModel(NOISE, NOISE, {}, is_day_a_value=False)}
    facts = {"better": "lower", "is_exact": True} | more
    metric = JudgedMetric(summaries, {}, noise, **facts)  # type: ignore[arg-type]
    return verdicts_against(metric, report_of("12"), "2", "1", "a")[CellKey("2", *LINE)]


def test_one_run_of_an_exact_count_is_enough() -> None:
    more = judged([1000], [1002])
    assert (more.state, more.evidence, more.within) == ("slower", Evidence.COUNT, None)
    assert (more.cell, more.base) == (CellKey("2", *LINE), "1")
    assert more.why == "counted, not timed: one run is enough"
    assert more.comparison is not None
    assert more.comparison.ratio == pytest.approx(1.002)
    assert more.comparison.base == "1"
    assert judged([1000], [998]).state == "faster"
    assert judged([1000], [998], better="higher").state == "slower"
    assert judged([1000], [1002], better="higher").state == "faster"


def test_the_same_count_excludes_more_than_a_thousandth() -> None:
    same = judged([1000], [1001])
    assert (same.state, same.evidence) == ("no change seen", Evidence.COUNT)
    assert same.words == "no change seen (within ±0.1 %)"
    nothing = judged([0], [0])
    assert (nothing.state, nothing.within) == ("no change seen", None), "0 has no parts"


def test_counts_from_none_and_to_none_have_a_direction() -> None:
    grown = judged([0], [3])
    assert (grown.state, grown.comparison) == ("slower", None)
    assert judged([3], [0]).state == "faster"


def test_what_is_timed_or_differs_between_runs_is_judged_by_its_noise() -> None:
    assert judged([1000], [1002], is_exact=False).evidence == Evidence.FLOOR
    assert judged([1000, 1050], [1002]).evidence == Evidence.FLOOR
    assert judged([1000], [1002, 1050]).evidence == Evidence.FLOOR
    assert judged([], [1002]).state == "cannot tell"
    assert judged([1000], [1002]).evidence == Evidence.COUNT

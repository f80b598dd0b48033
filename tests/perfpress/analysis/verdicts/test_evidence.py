"""The numbers of a verdict, where the noise is known: p, interval, and which evidence decides."""

from dataclasses import replace
from math import exp, expm1, log, sqrt

import msgspec
import pytest
from definition_samples import report_of
from perfpress.analysis.metrics.intervals import interval_of_ratio
from perfpress.analysis.metrics.throughput import summarise
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.level_changes import LevelChange, SeriesLevels
from perfpress.analysis.verdicts.noise import Noise, NoiseModel, NoiseSource
from perfpress.analysis.verdicts.significance import mann_whitney
from perfpress.analysis.verdicts.variances import Variance
from perfpress.analysis.verdicts.verdicts import (
    WEIGHTS,
    JudgedMetric,
    Verdict,
    p_words,
    verdicts_against,
)
from scipy.stats import t

STEADY = [1000.0, 1004.0, 998.0, 1002.0, 996.0, 1001.0]
QUIET = Noise((NoiseSource.REPEATS,), Variance(0.02**2, 20))
LOUD = Noise((NoiseSource.REPEATS,), Variance(0.3**2, 20))
FALL = LevelChange("2", "1", 1000.0, 500.0, 5, 5, 1e-6)
LINE = ("a", "insert")
UPDATE = ("a", "update")


def noise_of(lines: dict[StepKey, Noise]) -> NoiseModel:
    """Return the noise of lines whose runs have no known days."""
    return NoiseModel(lines, lines, {}, is_day_a_value=False)


def metric(base: list[float], after: list[float], noise: Noise = QUIET) -> JudgedMetric:
    """Return the throughputs of releases 1 and 2."""
    return JudgedMetric(
        {
            CellKey(release, *LINE): summarise({f"run{at}": value for at, value in enumerate(runs)})
            for release, runs in (("1", base), ("2", after))
        },
        {},
        {"2": noise_of({LINE: noise})},
    )


def joined(insert: JudgedMetric, update: JudgedMetric) -> JudgedMetric:
    """Return the first, its step beside that of the second."""
    more = {cell._replace(step="update"): each for cell, each in update.summaries.items()}
    lines = [each.noise["2"].lines[LINE] for each in (insert, update)]
    noise = noise_of(dict(zip((LINE, UPDATE), lines, strict=True)))
    return replace(insert, summaries={**insert.summaries, **more}, noise={"2": noise})


def verdicts(found: JudgedMetric, *steps: str) -> dict[CellKey, Verdict]:
    """Return the verdicts on release 2 against release 1."""
    report = report_of("12", steps=("insert", *steps))
    return verdicts_against(found, report, "2", "1", "a")


def verdict(found: JudgedMetric) -> Verdict:
    """Return the verdict on the only step."""
    return verdicts(found)[CellKey("2", *LINE)]


def with_level(found: JudgedMetric, change: LevelChange = FALL) -> JudgedMetric:
    """Return the metric with a level change from release 1 to release 2."""
    names = ("0", "1", "2", "3")
    levels = SeriesLevels(
        "throughput", "higher", names, (change,), (), (names[:2], names[2:]), scatter=0.1
    )
    return replace(found, levels={LINE: levels})


def test_one_run_has_p_and_interval_of_students_t() -> None:
    found = verdict(metric([1000.0], [930.0]))
    error = sqrt(2) * 0.02
    far = t.ppf(0.975, 20) * error
    assert found.p == pytest.approx(2 * t.sf(-log(0.93) / error, 20) / WEIGHTS["floor"])
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.93 * exp(-far))
    assert found.interval.high == pytest.approx(0.93 * exp(far))
    assert found.interval.level == 0.95
    assert f"noise floor ±{100 * expm1(far):.2g} % from repeats, p = 0.023" in found.why


def test_a_change_that_is_not_excluded_is_the_far_end_of_the_interval() -> None:
    far = t.ppf(0.975, 20) * sqrt(2) * 0.02
    assert verdict(metric([1000.0], [980.0])).within == pytest.approx(1 - 0.98 * exp(-far))
    assert verdict(metric([1000.0], [1020.0])).within == pytest.approx(1.02 * exp(far) - 1)


def test_the_sign_of_a_change_of_one_run_is_that_of_the_ratio() -> None:
    rise = metric([1000.0], [1300.0])
    assert verdict(rise).state == "faster, one run"
    assert verdict(replace(rise, better="lower")).state == "slower, one run"
    assert verdict(metric([1000.0], [700.0])).state == "slower, one run"


@pytest.mark.parametrize(
    "after", [[1000.0, 1000.0, 2000.0], [1000.0, 1000.0, 500.0], [1010.0, 1010.0, 500.0]]
)
def test_where_mean_and_median_disagree_on_the_direction_there_is_no_change(
    after: list[float],
) -> None:
    found = verdict(metric([1000.0] * 3, after, Noise((NoiseSource.REPEATS,), Variance(1e-6, 40))))
    assert found.p == 1.0
    assert found.state == "noisy"


@pytest.mark.parametrize("middle", [0.999, 1.0])
@pytest.mark.parametrize("is_rise", [True, False])
def test_where_ranks_and_median_disagree_on_the_direction_there_is_no_change(
    is_rise: bool, middle: float
) -> None:
    """Two levels each: most pairs rise by 30 %, and the medians fall by 0.1 % or stay."""
    base, after = [0.7] * 36 + [1.0] * 44, [middle] * 44 + [1.3] * 36
    if not is_rise:
        base, after = [1 / value for value in base], [1 / value for value in after]
    assert mann_whitney(base, after) < 0.001
    found = verdict(metric(base, after, LOUD))
    assert found.p == 1.0
    assert found.state == "noisy"


@pytest.mark.parametrize("runs", [12, 40])
@pytest.mark.parametrize("is_rise", [True, False])
def test_where_the_medians_are_equal_the_ranks_alone_call_nothing_slower(
    is_rise: bool, runs: int
) -> None:
    """Most runs print the same number, and those that do not are higher, or lower, afterwards."""
    usual = [1.0] * (runs - runs * 5 // 12)
    base, after = [*usual, *[0.9] * (runs * 5 // 12)], [*usual, *[1.1] * (runs * 5 // 12)]
    if not is_rise:
        base, after = after, base
    assert mann_whitney(base, after) < 0.003
    found = verdict(metric(base, after, LOUD))
    assert found.p == 1.0
    assert not found.state.is_change


def test_a_noise_floor_that_says_nothing_has_no_number() -> None:
    found = verdict(metric([1000.0], [900.0], LOUD))
    assert "noise floor over ±50 % from repeats" in found.why
    assert (found.state, found.interval, found.within) == ("cannot tell", None, None)


def test_noise_beyond_all_bounds_is_no_error() -> None:
    endless = Noise((NoiseSource.REPEATS,), Variance(1e6, 3))
    assert verdict(metric([1000.0], [900.0], endless)).state == "cannot tell"


def test_a_wide_interval_is_kept_where_it_decides() -> None:
    """Twice as fast or more: what a limit of ±50 % leaves out says something here."""
    one_run = verdict(metric([1000.0], [3000.0]))
    assert one_run.interval is not None
    assert one_run.interval.low > 2
    assert one_run.within is None
    ranks = verdict(metric(STEADY, [2 * value for value in STEADY]))
    assert ranks.evidence == "a test"
    assert ranks.interval == interval_of_ratio([2 * value for value in STEADY], STEADY)
    loud = verdict(metric([1000.0], [20000.0], LOUD))
    assert (loud.evidence, loud.state) == ("the noise floor", "faster, one run")
    assert loud.interval is not None
    assert loud.interval.high > 5 * loud.interval.low
    series = verdict(with_level(metric([1000.0], [500.0], LOUD)))
    assert (series.evidence, series.interval, series.within) == ("the series", None, None)


def test_an_interval_of_both_signs_is_not_shown_beside_a_change_that_the_series_shows() -> None:
    """Two runs of a step alone say less than the two levels that their releases stand on."""
    change = msgspec.structs.replace(FALL, after=960.0, p=0.004)
    alone = verdict(metric([1000.0], [985.0]))
    found = verdict(with_level(metric([1000.0], [985.0]), change))
    assert alone.interval is not None
    assert alone.interval.low < 1 < alone.interval.high
    assert (found.state, found.evidence, found.interval) == ("slower", "the series", None)


@pytest.mark.parametrize(("ratio", "is_shown"), [(2.2, True), (2.3, False)])
def test_an_interval_that_decides_nothing_is_shown_where_it_says_something(
    ratio: float, is_shown: bool
) -> None:
    """Up to 50 % to either side: its ends are no more than 2.25 times apart."""
    deviation = log(ratio) / (2 * t.ppf(0.975, 20) * sqrt(2))
    found = verdict(metric([1000.0], [1200.0], Noise(QUIET.sources, Variance(deviation**2, 20))))
    assert found.state == "cannot tell"
    assert (found.interval is not None) == is_shown


def test_a_level_change_of_small_values_is_evidence_too() -> None:
    seconds = msgspec.structs.replace(FALL, before=0.002, after=0.001)
    found = verdict(with_level(metric([0.002], [0.001], LOUD), seconds))
    assert (found.evidence, found.since) == ("the series", seconds)


def test_evidence_that_decides_is_named_the_best_first() -> None:
    slower = [value / 2 for value in STEADY]
    assert verdict(with_level(metric(STEADY, slower))).evidence == "a test"
    few = with_level(metric(STEADY[:4], slower[:4]))
    assert verdict(few).evidence == "the series"
    assert verdict(few).why == "4 and 4 runs; the level changed with 2, p < 0.0001"
    assert verdict(metric(STEADY[:4], slower[:4])).evidence == "the noise floor"


def test_a_level_change_decides_where_the_test_cannot() -> None:
    """Ranks of five runs a side that overlap say little; the noise floor is beyond doubt, too."""
    base, after = [1000.0, 1001.0, 1002.0, 400.0, 401.0], [500.0, 501.0, 502.0, 1003.0, 1004.0]
    found = verdict(with_level(metric(base, after, Noise(QUIET.sources, Variance(1e-6, 40)))))
    assert mann_whitney(base, after) > 0.3
    assert found.evidence == "the series"


def test_a_level_change_that_pages_show_decides_in_any_family() -> None:
    """The floor alone would say `no change seen`, beside a sentence on the change."""
    small = msgspec.structs.replace(FALL, after=960.0, p=0.004)
    one = with_level(metric([1000.0], [960.0]), small)
    found = verdicts(joined(one, metric([1000.0], [1000.0])), "update", "unknown")
    insert = found[CellKey("2", *LINE)]
    assert (insert.state, insert.evidence, insert.p) == ("slower", "the series", 0.004)
    assert insert.why == "one run on each side; the level changed with 2, p = 0.004"
    assert verdict(metric([1000.0], [960.0])).state == "no change seen"


def test_a_level_change_the_other_way_is_no_evidence() -> None:
    rise = msgspec.structs.replace(FALL, before=500.0, after=1000.0)
    faster = verdict(with_level(metric([1000.0], [1500.0]), rise))
    assert (faster.state, faster.since) == ("faster", rise)
    slower = verdict(with_level(metric([1000.0], [500.0]), rise))
    assert (slower.state, slower.since) == ("slower, one run", None)
    same = metric([1000.0], [1000.0])
    assert verdict(with_level(same)).since is verdict(with_level(same, rise)).since is None


def test_p_is_adjusted_for_the_family_whichever_evidence_is_named() -> None:
    changed = metric(STEADY, [value * 0.9 for value in STEADY])
    found = verdicts(joined(changed, metric(STEADY, [*STEADY[1:], 1001.5])), "update", "unknown")
    assert list(found) == [CellKey("2", *LINE), CellKey("2", *UPDATE)]
    ranks = mann_whitney(STEADY, [value * 0.9 for value in STEADY])
    assert found[CellKey("2", *LINE)].p == pytest.approx(2 * ranks / WEIGHTS["test"])
    assert found[CellKey("2", *UPDATE)].p == 1.0


def test_p_is_never_above_one() -> None:
    """Ranks say 1, the floor less: what a family costs the best evidence, it costs all."""
    near = Noise((NoiseSource.REPEATS,), Variance(0.005**2, 20))
    slight = metric(STEADY, [value * 0.998 for value in STEADY], near)
    found = verdicts(joined(slight, metric(STEADY, STEADY)), "update")
    assert [each.p for each in found.values()] == [1.0, 1.0]


def test_a_verdict_counts_the_runs_of_each_side() -> None:
    found = verdict(metric(STEADY, STEADY[:5]))
    assert found.why.startswith("5 and 6 runs; Mann-Whitney")


def test_the_level_of_an_interval_is_that_of_its_kind() -> None:
    exact = interval_of_ratio(STEADY[:5], STEADY)
    found = verdict(metric(STEADY, STEADY[:5])).interval
    assert exact is not None
    assert found is not None
    assert found.level == exact.level


def test_a_single_value_of_zero_has_no_ratio() -> None:
    for base, after in (([1000.0] * 3, [0.0, 1000.0, 1000.0]), ([0.0, 9.0, 9.0], [9.0])):
        found = verdict(metric(base, after))
        assert found.state == "cannot tell"
        assert found.why == "a value that is not above 0 has no ratio"


def test_runs_of_days_with_levels_of_their_own_are_as_many_values_as_days() -> None:
    days = {f"run{at}": f"2026-11-2{at % 2}" for at in range(6)}
    found = metric(STEADY, [value * 0.5 for value in STEADY])
    noise = replace(found.noise["2"], days=days, is_day_a_value=True)
    two_days = verdict(replace(found, noise={"2": noise}))
    assert two_days.evidence == "the noise floor", "two days are too few for a test"
    error = 0.02 * sqrt(1 / 2 + 1 / 2)
    assert f"±{100 * expm1(t.ppf(0.975, 20) * error):.2g} %" in two_days.why


def test_p_is_written_with_two_digits_down_to_what_can_be_known() -> None:
    assert p_words(0.01234) == "= 0.012"
    assert p_words(0.0001) == "= 0.0001"
    assert p_words(0.00009) == "< 0.0001"

"""How far equal measurements differ, from repeats, equal builds, neighbours or the prior."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from definition_samples import report_of
from perfpress.analysis.metrics.throughput import Summary, summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.noise import Noise, NoiseModel, NoiseSource
from perfpress.analysis.verdicts.noise_model import (
    COMMON_PRIOR,
    LARGEST_BUILD_LEVEL,
    LEVEL_PRIOR,
    PRIOR,
    noise_model,
)
from perfpress.analysis.verdicts.variances import (
    SMALLEST,
    Variance,
    added,
    moderated,
    of_neighbours,
    trimmed,
)
from perfpress.input.report.front_matter import Release
from scipy.stats import f, norm

LINE = ("a", "step0")
REPORT = report_of("12", steps=("step0",))


def model(
    values: dict[tuple[str, str, int], list[float]],
    days: dict[str, str] | None = None,
    twins: tuple[tuple[str, ...], ...] = (),
    same_code: tuple[tuple[str, ...], ...] = (),
    prior: float | None = None,
) -> NoiseModel:
    """Return the model of values by release, variant and number of the step."""
    releases = sorted({release for release, _, _ in values})
    report = report_of(
        releases,
        variants={"a": "A", "b": "B"},
        steps=tuple(f"step{step}" for step in sorted({step for _, _, step in values})),
        twin_variants=twins,
        same_code=same_code,
        prior=prior,
    )
    return noise_model(
        {
            CellKey(release, variant, f"step{step}"): summary(runs)
            for (release, variant, step), runs in values.items()
        },
        report,
        days or {},
    )


def summary(runs: list[float]) -> Summary:
    return summarise({f"run{number}": value for number, value in enumerate(runs)})


def test_a_prior_stands_in_where_nothing_tells_the_noise() -> None:
    alone = model({("1", "a", 0): [100.0], ("2", "a", 0): [50.0]}).lines[LINE]
    assert alone.sources == (NoiseSource.PRIOR,)
    assert alone.is_prior
    assert alone.of_ratio(1, 1) == Variance(2 * PRIOR.value, PRIOR.degrees)


def test_a_prior_that_the_report_declares_takes_its_place() -> None:
    values = {("1", "a", 0): [100.0], ("2", "a", 0): [50.0]}
    alone = model(values, prior=0.005).lines[LINE]
    assert alone.sources == (NoiseSource.DECLARED,)
    assert alone.is_prior
    assert alone.run == Variance(0.005**2, PRIOR.degrees)
    joined = model({("1", "a", 0): [100.0, 101.0], ("2", "a", 0): [50.0]}, prior=0.005).lines[LINE]
    assert joined.sources == (NoiseSource.REPEATS, NoiseSource.DECLARED)
    assert not joined.is_prior


def test_repeats_of_all_releases_are_pooled() -> None:
    runs = {("1", "a", 0): [100.0, 104.0] * 3, ("2", "a", 0): [50.0, 50.0, 52.0]}
    noise = model(runs).lines[LINE]
    squares = log(1.04) ** 2 * (6 / 4 + 2 / 3)
    assert noise.sources == (NoiseSource.REPEATS,)
    assert noise.run.value == pytest.approx(squares / 7)
    assert noise.run.degrees == 7


def test_few_repeats_are_joined_with_the_prior() -> None:
    noise = model({("1", "a", 0): [100.0, 104.0]}).lines[LINE]
    assert noise.sources == (NoiseSource.REPEATS, NoiseSource.PRIOR)
    assert noise.run.value == pytest.approx((log(1.04) ** 2 / 2 + 4 * PRIOR.value) / 5)
    assert noise.run.degrees == 5


def test_five_repeats_of_one_release_need_no_prior() -> None:
    noise = model({("1", "a", 0): [100.0, 104.0, 102.0, 101.0, 99.0]}).lines[LINE]
    assert noise.sources == (NoiseSource.REPEATS,)
    assert noise.run.degrees == 4


def test_a_step_without_repeats_has_the_noise_of_those_that_have_some() -> None:
    found = model({("1", "a", 0): [100.0, 104.0] * 5, ("1", "a", 1): [50.0]}).lines
    assert found["a", "step1"] == found[LINE]
    assert found[LINE].sources == (NoiseSource.REPEATS,)


def test_repeats_that_are_all_equal_do_not_make_other_steps_free_of_noise() -> None:
    noise = model({("1", "a", 0): [100.0] * 12, ("1", "a", 1): [50.0]})
    (without,) = (each for line, each in noise.lines.items() if line != LINE)
    assert without.run.value == noise.lines[LINE].run.value == SMALLEST
    assert without.of_ratio(1, 1).value > 0


def test_one_pair_of_equal_builds_is_joined_with_the_prior() -> None:
    runs = {("1", "a", 0): [100.0], ("2", "a", 0): [110.0]}
    noise = model(runs, same_code=(("1", "2"),)).lines[LINE]
    assert noise.sources == (NoiseSource.SAME_CODE, NoiseSource.PRIOR)
    prior = 2 * COMMON_PRIOR.value + 2 * PRIOR.value
    degrees = prior**2 / (
        (2 * COMMON_PRIOR.value) ** 2 / COMMON_PRIOR.degrees + (2 * PRIOR.value) ** 2 / 4
    )
    whole = Variance((log(1.1) ** 2 + prior * degrees) / (1 + degrees), 1 + degrees)
    assert noise.equal is not None
    assert noise.equal.value == pytest.approx(whole.value)
    assert noise.equal.degrees == pytest.approx(whole.degrees)
    assert noise.run.value == pytest.approx(whole.value / 2)


def test_runs_of_equal_builds_have_the_noise_of_repeats() -> None:
    """Three and two runs: their part of the difference is a third and a half of a run's."""
    runs = {("1", "a", 0): [100.0, 102.0, 98.0] * 4, ("2", "a", 0): [110.0, 111.0]}
    noise = model(runs, same_code=(("1", "2"),)).lines[LINE]
    assert noise.run == model(runs).lines[LINE].run
    assert noise.equal_runs == pytest.approx(1 / 12 + 1 / 2)
    first, second = (np.mean(np.log(values)) for values in runs.values())
    common, run = 2 * COMMON_PRIOR.value, noise.equal_runs * noise.run.value
    degrees = (common + run) ** 2 / (common**2 / COMMON_PRIOR.degrees + run**2 / noise.run.degrees)
    expected = ((first - second) ** 2 + (common + run) * degrees) / (1 + degrees)
    assert noise.equal is not None
    assert noise.equal.value == pytest.approx(expected)


def test_a_step_that_one_twin_lacks_has_the_noise_of_the_others() -> None:
    runs = {
        (release, variant, step): [100.0 + (variant == "b") + step]
        for release in "12345678"
        for variant in "ab"
        for step in (0, 1)
        if (variant, step) != ("b", 1)
    }
    found = model(runs, twins=(("a", "b"),)).lines
    assert found["a", "step1"].sources == (NoiseSource.TWINS,)
    assert found["a", "step1"].of_ratio(1, 1).value == found[LINE].of_ratio(1, 1).value


def test_steps_strengthen_each_other() -> None:
    """One pair of equal builds on each of 38 steps is 38 pairs, and not 38 times one."""
    random = np.random.default_rng(5)
    runs = {
        (release, "a", step): [100 * float(np.exp(random.normal(0, 0.01)))]
        for release in ("1", "1-again")
        for step in range(38)
    }
    noise = model(runs, same_code=(("1", "1-again"),)).lines[LINE]
    assert noise.sources == (NoiseSource.SAME_CODE,)
    assert noise.of_ratio(1, 1).value == pytest.approx(2 * 0.01**2, rel=0.5)
    assert noise.of_ratio(1, 1).degrees >= 4


def test_twins_are_equal_in_every_release() -> None:
    runs = {
        (release, variant, step): [100.0 + (variant == "b") + step]
        for release in "12345678"
        for variant in "ab"
        for step in (0, 1)
    }
    noise = model(runs, twins=(("a", "b"),)).lines[LINE]
    assert noise.sources == (NoiseSource.TWINS,)
    assert noise.of_ratio(1, 1).value == pytest.approx(log(1.01) ** 2, rel=0.05)


def test_more_runs_lessen_the_noise_of_runs_and_not_that_of_builds() -> None:
    noise = Noise((NoiseSource.SAME_CODE,), Variance(0.01, 40), Variance(0.08, 40), 2.0)
    assert noise.of_ratio(1, 1).value == pytest.approx(0.08)
    assert noise.of_ratio(10, 10).value == pytest.approx(0.08 - 0.02 + 0.002)
    steady = Noise((NoiseSource.SAME_CODE,), Variance(0.01, 40), Variance(0.001, 40), 2.0)
    assert steady.of_ratio(1, 1).value == pytest.approx(0.02), "no less than that of the runs"


def test_neighbours_bound_the_noise_where_nothing_is_declared() -> None:
    """Nine releases by 33 steps, one run a cell, 1.5 % a run; three steps fell for good."""
    random = np.random.default_rng(6)
    runs = {
        (str(release), "a", step): [
            100 * float(np.exp(random.normal(0, 0.015))) * (0.5 if step < 3 and release > 4 else 1)
        ]
        for release in range(1, 10)
        for step in range(33)
    }
    found = model(runs).lines
    assert {noise.sources for noise in found.values()} == {(NoiseSource.NEIGHBOURS,)}
    for noise in found.values():
        assert noise.run.value == pytest.approx(0.015**2, rel=0.8)
        assert noise.run.degrees > 6


def builds(releases: int, steps: int, level: float, runs: int = 3) -> NoiseModel:
    """Return the model of runs that differ by 0.5 %, of builds with levels of their own."""
    random = np.random.default_rng(11)
    shape = (releases, steps)
    logs = random.normal(0, level, (*shape, 1)) + random.normal(0, 0.005, (*shape, runs))
    logs[releases // 2 :] -= 0.5
    values = 100 * np.exp(logs)
    return model(
        {
            (f"{release:02}", "a", step): list(values[release, step])
            for release, step in np.ndindex(shape)
        }
    )


def test_neighbours_of_a_series_show_levels_of_builds_that_nobody_declared() -> None:
    found = builds(9, 20, level=0.015)
    for noise in found.lines.values():
        assert noise.sources == (NoiseSource.REPEATS, NoiseSource.NEIGHBOURS)
        truth = 2 * (0.015**2 + 0.005**2 / 3)
        assert 0.4 * truth < noise.of_ratio(3, 3).value < 3 * truth
        assert noise.of_ratio(1, 1).value > noise.of_ratio(3, 3).value > noise.of_ratio(9, 9).value


def test_releases_that_differ_by_more_than_builds_do_have_changed() -> None:
    """Old and new point releases in turn: no level of a build is that large."""
    found = builds(12, 20, level=0.2)
    for noise in found.lines.values():
        assert noise.of_ratio(3, 3).value <= 2 * (0.02**2 + 0.01**2 / 3)
        assert noise.of_ratio(3, 3).degrees >= LARGEST_BUILD_LEVEL.degrees
    for noise in found.apart.values():
        assert noise.of_ratio(3, 3).value > 0.2**2, "days may differ by any amount"


def test_repeats_alone_count_where_neighbours_differ_no_more_than_their_runs() -> None:
    found = builds(9, 20, level=0.0)
    assert {noise.sources for noise in found.lines.values()} == {(NoiseSource.REPEATS,)}
    assert {noise.equal for noise in found.lines.values()} == {None}


@pytest.mark.parametrize("releases", [2, 3, 4])
def test_steps_of_few_releases_show_levels_of_builds_that_nobody_declared(releases: int) -> None:
    """Half of the releases are 40 % slower on all steps: that is their centre, and no level."""
    found = builds(releases, 20, level=0.015)
    for noise in found.lines.values():
        assert noise.sources[:2] == (NoiseSource.REPEATS, NoiseSource.NEIGHBOURS)
        truth = 2 * (0.015**2 + 0.005**2 / 3)
        assert 0.3 * truth < noise.of_ratio(3, 3).value < 3 * truth


def test_steps_of_few_releases_that_differ_by_more_than_builds_do_have_changed() -> None:
    found = builds(2, 20, level=0.2)
    for noise in found.lines.values():
        assert noise.sources == (NoiseSource.REPEATS, NoiseSource.NEIGHBOURS, NoiseSource.PRIOR)
        assert noise.of_ratio(3, 3).value <= 2 * (LEVEL_PRIOR.value + 0.01**2 / 3)
        assert noise.of_ratio(3, 3).degrees >= LEVEL_PRIOR.degrees


@pytest.mark.parametrize("steps", [8, 20])
def test_few_steps_that_changed_are_no_levels_of_builds(steps: int) -> None:
    random = np.random.default_rng(12)
    values = 100 * np.exp(random.normal(0, 0.005, (2, steps, 3)))
    values[1, : steps // 4] *= 0.95
    found = model(
        {
            (str(release), "a", step): list(values[release, step])
            for release, step in np.ndindex(2, steps)
        }
    )
    for noise in found.lines.values():
        assert noise.of_ratio(3, 3).value ** 0.5 < 0.008, "that of the runs is 0.0041"


def test_repeats_alone_count_where_steps_of_few_releases_differ_no_more_than_their_runs() -> None:
    found = builds(3, 20, level=0.0)
    assert {noise.sources for noise in found.lines.values()} == {(NoiseSource.REPEATS,)}


def test_seven_steps_of_few_releases_show_no_levels_of_builds() -> None:
    found = builds(4, 7, level=0.015)
    assert {noise.sources for noise in found.lines.values()} == {(NoiseSource.REPEATS,)}


def test_what_a_single_step_shows_of_builds_is_joined_with_a_prior() -> None:
    found = builds(9, 1, level=0.03)
    noise, run = found.lines[LINE], found.lines[LINE].run
    assert noise.sources == (NoiseSource.REPEATS, NoiseSource.NEIGHBOURS, NoiseSource.PRIOR)
    assert noise.equal is not None
    prior = added((2, LEVEL_PRIOR), (2 / 3, run))
    assert noise.equal.degrees == pytest.approx(prior.degrees + 0.3 * 8)


def test_of_two_releases_the_steps_differ_around_their_centre() -> None:
    """All of 36 steps are 20 to 40 % slower: that is no noise, though all neighbours differ."""
    random = np.random.default_rng(7)
    runs = {
        (release, "a", step): [100.0 if release == "1" else 70 * float(np.exp(jitter))]
        for step, jitter in enumerate(random.normal(0, 0.02, 36))
        for release in ("1", "2")
    }
    noise = model(runs).lines[LINE]
    assert noise.sources == (NoiseSource.NEIGHBOURS, NoiseSource.PRIOR)
    assert 0.02 < noise.of_ratio(1, 1).value ** 0.5 < 0.04


def test_five_releases_of_one_step_are_neighbours_joined_with_the_prior() -> None:
    values = [100.0, 101.0, 99.0, 150.0, 151.0]
    runs = {(str(release), "a", 0): [value] for release, value in enumerate(values)}
    noise = model(runs).lines[LINE]
    assert noise.sources == (NoiseSource.NEIGHBOURS, NoiseSource.PRIOR)
    own = of_neighbours(list(np.diff(np.log(values)) / np.sqrt(2)))
    degrees = own.degrees + PRIOR.degrees
    assert noise.run.degrees == pytest.approx(degrees)
    joined = own.value * own.degrees + PRIOR.value * PRIOR.degrees
    assert noise.run.value == pytest.approx(joined / degrees)


def test_eight_steps_of_few_releases_show_the_noise_of_all_variants() -> None:
    """A variant that changed on all its steps has the noise of those that did not."""
    random = np.random.default_rng(8)
    # The third release is noisier: both pairs of neighbours count.
    values = 100 * np.exp(random.normal(0, 1, (2, 3, 8)) * [[[0.01], [0.01], [0.05]]])
    runs = {
        (str(release), "ab"[variant], step): [float(values[variant, release, step])]
        for variant, release, step in np.ndindex(values.shape)
    }
    runs |= {("2", "c", 0): [90.0], ("1", "c", 0): [100.0]}
    found = model(runs).lines
    changes = np.diff(np.log(values), axis=1)
    around = changes - np.median(changes, axis=2, keepdims=True)
    squares = [float(each) for each in around.ravel() ** 2 / 2]
    spread, _ = moderated({at: Variance(square, 1) for at, square in enumerate(squares)})
    assert spread
    degrees = max(PRIOR.degrees, spread.degrees)
    expected = added((1, Variance(trimmed(squares).value, degrees)), (1, COMMON_PRIOR))
    for variant in "abc":
        noise = found[variant, "step0"].run
        assert noise.value == pytest.approx(expected.value)
        assert noise.degrees == pytest.approx(expected.degrees)
    of_seven = {key: value for key, value in runs.items() if key[2] < 7}
    assert model(of_seven).lines[LINE].is_prior


def test_steps_that_are_alike_show_their_noise_with_as_many_degrees_as_steps() -> None:
    jitters = norm.ppf((np.arange(31) + 0.5) / 31, scale=0.02)
    runs = {
        (release, "a", step): [100.0 if release == "1" else 100 * float(np.exp(jitter))]
        for step, jitter in enumerate(jitters)
        for release in ("1", "2")
    }
    around = Variance(trimmed(list(jitters**2 / 2)).value, 31)
    found = model(runs).lines[LINE].run
    assert found.value == pytest.approx(around.value + COMMON_PRIOR.value)
    assert found.degrees == pytest.approx(added((1, around), (1, COMMON_PRIOR)).degrees)


def of_days(logs: np.ndarray) -> NoiseModel:
    """Return the model of logarithms by release and run, each release on a day of its own."""
    report = replace(REPORT, releases=tuple(Release(id=str(each)) for each in range(len(logs))))
    summaries = {CellKey(str(each), *LINE): on_day(each, runs) for each, runs in enumerate(logs)}
    days = {run: run.split()[0] for each in summaries.values() for run in each.runs}
    return noise_model(summaries, report, days)


def on_day(day: int, logs: np.ndarray) -> Summary:
    return summarise({f"{day} {at}": float(np.exp(value)) for at, value in enumerate(logs)})


def test_repeats_of_one_day_say_nothing_of_another_and_the_prior_stands_in() -> None:
    logs = np.array([[0, 0.01, -0.01, 0.02, 0.01], [0.05, 0.06, 0.05, 0.07, 0.06]])
    found = of_days(logs)
    first, second = (on_day(day, runs) for day, runs in enumerate(logs))
    noise = found.between(LINE, second, first)
    assert noise.sources == (NoiseSource.REPEATS, NoiseSource.PRIOR)
    run = found.lines[LINE].of_ratio(5, 5)
    assert noise.of_ratio(5, 5).value == pytest.approx(run.value + 2 * LEVEL_PRIOR.value)
    assert found.between(LINE, first, first) == found.lines[LINE], "on the same day"
    unknown = replace(second, runs=tuple(f"other {run}" for run in second.runs))
    assert found.between(LINE, unknown, first) == found.lines[LINE], "nobody says when it ran"


def test_neighbours_of_a_series_show_what_days_add_to_the_noise_of_runs() -> None:
    """Days differ by 1.5 %, runs of a day by 0.5 %."""
    random = np.random.default_rng(10)
    logs = random.normal(0, 0.005, (60, 5)) + random.normal(0, 0.015, (60, 1))
    found = of_days(logs)
    noise = found.between(LINE, on_day(1, logs[1]), on_day(0, logs[0]))
    assert noise.sources == (NoiseSource.REPEATS, NoiseSource.NEIGHBOURS)
    truth = 2 * (0.015**2 + 0.005**2 / 5)
    assert noise.of_ratio(5, 5).value == pytest.approx(truth, rel=0.3)
    assert found.lines[LINE].run.value == pytest.approx(0.005**2, rel=0.2)


def test_a_day_is_one_value_where_days_have_levels_of_their_own() -> None:
    days = {f"run{number}": f"2026-11-{number // 4:02}" for number in range(8)}
    jumps = {
        (release, "a", 0): [100.0, 100.1, 99.9, 100.2, 106.0, 106.1, 105.9, 106.2]
        for release in ("1", "2")
    }
    found = model(jumps, days)
    assert found.is_day_a_value
    first, second = found.values(summary(jumps["1", "a", 0]))
    of_days = log(second / first) ** 2 / 2
    joined = (2 * of_days + 4 * PRIOR.value) / 6
    assert found.lines[LINE].run.value == pytest.approx(joined)
    assert found.lines[LINE].run.degrees == 6
    same = {(release, "a", 0): [100.0, 101.0, 99.0, 102.0] * 2 for release in ("1", "2")}
    assert not model(same, days).is_day_a_value, "these days have no levels"
    assert not model(jumps).is_day_a_value, "nobody says when these ran"


def test_days_have_levels_where_the_f_test_says_so() -> None:
    """Of two cells together: runs on two and three days, of one to four runs each.

    A third cell, of one run a day, says nothing of how runs of one day differ.
    """
    random = np.random.default_rng(9)
    counts = ((4, 2), (3, 1, 2))
    decided: list[bool] = []
    for _ in range(300):
        spread = random.uniform(0, 0.02)
        cells = [
            [random.normal(random.normal(0, spread), 0.005, count) for count in of_cell]
            for of_cell in counts
        ]
        days = {f"run{at}": str(day) for at, day in enumerate((0, 0, 0, 0, 1, 1))}
        # Runs are numbered by cell, so that the days of the second cell follow those of the first.
        days |= {f"run{at + 6}": str(day) for at, day in enumerate((2, 2, 2, 3, 4, 4))}
        between = [_between(cell) for cell in cells]
        within = sum(float(np.sum((day - day.mean()) ** 2)) for cell in cells for day in cell)
        ratio = (sum(between) / 3) / (within / 7)
        expected = bool(f.sf(ratio, 3, 7) < 0.01)
        summaries = {
            CellKey("1", "a", f"step{number}"): summarise(
                {
                    f"run{number * 6 + at}": float(np.exp(value))
                    for at, value in enumerate(np.concatenate(cell))
                }
            )
            for number, cell in enumerate(cells)
        }
        summaries[CellKey("2", "a", "step0")] = summarise({"run12": 1.0, "run13": 2.0})
        days |= {"run12": "5", "run13": "6"}
        assert noise_model(summaries, REPORT, days).is_day_a_value == expected
        decided.append(expected)
    assert 50 < sum(decided) < 250


def _between(days: list[np.ndarray]) -> float:
    """Return the sum of squares between the days of a cell."""
    centre = np.concatenate(days).mean()
    return sum(len(day) * float(day.mean() - centre) ** 2 for day in days)


def test_days_without_any_noise_within_have_levels_of_their_own() -> None:
    days = {f"run{at}": str(at // 2) for at in range(4)}
    assert model({("1", "a", 0): [100.0, 100.0, 106.0, 106.0]}, days).is_day_a_value
    assert not model({("1", "a", 0): [100.0, 100.0, 100.0, 100.0]}, days).is_day_a_value


def test_runs_of_one_day_say_nothing_of_days() -> None:
    one_day = {f"run{at}": "2026-11-01" for at in range(4)}
    assert not model({("1", "a", 0): [100.0, 102.0, 101.0, 99.0]}, one_day).is_day_a_value
    each_its_own = {f"run{at}": str(at) for at in range(4)}
    assert not model({("1", "a", 0): [100.0, 102.0, 101.0, 99.0]}, each_its_own).is_day_a_value


def test_a_run_of_an_unknown_day_is_one_value() -> None:
    found = NoiseModel({}, {}, {"run0": "1", "run1": "1"}, is_day_a_value=True)
    runs = summary([100.0, 144.0, 90.0, 91.0])
    assert found.values(runs) == pytest.approx((120.0, 90.0, 91.0))
    assert replace(found, is_day_a_value=False).values(runs) == runs.values


def test_what_is_not_above_zero_has_no_logarithm() -> None:
    assert model({("1", "a", 0): [0.0, 1.0], ("2", "a", 1): [5.0]}).lines.keys() == {("a", "step1")}


def test_a_release_of_a_series_has_the_noise_of_a_median_of_its_independent_values() -> None:
    logs = np.array([[0, 0.01, -0.01, 0.02, 0.01], [0.05, 0.06, 0.05, 0.07, 0.06]])
    found = of_days(logs)
    series = [on_day(day, runs) for day, runs in enumerate(logs)]
    effective = 5 * 2 / np.pi
    for releases in (series, [series[0], series[0]], [series[0], *series]):
        of_ratio = found.between(LINE, releases[0], releases[-1]).of_ratio(effective, effective)
        of_release = found.of_release(LINE, releases)
        assert of_release is not None
        assert of_release.value == pytest.approx(of_ratio.value / 2)
        assert of_release.degrees == pytest.approx(of_ratio.degrees)
    three = [on_day(day, runs[:3]) for day, runs in enumerate(logs)]
    of_three = found.of_release(LINE, three)
    assert of_three is not None
    effective = 3 * 2 / np.pi
    expected = found.between(LINE, three[0], three[1]).of_ratio(effective, effective).value / 2
    assert of_three.value == pytest.approx(expected), "of three values the median is one of them"
    two = [summary([100.0, 101.0]), summary([100.0, 101.0])]
    of_two, run = found.of_release(LINE, two), found.lines[LINE].run
    assert of_two is not None
    assert of_two.value == pytest.approx(run.value / 2), "of two values the median is the mean"
    assert found.of_release(("a", "of zeros"), series) is None

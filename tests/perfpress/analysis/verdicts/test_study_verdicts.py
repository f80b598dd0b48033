"""Verdicts of a whole report, with what its corrections and environments say beside them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from perfpress.analysis.metrics.throughput import summaries_of
from perfpress.analysis.study.study import StepRun, Study
from perfpress.analysis.verdicts.days import run_days
from perfpress.analysis.verdicts.noise_windows import noise_models
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.study_levels import levels_of_study
from perfpress.analysis.verdicts.study_verdicts import Verdicts, verdicts_of
from perfpress.analysis.verdicts.verdicts import Evidence
from perfpress.base.cache import Cache
from perfpress.base.kept_results import KeptResults
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.corrections.files import Rename
from step_run_samples import step_run
from study_samples import accept, captured, cell_of, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]
SLOW = [value / 2 for value in STEADY]


def judged(study: Study) -> Verdicts:
    """Return the verdicts on the throughputs of a study."""
    summaries = summaries_of(study.step_runs, "throughput")
    noise = noise_models(summaries, study.report, run_days(study.runs))
    return verdicts_of(study, "throughput", summaries, noise, {})


def allocations(tmp_path: Path, *counts: float) -> list[StepRun]:
    """Return one run a release, a count of allocations each."""
    metric = {"unit": "allocations", "better": "lower"}
    return [
        step_run(
            tmp_path / str(at),
            step={"metrics": {"allocations_per_operation": metric | {"value": count}}},
            changes={"release": f"r{at}"},
        )
        for at, count in enumerate(counts)
    ]


def counted(study: Study) -> Verdicts:
    """Return the verdicts on the allocations of a study."""
    name = "allocations_per_operation"
    summaries = summaries_of(study.step_runs, name)
    noise = noise_models(summaries, study.report, run_days(study.runs))
    return verdicts_of(study, name, summaries, noise, {})


@pytest.mark.parametrize(
    ("before", "after", "state"),
    [
        (3, 4, State.SLOWER),
        (4, 3, State.FASTER),
        (3, 3, State.NO_CHANGE),
        (0, 0, State.NO_CHANGE),
        (0, 2, State.SLOWER),
        (0.003, 0.004, State.NO_CHANGE),
        (10_000, 10_009, State.NO_CHANGE),
        (10_000, 10_011, State.SLOWER),
    ],
)
def test_one_run_is_enough_for_what_is_counted(
    before: float, after: float, state: State, tmp_path: Path
) -> None:
    study = study_of(allocations(tmp_path, before, after))
    (verdict,) = counted(study).values()
    assert (verdict.state, verdict.evidence) == (state, Evidence.COUNT)
    assert verdict.why == "counted, not timed: one run is enough"


def test_counts_whose_own_runs_differ_are_judged_by_their_noise(tmp_path: Path) -> None:
    runs = allocations(tmp_path, 100, 150, 300)
    # The first two are runs of one release: 50 more come and go by themselves.
    runs[1] = replace(runs[1], cell=runs[0].cell)
    verdict = counted(study_of(runs))[runs[2].cell, "r0"]
    assert verdict.evidence is not Evidence.COUNT


def test_every_release_is_judged_against_base_and_previous(tmp_path: Path) -> None:
    study = study_of([each for name in "abc" for each in repeats(tmp_path, name, STEADY)])
    assert sorted((cell.release, base) for cell, base in judged(study)) == [
        *(("b", "a"), ("c", "a"), ("c", "b"))
    ]


def test_a_regression_is_accepted_where_a_correction_says_so(tmp_path: Path) -> None:
    study = study_of([*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", SLOW)])
    key = (cell_of("b"), "a")
    assert judged(study)[key].accepted == ""
    for change in ({"release": "b"}, {"release": "b", "step": "select", "variant": "socket2"}):
        accepting = replace(study, corrections=(accept(**change),))
        assert judged(accepting)[key].accepted == "the price of checksums"
    for change in ({"release": "a"}, {"release": "b", "step": "insert"}):
        accepting = replace(study, corrections=(accept(**change),))
        assert judged(accepting)[key].accepted == ""


def test_what_is_accepted_may_have_its_name_from_before_a_rename(tmp_path: Path) -> None:
    study = study_of([*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", SLOW)])
    renames = (
        Rename(what="release", old="b-beta", new="b", reason="r"),
        Rename(what="step", old="point", new="select", reason="r"),
    )
    runs = [replace(each, run=replace(each.run, renames=renames)) for each in study.step_runs]
    study = replace(study, step_runs=tuple(runs))
    for change, is_accepted in (
        ({"release": "b-beta", "step": "point"}, True),
        ({"release": "b", "step": "scan"}, False),
    ):
        accepting = replace(study, corrections=(accept(**change),))
        assert bool(judged(accepting)[cell_of("b"), "a"].accepted) == is_accepted


def test_what_does_not_fail_is_not_accepted(tmp_path: Path) -> None:
    study = study_of([*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", STEADY)])
    accepting = replace(study, corrections=(accept(release="b"),))
    assert judged(accepting)[cell_of("b"), "a"].accepted == ""


def test_one_run_s_jump_is_resolved_by_the_next_release_on_its_branch(tmp_path: Path) -> None:
    study = study_of(
        [
            *repeats(tmp_path, "a", STEADY),
            *repeats(tmp_path, "b", [500.0]),
            *repeats(tmp_path, "c", [1000.5]),
        ]
    )
    found = judged(study)
    jump = found[cell_of("b"), "a"]
    assert (jump.state, jump.resolved) == ("slower, one run", "c")
    assert found[cell_of("c"), "a"].resolved == ""


def test_what_failed_and_what_is_missing_say_why(tmp_path: Path) -> None:
    broken = step_run(
        tmp_path / "cut",
        changes={"release": "b"},
        files={"select.txt": "pgbench (15)\nlatency average = 3.0 ms\n"},
    )
    invalid = Exclusion("invalid", "disk was full", None)
    excluded = step_run(tmp_path / "x", 1.0, changes={"release": "c"}, exclusion=invalid)
    crashed, stopped = (
        step_run(
            tmp_path / how,
            changes={"release": how},
            step={"ended": {"how": how, "reason": "after 3 s"}},
        )
        for how in ("failed", "cut")
    )
    runs = [broken, excluded, captured(tmp_path, "d"), crashed, stopped]
    study = study_of([*repeats(tmp_path, "a", STEADY), *runs])
    found = {
        cell.release: (each.state, each.why)
        for (cell, base), each in judged(study).items()
        if base == "a"
    }
    assert found["b"][0] == "failed"
    assert found["c"] == ("missing", "invalid: disk was full")
    assert found["d"] == ("missing", "a profiling run, made for its profile")
    assert found["failed"] == ("failed", "the run failed: after 3 s")
    assert found["cut"] == ("missing", "the run was cut short: after 3 s")


def test_a_change_that_came_with_another_kernel_says_so(tmp_path: Path) -> None:
    kernels = [{"machine": {"cpus": 8, "kernel": kernel}} for kernel in ("6.1", "6.5")]
    study = study_of(
        [
            *repeats(tmp_path, "a", STEADY, changes=kernels[0]),
            *repeats(tmp_path, "b", SLOW, changes=kernels[1]),
        ]
    )
    assert judged(study)[cell_of("b"), "a"].environment == ("kernel",)


def test_a_run_that_does_not_count_makes_no_other_kernel(tmp_path: Path) -> None:
    kernels = [{"release": "a", "machine": {"cpus": 8, "kernel": kernel}} for kernel in ("1", "2")]
    superseded = Exclusion("superseded", "measured again", None)
    study = study_of(
        [
            step_run(tmp_path / "old", changes=kernels[0], exclusion=superseded),
            *repeats(tmp_path, "a", STEADY, changes=kernels[1]),
            *repeats(tmp_path, "b", SLOW, changes={"machine": kernels[1]["machine"]}),
        ]
    )
    assert judged(study)[cell_of("b"), "a"].environment == ()


class Counting(KeptResults):
    """Knows how many results were not known."""

    made = 0

    def encoded(self, stage: str, inputs: object, make: Callable[[], bytes]) -> bytes:
        def counted() -> bytes:
            self.made += 1
            return make()

        return super().encoded(stage, inputs, counted)


def with_kept(study: Study, cache: Path) -> Study:
    cache.mkdir(exist_ok=True)
    return replace(study, kept=KeptResults(Cache(cache)))


def test_a_run_makes_the_verdicts_again_that_it_can_move(tmp_path: Path) -> None:
    """Those of its block of eight releases, and of the one that compares with its first."""
    runs = [
        each for at in range(48) for each in repeats(tmp_path, f"r{at:02}", [1000 + at % 5, 1001])
    ]
    made = []
    for own in (runs, [*runs, *repeats(tmp_path / "more", "r47", [990.0])]):
        (tmp_path / "cache").mkdir(exist_ok=True)
        kept = Counting(Cache(tmp_path / "cache"))
        judged(replace(study_of(own), kept=kept))
        made.append(kept.made)
    assert made == [47, 9]


def six(directory: Path, **rates: Sequence[float]) -> list[StepRun]:
    """Return the runs of six releases; `d` looks slower in one run."""
    usual = dict.fromkeys("abcef", STEADY[:2]) | {"d": [500.0]}
    return [
        each
        for name, own in sorted({**usual, **rates}.items())
        for each in repeats(directory, name, own)
    ]


CHANGED: Mapping[str, Callable[[list[StepRun], list[StepRun]], Study]] = {
    "a run": lambda runs, more: study_of([*runs, *more]),
    "a release less": lambda runs, _: study_of([run for run in runs if run.cell.release != "e"]),
    "another order": lambda runs, _: study_of([*runs[:4], *runs[6:], *runs[4:6]]),
    "another kernel": lambda runs, more: study_of([*runs[:4], *more, *runs[6:]]),
    "accepted": lambda runs, _: replace(study_of(runs), corrections=(accept(release="d"),)),
    "the same code": lambda runs, _: study_of(runs, report={"same_code": (("a", "b"),)}),
    "a prior": lambda runs, _: study_of(runs, report={"prior": 0.3}),
    "no repeats": lambda runs, _: study_of(runs[::2]),
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED.keys())
@pytest.mark.parametrize("release", ["a", "c", "e", "g"])
def test_what_is_kept_is_what_would_be_made(
    changed: Callable[[list[StepRun], list[StepRun]], Study], release: str, tmp_path: Path
) -> None:
    kernel = {"machine": {"cpus": 8, "kernel": "6.5"}}
    runs, more = six(tmp_path), repeats(tmp_path / "more", release, [700.0], changes=kernel)
    judged(with_kept(study_of(runs), tmp_path / "cache"))
    study = changed(runs, more)
    assert dict(judged(with_kept(study, tmp_path / "cache"))) == dict(judged(study))


def test_another_value_has_another_verdict_also_where_noise_is_the_same(tmp_path: Path) -> None:
    """Of one run a release the noise is the prior, whatever the runs are."""
    base = repeats(tmp_path, "a", [1000.0])
    states = []
    for rate in (1001.0, 500.0):
        study = study_of([*base, *repeats(tmp_path / str(rate), "b", [rate])])
        states.append(judged(with_kept(study, tmp_path / "cache"))[cell_of("b"), "a"].state)
    assert states == ["no change seen", "slower, one run"]


def test_a_step_that_gets_a_rate_elsewhere_is_missing_where_it_has_none(tmp_path: Path) -> None:
    """What no release has a rate of, as it ran for its profile alone, is missing nowhere."""
    update: dict[str, Any] = {"step": {"name": "update"}}
    names = ["a", "b", *(f"r{at:02}" for at in range(40))]  # beyond the window of noise of `b`
    runs = [
        captured(tmp_path, "a"),
        *(each for name in names for each in repeats(tmp_path, name, [1000.0], **update)),
    ]
    more = repeats(tmp_path / "more", names[-1], [1000.0])
    before, after = (
        study_of(own, report={"steps": ("select", "update")}) for own in (runs, [*runs, *more])
    )
    assert (cell_of("b"), "a") not in judged(with_kept(before, tmp_path / "cache"))
    found = judged(with_kept(after, tmp_path / "cache"))
    assert found[cell_of("b"), "a"].why == "no run of this release"
    assert dict(found) == dict(judged(after))


def test_another_level_change_makes_the_verdicts_again_that_it_is_in(tmp_path: Path) -> None:
    rates = [1000.0, 1001.0, 999.0, 1000.5, 1002.0, 960.0, 961.0, 959.0, 960.5, 962.0]
    study = study_of(
        [each for at, rate in enumerate(rates) for each in repeats(tmp_path, f"r{at}", [rate])]
    )
    study = with_kept(study, tmp_path / "cache")
    summaries = summaries_of(study.step_runs, "throughput")
    noise = noise_models(summaries, study.report, run_days(study.runs))
    levels = levels_of_study(study, "throughput", summaries, noise)
    for own in ({}, levels, {}):
        found = verdicts_of(study, "throughput", summaries, noise, own)
        assert bool(found[cell_of("r7"), "r0"].since) == bool(own)
        assert found[cell_of("r3"), "r0"].since is None

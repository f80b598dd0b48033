"""Levels and order of the runs of a cell, by how throughput behaved within each."""

from pathlib import Path

from msgspec.structs import replace
from perfpress.analysis.metrics.run_stability import (
    RunStability,
    StartAndEnd,
    decay,
    levels_of,
    stability_of_runs,
)
from perfpress.analysis.metrics.stability import Stability, stability_of
from perfpress.analysis.study.study import StepRun
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.logs.readings import Series
from step_run_samples import step_run, with_readings
from study_samples import study_of


def series_of(name: str, *values: float) -> Series:
    seconds = tuple(float(at + 1) for at in range(len(values)))
    return Series(name=name, unit="operations/s", seconds=seconds, values=values)


def stability(*values: float) -> Stability:
    found = stability_of(series_of("throughput", *values))
    assert found is not None
    return found


def test_levels_of_a_cell_are_medians_over_runs_whose_tenths_are_more_than_noise() -> None:
    runs = [
        RunStability(str(start), stability(*[start] * 25, *[end] * 25))
        for start, end in ((100.0, 50.0), (110.0, 90.0), (180.0, 70.0))
    ]
    assert levels_of(runs) == StartAndEnd(start=110.0, end=70.0, runs=3)
    short = RunStability("short", stability(1.0, 2.0, 3.0))
    assert levels_of([*runs[:2], short]) == StartAndEnd(start=105.0, end=70.0, runs=2)
    assert levels_of([short]) is None
    assert levels_of([]) is None


def test_decay_is_the_last_tenth_against_the_first() -> None:
    assert decay(stability(100.0, 50.0)) == 0.5
    assert decay(stability(0.0, 50.0)) == 0.0, "nothing was done at the start"


def test_a_run_stalled_for_the_seconds_of_all_its_stalls() -> None:
    usual = [1000.0] * 20
    run = RunStability("run", stability(*usual, 0.0, 0.0, *usual, 0.0, *usual))
    assert run.stalled == 3.0
    assert RunStability("run", stability(*usual)).stalled == 0.0


def run_with(directory: Path, *series: Series, exclusion: Exclusion | None = None) -> StepRun:
    run = step_run(directory, exclusion=exclusion)
    return with_readings(run, replace(run.readings[0], series=series))


def test_runs_of_a_cell_come_by_decay_and_those_that_stalled_longest_before_others(
    tmp_path: Path,
) -> None:
    usual = [1000.0] * 20
    shapes = {
        "steady": usual * 3,
        "stalled": [*usual, 0.0, 0.0, *usual, *usual],
        "falling": [*usual, *[500.0] * 20],
    }
    runs = [
        run_with(tmp_path / name, series_of("throughput", *values), series_of("latency", 1.0, 0.5))
        for name, values in shapes.items()
    ]
    excluded = Exclusion("invalid", "disk full", None)
    others = [
        run_with(tmp_path / "a", series_of("throughput", 2.0, 1.0), exclusion=excluded),
        run_with(tmp_path / "b", series_of("throughput", 1.0)),
        run_with(tmp_path / "c"),
    ]
    found = stability_of_runs(study_of([*others, *runs]), runs[0].cell)
    assert [(decay(each.stability), each.stalled) for each in found] == [
        (0.5, 0.0),
        (1.0, 2.0),
        (1.0, 0.0),
    ]

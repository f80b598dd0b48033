"""Levels and order of the runs of a cell, by how throughput behaved within each."""

from perfpress.analysis.metrics.run_stability import RunStability, StartAndEnd, decay, levels_of
from perfpress.analysis.metrics.stability import Stability, stability_of
from perfpress.input.logs.readings import Series


def stability(*values: float) -> Stability:
    seconds = tuple(float(at + 1) for at in range(len(values)))
    found = stability_of(
        Series(name="throughput", unit="operations/s", seconds=seconds, values=values)
    )
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

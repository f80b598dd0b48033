"""Which values of a cell are independent: its runs, or the means of its days and processes."""

import pytest
from perfpress.analysis.metrics.throughput import summarise
from perfpress.analysis.verdicts.days import independent, with_processes

FORKS = summarise({"x": 1.0, "y": 3.0}, {"x": (1.0, 4.0)})


def test_a_run_of_several_processes_is_a_day_of_its_own_and_others_keep_theirs() -> None:
    days = {"x": "2026-11-20", "y": "2026-11-21"}
    assert with_processes(days, [FORKS]) == {"x": "x", "y": "2026-11-21"}
    assert with_processes({}, [FORKS]) == {"x": "x"}
    assert with_processes(days, [summarise({"x": 1.0, "y": 3.0})]) == days


def test_values_of_one_day_count_once_and_those_of_unknown_days_each() -> None:
    assert independent(FORKS, {}) == (1.0, 4.0, 3.0)
    assert independent(FORKS, {"x": "x"}) == pytest.approx((2.0, 3.0))
    assert independent(FORKS, {"x": "one", "y": "one"}) == pytest.approx((12 ** (1 / 3),))

"""Units of weights: what comes first, and how a weight reads."""

import pytest
from perfpress.base.display import number
from perfpress.base.units import event_rank, noun, shown_in, shown_time, weight_text, whole_unit
from vectors import vectors

UNITS = vectors("units")


def test_cpu_time_comes_first_and_what_nobody_named_second() -> None:
    events = [
        *(("alloc_space", "bytes"), ("wait", "ps"), ("unknown", "0.01 samples")),
        *(("cycles", "cycles"), ("cpu-clock", "CPU ns"), ("branches", "events")),
    ]
    ordered = sorted(events, key=lambda event: event_rank(*event))
    assert [event for event, _ in ordered] == [
        *("cpu-clock", "cycles", "unknown", "alloc_space", "branches", "wait")
    ]


@pytest.mark.parametrize(
    ("weight", "unit", "text"),
    [
        (12_047_000_000, "CPU ns", "12.05 s of CPU time"),
        (3_400_000_000, "ps", "0.003400 s of waiting time"),
        (4_560_000, "bytes", "4.56 MB"),
        (8_123, "objects", "8,123 objects"),
        (325, "0.01 samples", "3.250 samples"),
        (3, "objects", "3 objects"),
        (10**12, "cycles", "1,000,000,000,000 cycles"),
    ],
)
def test_weights_read_well(weight: int, unit: str, text: str) -> None:
    assert weight_text(weight, unit) == text


@pytest.mark.parametrize(("unit", "whole"), UNITS["whole_unit"])
def test_fractions_of_a_unit_are_of_it(unit: str, whole: str) -> None:
    assert whole_unit(unit) == whole


@pytest.mark.parametrize(("unit", "seconds"), UNITS["seconds_of_one"])
def test_times_are_given_in_seconds(unit: str, seconds: float | None) -> None:
    text = weight_text(12.5 / (seconds or 1), unit)
    assert text.startswith("12.50 s of ") == (seconds is not None)


@pytest.mark.parametrize(("picoseconds", "factor", "suffix"), UNITS["waits"])
def test_waits_have_the_unit_of_the_longest(picoseconds: float, factor: float, suffix: str) -> None:
    found, unit = shown_in("ps", [0, picoseconds])
    assert found == pytest.approx(factor)
    assert unit == f"waiting {suffix}"


def test_what_fractions_measure_is_what_their_unit_measures() -> None:
    assert noun("0.1 ps") == "waiting time"
    assert noun("cycles") == "cycles"


@pytest.mark.parametrize(
    ("values", "largest", "unit"),
    [
        ([47_305_410, 2e5], "47.31", "waiting µs"),
        ([30_030], "0.03003", "waiting µs"),
        ([], "0", "waiting µs"),
    ],
)
def test_nobody_has_to_read_picoseconds(values: list[float], largest: str, unit: str) -> None:
    factor, shown = shown_in("ps", values)
    assert (number(max(values, default=0) * factor), shown) == (largest, unit)


def test_other_weights_are_shown_as_they_are() -> None:
    assert shown_in("CPU ns", [5e12]) == (1, "CPU ns")


@pytest.mark.parametrize(
    ("nanoseconds", "per_unit", "unit"),
    [
        (0.5, 1.0, "ns"),
        (999.0, 1.0, "ns"),
        (1e3, 1e3, "µs"),
        (2.5e6, 1e6, "ms"),
        (1e9, 1e9, "s"),
    ],
)
def test_a_time_is_shown_in_the_largest_unit_that_it_fills(
    nanoseconds: float, per_unit: float, unit: str
) -> None:
    factor, shown = shown_time(nanoseconds)
    assert shown == unit
    assert factor == pytest.approx(1 / per_unit)

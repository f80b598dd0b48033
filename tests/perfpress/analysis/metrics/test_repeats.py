"""Repeats with a gap between them, which are hardly of one measurement."""

import pytest
from perfpress.analysis.metrics.repeats import unlike


@pytest.mark.parametrize(
    ("values", "gap"),
    [
        ([], None),
        ([5.0], None),
        ([100.0, 149.0], None),
        ([150.0, 100.0], (100.0, 150.0)),
        # No gap between neighbours: a wide scatter, or a trend.
        ([100.0, 140.0, 190.0], None),
        ([10.0, 100.0, 11.0, 300.0], (11.0, 100.0)),
        ([0.0, -3.0, 100.0, 101.0], None),
    ],
)
def test_neighbours_that_differ_by_half_are_a_gap(
    values: list[float], gap: tuple[float, float] | None
) -> None:
    assert unlike(values) == gap

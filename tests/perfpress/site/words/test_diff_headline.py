"""What a comparison opens with, on built pages as on the page that compares any two."""

from types import SimpleNamespace
from typing import Any

import pytest
from perfpress.analysis.profiles.cost import CostUnit
from perfpress.site.shapes.blocks import Fact
from perfpress.site.words.diff_headline import compared_fact, latency_covered
from vectors import vectors


@pytest.mark.parametrize(("base", "after", "unit", "value", "note"), vectors("facts"))
def test_numbers_of_both_sides_are_with_their_change(
    base: float | None, after: float | None, unit: str, value: str, note: str
) -> None:
    assert compared_fact("Rate", base, after, unit) == Fact(label="Rate", value=value, note=note)


def figures_with(costs: dict[str, dict[str, float]]) -> Any:
    """Return figures of cells whose average latency is 2 ms, and 4 ms in the second."""
    cells = dict(zip(costs, (2.0, 4.0), strict=True))
    profiles = {
        cell: [SimpleNamespace(cell=cell, unit=unit) for unit in of_cell]
        for cell, of_cell in costs.items()
    }
    return SimpleNamespace(
        summaries={
            "latency_average": {cell: SimpleNamespace(median=ms) for cell, ms in cells.items()}
        },
        study=SimpleNamespace(profiles=profiles),
        cost_of=lambda made: costs[made.cell][made.unit],
        cost_unit=lambda made: CostUnit(made.unit, "insert"),
    )


def test_a_diff_with_waits_says_how_much_of_the_latency_they_and_the_cpu_cover() -> None:
    figures = figures_with(
        {"16": {"ps": 1e9, "CPU ns": 2e5}, "18": {"ps": 3e9, "CPU ns": 2e5, "cycles": 7.0}}
    )
    cells: Any = ("18", "16")
    (fact,) = latency_covered(figures, *cells)
    assert fact.value.replace("\N{NO-BREAK SPACE}", " ") == (
        "waiting time 50 → 75 %, CPU time 10 → 5 %, not covered 40 → 20 %"
    )


def test_no_part_of_the_latency_is_negative() -> None:
    """Threads of the server wait beside those that serve: their waits may exceed the latency."""
    figures = figures_with({"16": {"ps": 1e9}, "18": {"ps": 6e9}})
    cells: Any = ("18", "16")
    (fact,) = latency_covered(figures, *cells)
    assert fact.value.replace("\N{NO-BREAK SPACE}", " ") == "waiting time 50 → 150 %"
    assert fact.note.endswith("so that more than all of it is covered")


def test_without_waits_nothing_is_reported_of_the_latency() -> None:
    figures = figures_with({"16": {"CPU ns": 2e5}, "18": {"ps": 3e9, "CPU ns": 2e5}})
    cells: Any = ("18", "16")
    assert latency_covered(figures, *cells) == ()

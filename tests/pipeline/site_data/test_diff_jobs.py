"""What a diff is asked for: bases that both sides know, their single captures, the headline."""

from pathlib import Path
from typing import Any

from study_samples import STACKS, captured, cell_of, profile_on_disk, repeats, study_of

from pipeline.site_data.diff_headline import headline_lines
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey, diff_jobs

KEY = DiffKey(cell_of("b"), "a")


def study(directory: Path, **capture: Any) -> Figures:
    """Return a study of two releases; `capture` is what run.toml says of b's."""
    profiles = [profile_on_disk(directory, release, STACKS) for release in "ab"]
    runs = [captured(directory, "a"), captured(directory, "b", 500.0, capture=capture)]
    return Figures(study_of([*runs, *repeats(directory, "a", [10.0])], profiles))


def request(figures: Figures) -> dict[str, Any]:
    return dict(diff_jobs(figures)[KEY].request)


def test_costs_are_compared_where_both_sides_tell_them_and_seconds_can_be(tmp_path: Path) -> None:
    asked = request(study(tmp_path))
    assert asked["basis"] == "cost_per_operation"
    # 10 s at 1000 a second, and at 500
    assert asked["bases"] == {
        "cost_per_operation": {"base": 1 / 10_000, "after": 1 / 5_000},
        "weight_per_second": {"base": 0.1, "after": 0.1},
    }


def test_shares_are_compared_where_a_side_tells_no_more(tmp_path: Path) -> None:
    asked = request(study(tmp_path, seconds=None))
    assert (asked["basis"], asked["bases"]) == ("share", {})


def test_a_diff_gets_the_captures_of_both_sides_with_their_seconds(tmp_path: Path) -> None:
    figures = study(tmp_path)
    asked = request(figures)
    (made,) = figures.study.profiles[cell_of("a")]
    assert asked["base_captures"] == [{"profile": made.captures[0], "exposure": 10.0}]
    assert [each["exposure"] for each in asked["after_captures"]] == [10.0]


def test_captures_of_unknown_length_stand_for_as_much_each(tmp_path: Path) -> None:
    asked = request(study(tmp_path, seconds=None))
    assert [each["exposure"] for each in asked["after_captures"]] == [1]


def test_a_drawing_s_header_has_what_both_sides_tell(tmp_path: Path) -> None:
    lines = headline_lines(study(tmp_path), KEY.cell, KEY.base_cell)
    assert lines == [
        "Cost per operation: 0.1000 → 0.2000 cycles/transaction (+100.0\N{NO-BREAK SPACE}%)."
    ]
    assert request(study(tmp_path / "2"))["headline"] == lines

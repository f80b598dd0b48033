"""What a diff is asked for: bases that both sides know, their single captures, the headline."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.graphs import DiffGraphRequest, DiffRequest, Factors
from perfpress.base.node.messages.message import Answer
from perfpress.base.node.messages.profiles import CapturePart, CapturesAnswer
from perfpress.site.figures.graph_jobs import (
    diff_graph_jobs,
    diff_jobs,
    flamegraph_jobs,
    overdispersions,
)
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.words.diff_headline import headline_lines
from study_samples import STACKS, captured, cell_of, profile_on_disk, repeats, study_of

KEY = DiffKey(cell_of("b"), "a")


def study(directory: Path, **capture: Any) -> Figures:
    """Return a study of two releases; `capture` is what run.toml says of b's."""
    profiles = [profile_on_disk(directory, release, STACKS) for release in "ab"]
    runs = [captured(directory, "a"), captured(directory, "b", 500.0, capture=capture)]
    return Figures(study_of([*runs, *repeats(directory, "a", [10.0])], profiles))


def request(figures: Figures) -> DiffRequest:
    return diff_jobs(figures, {"cycles": 1.7})[KEY].request


def drawing(figures: Figures) -> DiffGraphRequest:
    compared: Done[Answer] = Done(Path("compared"), "key", cast(Any, None))
    return diff_graph_jobs(figures, {KEY: compared})[KEY].request


def test_costs_are_compared_where_both_sides_have_them_and_seconds_can_be(tmp_path: Path) -> None:
    asked = request(study(tmp_path))
    assert asked.basis == "cost_per_operation"
    # 10 s at 1000 a second, and at 500
    assert asked.bases == {
        "cost_per_operation": Factors(1 / 10_000, 1 / 5_000),
        "weight_per_second": Factors(0.1, 0.1),
    }


def test_shares_are_compared_where_a_side_has_no_more(tmp_path: Path) -> None:
    asked = request(study(tmp_path, seconds=None))
    assert (asked.basis, asked.bases) == ("share", {})


def test_a_diff_gets_the_captures_of_both_sides_with_their_seconds(tmp_path: Path) -> None:
    figures = study(tmp_path)
    asked = request(figures)
    (made,) = figures.study.profiles[cell_of("a")]
    assert asked.base_captures == (CapturePart(made.captures[0], 10.0),)
    assert [each.exposure for each in asked.after_captures] == [10.0]


def test_captures_of_unknown_length_stand_for_as_much_each(tmp_path: Path) -> None:
    asked = request(study(tmp_path, seconds=None))
    assert [each.exposure for each in asked.after_captures] == [1]


def test_single_captures_vary_as_those_of_the_cell_in_the_middle(tmp_path: Path) -> None:
    found = overdispersions(
        {
            (cell_of(release), event): Done(
                tmp_path, "", CapturesAnswer(captures=2, overdispersion=factor)
            )
            for release, event, factor in (
                ("a", "cycles", 1.0),
                ("b", "cycles", 2.25),
                ("c", "cycles", 9.0),
                ("d", "cycles", None),
                ("a", "wall-clock", None),
            )
        }
    )
    assert found == {"cycles": 2.2}
    assert request(study(tmp_path)).overdispersion == 1.7


def test_a_drawing_s_header_has_the_facts_of_both_sides(tmp_path: Path) -> None:
    figures = study(tmp_path)
    lines = headline_lines(figures, KEY.cell, KEY.base_cell)
    assert lines == [
        "Cost per operation: 0.1000 → 0.2000 cycles/transaction (+100.0\N{NO-BREAK SPACE}%)."
    ]
    assert drawing(figures).headline == lines


def test_another_name_of_a_variant_compares_nothing_again(tmp_path: Path) -> None:
    figures = study(tmp_path)
    variants = dict.fromkeys(figures.study.report.variants, "Another name")
    renamed = Figures(
        replace(figures.study, report=replace(figures.study.report, variants=variants))
    )
    assert request(renamed) == request(figures)
    assert drawing(renamed) != drawing(figures)


def test_another_title_of_a_report_draws_nothing_again(tmp_path: Path) -> None:
    figures = study(tmp_path)
    report = replace(figures.study.report, title="Another title")
    renamed = Figures(replace(figures.study, report=report))
    assert request(renamed) == request(figures)
    assert drawing(renamed) == drawing(figures)
    assert flamegraph_jobs(renamed) == flamegraph_jobs(figures)

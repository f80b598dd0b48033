"""The chart of all steps relative to the base, and its table."""

from pathlib import Path
from typing import cast

from perfpress.base.node.messages.charts import ReleasesRequest
from perfpress.site.figures.releases_chart import ratios_of, releases_chart, releases_table
from perfpress.site.report_figures import Figures
from study_samples import repeats, study_of

NARROW = "\N{NO-BREAK SPACE}%"


def request_of(figures: Figures) -> ReleasesRequest:
    planned = releases_chart(figures, "socket2")
    assert planned is not None
    return cast(ReleasesRequest, planned.request())


def test_steps_are_strips_of_ratios_with_gaps_where_a_release_has_none(tmp_path: Path) -> None:
    figures = Figures(
        study_of(
            [
                *repeats(tmp_path / "a", "16", [100.0, 100.5]),
                *repeats(tmp_path / "a", "17", [90.0]),
                *repeats(tmp_path / "a", "18", [110.0]),
                *repeats(tmp_path / "b", "16", [50.0], step={"name": "insert"}),
                *repeats(tmp_path / "b", "18", [25.0], step={"name": "insert"}),
                *repeats(tmp_path / "c", "17", [70.0], step={"name": "base lacks it"}),
            ],
            report={"steps": ("select", "insert", "base lacks it")},
        )
    )
    assert list(ratios_of(figures, "socket2")) == ["select", "insert"]
    request = request_of(figures)
    assert request.releases == ["16", "17", "18"]
    select, insert = request.steps
    assert [select.label, insert.label] == ["select", "insert"]
    assert insert.ratios == [1.0, None, 0.5]
    table = releases_table(figures, "socket2")
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["1.000", "0.898", "1.097"],
        ["1.000", "–", "0.500"],
    ]
    assert table.rows[1].cells[1].note == "no run"


def test_changes_of_level_stand_in_chart_and_table(tmp_path: Path) -> None:
    rates = [1000.0] * 6 + [900.0] * 5
    runs = [
        run
        for at, rate in enumerate(rates)
        for run in repeats(tmp_path, f"r{at:02}", [rate + at % 3])
    ]
    figures = Figures(study_of(runs))
    (step,) = request_of(figures).steps
    assert step.marks == [6]
    assert step.mark == f"\N{MINUS SIGN}10.0{NARROW} from r06 on"
    (row,) = releases_table(figures, "socket2").rows
    assert row.cells[-1].text == step.mark


def test_a_release_alone_is_compared_with_nothing(tmp_path: Path) -> None:
    figures = Figures(study_of(repeats(tmp_path, "16", [100.0])))
    assert releases_chart(figures, "socket2") is None

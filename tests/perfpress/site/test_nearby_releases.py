"""Of many releases the page of each shows those that are near; the step's own page has all."""

import itertools
from pathlib import Path
from typing import cast

import pytest
from perfpress.analysis.study.study import Study
from perfpress.base.node.messages.charts import RelativeRequest
from perfpress.input.report.front_matter import Release
from perfpress.site.cell_pages import FEW
from perfpress.site.figures.comparison_charts import comparison_chart, step_comparison_chart
from perfpress.site.nearby_releases import (
    COMPARED,
    NEWEST_IN_CHART,
    compared_cells,
    near_cells,
    near_sentence,
    newest_releases,
    shown_note,
)
from perfpress.site.report_figures import Figures
from step_run_samples import step_run
from study_samples import cell_of, study_of


def study_with(directory: Path, count: int, branches: tuple[str | None, ...] = (None,)) -> Study:
    releases = [f"r{at:02}" for at in range(count)]
    runs = [
        step_run(directory / each, 1000.0 + at, changes={"release": each})
        for at, each in enumerate(releases)
    ]
    named = zip(releases, itertools.cycle(branches), strict=False)
    facts = tuple(Release(id=each, branch=branch) for each, branch in named)
    return study_of(runs, report={"releases": facts})


def near(study: Study, release: str) -> list[str]:
    return [cell.release for cell in near_cells(study, cell_of(release))]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return study_with(tmp_path_factory.mktemp("many"), 20)


def test_a_few_releases_are_all_shown(tmp_path: Path) -> None:
    study = study_with(tmp_path, FEW)
    assert len(near(study, "r00")) == FEW
    assert near_sentence(study, cell_of("r00")) == ()


def test_of_many_the_base_the_previous_and_the_release_are_shown(many: Study) -> None:
    assert near(many, "r10") == ["r00", "r09", "r10"]
    assert near(many, "r00") == ["r00"]
    assert near(many, "r01") == ["r00", "r01"]


def test_of_profiles_a_page_shows_those_compared_also_of_a_few(tmp_path: Path) -> None:
    compared = compared_cells(study_with(tmp_path, 5), cell_of("r03"))
    assert [each.release for each in compared] == ["r00", "r02", "r03"]
    assert shown_note(3, 5, COMPARED).startswith("3 of 5 releases: those compared.")
    assert shown_note(3, 3, COMPARED) == ""


def test_the_release_before_on_the_same_branch_is_shown_however_far(tmp_path: Path) -> None:
    study = study_with(tmp_path, 20, ("a", "b", *["c"] * 16, "b", "c"))
    assert study.previous("r18", ("socket2",)) == "r01"
    assert near(study, "r18") == ["r00", "r01", "r18"]


def test_a_further_release_changes_nothing_on_the_pages_of_old_ones(tmp_path: Path) -> None:
    before, after = study_with(tmp_path / "20", 20), study_with(tmp_path / "21", 21)
    assert near(before, "r10") == near(after, "r10")


def test_a_page_of_some_leads_to_all(many: Study) -> None:
    link, words = near_sentence(many, cell_of("r10"))
    assert link.text == "select in all 20 releases"
    assert link.url == "/reports/servers/steps/select/"
    assert words.text == ", as a table and a chart."


def test_the_chart_of_releases_is_on_pages_that_show_all_and_on_the_step_s_own(
    many: Study, tmp_path: Path
) -> None:
    few = Figures(study_with(tmp_path, FEW))
    planned = comparison_chart(few, cell_of("r10"))
    assert planned is not None
    rows = cast(RelativeRequest, planned.request()).releases
    assert [row.label for row in rows] == near(few.study, "r10")
    assert [row.label for row in rows if row.current] == ["r10"]
    figures = Figures(many)
    assert comparison_chart(figures, cell_of("r10")) is None
    whole = step_comparison_chart(figures, "socket2", "select")
    assert whole is not None
    rows = cast(RelativeRequest, whole.request()).releases
    assert len(rows) == 20
    assert not any(row.current for row in rows)


def test_one_chart_of_many_releases_holds_the_base_and_the_newest() -> None:
    releases = [f"r{at}" for at in range(20)]
    assert newest_releases(releases, "r0") == ("r0", *releases[-FEW + 1 :])
    assert newest_releases(releases, "r19") == tuple(releases[-FEW:])
    assert newest_releases(releases[:FEW], "r0") == tuple(releases[:FEW])
    assert shown_note(12, 20, NEWEST_IN_CHART).startswith(
        "12 of 20 releases: the base and the newest."
    )
    assert shown_note(12, 12, NEWEST_IN_CHART) == ""

"""Of many releases the page of each shows those that are near; the step's own page has all."""

import itertools
from pathlib import Path

import pytest
from perfpress.analysis.study.study import Study
from perfpress.input.report.front_matter import Release
from perfpress.site.figures.comparison_charts import comparison_jobs, comparison_step_jobs
from perfpress.site.report_figures import Figures
from perfpress.site.tables.nearby_releases import (
    FEW,
    NEAR,
    near_cells,
    near_sentence,
    newest_note,
    newest_releases,
)
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


def test_of_many_the_base_the_release_and_its_neighbours_are_shown(many: Study) -> None:
    assert near(many, "r10") == ["r00", "r07", "r08", "r09", "r10", "r11", "r12"]
    assert near(many, "r00") == [f"r0{at}" for at in range(NEAR)]
    assert near(many, "r19") == ["r00", "r14", "r15", "r16", "r17", "r18", "r19"]


def test_the_release_before_on_the_same_branch_is_shown_however_far(tmp_path: Path) -> None:
    study = study_with(tmp_path, 20, ("a", *["b"] * 17, "a"))
    assert "r00" in near(study, "r18")
    assert study.previous("r18", ("socket2",)) == "r00"
    assert len(near(study, "r18")) == NEAR


def test_the_page_says_how_many_it_shows_and_leads_to_all(many: Study) -> None:
    words, link, _ = near_sentence(many, cell_of("r10"))
    assert words.text.startswith("This page shows 7 of 20 releases")
    assert link.url == "/reports/servers/steps/select/"


def test_charts_show_what_the_page_shows_and_the_step_s_own_has_all(many: Study) -> None:
    figures = Figures(many)
    rows = dict(comparison_jobs(figures))[cell_of("r10")].request.releases
    assert [row.label for row in rows] == near(many, "r10")
    assert [row.label for row in rows if row.current] == ["r10"]
    ((_, whole),) = comparison_step_jobs(figures)
    assert len(whole.request.releases) == 20
    assert not any(row.current for row in whole.request.releases)


def test_one_chart_of_many_releases_holds_the_base_and_the_newest() -> None:
    releases = [f"r{at}" for at in range(20)]
    assert newest_releases(releases, "r0") == ("r0", *releases[-FEW + 1 :])
    assert newest_releases(releases, "r19") == tuple(releases[-FEW:])
    assert newest_releases(releases[:FEW], "r0") == tuple(releases[:FEW])
    assert newest_note(12, 20).startswith("12 of 20 releases: the base and the newest.")
    assert newest_note(12, 12) == ""

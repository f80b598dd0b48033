"""The pages of all releases of a report that has more than one page holds."""

import json
from pathlib import Path

import pytest
from perfpress.analysis.study.study import Study
from perfpress.base.slugs import RESERVED
from perfpress.input.report.front_matter import Release
from perfpress.site.pages import releases
from perfpress.site.pages.releases import newest_releases_table, releases_pages
from perfpress.site.pages.report import report_page
from perfpress.site.report_figures import Figures
from perfpress.site.tables.repeated_columns import without_repeats
from report_samples import parts_of
from study_samples import repeats, study_of


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "ON_A_PAGE", 3)


def study(root: Path, count: int) -> Study:
    names = [f"r{at}" for at in range(1, count + 1)]
    return study_of([run for each in names for run in repeats(root, each, [1000.0])])


def test_pages_have_all_releases_from_the_first_on(tmp_path: Path) -> None:
    parts = parts_of(study(tmp_path, 7))
    pages = list(releases_pages(parts))
    assert [[row.label for row in page.releases.rows] for page in pages] == [
        ["r1", "r2", "r3"],
        ["r4", "r5", "r6"],
        ["r7"],
    ]
    assert [page.place.path for page in pages] == [
        f"/reports/servers/releases/{at}/" for at in (1, 2, 3)
    ]
    assert [each.label for each in pages[1].release_pages.pages] == [
        "from r1",
        "from r4",
        "from r7",
    ]
    assert pages[1].place.previous == pages[0].release_pages.pages[0]
    assert pages[2].place.next is None
    assert pages[1].releases.caption == "Releases 4 to 6"


def test_the_page_of_the_report_has_the_newest_and_the_way_to_all(tmp_path: Path) -> None:
    page = report_page(parts_of(study(tmp_path, 7)))
    assert [row.label for row in page.releases.rows] == ["r5", "r6", "r7"]
    assert page.releases.caption == "The newest 3 of 7 releases"
    assert page.release_pages is not None
    assert page.release_pages.table == page.releases.id


def test_a_script_finds_the_page_of_each_row(tmp_path: Path) -> None:
    parts = parts_of(study(tmp_path, 4))
    pages = list(releases_pages(parts))
    [file] = tmp_path.rglob("rows.json")
    assert file.as_posix().endswith(pages[0].release_pages.rows)
    rows = json.loads(file.read_text())["rows"]
    assert rows == [["r1", "r1", 0], ["r2", "r2", 0], ["r3", "r3", 0], ["r4", "r4", 1]]
    for key, _, at in rows:
        assert key in [row.key for row in pages[at].releases.rows]


def test_a_new_release_leaves_the_pages_of_old_ones_as_they_are(tmp_path: Path) -> None:
    before, after = (
        list(releases_pages(parts_of(study(tmp_path / str(count), count)))) for count in (8, 9)
    )
    first, second = (
        [(page.releases.rows[0].label, page.release_pages) for page in pages[:2]]
        for pages in (before, after)
    )
    assert first == second


def test_all_pages_have_the_same_columns_so_that_a_script_can_put_their_rows_together(
    tmp_path: Path,
) -> None:
    names = [f"r{at}" for at in range(1, 5)]
    facts = [Release(id=each, branch="next" if each == "r4" else "main") for each in names]
    runs = [run for each in names for run in repeats(tmp_path, each, [1000.0])]
    parts = parts_of(study_of(runs, report={"releases": tuple(facts)}))
    tables = [page.releases for page in releases_pages(parts)]
    for table in map(without_repeats, [*tables, report_page(parts).releases]):
        keys = [each.key for each in table.columns]
        assert keys == ["base", "previous", "branch", "runs"]


def test_few_releases_are_on_the_page_of_the_report_alone(tmp_path: Path) -> None:
    few = study(tmp_path, 3)
    assert list(releases_pages(parts_of(few))) == []
    assert report_page(parts_of(few)).release_pages is None
    assert newest_releases_table(Figures(few)).caption == "The releases of this report"


def test_no_release_has_the_address_of_the_pages() -> None:
    assert "releases" in RESERVED["release"]

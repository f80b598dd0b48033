"""Tables over all releases hold so many of them that a page stays small; files have them all."""

from pathlib import Path

import pytest
from perfpress.input.report.front_matter import CallTreeDefinition, Column, DrilldownDefinition
from perfpress.input.report.mentions import mentions_in
from perfpress.site.downloads.search_index import FunctionIndex
from perfpress.site.nearby_releases import MOST
from perfpress.site.pages.step_history import all_releases_pages
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Drilldown
from perfpress.site.shapes.matrix import MatrixPage
from perfpress.site.shortcodes.registry import shown_in_text
from report_samples import parts_of
from study_samples import captured, profile_on_disk, study_of

RELEASES = [f"r{at:02}" for at in range(MOST + 3)]
SHOWN = [RELEASES[0], *RELEASES[4:]]
NOTE = f"{MOST} of {MOST + 3} releases: the base and the newest."


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("many")


@pytest.fixture(scope="module")
def parts(directory: Path) -> ReportParts:
    definition = DrilldownDefinition(name="work", columns=(Column(head="run", path="main > run"),))
    # The function of the drilldown is heaviest in a release that no table shows.
    profiles = [
        profile_on_disk(
            directory, each, {("db", "main", "run"): 500 if each == "r01" else 50, ("db",): 500}
        )
        for each in RELEASES
    ]
    runs = [captured(directory, each) for each in RELEASES]
    report = {
        "drilldowns": (definition,),
        "calltrees": (CallTreeDefinition(name="tree", root="main"),),
        "mentions": mentions_in('{{< drilldown "work" >}}'),
    }
    return parts_of(study_of(runs, profiles, report))


@pytest.fixture(scope="module")
def page(parts: ReportParts) -> MatrixPage:
    (page,) = all_releases_pages(parts)
    return page


def is_bounded(drilldown: object) -> bool:
    assert isinstance(drilldown, Drilldown)
    table = drilldown.along_path
    return [row.key for row in table.rows] == SHOWN and NOTE in table.notes


def test_a_drilldown_has_the_base_and_the_newest_and_its_files_have_all(
    page: MatrixPage, directory: Path
) -> None:
    (drilldown,) = page.drilldowns
    assert is_bounded(drilldown)
    (file,) = directory.rglob("drilldown-work.csv")
    assert all(each in file.read_text() for each in RELEASES)


def test_a_drilldown_in_a_text_has_as_many(parts: ReportParts) -> None:
    assert is_bounded(shown_in_text(parts).shown["drilldown"]["work"])


def test_a_call_tree_has_the_base_and_the_newest_and_its_file_has_all(
    page: MatrixPage, directory: Path
) -> None:
    (tree,) = page.calltrees
    assert [column.key for column in tree.table.columns] == SHOWN
    assert {len(row.cells) for row in tree.table.rows} == {MOST}
    assert NOTE in tree.table.notes
    (file,) = directory.rglob("calltree-tree.txt")
    assert all(each in file.read_text() for each in RELEASES)


def test_the_search_leads_to_rows_that_are_there(parts: ReportParts) -> None:
    functions = FunctionIndex()
    functions.add_drilldowns(parts.figures, parts.weighed)
    assert {shown.end for shown in functions.found.values()} <= set(SHOWN)

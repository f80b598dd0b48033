"""Drilldowns, call trees and the matrix of functions as pages show them."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from perfpress.base.problems import Problem
from perfpress.input.report.front_matter import (
    CallTreeDefinition,
    Column,
    DrilldownDefinition,
    Rest,
)
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.graph_jobs import diffs_by_cell
from perfpress.site.nearby_releases import SAME_NUMBERS, cells_of_step
from perfpress.site.nearby_releases import drilldown_of as drilldown_of_releases
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Drilldown
from perfpress.site.tables.call_trees import calltrees
from perfpress.site.tables.drilldowns import drilldowns, weighed_drilldowns
from perfpress.site.tables.frame_links import FrameLinks
from perfpress.site.tables.matrix import FunctionTables, function_tables_by_release, line_points
from profile_samples import Stacks
from study_samples import captured, cell_of, profile_on_disk, study_of

WITH_CALLEES = "Percent of the whole profile, with everything it called."
OLD: Stacks = {("db", "run", "A::seek"): 20, ("db", "run", "B::seek"): 10, ("db", "read_[k]"): 70}
NEW: Stacks = {("db", "run", "A::seek"): 60, ("db", "read_[k]"): 140}


def links_of(directory: Path, **report: Any) -> FrameLinks:
    """Return what links to graphs need of two releases, with all graphs drawn."""
    profiles = [
        profile_on_disk(directory, release, stacks) for release, stacks in (("a", OLD), ("b", NEW))
    ]
    runs = [captured(directory, "a"), captured(directory, "b", rate=500.0)]
    figures = Figures(study_of(runs, profiles, report))
    drawn = [(cell_of(each), "cycles") for each in ("a", "b")]
    diffs = [DiffKey(cell_of("b"), "a")]
    return FrameLinks(figures, drawn, diffs_by_cell(diffs), SiteDirectory(directory / "site"))


def drilldown_of(links: FrameLinks) -> Drilldown:
    weighed, problems = weighed_drilldowns(links.figures)
    assert problems == []
    (only,) = drilldowns(links.figures, weighed, links).values()
    return only


def defined(*paths: str, **facts: Any) -> tuple[DrilldownDefinition, ...]:
    columns = tuple(Column(head=path, path=path) for path in paths)
    return (DrilldownDefinition(name="towers", columns=columns, **facts),)


def texts(drilldown: Drilldown) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in drilldown.along_path.rows]


def test_shares_costs_or_both_are_shown(tmp_path: Path) -> None:
    shown = {
        numbers: drilldown_of(links_of(tmp_path, drilldowns=defined("run", numbers=numbers)))
        for numbers in ("share", "cost", "both")
    }
    assert texts(shown["share"]) == [["30.00"], ["30.00"]]
    assert texts(shown["cost"]) == [["0.00300"], ["0.01200"]]
    assert texts(shown["both"]) == [["30.00", "0.00300"], ["30.00", "0.01200"]]
    units = [column.unit for column in shown["both"].along_path.columns]
    assert units == ["%", "cycles/transaction"]
    assert "share of cycles and cost per operation" in shown["both"].along_path.caption


def test_link_and_note_are_at_the_share_and_not_at_the_cost_beside_it(tmp_path: Path) -> None:
    both = drilldown_of(links_of(tmp_path, drilldowns=defined("run", numbers="both")))
    share, cost = both.along_path.rows[0].cells
    assert (share.note, share.url != "") == ("matched run", True)
    assert (cost.note, cost.url, cost.sort) == ("", "", 0.003)
    alone = drilldown_of(links_of(tmp_path, drilldowns=defined("run", numbers="cost")))
    (cost,) = alone.along_path.rows[0].cells
    assert (cost.note, cost.url != "") == ("matched run", True)
    shares = drilldown_of(links_of(tmp_path, drilldowns=defined("run", numbers="share")))
    (share,) = shares.along_path.rows[0].cells
    assert share.note == "matched run; 0.003000 cycles/transaction"


def test_two_views_with_the_same_numbers_are_one_table(tmp_path: Path) -> None:
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("db > run")))
    shown = drilldown_of_releases(made, ["a", "b"])
    assert shown.along_path.notes == (WITH_CALLEES, SAME_NUMBERS)
    assert (shown.whole_profile, shown.whole_id) == (None, "towers-select-whole")


def test_two_views_with_other_numbers_are_two_tables(tmp_path: Path) -> None:
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("A::seek of run")))
    shown = drilldown_of_releases(made, ["a", "b"])
    assert SAME_NUMBERS not in shown.along_path.notes
    assert shown.whole_profile is not None
    assert shown.whole_profile.id == shown.whole_id


def test_the_rest_of_a_path_is_what_no_other_column_has(tmp_path: Path) -> None:
    rest = Rest(head="else", path="db")
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("A::seek", "run", rest=rest)))
    assert texts(made) == [["20.00", "30.00", "70.00"], ["30.00", "30.00", "70.00"]]
    assert made.along_path.columns[2].meaning == (
        "db without the other columns: percent of the whole profile"
    )


def test_a_cell_leads_to_its_frame_in_the_graph_and_in_the_diff(tmp_path: Path) -> None:
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("run")))
    first, second = (row.cells[0] for row in made.along_path.rows)
    assert first.url == "/reports/servers/a/select/#flamegraph-a-select.frame=run"
    assert first.links == ()
    (diff,) = second.links
    assert diff.label == "in the diff against a"
    assert diff.url == "/reports/servers/b/select/vs/a/#diff-b-select-a.frame=run"


def test_a_frame_on_the_same_page_is_linked_to_by_its_fragment(tmp_path: Path) -> None:
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("run")))
    shown = drilldown_of_releases(made, ["a", "b"], page="/reports/servers/a/select/")
    here, elsewhere = (row.cells[0] for row in shown.along_path.rows)
    assert here.url == "#flamegraph-a-select.frame=run"
    assert elsewhere.url == "/reports/servers/b/select/#flamegraph-b-select.frame=run"


def test_one_name_that_is_several_functions_is_marked(tmp_path: Path) -> None:
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("seek")))
    first, second = (row.cells[0] for row in made.along_path.rows)
    assert first.mark
    assert first.note.startswith("seek is 2 functions: A::seek, B::seek; matched A::seek")
    assert not second.mark


def test_a_name_that_no_profile_has_is_pointed_at(tmp_path: Path) -> None:
    links = links_of(tmp_path, drilldowns=defined("db >> A::seak"))
    _, problems = weighed_drilldowns(links.figures)
    assert problems == [
        Problem(
            path="reports/servers",
            found="character 7 of the path: no profile has 'A::seak'",
            expected="a function or thread of the profiles",
            do="did you mean A::seek?",
            severity="warning",
            excerpt="db >> A::seak\n      ^",
        )
    ]


def test_the_files_hold_both_views(tmp_path: Path) -> None:
    made = drilldown_of(links_of(tmp_path, drilldowns=defined("db >> run")))
    assert [each.label for each in made.downloads] == ["Text", "Markdown", "CSV", "JSON"]
    folder = tmp_path / "site" / "static" / "reports" / "servers" / "steps" / "select"
    text = (folder / "drilldown-towers.txt").read_text()
    assert text.startswith(
        "a - db >> run\n\nselect - along the call path\n"
        "Numbers are the percentage of cycles in each function including its children.\n"
        "a       version\n30.00   a\n30.00   b\n"
    )
    assert "select - over the whole profile" in text
    rows = json.loads((folder / "drilldown-towers.json").read_text())
    assert [row["view"] for row in rows] == ["select - along the call path"] * 2 + [
        "select - over the whole profile"
    ] * 2


def test_a_call_tree_is_indented_and_leads_into_the_graphs(tmp_path: Path) -> None:
    links = links_of(tmp_path, calltrees=(CallTreeDefinition(name="running", root="run"),))
    made, problems = calltrees(links.figures, links)
    assert problems == []
    table = made["running", ("socket2", "select")].table
    assert [(row.depth, row.label) for row in table.rows] == [
        (0, "run"),
        (1, "A::seek"),
        (1, "B::seek"),
    ]
    assert [cell.text for cell in table.rows[2].cells] == ["10.00", "–"]
    assert table.rows[1].cells[1].url.endswith(".frame=A%3A%3Aseek")
    (text,) = table.downloads
    assert text.url == "/reports/servers/steps/select/calltree-running.txt"


def test_a_call_tree_without_a_path_is_reported(tmp_path: Path) -> None:
    links = links_of(tmp_path, calltrees=(CallTreeDefinition(name="running", root="run >"),))
    made, (problem,) = calltrees(links.figures, links)
    assert made == {}
    assert problem.excerpt == "run >\n     ^"


def matrix_of(links: FrameLinks) -> FunctionTables:
    cells = cells_of_step(links.figures.study, "socket2", "select")
    made = function_tables_by_release(links.figures, cells, links)
    assert made is not None
    return made


def test_the_matrix_has_all_functions_by_release(tmp_path: Path) -> None:
    page = matrix_of(links_of(tmp_path))
    assert page.matrix.data == "/reports/servers/steps/select/functions.json"
    rows = {row.name: row for row in page.matrix.rows}
    assert rows["A::seek"].cells == ("20.00", "30.00")
    assert rows["B::seek"].cells == ("10.00", "–")
    assert rows["A::seek"].change == "+10.00"
    assert rows["B::seek"].change == "−10.00"
    own, cost = page.others
    assert [row.label for row in own.rows] == ["read", "A::seek", "B::seek"]
    assert cost.columns[0].unit == "cycles/transaction"


def test_the_data_of_the_matrix_is_exact(tmp_path: Path) -> None:
    links = links_of(tmp_path)
    page = matrix_of(links)
    data = json.loads((tmp_path / "site" / "static" / page.matrix.data.lstrip("/")).read_text())
    assert [each["total"] for each in data["releases"]] == [100, 200]
    at = data["key"].index("A::seek")
    assert [own[at] for own in data["totals"]] == [20, 60]
    assert [sum(own) for own in data["self"]] == [100, 200]
    assert data["depth"][:2] == [0, 1]
    assert all(below <= above + 1 for above, below in pairwise(data["depth"]))
    assert data["name"][at] is None


def test_a_course_begins_at_nothing() -> None:
    assert line_points([0.0, 0.5, 1.0]) == "2.0,14.0 30.0,8.0 58.0,2.0"
    assert line_points([0.0]) == "2.0,14.0"

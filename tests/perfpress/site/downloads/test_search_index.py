"""The index of the search: small, and without a page that is not there."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from perfpress.analysis.study.study import Study
from perfpress.base.node.messages.findings import Findings
from perfpress.input.report.front_matter import Column, DrilldownDefinition
from perfpress.site.downloads import search_index as module
from perfpress.site.downloads.search_index import (
    FunctionIndex,
    SearchableRelease,
    SearchableReport,
    search_index,
    searchable_report,
)
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Cell, ColumnHead, Graph, Row, Table
from perfpress.site.shapes.matrix import Matrix, MatrixPage, MatrixRow
from perfpress.site.shapes.pages import Place, StepPage
from perfpress.site.tables.drilldowns import weighed_drilldowns
from profile_samples import Stacks
from study_samples import captured, cell_of, profile_on_disk, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change, function, shift

RATES = [1000.0, 1001.0]


def table(*functions: tuple[str, float]) -> Table:
    return Table(
        id="t",
        caption="",
        row_head="",
        columns=(ColumnHead(key="self", label="Self"),),
        rows=tuple(
            Row(key=name, label=name, cells=(Cell(text="", sort=part),)) for name, part in functions
        ),
    )


def step_page(path: str, *functions: tuple[str, float]) -> StepPage:
    place = Place(path=path, title="", heading=f"step of {path}", description="")
    graph = Graph(id=f"graph{path}", caption="", asset="", profile_url="", table=table(*functions))
    empty = table()
    return StepPage(
        place=place, opening=(), summary=(), facts=(), results=empty, runs=empty, graphs=(graph,)
    )


def functions_of(pages: list[StepPage]) -> FunctionIndex:
    found = FunctionIndex()
    for page in pages:
        found.add(page)
    return found


def read(index: bytes) -> Any:
    return json.loads(index)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return study_of(
        [
            *repeats(tmp_path, "17", RATES, step={"name": "scan all"}),
            *repeats(tmp_path, "18", RATES),
        ],
        report={"steps": ("select", "scan all")},
    )


def test_a_report_lists_which_release_has_which_step(study: Study) -> None:
    (report,) = read(search_index([searchable_report(Figures(study))], [], FunctionIndex()))[
        "reports"
    ]
    assert report["steps"] == [["select", "select"], ["scan all", "scan-all"]]
    assert report["releases"] == [["17", "17", "01"], ["18", "18", "10"]]


def test_a_report_has_its_level_changes_with_where_they_are_shown(tmp_path: Path) -> None:
    runs = [
        run
        for at in range(8)
        for step in ("a", "b")
        for run in repeats(tmp_path, f"{at}", [500.0 + at + 500 * (at < 4)], step={"name": step})
    ]
    figures = Figures(study_of(runs, report={"steps": ("a", "b")}))
    (report,) = read(search_index([searchable_report(figures)], [], FunctionIndex()))["reports"]
    assert report["changes"] == [
        ["2 steps dropped at 4, by 49.5\N{NO-BREAK SPACE}%", "@socket2/#level-changes.4-drop"]
    ]


def test_a_function_leads_to_the_graph_in_which_it_takes_most() -> None:
    pages = [step_page("/a/", ("f", 0.2), ("g", 0.4)), step_page("/b/", ("f", 0.3))]
    index = read(search_index([], [], functions_of(pages)))
    assert [(name, *index["places"][at], end) for name, at, end in index["functions"]] == [
        ("g", "/a/#graph/a/.search=", "takes most in step of /a/", ""),
        ("f", "/b/#graph/b/.search=", "takes most in step of /b/", ""),
    ]
    assert index["left_out"] == 0


def test_there_is_room_for_the_functions_that_take_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 2000)
    pages = [step_page("/a/", *((f"{'f' * 90}{at}", at / 100) for at in range(100)))]
    index = search_index([], [], functions_of(pages))
    assert len(index) <= 2100
    assert read(index)["functions"][0][0].endswith("99")
    kept = len(read(index)["functions"])
    assert 10 < kept < 100
    assert read(index)["left_out"] == 100 - kept


def test_many_releases_leave_room_for_functions() -> None:
    releases = tuple(SearchableRelease(f"{at}.0", f"{at}.0", "1" * 40) for at in range(2000))
    report = SearchableReport("many", "/reports/many/", releases, (), ())
    index = read(search_index([report], [], functions_of([step_page("/a/", ("wide", 0.9))])))
    assert [name for name, *_ in index["functions"]] == ["wide"]


def changed(tmp_path: Path, *found: tuple[str, Findings]) -> Any:
    """Return the index of diffs of release c, by base."""
    figures = Figures(study_of([run for name in "abc" for run in repeats(tmp_path, name, RATES)]))
    functions = FunctionIndex()
    functions.add_findings(
        figures, {DiffKey(cell_of("c"), base): findings for base, findings in found}
    )
    return read(search_index([], [], functions))


def told(index: Any) -> list[tuple[str, str, str]]:
    """Return the name, address and description of each function."""
    return [
        (name, url + (end or name), label)
        for name, at, end in index["functions"]
        for url, label in [index["places"][at]]
    ]


def test_what_grew_shrank_or_moved_leads_to_its_frame_in_the_diff(tmp_path: Path) -> None:
    found = replace(
        NOTHING_CHANGED,
        additions=(change("grew", 0.0, 9000.0),),
        savings=(change("shrank", 5000.0, 1000.0),),
        shifts=(shift("moved", "calls"),),
    )
    graph = "/reports/servers/c/select/vs/a/#diff-c-select-a.frame="
    assert told(changed(tmp_path, ("a", found))) == [
        ("grew", f"{graph}main > grew", "costs more in select, a → c"),
        ("shrank", f"{graph}main > shrank", "costs less in select, a → c"),
        ("moved", f"{graph}moved", "moved in select, a → c"),
    ]


def test_a_larger_share_is_not_called_a_higher_cost(tmp_path: Path) -> None:
    additions, savings = (change("grew", 0.0, 900.0),), (change("shrank", 900.0, 0.0),)
    found = replace(NOTHING_CHANGED, basis="share", additions=additions, savings=savings)
    assert [label for _, _, label in told(changed(tmp_path, ("a", found)))] == [
        "larger share in select, a → c",
        "smaller share in select, a → c",
    ]


def test_what_changed_with_a_function_is_searched_for_in_the_diff(tmp_path: Path) -> None:
    grew = change("grew", 0.0, 9000.0, callers=(function("above", 0.0, 8000.0),))
    (_, above) = told(changed(tmp_path, ("a", replace(NOTHING_CHANGED, additions=(grew,)))))
    assert above[1] == "/reports/servers/c/select/vs/a/#diff-c-select-a.search=above"


def test_a_function_leads_to_the_diff_in_which_it_changed_most(tmp_path: Path) -> None:
    less, more = (
        replace(NOTHING_CHANGED, additions=(change("grew", 0.0, by),)) for by in (100.0, 900.0)
    )
    index = changed(tmp_path, ("a", less), ("b", more))
    assert [label for _, _, label in told(index)] == ["costs more in select, b → c"]


def test_a_path_too_long_for_the_index_is_searched_for(tmp_path: Path) -> None:
    grew = change("grew", 0.0, 900.0, path="a > " * 500)
    index = changed(tmp_path, ("a", replace(NOTHING_CHANGED, additions=(grew,))))
    assert told(index)[0][1].endswith(".search=grew")


def test_changes_have_room_before_shares(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    figures = Figures(study_of(repeats(tmp_path, "c", RATES)))
    functions = functions_of([step_page("/a/", ("wide", 0.9), ("grew", 0.5))])
    found = replace(NOTHING_CHANGED, additions=(change("grew", 0.0, 10.0),))
    functions.add_findings(figures, {DiffKey(cell_of("c"), "c"): found})
    names = [name for name, *_ in read(search_index([], [], functions))["functions"]]
    assert names == ["grew", "wide", "grew"]
    monkeypatch.setattr(module, "MOST_BYTES", 130)
    index = read(search_index([], [], functions))
    assert [name for name, *_ in index["functions"]] == ["grew"]
    assert index["left_out"] == 1, "the other place of a function that is there is not counted"


def test_what_a_drilldown_found_leads_to_its_row(tmp_path: Path) -> None:
    stacks: Stacks = {("db", "run", "A::seek"): 30, ("db", "run", "A::next"): 10, ("db",): 60}
    definition = DrilldownDefinition(
        name="rows", title="Reading rows", columns=(Column(head="rows", path="run > A::*"),)
    )
    figures = Figures(
        study_of(
            [captured(tmp_path, "a")],
            [profile_on_disk(tmp_path, "a", stacks)],
            {"drilldowns": (definition,)},
        )
    )
    functions = FunctionIndex()
    functions.add_drilldowns(figures, weighed_drilldowns(figures)[0])
    row = "/reports/servers/steps/select/#rows-select-along.a"
    label = "in the drilldown “Reading rows” of select"
    assert told(read(search_index([], [], functions))) == [
        ("A::seek", row, label),
        ("A::next", row, label),
    ]


def test_functions_over_all_releases_lead_to_their_rows() -> None:
    place = Place(path="/s/", title="", heading="select on all releases", description="")
    matrix = Matrix(
        id="matrix",
        caption="",
        releases=(),
        keys=(),
        line_box="",
        rows=(MatrixRow(key="f", name="f()", cells=("50.00",), largest=0.5, change="", line=""),),
        notes=(),
        data="",
        downloads=(),
    )
    functions = FunctionIndex()
    functions.add(
        MatrixPage(
            place=place,
            opening=(),
            summary=(),
            facts=(),
            results=table(),
            matrix=matrix,
            function_changes=table(("g", 0.1)),
        )
    )
    assert told(read(search_index([], [], functions))) == [
        ("g", "/s/#t.g", "level change in select on all releases"),
        ("f()", "/s/#matrix.f", "takes most in select on all releases"),
    ]

"""The index of the search: small, and without a page that is not there."""

import json
from pathlib import Path
from typing import Any

import pytest
from perfpress.analysis.study.study import Study
from perfpress.site.downloads import search_index as module
from perfpress.site.downloads.search_index import FunctionsOfPages, search_index
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, ColumnHead, Graph, Row, Table
from perfpress.site.shapes.pages import Place, StepPage
from study_samples import repeats, study_of

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
    return StepPage(place=place, summary=(), facts=(), results=empty, runs=empty, graphs=(graph,))


def functions_of(pages: list[StepPage]) -> FunctionsOfPages:
    found = FunctionsOfPages()
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
    (report,) = read(search_index([Figures(study)], [], FunctionsOfPages()))["reports"]
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
    (report,) = read(search_index([figures], [], FunctionsOfPages()))["reports"]
    assert report["changes"] == [
        ["2 steps dropped at 4, by 49.5\N{NO-BREAK SPACE}%", "@socket2/#level-changes.4-drop"]
    ]


def test_a_function_leads_to_the_graph_in_which_it_takes_most() -> None:
    pages = [step_page("/a/", ("f", 0.2), ("g", 0.4)), step_page("/b/", ("f", 0.3))]
    index = read(search_index([], [], functions_of(pages)))
    assert [(name, index["graphs"][at]) for name, at in index["functions"]] == [
        ("g", ["/a/", "graph/a/", "step of /a/"]),
        ("f", ["/b/", "graph/b/", "step of /b/"]),
    ]


def test_there_is_room_for_the_functions_that_take_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 2000)
    pages = [step_page("/a/", *((f"{'f' * 90}{at}", at / 100) for at in range(100)))]
    index = search_index([], [], functions_of(pages))
    assert len(index) <= 2010
    assert read(index)["functions"][0][0].endswith("99")
    assert 10 < len(read(index)["functions"]) < 100

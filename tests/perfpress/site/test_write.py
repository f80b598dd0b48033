"""What is written of a site beside its pages, and what is left out of it."""

import gc
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock
from weakref import ref

import pytest
from perfpress.analysis.study.report_inputs import ReportInputs
from perfpress.analysis.study.study import Study
from perfpress.base.cache import Cache
from perfpress.base.problems import Problem
from perfpress.site import write
from perfpress.site.addresses import Identity
from perfpress.site.context import SiteContext
from perfpress.site.directory import SiteDirectory
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, ColumnHead, Graph, Row, Table
from perfpress.site.shapes.pages import Place, StepPage
from step_run_samples import step_run
from study_samples import study_of

WRONG = Problem(path="reports/good", found="a drilldown of nothing")
"""Known before, and found again."""
ALSO_WRONG = Problem(path="reports/good", found="another one")


def step_page(study: Study, function: str, part: float) -> StepPage:
    """Return a page with one graph, of which a function takes a part itself."""
    self_part = ColumnHead(key="self", label="Self", unit="%")
    row = Row(key="f", label=function, cells=(Cell(text="", sort=part),))
    table = Table(id="f", caption="", row_head="", columns=(self_part,), rows=(row,))
    path = f"/reports/{study.report.id}/17/select/"
    return StepPage(
        place=Place(path=path, title="", heading=f"select of {study.report.id}", description=""),
        opening=(),
        summary=(),
        facts=(),
        results=table,
        runs=table,
        graphs=(Graph(id="g", caption="", asset="", profile_url="", table=table),),
    )


@pytest.fixture
def written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Path, list[Problem]]]:
    """Write a site of two reports, of which one fails after its first page; nothing is drawn."""

    def parts(figures: Figures, *_: Any) -> Any:
        wrong = [WRONG, ALSO_WRONG] if figures.study.report.id == "good" else []
        nothing = ("findings", "weighed", "graphs", "diffs", "common_functions", "verdicts")
        empty: dict[str, Any] = {name: {} for name in nothing}
        return SimpleNamespace(figures=figures, study=figures.study, **empty), wrong

    def pages(parts: Any) -> Any:
        is_good = parts.study.report.id == "good"
        yield step_page(parts.study, "shared", 1.0 if is_good else 2.0)
        if not is_good:
            yield step_page(parts.study, "never_shown", 9.0)
            raise ValueError("math domain error")

    monkeypatch.setattr(write, "draw", lambda *_: (MagicMock(charts=MagicMock(problems=[])), []))
    monkeypatch.setattr(write, "report_parts", parts)
    nothing = write.WrittenReleases([], [], [], [])
    monkeypatch.setattr(write, "_write_releases", lambda *_: nothing)
    monkeypatch.setattr(write, "study_pages", pages)
    monkeypatch.setattr(write, "draw_all", lambda *_: {})

    def run(authored: Callable[[str], bool] = lambda _: False) -> tuple[Path, list[Problem]]:
        root = tmp_path / "site"
        reports = [
            inputs_of(study_of([step_run(tmp_path / name)], report={"id": name, "title": name}))
            for name in ("absurd", "good")
        ]
        identity = Identity("Perfpress", "https://example.org/")
        cache = Cache(tmp_path / "cache")
        written = write.write_site_data(
            reports,
            [WRONG],
            authored,
            SiteContext(identity, SiteDirectory(root), cache, 1, lambda _: None),
        )
        return root, written.problems

    return run


def inputs_of(study: Study) -> ReportInputs:
    return ReportInputs(study.report, study.runs, (), lambda: (study, []))


def site(root: Path) -> Any:
    return json.loads((root / "data" / "site.json").read_text())


def test_a_defect_costs_its_report_and_no_other(written: Any) -> None:
    root, problems = written()
    assert (root / "assets/perfpress/reports/good/17/select/_page.json").is_file()
    assert not (root / "assets/perfpress/reports/absurd").exists()
    assert [each.path for each in problems] == ["reports/absurd", "reports/good", "reports/good"]
    assert problems[0].is_defect
    found = (
        r"the site lacks the report: ValueError\('math domain error'\) in line \d+ of test_write.py"
    )
    assert re.fullmatch(found, problems[0].found)
    paths = [page["path"] for page in site(root)["pages"]]
    assert "reports/good/17/select" in paths
    assert not [path for path in paths if "absurd" in path]


def test_nothing_leads_to_a_report_that_is_left_out(written: Any) -> None:
    root, _ = written()
    assert [report["id"] for report in site(root)["reports"]] == ["good"]
    index = json.loads((root / "static/search/index.json").read_text())
    assert [name for name, *_ in index["functions"]] == ["shared"]
    assert [url for url, _ in index["places"]] == ["/reports/good/17/select/#g.search="]


def test_a_page_that_somebody_wrote_is_listed_and_not_made_again(written: Any) -> None:
    root, _ = written(lambda address: address in ("/reports/absurd/", "/reports/good/17/select/"))
    assert [report["id"] for report in site(root)["reports"]] == ["absurd", "good"]
    assert "reports/good/17/select" not in [page["path"] for page in site(root)["pages"]]


def test_a_problem_that_is_found_twice_is_reported_once(written: Any) -> None:
    root, problems = written()
    assert [each for each in problems if each.path == "reports/good"] == [WRONG, ALSO_WRONG]
    listed = [each["found"] for each in site(root)["problems"]]
    assert listed == [each.found for each in problems]


def test_the_numbers_of_reports_are_gone_when_pages_of_the_whole_site_are_made(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ref[Figures]] = []
    left: list[Figures | None] = []
    parts = vars(write)["report_parts"]

    def parts_of(figures: Figures, *others: Any) -> Any:
        figures.rows_of_cell(figures.study.cells[0])  # what it keeps of them refers to it
        made.append(ref(figures))
        return parts(figures, *others)

    def draw_all(*_: Any) -> Any:
        left.extend(each() for each in made)
        return {}

    monkeypatch.setattr(write, "report_parts", parts_of)
    monkeypatch.setattr(write, "draw_all", draw_all)
    gc.disable()
    try:
        written()
    finally:
        gc.enable()
    assert left == [None, None]


def test_a_site_whose_card_cannot_be_drawn_has_none(written: Any) -> None:
    root, _ = written()
    assert "card" not in site(root)

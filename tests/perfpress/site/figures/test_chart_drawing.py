"""Charts are drawn by a copy of this process, while it goes on with what needs none."""

import os
from pathlib import Path
from typing import Any

import pytest
from perfpress.base.cache import Cache
from perfpress.site.addresses import Identity
from perfpress.site.context import SiteContext
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures import chart_drawing
from perfpress.site.figures.chart_drawing import DrawnBeside
from perfpress.site.report_figures import Figures
from study_samples import repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    runs = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", STEADY)]
    return Figures(study_of(runs))


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def context(tmp_path: Path, said: list[str]) -> SiteContext:
    identity = Identity("Perfpress", "https://example.org/")
    directory = SiteDirectory(tmp_path / "site")
    return SiteContext(identity, directory, Cache(tmp_path / "cache"), 2, said.append)


def refuse(*_: Any, **__: Any) -> Any:
    raise AssertionError("drawn by this process")


def end_at_once(*_: Any) -> None:
    os._exit(1)


def test_a_copy_draws_all_that_the_cache_lacks(
    figures: Figures, context: SiteContext, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    charts = DrawnBeside(figures, context)
    monkeypatch.setattr("perfpress.base.node.jobs._run", refuse)
    with charts:
        assert {each.result.width for each in charts.drawn.values()} == {800}
        count = len(charts.drawn)
    assert count > 1
    assert said == [f"render: {count} of {count} charts are new"]
    assert charts.problems == []
    with DrawnBeside(figures, context) as again:
        assert again.drawn == charts.drawn
    assert said[1:] == [f"render: 0 of {count} charts are new"]


def test_what_a_copy_did_not_draw_is_drawn_here(
    figures: Figures, context: SiteContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chart_drawing, "_draw_charts", end_at_once)
    with DrawnBeside(figures, context) as charts:
        assert len(charts.drawn) > 1


def test_only_some_charts_stay_in_memory(
    figures: Figures, context: SiteContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DrawnBeside(figures, context) as charts:
        wanted = charts.drawn
    monkeypatch.setattr(chart_drawing, "CHARTS_BESIDE", 1)
    with DrawnBeside(figures, context) as charts:
        assert charts.drawn == wanted

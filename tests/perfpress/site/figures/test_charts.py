"""Where charts are put: in their page, and beside it as an SVG and as a PNG."""

from pathlib import Path

import pytest
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.charts import ChartAnswer
from perfpress.base.node.messages.message import Output
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.chart_drawing import charts_of_logs, charts_of_verdicts
from perfpress.site.figures.charts import DrawnCharts, step_charts
from perfpress.site.figures.comparison_charts import comparison_chart
from perfpress.site.figures.planned_chart import ALONE, IN_PAGE, PICTURE
from perfpress.site.figures.releases_chart import releases_chart
from perfpress.site.report_figures import Figures
from study_samples import cell_of, repeats, study_of

OF_CELL = "/reports/servers/b/select/comparison.svg"
OF_STEP = "/reports/servers/steps/select/comparison.svg"
OF_VARIANT = "/reports/servers/@socket2/by-release.svg"
STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    runs = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(tmp_path, "b", [rate / 2 for rate in STEADY]),
    ]
    return Figures(study_of(runs))


def drawn(directory: Path) -> Done[ChartAnswer]:
    """Return what a job of a chart makes."""
    directory.mkdir()
    for name in (IN_PAGE, ALONE, PICTURE):
        (directory / name).write_text(name)
    return Done(directory, "key", ChartAnswer(bytes=9, width=800, height=300))


def test_a_chart_names_the_page_that_shows_it(figures: Figures) -> None:
    report = "/reports/servers"
    planned = (*charts_of_logs(figures), *charts_of_verdicts(figures))
    requests = {each.svg: each.request() for each in planned}
    pages = {svg: request.page for svg, request in requests.items()}
    assert pages[OF_CELL] == f"{report}/b/select/"
    assert pages[OF_STEP] == f"{report}/steps/select/"
    assert pages[OF_VARIANT] == f"{report}/@socket2/"
    assert {request.picture for request in requests.values()} == {Output(PICTURE)}


def test_a_chart_is_published_in_its_page_and_beside_it(figures: Figures, tmp_path: Path) -> None:
    site = tmp_path / "site"
    charts = DrawnCharts(figures, {OF_CELL: drawn(tmp_path / "drawn")}, SiteDirectory(site))
    chart = charts.publish(comparison_chart(figures, cell_of("b")))
    assert chart is not None
    assert chart.share is not None
    beside = site / "static/reports/servers/b/select"
    assert (site / "assets" / chart.asset).read_text() == IN_PAGE
    assert (beside / "comparison.svg").read_text() == ALONE
    assert (beside / "comparison.png").read_text() == PICTURE
    assert chart.share.image == "/reports/servers/b/select/comparison.png"
    assert chart.share.svg == "/reports/servers/b/select/comparison.svg"
    assert (chart.share.width, chart.share.height) == (800, 300)


def test_its_words_are_the_caption_and_the_verdict(figures: Figures, tmp_path: Path) -> None:
    site = SiteDirectory(tmp_path / "site")
    charts = DrawnCharts(figures, {OF_CELL: drawn(tmp_path / "drawn")}, site)
    chart = charts.publish(comparison_chart(figures, cell_of("b")))
    assert chart is not None
    assert chart.share is not None
    assert chart.caption == "Throughput of select relative to a, every run a dot"
    assert chart.share.alt.startswith(f"{chart.caption}. select on b: 50.0 % slower than a")


def test_a_chart_of_all_releases_has_no_page_for_frames(figures: Figures, tmp_path: Path) -> None:
    site = SiteDirectory(tmp_path / "site")
    charts = DrawnCharts(figures, {OF_STEP: drawn(tmp_path / "drawn")}, site)
    chart = step_charts(charts)["socket2", "select"].comparison
    assert chart is not None
    assert chart.share is not None
    assert not chart.share.has_embed
    assert chart.share.image == "/reports/servers/steps/select/comparison.png"


def test_a_chart_of_all_steps_has_its_variant_in_its_anchor(
    figures: Figures, tmp_path: Path
) -> None:
    site = SiteDirectory(tmp_path / "site")
    charts = DrawnCharts(figures, {OF_VARIANT: drawn(tmp_path / "drawn")}, site)
    chart = charts.publish(releases_chart(figures, "socket2"))
    assert chart is not None
    assert chart.id == "by-release-socket2"
    assert chart.share is not None
    assert chart.share.has_embed
    assert chart.share.page == "/reports/servers/@socket2/#by-release-socket2"


def test_what_could_not_be_drawn_is_not_there(figures: Figures, tmp_path: Path) -> None:
    charts = DrawnCharts(figures, {}, SiteDirectory(tmp_path / "site"))
    assert charts.publish(comparison_chart(figures, cell_of("b"))) is None
    assert step_charts(charts)["socket2", "select"].comparison is None

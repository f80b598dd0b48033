"""What the page of a report decides: its table of releases, what its text may show, and under which
names."""

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from perfpress.analysis.study.study import StepRun, Study
from perfpress.base.toml.read import Document
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.corrections.files import Correction, Invalid, Rename
from perfpress.input.report.front_matter import Release
from perfpress.input.report.mentions import Mentions
from perfpress.site.figures.charts import StepCharts
from perfpress.site.pages.report import report_page
from perfpress.site.report_figures import DiffKey
from perfpress.site.shapes.blocks import Cell, Chart, Drilldown, Graph, Row, Table
from perfpress.site.shapes.pages import ReportPage
from perfpress.site.words.measured import summary_of
from report_samples import parts_of
from step_run_samples import step_run
from study_samples import captured, cell_of, profile_on_disk, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]
ALL_NAMED = Mentions(frozenset(["a", "b", "c", "select", "hot"]))


def page(study: Study, **parts: Any) -> ReportPage:
    """Return the page; what it is not given, nobody drew."""
    return report_page(parts_of(study, **parts))


@pytest.fixture
def runs(tmp_path: Path) -> list[StepRun]:
    """A base, one that is twice as slow, and one as fast as the base."""
    rates = {"a": STEADY, "b": [rate / 2 for rate in STEADY], "c": STEADY}
    return [each for release, own in rates.items() for each in repeats(tmp_path, release, own)]


def study(runs: list[StepRun], **report: Any) -> Study:
    return study_of(runs, report={"mentions": ALL_NAMED, **report})


def renamed(made: Study, what: Literal["release", "step"], old: str, new: str) -> Study:
    date = datetime.date(2026, 2, 1)
    change = Rename(reason="the final name", what=what, old=old, new=new)
    correction = Correction("servers", date, "corrections/x.toml", change, Document("", "", {}))
    return replace(made, corrections=(*made.corrections, correction))


def numbers(study: Study) -> dict[str, Cell]:
    """Return the numbers that sentences may hold."""
    shown = page(study).shown["cell"]
    return {name: each for name, each in shown.items() if isinstance(each, Cell)}


def graph(name: str) -> Graph:
    return Graph(id=name, caption=name, asset="", profile_url="")


def drilldown(name: str) -> Drilldown:
    table = Table(id=name, caption="", row_head="", columns=(), rows=())
    return Drilldown(
        id=name,
        title=name,
        along_path=table,
        whole_id=f"{name}-whole",
        whole_profile=Table(id="other", caption="", rows=(Row(key="a", label="a"),)),
    )


def chart(name: str) -> Chart:
    return Chart(id=name, caption=name, asset="")


def test_releases_stand_in_the_report_s_order_and_those_without_runs_do_not(
    runs: list[StepRun],
) -> None:
    releases = tuple(Release(id=each) for each in ("c", "unmeasured", "a", "b"))
    table = page(study(runs, releases=releases)).releases
    assert [(row.label, row.note) for row in table.rows] == [("c", ""), ("a", "base"), ("b", "")]
    assert table.rows[0].url == "/reports/servers/c/"


def test_a_release_is_counted_against_the_base_and_the_one_before(runs: list[StepRun]) -> None:
    table = page(study(runs)).releases
    counts = {row.label: tuple(cell.text for cell in row.cells[:2]) for row in table.rows}
    assert counts["a"] == ("–", "–")
    assert counts["b"] == ("1 slower", "1 slower")
    assert counts["c"][1] == "1 faster"
    assert "slower" not in counts["c"][0]


def test_what_is_not_known_of_a_release_is_a_dash(runs: list[StepRun]) -> None:
    known = Release(id="b", version="10.6.1", date=datetime.date(2026, 2, 1), branch="10.6")
    releases = (Release(id="a"), known, Release(id="c"))
    rows = page(study(runs, releases=releases)).releases.rows
    assert [cell.text for cell in rows[0].cells[2:]] == ["–", "–", "–", "5"]
    assert [cell.text for cell in rows[1].cells[2:]] == ["10.6.1", "2026-02-01", "10.6", "5"]


def test_where_it_is_linked_to_the_author_s_words_come_first_then_how_things_stand(
    runs: list[StepRun],
) -> None:
    now = " c, the newest release, against a: "
    for written in ("All servers", "All servers."):
        description = page(study(runs, summary=written)).place.description
        assert description.startswith(f"All servers.{now}")
    counted = page(study(runs)).place.description
    assert counted.startswith(f"3 releases, 1 step, 15 runs.{now}")


def test_a_report_in_one_line_has_its_newest_run_where_any_has_a_date(tmp_path: Path) -> None:
    dates = ("2026-01-02T10:00:00Z", "2026-01-01T23:00:00Z", None)
    made = [
        step_run(tmp_path / str(at), 1000.0 + at, changes={"release": "a", "started": date})
        for at, date in enumerate(dates)
    ]
    assert summary_of(study_of(made)) == "1 release, 1 step, 3 runs; newest run 2026-01-02"
    assert summary_of(study_of(made[2:])) == "1 release, 1 step, 1 run"


def test_comparing_is_offered_where_there_are_two_releases(runs: list[StepRun]) -> None:
    (link,) = page(study(runs)).place.related
    assert link.url == "/reports/servers/compare/"
    alone = [each for each in runs if each.cell.release == "a"]
    assert page(study(alone)).place.related == ()


def test_its_picture_is_of_the_default_variant(tmp_path: Path, runs: list[StepRun]) -> None:
    other = repeats(tmp_path / "lab2", "a", [7.0], changes={"host": "lab2"})
    variants = {"socket2": "the default", "lab2": "the other"}
    made = page(study([*runs, *other], variants=variants))
    assert made.picture is not None
    assert made.picture.id == "against-base-socket2"
    assert [link.label for link in made.variants] == ["the default", "the other"]


def test_without_any_rate_its_picture_is_what_was_profiled(tmp_path: Path) -> None:
    run = captured(tmp_path, "a", step={"logs": []}, files={})
    made = page(study_of([run], [profile_on_disk(tmp_path / "profiles", "a")]))
    assert made.picture is not None
    assert made.picture.id == "functions"
    assert [row.label for row in made.picture.rows] == ["run", "read", "db", "main"]
    assert made.variants == ()
    assert made.releases.rows[0].cells[0].text == "–"


def test_charts_are_those_of_the_steps_that_the_text_names(runs: list[StepRun]) -> None:
    of_step = StepCharts(None, throughput=chart("t"), latency=None, percentiles=chart("p"))
    named = page(study(runs), charts={("socket2", "select"): of_step})
    names = {name: set(named.shown[name]) for name in ("chart", "latency", "percentiles")}
    assert names == {"chart": {"select"}, "latency": set(), "percentiles": {"select"}}
    assert named.missing["latency"]["select"].text == (
        "no valid log of select has its latency over time"
    )
    assert named.missing["chart"] == {}
    silent = page(study(runs, mentions=Mentions()), charts={("socket2", "select"): of_step})
    assert (silent.shown["chart"], silent.missing["chart"]) == ({}, {})


def test_a_drilldown_is_found_by_name_for_its_first_step_and_with_each_named_step(
    runs: list[StepRun],
) -> None:
    first, second, unnamed = map(drilldown, ("first", "second", "unnamed"))
    select, scan = ("socket2", "select"), ("socket2", "scan")
    made = {("hot", select): first, ("hot", scan): second, ("cold", select): unnamed}
    found = page(study(runs), drilldowns=made).shown["drilldown"]
    assert found == {"hot": first, "hot/select": first}


def test_a_number_in_a_sentence_says_what_it_is_made_from(runs: list[StepRun]) -> None:
    cells = numbers(study(runs))
    median = cells["b/select/throughput"]
    assert (median.text, median.note) == ("500.0", "median of 5 runs, 499.0 to 501.0")
    assert median.url == "/reports/servers/b/select/"
    assert cells["b/select/against-base"].text.startswith("0.500")
    assert {"a/select/against-base", "a/select/against-previous"}.isdisjoint(cells)


def test_the_spread_of_runs_is_how_many_times_faster_the_fastest_is(tmp_path: Path) -> None:
    spread = numbers(study(repeats(tmp_path, "a", [500.0, 1000.0])))["a/select/spread"]
    assert (spread.text, spread.note) == ("2.00", "the fastest of 2 runs ÷ the slowest")


def test_what_the_text_may_name_and_nobody_measured_has_a_notice(runs: list[StepRun]) -> None:
    releases = tuple(Release(id=each) for each in "abc")
    without_c = [each for each in runs if each.cell.release != "c"]
    missing = page(study(without_c, releases=releases)).missing
    assert missing["verdicts"]["c"].text == "no run of c"
    assert missing["flamegraph"]["c/select"].text == "no profile of select on c"
    assert missing["releases"][""].text == "no two releases of a step can be compared"
    by_release = chart("by-release-socket2")
    drawn = page(study(runs), by_release={"socket2": by_release})
    assert drawn.missing["releases"] == {}
    assert drawn.shown["releases"] == {"": by_release, by_release.id: by_release}


def test_what_was_renamed_is_found_under_its_old_names_too(runs: list[StepRun]) -> None:
    made = study(runs)
    made = renamed(made, "release", "b-beta", "b-rc")
    made = renamed(made, "release", "b-rc", "b")
    made = renamed(made, "step", "point", "select")
    flame, diff = graph("flame"), graph("diff")
    cell = cell_of("b")
    shown = page(made, graphs={cell: (flame,)}, diffs={DiffKey(cell, "a"): diff}).shown
    former = {
        f"{release}/{step}" for release in ("b", "b-rc", "b-beta") for step in ("select", "point")
    }
    assert shown["flamegraph"] == dict.fromkeys(former, flame)
    assert shown["diff"]["b-beta/point/vs/a"] is diff
    assert shown["cell"]["b-beta/point/throughput"] == shown["cell"]["b/select/throughput"]


def test_a_name_that_another_has_now_means_the_other(runs: list[StepRun]) -> None:
    made = renamed(study(runs), "release", "c", "b")
    mine, other = graph("mine"), graph("other")
    graphs = {cell_of("c"): (other,), cell_of("b"): (mine,)}
    assert page(made, graphs=graphs).shown["flamegraph"]["c/select"] is other


def test_every_correction_of_its_runs_is_shown_once(tmp_path: Path, runs: list[StepRun]) -> None:
    wrong = step_run(tmp_path / "wrong", 7.0, exclusion=Exclusion("invalid", "disk was full", None))
    change = Invalid(release="18", reason="disk was full")
    correction = Correction("servers", datetime.date(2026, 2, 1), "x", change, Document("", "", {}))
    wrong = replace(wrong, run=replace(wrong.run, corrections=(correction, correction)))
    releases = tuple(Release(id=each) for each in ("a", "b", "c", "18"))
    corrections = page(study([*runs, wrong], releases=releases)).corrections
    assert [(each.kind, each.text) for each in corrections] == [
        ("correction", "No run of 18 counts: disk was full.")
    ]

"""What the page of a step opens with."""

from dataclasses import replace
from pathlib import Path

from perfpress.site.pages.step import step_page
from perfpress.site.shapes.blocks import Drilldown, Row, Table
from perfpress.site.words.verdict_sentences import plain
from report_samples import parts_of
from study_samples import captured, cell_of, profile_on_disk, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def opening(directory: Path, base: list[float], after: list[float], release: str = "18") -> str:
    """Return the headline of a release's page, 17 being the base."""
    study = study_of([*repeats(directory, "17", base), *repeats(directory, "18", after)])
    page = step_page(parts_of(study), cell_of(release))
    return plain(page.opening[:1]).replace("\N{NO-BREAK SPACE}", " ")


def test_it_opens_with_the_size_of_the_change_and_its_certainty(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, [rate / 2 for rate in STEADY]) == (
        "50.0 % slower than 17 (ratio 0.500; 95 % interval 0.499 to 0.502)."
    )


def test_one_run_of_each_has_the_interval_of_the_noise(tmp_path: Path) -> None:
    assert opening(tmp_path, [1000.0], [500.0]) == (
        "50.0 % slower than 17 (one run; ratio 0.500; 95 % interval 0.462 to 0.541)."
    )


def test_no_change_is_said_with_its_limit(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, [rate + 1 for rate in STEADY]) == (
        "No change seen against 17 (ratio 1.001; within ±0.4 %)."
    )


def test_without_profiles_it_says_that_nothing_shows_where_the_time_went(tmp_path: Path) -> None:
    parts = parts_of(study_of([*repeats(tmp_path, "17", STEADY), *repeats(tmp_path, "18", STEADY)]))
    nothing = "No profiles: nothing shows where the time went."
    assert plain(step_page(parts, cell_of("18")).opening[1:]) == nothing
    assert len(step_page(parts, cell_of("17")).opening) == 1, "nothing to compare the base with"


def test_a_release_alone_is_no_base_of_others(tmp_path: Path) -> None:
    alone = step_page(parts_of(study_of(repeats(tmp_path, "17", STEADY))), cell_of("17"))
    assert plain(alone.opening) == "1,000 transactions per second, median of 5 runs."


def test_the_base_opens_with_its_rate(tmp_path: Path) -> None:
    assert opening(tmp_path, STEADY, STEADY, "17") == (
        "1,000 transactions per second, median of 5 runs; other releases are compared with it."
    )


def test_the_range_of_the_runs_comes_after_the_headline(tmp_path: Path) -> None:
    study = study_of([*repeats(tmp_path, "17", STEADY), *repeats(tmp_path, "18", STEADY)])
    page = step_page(parts_of(study), cell_of("18"))
    assert page.summary[0] == (
        "18 did 1,000 transactions per second, the median of 5 runs between 998.0 and 1,002."
    )


def test_a_missing_profile_is_news_only_where_others_have_one(tmp_path: Path) -> None:
    runs = [*repeats(tmp_path, "17", STEADY), *repeats(tmp_path, "18", STEADY)]
    assert step_page(parts_of(study_of(runs)), cell_of("18")).notices == ()
    profiled = captured(tmp_path, "17")
    study = study_of([*runs, profiled], [profile_on_disk(tmp_path, "17")])
    page = step_page(parts_of(study), cell_of("18"))
    assert [notice.text for notice in page.notices] == ["No profile of this step."]


def test_a_cost_by_the_author_s_rates_is_no_number_of_cycles(tmp_path: Path) -> None:
    runs = [captured(tmp_path, each, step={"logs": None}) for each in ("17", "18")]
    profiles = [profile_on_disk(tmp_path, release) for release in ("17", "18")]
    study = study_of(runs, profiles, report={"rates": {"17": 1.0, "18": 0.5}})
    parts = parts_of(study)
    assert parts.figures.cost(cell_of("18")) == 200, "percent of what the base costs"
    page = step_page(parts, cell_of("18"))
    assert not [each for each in page.summary if "cost" in each]
    assert plain(page.opening) == "No rate: a profiling run, made for its profile."


def test_profiles_of_a_release_stand_beside_those_that_it_is_compared_with(tmp_path: Path) -> None:
    releases = ["14", "15", "16", "17", "18"]
    runs = [captured(tmp_path, each) for each in releases]
    parts = parts_of(study_of(runs, [profile_on_disk(tmp_path, each) for each in releases]))
    rows = tuple(Row(key=each, label=each) for each in releases)
    table = Table(id="path", caption="", row_head="", columns=(), rows=rows)
    hot = Drilldown(id="hot", title="", along_path=table, whole_id="whole", whole_profile=table)
    parts = replace(parts, drilldowns={("hot", ("socket2", "select")): hot})
    page = step_page(parts, cell_of("17"))
    (drilldown,) = page.drilldowns
    for shown in (drilldown.along_path, page.quality):
        assert shown is not None
        assert [row.label for row in shown.rows] == ["14", "16", "17"]
    assert drilldown.along_path.notes[0].startswith("3 of 5 releases")

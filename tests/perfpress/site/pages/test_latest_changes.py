"""The list of changes that the home page opens with."""

from dataclasses import replace
from pathlib import Path

from perfpress.analysis.study.study import StepRun
from perfpress.site.pages.latest_changes import LATELY, MOST, changes_of, latest_changes, no_changes
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.words.measured import variant_has_rates
from study_samples import accept, captured, profile_on_disk, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def scaled(factor: float) -> list[float]:
    return [factor * rate for rate in STEADY]


def listed(*studies: list[StepRun]) -> Table | None:
    return latest_changes([list(changes_of(Figures(study_of(step_runs)))) for step_runs in studies])


def rows(table: Table | None) -> list[tuple[str, str, str]]:
    """Return release, change and verdict of each row."""
    assert table is not None
    return [(row.cells[2].text, row.cells[0].text, row.cells[1].text) for row in table.rows]


def test_only_the_last_release_is_news_and_only_where_it_changed(tmp_path: Path) -> None:
    old = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(tmp_path, "b", scaled(0.5)),
        *repeats(tmp_path, "c", scaled(1.0005)),
    ]
    assert [release for release, *_ in rows(listed(old))] == ["c"], "faster than b"
    same = [*repeats(tmp_path, "f", STEADY), *repeats(tmp_path, "g", scaled(1.0005))]
    assert listed(same) is None
    new = [*repeats(tmp_path, "d", STEADY), *repeats(tmp_path, "e", scaled(0.8))]
    assert rows(listed(new)) == [("e", "−20.0\N{NO-BREAK SPACE}%", "slower")]


def test_what_a_short_series_lost_before_its_last_release_is_listed_against_the_base(
    tmp_path: Path,
) -> None:
    lost = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(tmp_path, "b", scaled(0.5)),
        *repeats(tmp_path, "c", scaled(0.5005)),
    ]
    table = listed(lost)
    assert rows(table) == [("c", "−50.0\N{NO-BREAK SPACE}%", "slower")]
    assert table
    assert table.rows[0].cells[3].text == "a"


def test_what_one_run_shows_never_leads(tmp_path: Path) -> None:
    fluke = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", [300.0])]
    confirmed = [*repeats(tmp_path, "c", STEADY), *repeats(tmp_path, "d", scaled(1.1))]
    assert [verdict for _, _, verdict in rows(listed(fluke, confirmed))] == [
        "faster",
        "slower, one run",
    ]


def test_what_is_slower_goes_before_a_larger_gain(tmp_path: Path) -> None:
    gain = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", scaled(3.0))]
    loss = [*repeats(tmp_path, "c", STEADY), *repeats(tmp_path, "d", scaled(0.9))]
    assert [verdict for _, _, verdict in rows(listed(gain, loss))] == ["slower", "faster"]


def test_of_many_changes_the_largest_are_listed_and_the_rest_counted(tmp_path: Path) -> None:
    studies = [
        [
            *repeats(tmp_path, f"a{at}", STEADY),
            *repeats(tmp_path, f"b{at}", scaled(1.05 + at / 100)),
        ]
        for at in range(MOST + 2)
    ]
    table = listed(*studies)
    assert table is not None
    assert len(table.rows) == MOST
    assert rows(table)[0][0] == f"b{MOST + 1}"
    assert table.notes[-1] == "2 more on the pages of the releases."


def test_what_is_accepted_is_no_news(tmp_path: Path) -> None:
    study = study_of([*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", scaled(0.5))])
    figures = Figures(replace(study, corrections=(accept(release="b"),)))
    assert latest_changes([list(changes_of(figures))]) is None
    assert no_changes([True, False]).startswith("No change seen: ")


def series(directory: Path, *rates: float) -> list[StepRun]:
    return [
        run
        for at, rate in enumerate(rates)
        for run in repeats(directory, f"r{at:02}", [rate + at % 3])
    ]


def test_a_level_change_of_late_leads_what_one_run_shows(tmp_path: Path) -> None:
    changed = series(tmp_path, *[1000.0] * 5, *[500.0] * 4)
    table = listed([*repeats(tmp_path, "x", STEADY), *repeats(tmp_path, "y", [300.0])], changed)
    assert rows(table) == [
        ("r05", "\N{MINUS SIGN}49.9\N{NO-BREAK SPACE}%", "slower, lasting"),
        ("y", "\N{MINUS SIGN}70.0\N{NO-BREAK SPACE}%", "slower, one run"),
    ]
    assert table is not None
    assert table.rows[0].url == "/reports/servers/steps/select/"


def test_the_newest_level_changes_of_a_report_are_news_however_long_ago(tmp_path: Path) -> None:
    levels = [rate for at in range(LATELY + 2) for rate in [1000.0 * 1.2**at] * 5]
    table = listed(series(tmp_path, *levels, *levels[-1:] * 20))
    found = sorted(release for release, *_ in rows(table))
    assert found == sorted(f"r{5 * at:02}" for at in range(2, LATELY + 2))


def test_what_only_the_newest_release_has_comes_after_what_lasts(tmp_path: Path) -> None:
    table = listed(series(tmp_path, *[1000.0] * 5, *[800.0] * 5, 300.0))
    assert [verdict for *_, verdict in rows(table)] == [
        "slower, lasting",
        "slower, newest release only",
    ]


def test_a_site_of_profiles_alone_does_not_call_its_releases_equal(tmp_path: Path) -> None:
    run = captured(tmp_path, "a", step={"logs": []}, files={})
    figures = Figures(study_of([run], [profile_on_disk(tmp_path, "a")]))
    have_rates = [variant_has_rates(figures, each) for each in figures.study.report.variants]
    assert no_changes(have_rates) == ""
    assert no_changes([]).startswith("No change seen: ")


def test_the_report_is_named_where_the_site_has_several(tmp_path: Path) -> None:
    changed = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", scaled(0.5))]
    steady = [*repeats(tmp_path, "c", STEADY), *repeats(tmp_path, "d", STEADY)]
    alone, together = listed(changed), listed(changed, steady)
    assert alone is not None
    assert together is not None
    assert "report" not in [head.key for head in alone.columns]
    assert together.rows[0].cells[-1].url == "/reports/servers/"

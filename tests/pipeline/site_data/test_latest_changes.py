"""The list of changes that the home page opens with."""

from dataclasses import replace
from pathlib import Path

from study_samples import repeats, study_of

from pipeline.site_data.figures import Figures
from pipeline.site_data.latest_changes import MOST, latest_changes
from pipeline.site_data.shapes import Table
from pipeline.study.study import StepRun

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def scaled(factor: float) -> list[float]:
    return [factor * rate for rate in STEADY]


def listed(*studies: list[StepRun]) -> Table | None:
    return latest_changes([Figures(study_of(step_runs)) for step_runs in studies])


def rows(table: Table | None) -> list[tuple[str, str, str]]:
    """Return release, change and verdict of each row."""
    assert table is not None
    return [(row.cells[2].text, row.cells[0].text, row.cells[1].text) for row in table.rows]


def test_only_the_last_release_is_news_and_only_where_it_changed(tmp_path: Path) -> None:
    old = [
        *repeats(tmp_path, "a", STEADY),
        *repeats(tmp_path, "b", scaled(0.5)),
        *repeats(tmp_path, "c", scaled(0.5005)),
    ]
    assert listed(old) is None
    new = [*repeats(tmp_path, "d", STEADY), *repeats(tmp_path, "e", scaled(0.8))]
    assert rows(listed(new)) == [("e", "−20.0\N{NO-BREAK SPACE}%", "slower")]


def test_what_one_run_shows_never_leads(tmp_path: Path) -> None:
    fluke = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", [300.0])]
    confirmed = [*repeats(tmp_path, "c", STEADY), *repeats(tmp_path, "d", scaled(1.1))]
    assert [verdict for _, _, verdict in rows(listed(fluke, confirmed))] == [
        "faster",
        "slower, one run",
    ]


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
    figures = Figures(study)
    accepted = {
        key: replace(verdict, accepted="known") for key, verdict in figures.verdicts.items()
    }
    figures.__dict__["verdicts"] = accepted
    assert latest_changes([figures]) is None

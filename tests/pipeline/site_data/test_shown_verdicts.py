"""Verdicts and suspects by name, as the text of a report shows them."""

from pathlib import Path

import pytest
from study_samples import cell_of, repeats, study_of
from suspect_samples import NOTHING_GREW, suspect

from pipeline.report.mentions import Mentions
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.named_in_text import named_in_text
from pipeline.site_data.release_suspects import Told
from pipeline.site_data.shown_verdicts import MOST_SUSPECTS, ShownVerdicts, shown_verdicts

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    rates = {"a": STEADY, "b": [0.8 * rate for rate in STEADY], "c": STEADY}
    return Figures(
        study_of(
            [run for name, own in rates.items() for run in repeats(tmp_path, name, own)],
            report={"mentions": Mentions(frozenset(["a", "b", "c", "select"]))},
        )
    )


def shown(figures: Figures, told: Told | None = None) -> ShownVerdicts:
    return shown_verdicts(figures, told or {}, named_in_text(figures.study))


def test_verdicts_are_named_by_release_and_by_step(figures: Figures) -> None:
    verdicts = shown(figures).verdicts
    assert set(verdicts) == {"a", "a/select", "b", "b/select", "c", "c/select"}
    at = [column.key for column in verdicts["b"].columns].index("base-verdict")
    assert [row.cells[at].text for row in verdicts["b"].rows] == ["slower"]
    assert len({table.id for table in verdicts.values()}) == len(verdicts)


def test_the_largest_suspects_are_shown_and_lead_to_the_page_of_the_diff(
    figures: Figures,
) -> None:
    many = [suspect(f"f{at}", 0.0, 900.0 - at) for at in range(MOST_SUSPECTS + 2)]
    growth = {"whole": 10_000.0, "even": 0.0, "unexplained": 4000.0}
    diff = {**NOTHING_GREW, "suspects": many, "growth": growth}
    suspects = shown(figures, {DiffKey(cell_of("b"), "a"): diff}).suspects
    assert set(suspects) == {"b/select", "b/select/vs/a"}
    table = suspects["b/select"]
    assert [row.label for row in table.rows] == [f"f{at}" for at in range(MOST_SUSPECTS)]
    assert table.rows[1].url == "/reports/servers/b/select/vs/a/#suspects.f1"
    assert table.notes == ("2 more on the page of the diff.",)
    assert all(len(row.cells) == len(table.columns) for row in table.rows)


def test_where_there_are_none_the_reason_stands_in_their_place(figures: Figures) -> None:
    made = shown(figures, {DiffKey(cell_of("c"), "b"): NOTHING_GREW})
    assert "No suspects" in made.missing["suspects c/select/vs/b"]
    assert made.missing["suspects c/select"] == "no diff of select, c against a"

"""What pages say of captures that came without a log: nothing of rates, all of profiles."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from perfpress.analysis.study.study import StepRun
from perfpress.base.node.messages.findings import Shown, SideSummary
from perfpress.site.addresses import release_address, report_address
from perfpress.site.figures.cards import release_cards, report_cards
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.release_suspects import release_suspects
from perfpress.site.tables.results import results_table
from perfpress.site.words.diff_headline import headline_lines, headline_of
from perfpress.site.words.measured import variant_has_rates
from perfpress.site.words.step_headline import cell_words, pair_words
from perfpress.site.words.verdict_phrases import MOST_NAMED
from perfpress.site.words.verdict_sentences import (
    brief_counts,
    newest_sentences,
    plain,
    release_headline,
    release_sentences,
)
from step_run_samples import captures, step_run
from study_samples import cell_of, profile_on_disk, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change


def alone(directory: Path, release: str, **step: Any) -> StepRun:
    """Return a run of captures without a log."""
    name = step.get("name", "select")
    return step_run(
        directory / f"{release}-{name}",
        step={"logs": None, "captures": ["perf.*"], **step},
        changes={"release": release},
        files=captures(1),
    )


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    runs = [alone(tmp_path, "17"), alone(tmp_path, "18")]
    profiles = [profile_on_disk(tmp_path, "17"), profile_on_disk(tmp_path, "18")]
    return Figures(study_of(runs, profiles))


def words_of(table: Table) -> str:
    heads = (f"{column.label} {column.unit}" for column in table.columns)
    cells = (cell.text for row in table.rows for cell in row.cells)
    return " ".join((table.caption, *heads, *cells, *table.notes))


def test_sentences_lead_to_the_profiles(figures: Figures) -> None:
    words = "Profiles only, no throughput: select."
    (sentence,) = release_sentences(figures, "18")
    assert plain([sentence]) == words
    assert sentence[1].url == "/reports/servers/18/select/"
    assert plain(newest_sentences(figures, "socket2")) == f"The newest release here is 18. {words}"
    assert brief_counts(figures, "18", "socket2", "17") == ""


def test_of_many_steps_some_are_named_and_all_are_counted(tmp_path: Path) -> None:
    steps = [f"s{at}" for at in range(MOST_NAMED + 2)]
    runs = [alone(tmp_path, "18", name=name) for name in steps]
    made = profile_on_disk(tmp_path, "18")
    profiles = [replace(made, cell=run.cell) for run in runs]
    figures = Figures(study_of(runs, profiles, report={"steps": tuple(steps)}))
    (sentence,) = release_sentences(figures, "18")
    assert plain([sentence]).endswith("s3, s4 and 2 more.")


def test_missing_profiles_are_reported(tmp_path: Path) -> None:
    figures = Figures(study_of([alone(tmp_path, "17"), alone(tmp_path, "18")]))
    (sentence,) = release_sentences(figures, "18")
    assert plain([sentence]) == "No throughput and no profiles."


def test_suspects_have_no_column_of_rates(figures: Figures) -> None:
    changed = msgspec.structs.replace(
        NOTHING_CHANGED,
        base=SideSummary("17", 5, 9000, samples_stated=True, whole=10_000.0),
        additions=[change("wide", 0.0, 2000.0)],
    )
    (made,) = release_suspects(figures, "18", {DiffKey(cell_of("18"), "17"): changed})
    (table,) = made.tables
    assert [column.key for column in table.columns] == ["step", "grew", "amount", "p"]
    assert len(table.rows[0].cells) == 4


def test_cards_and_diffs_do_not_call_a_rate_missing(figures: Figures) -> None:
    cell = cell_of("18")
    assert cell_words(figures, cell) == "select on 18: profiles only"
    assert pair_words(figures, cell, "17") == "what changed in select from 17 to 18"
    assert plain((release_headline(figures, "18", "socket2"),)) == "1 step measured."
    assert headline_of(figures, cell, cell_of("17")) == ()
    assert headline_lines(figures, cell, cell_of("17")) == []


def test_cards_name_the_largest_changes_and_no_verdicts(figures: Figures) -> None:
    report = figures.study.report
    found = msgspec.structs.replace(
        NOTHING_CHANGED,
        basis="share",
        unit="cycles",
        shown=Shown(100.0, "%", 2),
        additions=(change("memcpy", 0.1, 0.3),),
    )
    findings = {DiffKey(cell_of("18"), "17"): found}
    of_releases = release_cards(figures, findings, ["17", "18"])
    cards = {each.page: each.request for each in (*of_releases, *report_cards(figures, findings))}
    for address in (report_address(report), release_address(report, "18")):
        card = cards[address]
        assert card.line.startswith(
            "18 against 17, largest net changes in share of cycles, beyond noise: memcpy"
        )
        assert [column.label for column in card.columns] == ["Largest increase", "Largest decrease"]
        cells = {row.label: [cell.text for cell in row.cells] for row in card.rows}
        assert cells == {"select": ["+20.0\N{NO-BREAK SPACE}points memcpy", "–"]}
    base = cards[release_address(report, "17")]
    assert base.line == "The base that other releases are compared with, in 1 step."
    assert ([row.label for row in base.rows], base.columns) == (["select"], [])


def test_a_rate_in_one_release_or_a_run_that_failed_keeps_the_tables_of_rates(
    tmp_path: Path,
) -> None:
    rated = Figures(study_of([*repeats(tmp_path, "17", [1000.0]), alone(tmp_path, "18")]))
    assert variant_has_rates(rated, "socket2")
    assert "n/a" in words_of(results_table(rated, [cell_of("17"), cell_of("18")], "18"))
    ended = {"how": "failed", "reason": "the disk was full"}
    failed = Figures(study_of([alone(tmp_path, "19", ended=ended)]))
    assert variant_has_rates(failed, "socket2")

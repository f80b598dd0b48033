"""What an operation costs by the author's rates is said with what most of the change is."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from perfpress.base.node.messages.findings import ChangeParts, Findings
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Phrase
from perfpress.site.words.author_rates import (
    author_rates_notes,
    relative_cost_sentence,
    release_cost_sentences,
)
from perfpress.site.words.function_changes import step_change_sentences
from perfpress.site.words.suspects import changes_sentences
from study_samples import captured, cell_of, study_of
from suspect_samples import NOTHING_CHANGED, change

KEY = DiffKey(cell_of("8.0.37"), "5.6.51")


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    return Figures(study_of([captured(tmp_path, release) for release in ("5.6.51", "8.0.37")]))


def found(before: float, now: float, **changes: Any) -> Findings:
    parts = ChangeParts(now - before, 0.0, 0.0, 0.0, now - before)
    sides = {
        "base": replace(NOTHING_CHANGED.base, whole=before),
        "after": replace(NOTHING_CHANGED.after, whole=now),
    }
    unit = "% of one transaction on 5.6.51"
    return replace(
        NOTHING_CHANGED, basis="relative_cost", unit=unit, change=parts, **sides, **changes
    )


GREW = change("binlog_log_row", 3.05, 18.14)
SHRANK = change("parse", 20.0, 8.0)


@pytest.mark.parametrize(
    ("findings", "rest"),
    [
        (
            found(100, 175.44, additions=(GREW,), savings=(SHRANK,)),
            "costs 1.75× what it costs on 5.6.51, by the author’s rates: 75\N{NO-BREAK SPACE}% "
            "more, of which 15 points are binlog_log_row with everything it called.",
        ),
        (
            found(100, 80, additions=(GREW,), savings=(SHRANK,)),
            "costs 0.80× what it costs on 5.6.51, by the author’s rates: 20\N{NO-BREAK SPACE}% "
            "less, of which 12 points are parse with everything it called.",
        ),
        (
            found(200, 400, additions=(change("f", 2, 20),)),
            "costs 2.00× what it costs on 5.6.51, by the author’s rates: 100\N{NO-BREAK SPACE}% "
            "more, of which 9.0 points are f with everything it called.",
        ),
        (found(100, 120), "costs 1.20× what it costs on 5.6.51, by the author’s rates."),
        (
            found(100, 100.2, additions=(GREW,)),
            "costs 1.00× what it costs on 5.6.51, by the author’s rates.",
        ),
    ],
)
def test_a_change_is_told_with_its_largest_part(
    figures: Figures, findings: Findings, rest: str
) -> None:
    sentence = relative_cost_sentence(figures, KEY, findings)
    assert sentence == f"One transaction on 8.0.37 {rest}"
    assert release_cost_sentences(figures, "8.0.37", {KEY: findings}) == (f"select: {sentence}",)
    assert "Changes in cost by the author’s rates, in percent of one transaction on 5.6.51." in (
        changes_sentences(findings)
    )


def test_measured_costs_and_other_releases_have_no_such_sentence(figures: Figures) -> None:
    assert relative_cost_sentence(figures, KEY, NOTHING_CHANGED) == ""
    assert release_cost_sentences(figures, "8.0.37", {KEY: NOTHING_CHANGED}) == ()
    assert release_cost_sentences(figures, "5.6.51", {KEY: found(100, 120)}) == ()


def test_rates_of_several_steps_name_their_steps(tmp_path: Path) -> None:
    runs = [
        captured(tmp_path / step, release, step={"name": step, "logs": None})
        for step in ("insert", "scan")
        for release in ("5.6.51", "8.0.37")
    ]
    own = {"insert": {"8.0.37": 0.57}, "scan": {"8.0.37": 0.78}}
    steps = ("insert", "scan")
    variant = runs[0].cell.variant
    apart = Figures(study_of(runs, report={"rates": own, "steps": steps}))
    assert author_rates_notes(apart, variant, steps) == (
        "The author’s relative rates of insert: 5.6.51 1.0, 8.0.37 0.57.",
        "The author’s relative rates of scan: 5.6.51 1.0, 8.0.37 0.78.",
    )
    alike = Figures(study_of(runs, report={"rates": {"8.0.37": 0.57}, "steps": steps}))
    assert author_rates_notes(alike, variant, steps) == (
        "The author’s relative rates: 5.6.51 1.0, 8.0.37 0.57.",
    )


def test_the_page_of_a_step_opens_with_the_cost(figures: Figures) -> None:
    """Where the author declared rates, that no log has one is no headline."""
    findings = {KEY: found(100, 175.44, additions=(GREW,))}
    sentence = relative_cost_sentence(figures, KEY, findings[KEY])
    assert step_change_sentences(figures, findings, KEY) == ((Phrase(text=sentence),),)
    measured = {KEY: replace(findings[KEY], basis="cost_per_operation")}
    assert step_change_sentences(figures, measured, KEY) == ()

"""Verdicts and suspects by name, as the text of a report shows them."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from perfpress.input.report.mentions import Mentions
from perfpress.site.report_figures import DiffKey
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Table
from perfpress.site.shortcodes.registry import shown_in_text
from perfpress.site.shortcodes.verdicts import MOST_SUSPECTS
from report_samples import parts_of
from study_samples import cell_of, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


@pytest.fixture
def parts(tmp_path: Path) -> ReportParts:
    rates = {"a": STEADY, "b": [0.8 * rate for rate in STEADY], "c": STEADY}
    return parts_of(
        study_of(
            [run for name, own in rates.items() for run in repeats(tmp_path, name, own)],
            report={"mentions": Mentions(frozenset(["a", "b", "c", "select"]))},
        )
    )


def tables(parts: ReportParts, shortcode: str) -> dict[str, Table]:
    """Return what the text can show by a shortcode."""
    shown = shown_in_text(parts).shown[shortcode]
    return {name: each for name, each in shown.items() if isinstance(each, Table)}


def test_verdicts_are_named_by_release_and_by_step(parts: ReportParts) -> None:
    verdicts = tables(parts, "verdicts")
    assert set(verdicts) == {"a", "a/select", "b", "b/select", "c", "c/select"}
    at = [column.key for column in verdicts["b"].columns].index("base-verdict")
    assert [row.cells[at].text for row in verdicts["b"].rows] == ["slower"]
    assert len({table.id for table in verdicts.values()}) == len(verdicts)


def test_the_largest_suspects_are_shown_and_lead_to_the_page_of_the_diff(
    parts: ReportParts,
) -> None:
    many = [change(f"f{at}", 0.0, 900.0 - at) for at in range(MOST_SUSPECTS + 2)]
    diff = msgspec.structs.replace(NOTHING_CHANGED, additions=many)
    suspects = tables(replace(parts, findings={DiffKey(cell_of("b"), "a"): diff}), "suspects")
    assert set(suspects) == {"b/select", "b/select/vs/a"}
    table = suspects["b/select"]
    assert [row.label for row in table.rows] == [f"f{at}" for at in range(MOST_SUSPECTS)]
    assert table.rows[1].url == "/reports/servers/b/select/vs/a/#suspects.f1"
    assert table.notes == ("2 more on the page of the diff.",)
    assert all(len(row.cells) == len(table.columns) for row in table.rows)


def test_where_there_are_none_the_reason_stands_in_their_place(parts: ReportParts) -> None:
    none = replace(parts, findings={DiffKey(cell_of("c"), "b"): NOTHING_CHANGED})
    missing = shown_in_text(none).missing["suspects"]
    assert "No function changed" in missing["c/select/vs/b"].text
    assert missing["c/select"].text == "no diff of select, c against a"

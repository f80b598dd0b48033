"""The function that most steps of a release have in common, named beside their level change."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.site.downloads.change_records import CommonFunctionRecord, change_records
from perfpress.site.downloads.feeds import feed_entries
from perfpress.site.pages.release import release_page
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.tables.level_changes import change_groups_table
from perfpress.site.words.common_functions import LARGEST, common_functions
from perfpress.site.words.level_changes import release_level_sentences
from report_samples import parts_of
from study_samples import repeats, study_of
from suspect_samples import NOTHING_CHANGED, change

SLOWER = ("delete", "insert", "scan")
SEARCH = change("btr_cur_search", 1000.0, 3000.0)
LATCH = change("rw_lock_s_lock", 500.0, 900.0)
COPY = change("memcpy", 400.0, 700.0)


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    """Return four steps of eight releases; all but the last step are slower from r4 on."""
    directory = tmp_path_factory.mktemp("common")
    afters = dict(zip((*SLOWER, "update"), (500.0, 800.0, 600.0, 1000.0), strict=True))
    runs = [
        run
        for at in range(8)
        for step, after in afters.items()
        for run in repeats(
            directory, f"r{at}", [(1000.0 if at < 4 else after) + at % 3], step={"name": step}
        )
    ]
    return Figures(study_of(runs, report={"steps": tuple(afters)}))


def added(*changes: Change, **facts: Any) -> Findings:
    return replace(NOTHING_CHANGED, additions=changes, **facts)


def diffs(
    by_step: Mapping[str, Findings], release: str = "r4", base: str = "r3"
) -> dict[DiffKey, Findings]:
    return {
        DiffKey(CellKey(release, "socket2", step), base): found for step, found in by_step.items()
    }


def said(figures: Figures, findings: Mapping[DiffKey, Findings]) -> str:
    """Return what follows the level change in the sentence of the release."""
    (sentence,) = release_level_sentences(figures, "r4", common_functions(figures, findings))
    begin, _, rest = sentence.partition("p < 0.0001.")
    assert begin.startswith("Throughput of 3 steps dropped at this release")
    return rest.strip()


def test_a_function_that_grew_in_most_steps_is_named(figures: Figures) -> None:
    found = diffs({"delete": added(LATCH, SEARCH), "insert": added(SEARCH), "scan": added(COPY)})
    assert said(figures, found) == "In 2 of these steps btr_cur_search costs more."
    two = {key: each for key, each in found.items() if key.cell.step != "scan"}
    assert said(figures, two) == "In 2 of the 2 steps with profiles btr_cur_search costs more."


def test_of_shares_it_is_the_share_that_is_larger(figures: Figures) -> None:
    found = diffs(dict.fromkeys(SLOWER, added(SEARCH, basis="share")))
    assert said(figures, found) == "In 3 of these steps btr_cur_search takes a larger share."


def test_what_one_step_has_or_half_of_them_is_not_common(figures: Figures) -> None:
    assert said(figures, {}) == ""
    assert said(figures, diffs({"delete": added(SEARCH)})) == ""
    assert said(figures, diffs({"delete": added(SEARCH), "insert": added()})) == ""
    one_of_three = {"delete": added(SEARCH), "insert": added(), "scan": added()}
    assert said(figures, diffs(one_of_three)) == ""


def test_steps_whose_level_did_not_change_do_not_count(figures: Figures) -> None:
    assert said(figures, diffs({"delete": added(SEARCH), "update": added(SEARCH)})) == ""


def test_savings_do_not_explain_a_drop(figures: Figures) -> None:
    less = added(savings=(change("btr_cur_search", 3000.0, 1000.0),))
    assert said(figures, diffs(dict.fromkeys(SLOWER, less))) == ""


def test_a_rise_is_explained_by_what_saves_cost(tmp_path: Path) -> None:
    runs = [
        run
        for at in range(8)
        for step in SLOWER
        for run in repeats(tmp_path, f"r{at}", [500.0 + at + 400 * (at > 3)], step={"name": step})
    ]
    faster = Figures(study_of(runs, report={"steps": SLOWER}))
    less = added(SEARCH, savings=(change("memcpy", 3000.0, 1000.0),))
    (sentence,) = release_level_sentences(
        faster, "r4", common_functions(faster, diffs(dict.fromkeys(SLOWER, less)))
    )
    assert sentence.endswith("In 3 of these steps memcpy costs less.")


def test_a_change_that_many_larger_ones_precede_does_not_count(figures: Figures) -> None:
    larger = [change(f"f{at}", 1000.0, 9000.0 - at) for at in range(LARGEST)]
    found = {
        step: added(*(replace(each, function=f"{step} {each.name}") for each in larger), SEARCH)
        for step in SLOWER
    }
    assert said(figures, diffs(found)) == ""


def test_of_several_the_one_that_grew_most_is_named(figures: Figures) -> None:
    found = diffs(dict.fromkeys(SLOWER, added(COPY, SEARCH, LATCH)))
    assert "btr_cur_search" in said(figures, found)


def test_profiles_of_any_release_of_the_two_levels_count(figures: Figures) -> None:
    found = dict.fromkeys(SLOWER, added(SEARCH))
    assert said(figures, diffs(found, "r6", "r1")).startswith("In 3 of these steps")
    assert said(figures, diffs(found, "r6", "r5")) == "", "both of the level after"
    assert said(figures, diffs(found, "r2", "r1")) == "", "both of the level before"
    nearest = diffs(found, "r4", "r3") | diffs(dict.fromkeys(SLOWER, added(COPY)), "r6", "r1")
    assert "btr_cur_search" in said(figures, nearest)


def test_the_page_of_the_release_and_the_table_of_levels_have_it(figures: Figures) -> None:
    found = diffs(dict.fromkeys(SLOWER, added(SEARCH)))
    sentence = "In 3 of these steps btr_cur_search costs more."
    page = release_page(
        parts_of(figures.study, common_functions=common_functions(figures, found)), "r4"
    )
    assert any(phrase.text.endswith(sentence) for each in page.opening for phrase in each)
    without = change_groups_table(figures, "socket2", {})
    table = change_groups_table(figures, "socket2", common_functions(figures, found))
    assert without is not None
    assert table is not None
    assert "function" not in [column.key for column in without.columns]
    at = [column.key for column in table.columns].index("function")
    cell = table.rows[0].cells[at]
    assert (cell.text, cell.note) == ("btr_cur_search (3 steps)", sentence)
    assert cell.url == "/reports/servers/r4/delete/vs/r3/"


def test_the_feed_and_the_records_have_it(figures: Figures) -> None:
    found = diffs({"delete": added(LATCH, SEARCH), "insert": added(SEARCH), "scan": added(COPY)})
    common = common_functions(figures, found)
    sentence = "In 2 of these steps btr_cur_search costs more."
    (entry,) = [
        each for each in feed_entries(figures, common) if each.title.startswith("Level change")
    ]
    assert f"p < 0.0001. {sentence} delete \N{MINUS SIGN}" in entry.summary
    records = change_records(figures, common)
    record = CommonFunctionRecord(
        function="btr_cur_search",
        steps=("delete", "insert"),
        text=sentence,
        url="reports/servers/r4/delete/vs/r3/",
    )
    by_step = {each.step: each.common_function for each in records if each.metric == "throughput"}
    assert by_step == dict.fromkeys(SLOWER, record)
    assert {each.common_function for each in change_records(figures, {})} == {None}


def test_the_same_change_of_another_metric_has_none(tmp_path: Path) -> None:
    runs = []
    for at in range(8):
        value = (1000.0 if at < 4 else 500.0) + at % 3
        for step in SLOWER:
            p95 = {"latency_p95": {"value": value, "unit": "ms", "better": "lower"}}
            runs += repeats(tmp_path, f"r{at}", [value], step={"name": step, "metrics": p95})
    both = Figures(study_of(runs, report={"steps": SLOWER}))
    common = common_functions(both, diffs(dict.fromkeys(SLOWER, added(SEARCH))))
    records = change_records(both, common)
    assert {(each.metric, each.common_function is not None) for each in records} == {
        ("throughput", True),
        ("latency_p95", False),
    }

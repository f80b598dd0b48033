"""MySQL 5.6, 5.7 and 8.0 (smalldatum.blogspot.com, "MySQL regressions: binlog_log_row", 2024)."""

import gzip
import re
from pathlib import Path

import pytest
from published_study import Study, imported, published
from raw_stacks import percent, whole
from real_data import real_data

REPORT = "mysql-binlog"
DATA = "mysql-sysbench-pn53"


def make(place: Path) -> None:
    words = ("--report", REPORT, "--host", "pn53", "--benchmark", "sysbench")
    sampled = ("--event", "cycles", "--work", "timed")
    imported(place, "svg", str(real_data(DATA)), *words, *sampled)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Study:
    real_data(DATA)
    return published(REPORT, make, tmp_path_factory, testrun_uid)


BASE, LAST = "5651", "8037"
RATE = {"5651": 1.0, "5744": 0.82, "8037": 0.57}
"""Of inserts, relative to 5.6.51, as the author printed them."""
PUBLISHED = {
    "binlog_log_row": (3.04, 4.28, 10.29),
    "THD::binlog_write_table_map": (2.23, 3.13, 5.79),
    "Table_map_log_event::Table_map_log_event": (0.41, None, 2.53),
    "Write_rows_log_event::binlog_row_logging_function": (0.59, 0.82, 2.97),
}
"""Percent of samples in 5.6.51, 5.7.44 and 8.0.37, as the author printed them."""


def raw(version: str, step: str = "insert") -> Path:
    return real_data(f"{DATA}/{version}/{step}/stacks.folded.gz")


def cost(version: str, *functions: str) -> float:
    """Return the percent of an insert on 5.6.51, by the author's rates."""
    return percent(raw(version), *functions) / RATE[version]


def test_the_build_finds_nothing_wrong(study: Study) -> None:
    assert study.problems == []


def test_the_author_keeps_what_was_drafted(study: Study) -> None:
    assert study.authored.releases == study.drafted.releases
    assert study.authored.base == study.drafted.base
    assert study.authored.default_variant == study.drafted.default_variant


def test_every_profile_is_imported(study: Study) -> None:
    assert [len(bundle.steps) for bundle in study.bundles] == [2, 2, 2]
    assert all(len(step.captures) == 1 for each in study.bundles for step in each.steps)


def test_no_verdict_is_made_of_the_rates_of_an_author(study: Study) -> None:
    found = study.verdict(LAST, "insert", "pn53")
    assert (found["verdict"], found["why"]) == ("missing", "no log has the throughput")
    assert "Profiles only: no log of these runs has a throughput." in study.page().text()


def test_the_first_sentence_says_what_an_insert_costs_and_where_it_goes(study: Study) -> None:
    points = 10.29 / RATE[LAST] - 3.04
    sentence = (
        f"One operation on 8.0.37 costs {1 / RATE[LAST]:.2f}× what it costs on 5.6.51, by the "
        f"author’s rates: {100 / RATE[LAST] - 100:.0f} % more, of which {points:.0f} points are "
        "binlog_log_row with everything it called."
    )
    for address in ("", "8037/insert/vs/5651"):
        assert sentence in study.page(address).text()


def test_the_text_has_the_percentages_of_the_original(study: Study) -> None:
    text = re.sub(r"†(in the diff against [\d.]+)*", "", study.page().text())
    old, middle, new = PUBLISHED["binlog_log_row"]
    assert f"An insert spends {old}" in text
    assert f"% of its cycles in binlog_log_row on MySQL 5.6.51, {middle}" in text
    assert f"% on 5.7.44 and {new}" in text


def test_the_call_tree_is_the_published_one(study: Study) -> None:
    text = study.page().text("calltree-logging-insert")
    for function, (old, middle, new) in PUBLISHED.items():
        numbers = rf"{old} {middle or '[0-9.]+'} {new}"
        assert re.search(rf"{function}\s*{numbers}", text), function


def test_add_pke_is_first_called_in_the_last_release(study: Study) -> None:
    assert [percent(raw(each), "add_pke") > 0 for each in RATE] == [False, False, True]
    tree = study.page().text("calltree-logging-insert")
    assert re.search(r"add_pke\s*–\S* –\S* 0\.49", tree)


def test_changes_in_both_directions_have_the_costs_of_the_raw_stacks(study: Study) -> None:
    page, diff = study.page(), study.page("8037/insert/vs/5651")
    for table, function, sign in (
        ("suspects", "binlog_log_row", 1),
        ("savings", "ext4_block_write_begin", -1),
    ):
        costs = {version: cost(version, function) for version in RATE}
        assert sign * (costs[LAST] - costs[BASE]) > 1
        for version, number in costs.items():
            row = f"insert~{function}"
            assert page.cell("functions-pn53", row, version) == f"{number:.2f}"
        change = diff.cell(table, function, "net").replace("\N{MINUS SIGN}", "-")
        assert sign * float(change) > 1


def test_every_link_of_the_report_leads_somewhere(study: Study) -> None:
    links = study.page().links
    assert f"reports/{REPORT}/8037/insert/vs/5651/" in {each.partition("#")[0] for each in links}
    assert [each for each in links if not study.has(each)] == []


def test_the_stacks_can_be_downloaded_with_all_their_weight(study: Study) -> None:
    lines = gzip.decompress(study.file("8037/insert/stacks.folded.gz")).decode().splitlines()
    weights = [int(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")]
    assert sum(weights) == whole(raw(LAST))


def test_the_search_leads_from_the_function_to_its_diff(study: Study) -> None:
    found = study.found_by_search("binlog_log_row")
    diff = f"reports/{REPORT}/8037/insert/vs/5651/"
    assert (diff, "costs more in insert, 5.6.51 → 8.0.37") in found
    assert all(study.has(address) for address, _ in found)

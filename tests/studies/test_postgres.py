"""Three releases of PostgreSQL with all that a lab host kept, of two tests."""

import csv
import io
import json
import re
from functools import cache
from pathlib import Path

import pytest
from published_study import Study, archived, imported, published, unpack
from real_data import real_data

REPORT = "pg-feb25"
ARCHIVE = "pg-sysbench-feb25/host-logs.tar.zst"


def make(place: Path) -> None:
    archive = place / "archive"
    unpack(real_data(ARCHIVE), archive, r".*\.(point-query|update-index)\.range100\..*")
    imported(place, "sysbench", str(archive), "--report", REPORT, "--host", "hetz48")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Study:
    real_data(ARCHIVE)
    return published(REPORT, make, tmp_path_factory, testrun_uid)


VARIANT = "hetz48--x10a_c32r128--40clients--build-o2nofp"
BASE, LAST = "pg1023", "pg1110"
UPDATE = "update-index range=100"
DIFF = f"{LAST}/update-index-range-100/vs/{BASE}"


@cache
def files() -> dict[str, str]:
    """Return the texts of the archive by directory and name."""
    return {name: content.decode() for name, content in archived(real_data(ARCHIVE))}


def text_of(release: str, kind: str, test: str) -> str:
    return files()[f"x.{release}_o2nofp.x10a_c32r128.pk1/sb.{kind}.{test}.range100.pk1.dop40"]


def rate(release: str) -> float:
    (found,) = re.findall(
        r"transactions: +\d+ +\(([\d.]+) per sec", text_of(release, "o", "update-index")
    )
    return float(found)


def percent(release: str, function: str) -> float:
    """Return the percentage of a function in all reports of perf, by the cycles of each."""
    sampled, whole = 0.0, 0.0
    for name, text in files().items():
        if re.match(rf"x\.{release}_.*/sb\.perf\.rep\.f\.update-index\.", name):
            cycles = float(re.findall(r"# Event count \(approx\.\): (\d+)", text)[0])
            rows = re.findall(rf"^ +([\d.]+)% .* {re.escape(function)}$", text, re.MULTILINE)
            sampled += cycles * sum(map(float, rows)) / 100
            whole += cycles
    return 100 * sampled / whole


def test_the_build_finds_nothing_wrong(study: Study) -> None:
    assert study.problems == []


def test_everything_that_the_host_kept_is_imported(study: Study) -> None:
    assert [len(bundle.steps) for bundle in study.bundles] == [2, 2, 2]
    assert {len(step.logs) for bundle in study.bundles for step in bundle.steps} == {5}
    assert sum(len(step.captures) for each in study.bundles for step in each.steps) == 69


def test_the_draft_is_the_front_matter_that_the_author_goes_on_with(study: Study) -> None:
    assert study.authored.releases == study.drafted.releases
    assert study.authored.step_groups == study.drafted.step_groups
    assert study.authored.default_variant == study.drafted.default_variant


def test_the_verdict_is_the_ratio_of_the_logs_and_says_that_there_is_one_run(
    study: Study,
) -> None:
    for release in ("pg110", LAST):
        found = study.verdict(release, UPDATE, VARIANT)
        ratio = rate(release) / rate(BASE)
        assert found["verdict"] == "faster, one run"
        assert found["ratio"] == pytest.approx(ratio, rel=1e-4)
        assert f"{100 * ratio - 100:.1f} % faster than 10.23 (one run;" in found["headline"]


def test_the_first_faster_release_is_in_the_table(study: Study) -> None:
    page = study.page()
    for release in ("pg110", LAST):
        shown = page.cell(f"against-base-{VARIANT}", "update-index-range-100", release)
        assert f"{rate(release) / rate(BASE):.2f}, faster" in shown
    assert study.api("changes") == []  # Three releases are no series.


def test_the_text_has_the_numbers_of_the_logs(study: Study) -> None:
    text = study.page().text()
    for release in (BASE, LAST):
        assert f"{rate(release):,.0f}" in text
        (p95,) = re.findall(r"95th percentile: +([\d.]+)", text_of(release, "o", "update-index"))
        assert p95 in text
    shown = re.search(r"took ([\d.]+)\S* % of the cycles in 10.23 and ([\d.]+)", text)
    assert shown
    shares = [percent(release, "LWLockAttemptLock") for release in (BASE, LAST)]
    assert [float(each) for each in shown.groups()] == pytest.approx(shares, abs=0.02)


def test_functions_that_changed_in_either_direction_have_the_shares_of_the_reports(
    study: Study,
) -> None:
    page = study.page(DIFF)
    for function, sign in (("LWLockWaitListLock", -1), ("heap_page_prune", 1)):
        before, after = percent(BASE, function), percent(LAST, function)
        assert sign * (after - before) > 0.5
        row = function.lower()
        assert float(page.cell("functions", row, "self-base")) == pytest.approx(before, abs=0.03)
        assert float(page.cell("functions", row, "self-after")) == pytest.approx(after, abs=0.03)


def test_a_function_that_fell_in_stacks_without_callers_leads_the_savings(study: Study) -> None:
    found = json.loads(study.file(f"{DIFF}/suspects.json"))
    assert [each["name"] for each in found["savings"]][:2] == [
        "LWLockWaitListLock",
        "perform_spin_delay",
    ]


def test_the_drilldown_has_the_share_of_the_reports(study: Study) -> None:
    shown = study.page().cell("locks-update-index-range-100-along", LAST, "c2")
    number = re.match(r"[\d.]+", shown)
    assert number
    assert float(number[0]) == pytest.approx(percent(LAST, "LWLockRelease"), abs=0.02)


def test_what_vmstat_counted_can_be_downloaded(study: Study) -> None:
    rows = csv.DictReader(io.StringIO(study.file(f"{LAST}/metrics.csv").decode()))
    (row,) = (
        each
        for each in rows
        if (each["step"], each["metric"]) == (UPDATE, "context_switches_per_operation")
        and each["in_figures"] == "True"
    )
    head, numbers = (
        line.split() for line in text_of(LAST, "met", "update-index").splitlines()[4:6]
    )
    assert float(row["value"]) == float(numbers[head.index("cs/o")])


def test_every_link_of_the_report_leads_somewhere(study: Study) -> None:
    links = study.page().links
    assert f"reports/{REPORT}/{DIFF}/" in {each.partition("#")[0] for each in links}
    assert [each for each in links if not study.has(each)] == []


def test_the_search_leads_from_the_function_to_the_drilldown(study: Study) -> None:
    found = study.found_by_search("LWLockAttemptLock")
    assert f"in the drilldown “Lightweight locks” of {UPDATE}" in [label for _, label in found]
    assert all(study.has(address) for address, _ in found)

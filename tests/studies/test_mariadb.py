"""35 builds and configurations of MariaDB on a 48-core host: six of 38 tests, to save time."""

import csv
import gzip
import io
import re
from math import exp, log
from pathlib import Path

import pytest
from published_study import Study, imported, published, unpack
from real_data import real_data

REPORT = "mariadb-48"
LOGS = "mariadb-sysbench-hetz48/sysbench-logs.tar.zst"
STEPS = (
    "point-query",
    "points-covered-pk",
    "points-covered-si",
    "delete",
    "insert",
    "update-index",
)


def make(place: Path) -> None:
    archive = place / "archive"
    chosen = rf"[^/]+/sb\.o\.({'|'.join(STEPS)})\.range100\.pk1\.dop\d+"
    unpack(real_data(LOGS), archive, chosen)
    assert len(list(archive.iterdir())) == 35
    imported(place, "sysbench", str(archive), "--report", REPORT, "--host", "hetz48")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Study:
    real_data(LOGS)
    return published(REPORT, make, tmp_path_factory, testrun_uid)


VARIANT = "hetz48--z12a_c32r128--40clients--build-rel_withdbg"
BASE, LAST = "ma100230", "ma120101"
PRIMARY_KEY = "points-covered-pk range=100"


def table(name: str) -> dict[str, dict[str, float]]:
    """Return the author's table: numbers by test, then by release."""
    text = real_data(f"mariadb-sysbench-hetz48/{name}").read_text()
    columns = re.findall(r"^col-\d+ : x\.(\w+?)_rel_withdbg", text, re.MULTILINE)
    rows = [line.split("\t") for line in text.splitlines() if "range=" in line]
    return {
        row.replace("_range=", " range="): dict(zip(columns, map(float, numbers), strict=True))
        for *numbers, row in rows
        if row.partition("_")[0] in STEPS
    }


def logs(study: Study, release: str, test: str) -> list[Path]:
    """Return the raw logs of both configurations that are one."""
    name = f"x.{release}_rel_withdbg.z12[ab]_c32r128.pk1/sb.o.{test}.range100.pk1.dop40"
    return sorted((study.place / "archive").glob(name))


def queries_per_second(study: Study, release: str, test: str) -> float:
    """Return the rate that the raw log ends with."""
    (path,) = logs(study, release, test)
    (rate,) = re.findall(r"queries: +\d+ +\(([\d.]+) per sec", path.read_text())
    return float(rate)


def test_the_build_finds_nothing_wrong(study: Study) -> None:
    assert study.problems == []


def test_the_draft_knows_that_two_configurations_are_one(study: Study) -> None:
    assert study.drafted.same_config == study.authored.same_config != ()
    drafted = [each.id for each in study.drafted.releases]
    assert drafted == [each.id for each in study.authored.releases]


def test_every_published_ratio_is_in_its_cell(study: Study) -> None:
    page, count = study.page(), 0
    for step, ratios in table("qps.rel.ma.all.tsv").items():
        for release, ratio in ratios.items():
            if len(logs(study, release, step.partition(" ")[0])) > 1:
                continue  # Measured with both configurations: here that is two runs of one cell.
            text = page.cell(
                f"against-base-{VARIANT}", step.replace(" ", "-").replace("=", "-"), release
            )
            shown = re.search(r"\d+\.\d+", text)
            assert shown, (step, release, text)
            # The author divides numbers that are rounded to the unit.
            assert float(shown[0]) == pytest.approx(ratio, abs=0.011), (step, release)
            count += 1
    assert count == 6 * 13


def test_the_verdict_of_the_last_release_is_the_ratio_of_the_logs(study: Study) -> None:
    found = study.verdict(LAST, PRIMARY_KEY, VARIANT)
    rates = [queries_per_second(study, each, "points-covered-pk") for each in (BASE, LAST)]
    assert found["verdict"] == "slower"
    assert found["ratio"] == pytest.approx(rates[1] / rates[0], rel=1e-4)
    assert f"{100 - 100 * rates[1] / rates[0]:.1f} % slower than 10.2.30" in found["headline"]


def test_steps_are_said_to_be_slower_and_faster_as_the_table_has_them(study: Study) -> None:
    ratios = [of[LAST] for of in table("qps.rel.ma.all.tsv").values()]
    slower, faster = (sum(sign * (each - 1) > 0.05 for each in ratios) for sign in (-1, 1))
    mean = exp(sum(map(log, ratios)) / len(ratios))
    text = study.page(LAST).text()
    assert re.search(rf"{slower} of 6 steps are slower, {faster} faster( since [\d.]+)?\. ", text)
    shown = re.search(r"Geometric mean of 6 steps: ×(\d+\.\d+)", text)
    assert shown
    assert float(shown[1]) == pytest.approx(mean, abs=0.01)


def test_the_first_slower_release_is_where_the_rate_halves(study: Study) -> None:
    ratios = table("qps.rel.ma.all.tsv")[PRIMARY_KEY]
    first = next(release for release, ratio in ratios.items() if ratio < 0.8)
    found = [each for each in study.api("changes") if each["step"] == PRIMARY_KEY]
    falls = [each for each in found if each["metric"] == "throughput" and each["ratio"] < 0.8]
    assert [each["first_release"] for each in falls] == [first] == ["ma100506"]
    assert "since 10.5.6" in study.verdict(LAST, PRIMARY_KEY, VARIANT)["headline"]


def test_one_fast_release_between_slow_ones_is_no_new_level(study: Study) -> None:
    assert table("qps.rel.ma.all.tsv")[PRIMARY_KEY]["ma100808"] > 1
    # 5 % above 10.2.30: releases of one level differ by as much.
    assert study.verdict("ma100808", PRIMARY_KEY, VARIANT)["verdict"] == "noisy"
    (found,) = (
        each
        for each in study.api("verdicts")
        if (each["release"], each["against"]) == ("ma100808", "ma100708")
        and (each["step"], each["metric"]) == (PRIMARY_KEY, "throughput")
    )
    assert found["verdict"] == "faster, one run"
    assert re.search(r"10\.8\.8 alone was [\d.]+ % higher", found["headline"])


def test_the_text_has_the_rates_of_the_logs(study: Study) -> None:
    rates = [queries_per_second(study, each, "point-query") for each in (BASE, LAST)]
    text = study.page().text()
    assert all(f"{rate:,.0f}" in text for rate in rates)


def test_every_link_of_the_report_leads_somewhere(study: Study) -> None:
    links = study.page().links
    assert f"reports/{REPORT}/{LAST}/" in {each.partition("#")[0] for each in links}
    assert [each for each in links if not study.has(each)] == []


def test_metrics_can_be_downloaded(study: Study) -> None:
    rows = list(csv.DictReader(io.StringIO(gzip.decompress(study.file("metrics.csv.gz")).decode())))
    (row,) = (
        each
        for each in rows
        if (each["release"], each["step"], each["metric"]) == (LAST, PRIMARY_KEY, "throughput")
        and "ahi1" not in each["variant"]
    )
    rate = queries_per_second(study, LAST, "points-covered-pk")
    assert float(row["value"]) == pytest.approx(rate, rel=1e-6)


def test_the_search_finds_the_change_of_the_step(study: Study) -> None:
    (report,) = study.search_index()["reports"]
    assert "2 steps dropped at 10.5.6, by 25.6 % to 59.2 %" in {
        " ".join(name.split()) for name, _ in report["changes"]
    }
    below = report["url"].lstrip("/")
    assert [url for _, url in report["changes"] if not study.has(below + url)] == []

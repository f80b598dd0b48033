"""Insert Benchmark summaries of January 2021: MySQL at the smallest size, to save time."""

import csv
import io
import re
import shutil
from pathlib import Path

import pytest
from published_study import Study, imported, published
from real_data import real_data

REPORT = "ibench-20m"
DATA = "ibench-jan21"


def make(place: Path) -> None:
    archive = place / "20m"
    shutil.rmtree(archive, ignore_errors=True)
    archive.mkdir()
    for summary in real_data(f"{DATA}/20m").glob("o.sum.t.20m.my*"):
        (archive / summary.name).write_bytes(summary.read_bytes())
    imported(place, "ibench", str(archive), "--report", REPORT, "--host", "nuc")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Study:
    real_data(DATA)
    return published(REPORT, make, tmp_path_factory, testrun_uid)


VARIANT = "nuc--cx6d--rows-20m"
BASE, LAST = "my5649", "my8022"
RATES = (100, 200, 400, 600, 800, 1000)
STEPS = ("l.i0", "l.x", "l.i1", *(f"q{rate}.{half}" for rate in RATES for half in (1, 2)))


def number(release: str, step: str, column: str) -> float:
    """Return a number of the author's summary, which has a line for each step."""
    path = real_data(f"{DATA}/20m/o.sum.t.20m.{release}.cx6d")
    lines = [line.split() for line in path.read_text().splitlines()]
    head = lines[0]
    rows = [line for line in lines if line and line[0] != "ips"]
    return float(rows[STEPS.index(step)][head.index(column)])


def test_the_build_finds_nothing_wrong(study: Study) -> None:
    assert study.problems == []


def test_every_summary_becomes_a_run_of_all_steps(study: Study) -> None:
    assert len(study.bundles) == 6
    assert {len(bundle.steps) for bundle in study.bundles} == {15}


def test_the_author_goes_on_with_what_was_drafted(study: Study) -> None:
    drafted, authored = study.drafted, study.authored
    assert [each.id for each in authored.releases] == [each.id for each in drafted.releases]
    assert (authored.base, authored.default_variant) == (drafted.base, drafted.default_variant)
    assert study.authored.step_groups == study.drafted.step_groups


@pytest.mark.parametrize("step", ["l.i0", "l.x"])
def test_verdicts_in_both_directions_are_the_ratios_of_the_summaries(
    study: Study, step: str
) -> None:
    found = study.verdict(LAST, step, VARIANT)
    ratio = number(LAST, step, "ips") / number(BASE, step, "ips")
    assert found["ratio"] == pytest.approx(ratio, rel=1e-4)
    word = "slower" if ratio < 1 else "faster"
    assert found["verdict"] == f"{word}, one run"
    assert f"{abs(100 * ratio - 100):.1f} % {word} than MySQL 5.6.49" in found["headline"]


def test_the_text_has_the_rates_of_the_summaries(study: Study) -> None:
    text = study.page().text()
    for release in (BASE, "my8021", LAST):
        assert f"{number(release, 'l.i0', 'ips'):,.0f}" in text


def test_loading_is_slower_from_the_first_release_of_8_0_on(study: Study) -> None:
    page = study.page()
    for release in ("my5731", "my8021", LAST):
        ratio = number(release, "l.i0", "ips") / number(BASE, "l.i0", "ips")
        shown = re.search(r"\d\.\d+", page.cell(f"against-base-{VARIANT}", "l.i0", release))
        assert shown
        assert float(shown[0]) == pytest.approx(ratio, abs=0.0051)
        assert (ratio < 0.7) == (release != "my5731")


def test_queries_are_judged_by_their_rate_and_not_by_that_of_the_inserts(study: Study) -> None:
    found = study.verdict(LAST, "q100.1", VARIANT)
    ratio = number(LAST, "q100.1", "qps") / number(BASE, "q100.1", "qps")
    assert found["ratio"] == pytest.approx(ratio, rel=1e-4)


def test_the_bad_configuration_is_a_variant_of_its_own(study: Study) -> None:
    variants = {each["variant"] for each in study.api("verdicts")}
    assert {VARIANT, "nuc--cx6d.badcnf--rows-20m"} <= variants


def test_metrics_can_be_downloaded(study: Study) -> None:
    rows = csv.DictReader(io.StringIO(study.file(f"{LAST}/metrics.csv").decode()))
    found = {
        each["metric"]: float(each["value"])
        for each in rows
        if (each["step"], each["variant"], each["in_figures"]) == ("l.i0", VARIANT, "True")
    }
    assert found["throughput"] == number(LAST, "l.i0", "ips")


def test_every_link_of_the_report_leads_somewhere(study: Study) -> None:
    links = study.page().links
    assert f"reports/{REPORT}/{LAST}/" in {each.partition("#")[0] for each in links}
    assert [each for each in links if not study.has(each)] == []


def test_the_search_knows_releases_and_steps(study: Study) -> None:
    (report,) = study.search_index()["reports"]
    assert "MySQL 8.0.22" in {label for label, *_ in report["releases"]}
    assert "q1000.2" in {name for name, _ in report["steps"]}

"""MyRocks 5.6, five builds (smalldatum.blogspot.com, September 2023), in both layouts."""

import gzip
import re
import shutil
from pathlib import Path

import pytest
from perfpress.__main__ import main
from published_study import Study, imported, imported_bundles, published
from raw_stacks import percent, whole
from real_data import real_data

REPORT = "myrocks-56"
DATA = "myrocks56-ibench"
HOST = "socket2"
BUILDS = {
    "2022-03-07": "202203072101",
    "2022-05-19": "202205192101",
    "2022-08-09": "202208092101",
    "2023-02-16": "202302162102",
    "2023-05-29": "202305292102",
}
STEPS = {"l.i1": "l.i1", "q100": "q.L1.ips100"}
FIRST, LAST = "2022-03-07", "2023-05-29"


def as_its_author_kept_it(archive: Path) -> None:
    """Give the flame graphs the names that the links in the published text have."""
    for build, named in BUILDS.items():
        for step, directory in STEPS.items():
            place = archive / f"480m.fbmy5635_{named}.cy9c5_u" / directory
            place.mkdir(parents=True)
            source = real_data(f"{DATA}/{build}/{step}")
            names = {"flamegraph": "o.perf.g.all", f"diff-vs-{FIRST}": "all.diff"}
            for kept, original in names.items():
                if (drawing := source / f"{kept}.svg.gz").exists():
                    (place / f"{original}.svg").write_bytes(gzip.decompress(drawing.read_bytes()))


def make(place: Path) -> None:
    archive = place / "56builds.perf.svg.sep23"
    shutil.rmtree(archive, ignore_errors=True)
    as_its_author_kept_it(archive)
    words = ("ibench", str(archive), "--report", REPORT, "--event", "cycles")
    # Without a host the call only writes the map; the author calls builds by their dates.
    unfinished = ("--out", str(place / "results"), "--map", str(place / "map.toml"))
    (place / "map.toml").unlink(missing_ok=True)
    assert main(["import", *words, *unfinished]) == 1
    text = (place / "map.toml").read_text()
    for build, named in BUILDS.items():
        text = text.replace(f'"fbmy5635_{named}"', f'"{build}"')
    (place / "map.toml").write_text(text)
    imported(place, *words, "--host", HOST)
    if not (place / "corrections").exists():
        call = ("amend", "rename", "step", "q.L1.ips100", "q100", "--report", REPORT)
        why = ("--reason", "Short, as in the text.")
        assert main([*call, *why, "--results", str(place / "results")]) == 0


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Study:
    real_data(DATA)
    return published(REPORT, make, tmp_path_factory, testrun_uid)


def raw(build: str, step: str) -> Path:
    return real_data(f"{DATA}/{build}/{step}/stacks.folded.gz")


VARIANT = "socket2--cy9c5_u--rows-480m"
PUBLISHED = {
    ("towers", "l.i1"): ("c1", (49.89, 49.51, 51.38, 51.49, 50.04)),
    ("compaction", "l.i1"): ("c1", (5.47, 6.04, 7.09, 10.96, 11.72)),
    ("compacting", "l.i1"): ("c2", (1.46, 1.68, 1.94, 5.23, 5.43)),
    ("memtable", "l.i1"): ("c3", (3.77, 3.73, 3.84, 4.51, 4.38)),
    ("seeking", "q100"): ("c2", (15.96, 15.76, None, 17.86, 18.90)),
}
"""By drilldown and step: a column as the author printed it, over the builds; x is absent."""


def test_both_layouts_hold_the_same_runs(study: Study, tmp_path: Path) -> None:
    words = ("--benchmark", "insert-benchmark", "--event", "cycles", "--work", "timed")
    imported(tmp_path, "svg", str(real_data(DATA)), "--host", HOST, *words)
    other = imported_bundles(tmp_path / "results")
    for bundles, steps in ((study.bundles, {*STEPS.values()}), (other, {*STEPS})):
        assert {bundle.run.release for bundle in bundles} == {*BUILDS}
        for bundle in bundles:
            assert {step.name for step in bundle.steps} == steps
            assert [len(step.captures) for step in bundle.steps] == [1, 1]
            assert {step.capture.event for step in bundle.steps} == {"cycles"}


def test_all_that_the_build_reports_is_what_drawings_lack(study: Study) -> None:
    assert len(study.problems) == len(BUILDS) * len(STEPS)
    assert all(each.endswith("they are counted with callers") for each in study.problems)


def test_the_author_adds_to_what_was_drafted(study: Study) -> None:
    drafted, authored = study.drafted, study.authored
    assert [each.id for each in authored.releases] == [each.id for each in drafted.releases]
    assert (authored.base, authored.default_variant) == (drafted.base, drafted.default_variant)


def test_without_throughput_there_is_no_verdict_and_the_page_says_so(study: Study) -> None:
    found = study.verdict(LAST, "l.i1", VARIANT)
    assert (found["verdict"], found["why"]) == ("missing", "no log has the throughput")
    assert "Profiles only, no throughput." in study.page().text()


def test_drilldowns_have_the_published_numbers(study: Study) -> None:
    page = study.page()
    for (name, step), (column, numbers) in PUBLISHED.items():
        for build, number in zip(BUILDS, numbers, strict=True):
            text = page.cell(f"{name}-{step}-along", build, column)
            shown = re.match(r"[\d.]+|–", text)
            assert shown, (name, build, text)
            if number is None:
                assert shown[0] == "–"
            else:
                assert float(shown[0]) == pytest.approx(number, abs=0.0051), (name, build)


def test_the_first_sentence_has_the_published_percentages(study: Study) -> None:
    text = study.page().text()
    assert re.search(r"went from 5\.47\S*.{,80}? % on 2022-03-07 to 11\.72", text)
    assert re.search(r"MergingIterator::Seek: 15\.96\S*.{,80}? %, then 18\.90", text)


def test_a_function_is_first_seen_in_the_build_that_brought_it(study: Study) -> None:
    function = "CompactionOutputs::ShouldStopBefore"
    shares = [percent(raw(build, "l.i1"), function) for build in BUILDS]
    assert [share > 0 for share in shares] == [False, False, False, True, True]
    page, table = study.page(), f"functions-{VARIANT}"
    for build, share in zip(BUILDS, shares, strict=True):
        shown = page.cell(table, "l.i1~my_rocksdb-compactionoutputs-sh", build)
        assert shown == (f"{share:.2f}" if share else "–")


def test_changes_in_both_directions_have_the_shares_of_the_raw_stacks(study: Study) -> None:
    page = study.page(f"{LAST}/l.i1/vs/{FIRST}")
    for table, row, function in (
        ("suspects", "my_rocksdb-memtable-keycomparat", "MemTable::KeyComparator::operator"),
        ("savings", "lz4_compress_fast_continue", "LZ4_compress_fast_continue"),
    ):
        for column, build in (("base", FIRST), ("after", LAST)):
            share = percent(raw(build, "l.i1"), function)
            assert page.cell(table, row, column) == f"{share:.2f}"


def test_every_link_of_the_report_leads_somewhere(study: Study) -> None:
    links = study.page().links
    diff = f"reports/{REPORT}/{LAST}/l.i1/vs/{FIRST}/"
    assert diff in {each.partition("#")[0] for each in links}
    assert [each for each in links if not study.has(each)] == []


def test_the_name_from_before_leads_to_the_step(study: Study) -> None:
    old = study.page(f"{LAST}/q.l1.ips100")
    assert f"reports/{REPORT}/{LAST}/q100/" in old.links
    assert "Short, as in the text." in old.text()


def test_the_stacks_can_be_downloaded_with_all_their_weight(study: Study) -> None:
    lines = gzip.decompress(study.file(f"{LAST}/l.i1/stacks.folded.gz")).decode().splitlines()
    weights = [int(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")]
    assert sum(weights) == whole(raw(LAST, "l.i1"))


def test_the_search_says_share_and_not_cost(study: Study) -> None:
    found = study.found_by_search("my_rocksdb::MergingIterator::Seek")
    diff = f"reports/{REPORT}/{LAST}/q100/vs/{FIRST}/"
    assert (diff, f"larger share in q100, {FIRST} → {LAST}") in found
    assert not [label for _, label in found if label.startswith("costs")]
    assert all(study.has(address) for address, _ in found)

"""Summaries of RocksDB's benchmark.sh: a version is a release, and no two tables are one."""

from pathlib import Path

import pytest
from archive_samples import write
from perfpress.__main__ import main
from perfpress.analysis.study.measured import measurements, read_logs
from perfpress.input.bundles.discover import discover

HEADING = "ops_sec\tmb_sec\tlsm_sz\tusec_op\tp50\tp99.9\tpmax\ttest\tdate\tversion\tgithash\n"
VERSIONS = ("8.11.4", "9.9.3", "9.10.0")


def line(rate: int, test: str, version: str) -> str:
    when = "2025-05-05T02:52:32"
    return f"{rate}\t80.5\t8GB\t6.8\t7.5\t10\t872\t{test}\t{when}\t{version}\t5c2be544f5\n"


def summary(first: int) -> str:
    return "\n".join(
        HEADING + "".join(line(first + n + at, test, v) for n, v in enumerate(VERSIONS))
        for at, test in ((0, "fillseq.v400"), (10, "revrange.t1"))
    )


def test_each_number_lands_in_its_release_test_and_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rate = 0
    for host in ("big", "small"):
        for cache in ("lru", "hcc"):
            rate += 1000
            write(Path("tree", host), f"sum.{cache}.txt", summary(rate))
    failed = line(0, "revrange.t1", "9.9.3")
    twice = line(5, "fillseq.v400", "9.9.3") + line(6, "fillseq.v400", "9.9.3")
    cut = line(7, "fillseq.v400", "8.11.4").replace("\t80.5", "")
    write(Path("tree/small"), "sum.both.txt", HEADING + twice + cut + failed)
    words = ["import", "tree", "--out", "results", "--host", "lab1", "--work", "timed"]
    assert main(words) == 0
    out = capsys.readouterr().out
    bundles, problems = discover(Path("results"), "r")
    assert problems == []
    found = {
        (bundle.run.axes["directory"], bundle.run.release, step.name): measurements(step, logs)
        for bundle in bundles
        for step, logs in zip(bundle.steps, read_logs(bundle, bundle.steps), strict=True)
    }
    rates = {cell: metrics["throughput"].value for cell, metrics in found.items()}
    tables = ("big/sum.lru", "big/sum.hcc", "small/sum.lru", "small/sum.hcc")
    assert rates == {
        (table, version, test): 1000 * (of_table + 1) + number + at
        for of_table, table in enumerate(tables)
        for number, version in enumerate(VERSIONS)
        for at, test in ((0, "fillseq.v400"), (10, "revrange.t1"))
    }
    some = found["small/sum.lru", "9.9.3", "revrange.t1"]
    assert some["latency_average"].value == 6.8e-3
    assert some["latency_p99.9"].value == 0.01
    assert some["bytes_per_second"].value == 80.5 * 2**20
    assert some["throughput"].better == "higher"
    assert (
        "small/sum.both.txt:2 and 1 more: one of several lines of a test, version and date" in out
    )
    assert "small/sum.both.txt:4: a line with another number of cells than the heading" in out
    assert "small/sum.both.txt:5: 0, as of a run that failed" in out
    assert out.index('id = "9.9.3"') < out.index('id = "9.10.0"')


def test_lines_of_other_dates_are_repeats_and_a_copy_of_a_table_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        line(rate, "fillseq.v400", "7.9.1").replace("2025-05-05", f"2022-12-{day}")
        for rate, day in ((72, "12"), (83, "10"), (82, "11"))
    ]
    write(Path("tree"), "sum.byrx.txt", HEADING + "".join(lines))
    deviation = "mean=79\tstddev=4.9\tsdev/mean=0.061\n"
    write(Path("tree"), "sum.byrx.txt.sdev", HEADING + "".join(lines) + deviation)
    write(Path("tree"), "sum.some.txt", HEADING + lines[1])
    words = ["import", "tree", "--out", "results", "--host", "lab1", "--work", "timed"]
    assert main(words) == 0
    out = capsys.readouterr().out
    bundles, problems = discover(Path("results"), "r")
    assert problems == []
    assert {each.variant.slug for each in bundles} == {"lab1"}
    assert {each.run.release for each in bundles} == {"7.9.1"}
    rates = [each.steps[0].metrics["throughput"].value for each in bundles]
    assert sorted(rates) == [72, 82, 83]
    text = Path("tree.logs.toml").read_text()
    assert (
        'from = "sum.byrx/7.9.1 (line 3)"\nrelease = "7.9.1"\nversion = "7.9.1"\nrepeat = 3\n'
        in (text)
    )
    assert "sum.byrx.txt.sdev:2 and 17 more: a line that another table has, too" in out

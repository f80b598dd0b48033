"""What `perfpress import` keeps apart, leaves out and reports, so that no run becomes another's."""

import bz2
import gzip
from pathlib import Path

from archive_samples import (
    FOLDED,
    sysbench_directory,
    sysbench_log,
    write,
)
from import_calls import MAP, Import, bundles, edited, rate_of, steps
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover


def test_a_second_archive_of_one_name_does_not_land_in_the_report_of_the_first(
    tmp_path: Path, imported: Import
) -> None:
    sysbench_directory(tmp_path / "study")
    sysbench_directory(tmp_path / "elsewhere" / "study", build="my8046_rel", rate=9.0)
    assert imported("sysbench", "study", "--host", "lab1").status == 0
    answer = imported("sysbench", "elsewhere/study", "--host", "lab1")
    assert answer.status == 1
    assert "results/study: a report of this name" in answer.err
    assert not Path("elsewhere/study.sysbench.toml").exists()
    assert len(bundles()) == 2
    again = imported("sysbench", "elsewhere/study", "--host", "lab1", "--report", "study")
    assert again.status == 0
    assert {bundle.run.report for bundle in bundles()} == {"study"}


def test_directories_of_one_name_in_different_ones_are_different_variants(
    tmp_path: Path, imported: Import
) -> None:
    for at, (size, media) in enumerate((("10m", "ssd"), ("10m", "hdd"), ("20m", "ssd"))):
        for rate, build in ((2000.0, "my8045_rel"), (3000.0, "my8046_rel")):
            sysbench_directory(tmp_path / f"study/{size}/lab/{media}", build, rate=rate + 50 * at)
    sysbench_directory(tmp_path / "study/20m/lab/hdd", "my8047_rel", rate=7.0)
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 0, answer.err
    assert f"{MAP}: axes.directory tells directories of one name apart" in answer.out
    places = {
        bundle.run.axes["directory"]: bundle.run.release
        for bundle in bundles()
        if bundle.run.release != "my8045"
    }
    assert places == {
        "10m/ssd": "my8046",
        "10m/hdd": "my8046",
        "20m/ssd": "my8046",
        "20m/hdd": "my8047",
    }
    assert (
        "such as 10m/lab/hdd/x.my8045_rel.small.pk1 and\n# 10m/lab/ssd/x.my8045_rel.small.pk1."
        in MAP.read_text()
    )


def test_directories_without_a_common_test_are_kept_apart_too(
    tmp_path: Path, imported: Import
) -> None:
    for lab, test, rate in (("lab1", "point-query", 1000.0), ("lab2", "insert", 5000.0)):
        for at, build in enumerate(("my8045_rel", "my8046_rel")):
            directory = tmp_path / f"study/{lab}/x.{build}.small.pk1"
            write(directory, f"sb.o.{test}.range100.pk1.dop4", sysbench_log(test, 4, rate + at))
    asked = imported("sysbench", "study")
    assert 'where axes.directory are hosts, write host = "…" instead of them' in asked.err
    assert imported("sysbench", "study", "--host", "one").status == 0
    assert sorted((bundle.run.axes["directory"], *steps(bundle)) for bundle in bundles()) == [
        *[("lab1", "point-query range=100")] * 2,
        *[("lab2", "insert range=100")] * 2,
    ]


def test_a_directory_that_says_the_number_of_clients_is_no_axis(
    tmp_path: Path, imported: Import
) -> None:
    for clients in (1, 40):
        log = sysbench_log("scan", clients, 100.0 * clients)
        write(
            tmp_path / f"study/dop{clients}/x.my8045.small.pk1",
            f"sb.o.scan.range100.pk1.dop{clients}",
            log,
        )
    assert imported("sysbench", "study", "--host", "one").status == 0
    assert [(each.run.clients, dict(each.run.axes)) for each in bundles()] == [(1, {}), (40, {})]


def test_hosts_below_builds_are_no_releases(tmp_path: Path, imported: Import) -> None:
    for host in ("socket2", "nuc7"):
        inner = sysbench_directory(tmp_path / "made", rate=1000.0 if host == "nuc7" else 2000.0)
        inner.rename(tmp_path / host)
        (tmp_path / f"study/{inner.name}").mkdir(parents=True, exist_ok=True)
        (tmp_path / host).rename(tmp_path / f"study/{inner.name}/{host}")
    answer = imported("sysbench", "study", "--host", "one")
    assert answer.status == 0, answer.err
    assert {(each.run.release, each.run.axes["directory"]) for each in bundles()} == {
        ("my8045", "socket2"),
        ("my8045", "nuc7"),
    }


def test_directories_called_as_repeats_are_an_axis_that_the_map_names(
    tmp_path: Path, imported: Import
) -> None:
    for number in (1, 2):
        directory = sysbench_directory(tmp_path / "study", rate=1000.0 + 50 * number)
        directory.rename(directory.with_name(f"{directory.name}.r{number}"))
    answer = imported("sysbench", "study", "--host", "one")
    assert answer.status == 0, answer.err
    assert f"{MAP}: axes.run is of directories called as repeats" in answer.out
    assert {(each.run.config, each.run.axes["run"]) for each in bundles()} == {
        ("small", "r1"),
        ("small", "r2"),
    }
    edited('axes.run = "r1"\n', "")
    edited('axes.run = "r2"\n', "repeat = 2\n")
    answer = imported("sysbench", "study", "--replace")
    assert answer.status == 0, answer.err
    assert {each.variant.slug for each in bundles()} == {
        "one--small--1client--build-rel_o2nofp",
        "one--small--4clients--build-rel_o2nofp",
    }
    assert len(bundles()) == 4


def test_what_is_called_as_a_log_and_is_none_is_said(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    name = "sb.o.scan.range100.pk1.dop4"
    write(directory, name, "vacuum took 3 seconds\n")
    write(directory, f"{name}.old", sysbench_log("scan", 4, 5.0))
    (directory / "sb.o.insert.range100.pk1.dop4.bz2").write_bytes(bz2.compress(b"text"))
    answer = imported("sysbench", "study", "--host", "one")
    assert answer.status == 0, answer.err
    assert f"{directory.name}/{name}.gz: no reader knows what is in it" in answer.err
    assert "scan.range100.pk1.dop4.old: called as a log, but for its ending" in answer.out
    assert "insert.range100.pk1.dop4.bz2: compressed in a way that is not read" in answer.out
    assert {each.run.clients for each in bundles()} == {1, 4}


def test_a_longer_name_that_is_left_out_is_no_test_of_a_shorter_one(
    tmp_path: Path, imported: Import
) -> None:
    directory = sysbench_directory(tmp_path / "study")
    write(directory, "sb.o.pgvac.insert.range100.pk1.dop4", "vacuum took 3 seconds\n")
    answer = imported("sysbench", "study", "--host", "one")
    assert answer.status == 0, answer.err
    assert "sb.o.pgvac.insert.range100.pk1.dop4: of no format that is known" in answer.out
    assert not any("pgvac" in step for bundle in bundles() for step in steps(bundle))


def test_where_all_is_left_out_the_map_is_named(tmp_path: Path, imported: Import) -> None:
    for number in (1, 2):
        write(tmp_path / "study/8.4.5/scan", f"out.{number}.txt", sysbench_log("scan", 4, 5.0))
    answer = imported("study", "--host", "one", "--work", "timed")
    assert answer.status == 1
    assert "several logs of one step" in answer.out
    assert "study: nothing of it is imported, for the reasons above" in answer.err
    assert "say in study.logs.toml how its files are used" in answer.err


def test_nothing_becomes_a_repeat_unless_the_map_says_so(tmp_path: Path, imported: Import) -> None:
    for number, parent in enumerate(("first", "second")):
        sysbench_directory(tmp_path / "study" / parent, rate=1000.0 + 100 * number)
    imported("sysbench", "study")
    edited('host = ""', 'host = "lab1"')
    edited('axes.directory = "first"\n', "")
    edited('axes.directory = "second"\n', "")
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert (
        "'first/x.my8045_rel_o2nofp.small.pk1' and 'second/x.my8045_rel_o2nofp.small.pk1' are both "
        "of release 'my8045' and the same variant: point-query.warm range=100" in answer.err
    )
    assert "or repeat = 2 below the second" in answer.err
    assert not Path("results").exists()
    before, second = MAP.read_text().rsplit('release = "my8045"\n', 1)
    MAP.write_text(f'{before}release = "my8045"\nrepeat = 2\n{second}')
    answer = imported("sysbench", "study")
    assert answer.status == 0, answer.err
    assert "4 runs, 10 steps: written" in answer.out


def test_a_failing_run_leaves_the_others_and_nothing_half(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study", config="a")
    broken = sysbench_directory(tmp_path / "study", config="b", rate=5.0)
    secret = broken / "sb.o.read-only.range10.pk1.dop4"
    bomb = gzip.compress(b"\0" * 100_000_000)
    secret.rename(secret.with_suffix(".kept"))
    (broken / "sb.o.read-only.range10.pk1.dop4.gz").write_bytes(bomb)
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 1
    assert "sb.o.read-only.range10.pk1.dop4.gz: unpacks to more than" in answer.err
    assert {(bundle.run.config, bundle.run.clients) for bundle in bundles()} == {
        ("a", 1),
        ("a", 4),
        ("b", 1),
    }
    assert not [path for path in Path("results").rglob(".adding*")]


def test_a_capture_that_could_be_of_two_runs_is_of_none(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    for clients in (8, 16):
        log = sysbench_log("scan", clients, 50.0 + clients)
        write(directory, f"sb.o.scan.range100.pk1.dop{clients}", log)
    for test in ("scan", "point-query"):
        write(directory, f"sb.perf.rep.f.{test}.range100.pk1.1", FOLDED.format(weight=9))
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 0, answer.err
    name = f"{directory.name}/sb.perf.rep.f.scan.range100.pk1.1"
    assert f"left out: {name}: could be of a run with 8 or 16 clients" in answer.out
    captures = {
        (bundle.run.clients, step.name): step.captures
        for bundle in bundles()
        for step in bundle.steps
        if step.captures
    }
    assert captures == {
        (4, "point-query range=100"): ("sb.perf.rep.f.point-query.range100.pk1.1.gz",)
    }


def test_a_file_and_its_packed_copy_are_one(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    name = "sb.o.read-only.range10.pk1.dop4"
    (directory / f"{name}.gz").write_bytes(gzip.compress(b"another"))
    answer = imported("sysbench", "study", "--host", "lab1")
    assert f"{name}.gz: the same file is there without its ending" in answer.out
    bundle = next(each for each in bundles() if each.run.clients == 4)
    assert rate_of(bundle, "read-only range=10") == 1002.0


def test_hostile_names_are_left_out_or_reported_harmlessly(
    tmp_path: Path, imported: Import
) -> None:
    directory = sysbench_directory(tmp_path / "study", config="<b>'\"]\u202e")
    write(directory, "sb.o.a\x1b[31m.range1.pk1.dop4", "x")
    write(directory, "sb.o.\u00e9<i>.range1.pk1.dop4", sysbench_log("x", 4, 3.0))
    answer = imported("sysbench", "study", "--host", "lab1")
    assert "\x1b" not in answer.out + answer.err
    assert answer.status == 1
    plain = sysbench_directory(tmp_path / "other", config="<b>'\"]")
    write(plain, "sb.o.\u00e9<i>.range1.pk1.dop4", sysbench_log("x", 4, 3.0))
    answer = imported("sysbench", "other", "--host", "lab1", "--map", "other.toml")
    assert answer.status == 0, answer.err
    assert "\u00e9<i> range=1" in {step.name for bundle in bundles() for step in bundle.steps}
    assert {bundle.run.config for bundle in bundles()} == {"<b>'\"]"}


def test_a_packed_file_that_breaks_off_is_reported(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    log = directory / "sb.o.read-only.range10.pk1.dop4"
    whole = gzip.compress(log.read_bytes(), mtime=0)
    log.unlink()
    (directory / f"{log.name}.gz").write_bytes(whole[:-12])
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 0
    [line] = [line for line in answer.err.splitlines() if "breaks off" in line]
    assert line.startswith(f"warning: {directory.name}/{log.name}.gz: the gzip data breaks off")
    assert "copy it again from where it was written; what could be read was imported" in line
    found, _ = discover(Path("results"), "results")
    problems = [problem for bundle in found for problem in check_contents(bundle)]
    assert [each.found for each in problems] == ["the gzip data breaks off"]


def test_a_directory_that_was_measured_again_is_no_repeat_unsaid(
    tmp_path: Path, imported: Import
) -> None:
    sysbench_directory(tmp_path / "study", rate=1000.0)
    assert imported("sysbench", "study", "--host", "one").status == 0
    before = {each.run_id for each in bundles()}
    sysbench_directory(tmp_path / "study", rate=1100.0)
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert "of the release and variant of results/study/my8045/one--small--4clients" in answer.err
    assert "say repeat = 2 in the map if both count" in answer.err
    assert {each.run_id for each in bundles()} == before
    answer = imported("sysbench", "study", "--replace")
    assert "2 runs, 5 steps: replaced" in answer.out
    assert {rate_of(each, "read-only range=10") for each in bundles() if each.run.clients == 4} == {
        1102.0
    }
    sysbench_directory(tmp_path / "study", rate=1200.0)
    edited('config = "small"\n', 'config = "small"\nrepeat = 2\n')
    assert imported("sysbench", "study").status == 0
    assert len(bundles()) == 4


def test_a_table_that_was_corrected_is_no_second_run(tmp_path: Path, imported: Import) -> None:
    text = "col-1 : x.my8045_rel.c1.pk1\n\ncol-1\n{}\tpoint-query_range=100\n"
    write(tmp_path / "study", "qps.abs.all.tsv", text.format(900))
    assert imported("sysbench", "study", "--host", "one").status == 0
    write(tmp_path / "study", "qps.abs.all.tsv", text.format(910))
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert "of the release and variant of results/study/my8045/one--c1" in answer.err
    assert imported("sysbench", "study", "--replace").status == 0
    assert [each.steps[0].metrics["throughput"].value for each in bundles()] == [910]


def test_a_directory_of_which_some_files_changed_says_so(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    assert imported("sysbench", "study", "--host", "one").status == 0
    log = sysbench_log("read-only", 4, 5.0)
    write(directory, "sb.o.read-only.range10.pk1.dop4", log)
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert "already imported when some of its files were others, as results/study" in answer.err

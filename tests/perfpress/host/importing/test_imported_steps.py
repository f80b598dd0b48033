"""Which steps, runs and captures `perfpress import` makes of the files of an archive."""

import re
import shutil
from pathlib import Path

from archive_samples import (
    ERROR_SVG,
    FOLDED,
    summary,
    sysbench_directory,
    write,
)
from bundle_samples import pgbench_log
from import_calls import KNOWN, MAP, SVG_MAP, Import, bundles, edited, rate_of, steps


def test_the_map_decides_names_files_and_directories(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study", config="a")
    sysbench_directory(tmp_path / "study", config="b", rate=3000.0)
    imported("sysbench", "study")
    edited('host = ""', 'host = "lab1"')
    edited('step = "{test} range={range}"', 'step = "{test}/{range}"')
    edited('"*" = "transaction"', '"read-only*" = "scan"\n"*" = "query"')
    edited(
        "\n[[file]]",
        '\n[[file]]\nmatch = "*.warm.*"\nas = "leave out"\nbecause = "warm"\n\n[[file]]',
    )
    edited('config = "a"', 'config = "a"\nreport = "other"\nstarted = 2024-05-01T10:00:00Z')
    edited('config = "b"', 'config = "b"\nleave_out = "a disk was full"')
    answer = imported("sysbench", "study")
    assert answer.status == 0, answer.err
    (bundle,) = bundles()
    assert bundle.run.report == "other"
    assert bundle.run_id.startswith("20240501-100000-")
    assert {step.name: step.operation for step in bundle.steps} == {
        "point-query/100": "query",
        "point-query.pre/100": "query",
        "read-only/10": "scan",
        "read-only/1000": "scan",
    }
    assert ": warm\n" in answer.out
    assert "left out: x.my8045_rel_o2nofp.b.pk1: a disk was full" in answer.out


def test_junk_is_left_out_and_named(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    write(directory, "._sb.o.point-query.range100.pk1.dop4", "junk")
    write(directory, ".DS_Store", "junk")
    write(directory, "sb.o.insert.range100.pk1.dop4", "")
    write(directory, "sb.perf.g.cycles.read-only.range10.pk1.1.svg", ERROR_SVG)
    write(directory, "sb.unheard-of.read-only.range10.pk1.dop4", "?")
    write(directory, "notes.doc", "mine")
    write(tmp_path / "study", "older.tar.xz", "packed")
    write(tmp_path / "study", "README", "mine")
    (directory / "sb.o.delete.range100.pk1.dop4").symlink_to("/etc/passwd")
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 0, answer.err
    x = directory.name
    for message in (
        f"left out: {x}/.DS_Store: left by a file manager",
        f"left out: {x}/sb.o.insert.range100.pk1.dop4: empty",
        f"left out: {x}/sb.perf.g.cycles.read-only.range10.pk1.1.svg: the drawing of an error",
        f"left out: {x}/sb.o.delete.range100.pk1.dop4: a link",
        f"left out: {x}/sb.unheard-of.read-only.range10.pk1.dop4: of no format that is known",
        f"left out: {x}/notes.doc: no [[file]] of the map fits",
        "left out: README: in no directory of results",
        "left out: older.tar.xz: packed: import it by itself",
    ):
        assert message in answer.out.splitlines()
    assert "notes.doc" in MAP.read_text()
    names = {file.name for bundle in bundles() for file in bundle.files}
    assert not [name for name in names if "passwd" in name or name.startswith(".")]
    assert len(names) == 1 + 2 * 4 + 1


def test_directories_that_lack_tests_are_reported(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study", config="a")
    sysbench_directory(tmp_path / "study", config="b", tests=(("read-only", 10),), rate=7.0)
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 0
    assert (
        "warning: x.my8045_rel_o2nofp.b.pk1: lacks 3 of the 5 steps that study has: "
        "point-query.pre range=100, point-query range=100, read-only range=1000"
    ) in answer.err.splitlines()


def test_steps_with_unlike_files_are_written_one_by_one(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    (directory / "sb.vm.read-only.range10.pk1.dop4").unlink()
    for sample, weight in ((1, 30), (2, 70)):
        name = f"sb.perf.g.cycles.read-only.range10.pk1.{sample}.svg"
        write(directory, name, FOLDED.format(weight=weight))
    write(directory, "sb.perf.g.cycles.read-only.range10.pk1.all.svg", FOLDED.format(weight=100))
    write(directory, "sb.perf.g.cache-misses.read-only.range10.pk1.1.svg", FOLDED.format(weight=1))
    write(directory, "sb.perf.rep.f.read-only.range10.pk1.1", "report")
    write(directory, "my.cnf", "buffer_pool = 8G\nmaster_password = hunter2\n")
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 0, answer.err
    bundle = next(each for each in bundles() if each.run.clients == 4)
    by_name = {step.name: step for step in bundle.steps}
    step = by_name["read-only range=10"]
    assert step.logs == ("sb.o.read-only.range10.pk1.dop4.gz",)
    assert step.captures == tuple(
        f"sb.perf.g.cycles.read-only.range10.pk1.{sample}.svg.gz" for sample in (1, 2)
    )
    assert step.capture.event == "cycles"
    assert len(by_name["read-only range=1000"].logs) == 2
    assert not by_name["read-only range=1000"].captures
    assert bundle.run.attachments == ("my.cnf",)
    settings = (bundle.directory / "my.cnf").read_text()
    assert settings == "buffer_pool = 8G\nmaster_password = [redacted password]\n"
    x = directory.name
    assert (
        f"left out: {x}/sb.perf.g.cycles.read-only.range10.pk1.all.svg: "
        "the same samples as the captures that were taken"
    ) in answer.out
    assert "cache-misses.read-only.range10.pk1.1.svg: of another event than cycles" in answer.out


def test_captures_of_alike_steps_are_in_the_pattern(tmp_path: Path, imported: Import) -> None:
    directory = sysbench_directory(tmp_path / "study")
    for test, rows in (("point-query", 100), ("point-query.pre", 100), ("read-only", 10)):
        name = f"sb.perf.rep.f.{test}.range{rows}.pk1.1"
        write(directory, name, FOLDED.format(weight=rows))
    for sample in range(1, 12):
        name = f"sb.perf.rep.f.read-only.range1000.pk1.{sample}"
        write(directory, name, FOLDED.format(weight=sample))
    imported("sysbench", "study", "--host", "lab1")
    bundle = next(each for each in bundles() if each.run.clients == 4)
    (pattern,) = bundle.run.steps
    assert pattern.captures == ("sb.perf.rep.f.{test}.range{range}.pk1.*",)
    assert {step.name: len(step.captures) for step in bundle.steps} == {
        "point-query range=100": 1,
        "point-query.pre range=100": 1,
        "read-only range=10": 1,
        "read-only range=1000": 11,
    }


def test_the_steps_of_the_insert_benchmark_are_directories(
    tmp_path: Path, imported: Import
) -> None:
    run = "8u.1tno/800m.my8408_rel_o2nofp.cz12a_c8r32"
    result = (
        Path(__file__).parents[2] / "input/logs/samples/insert-benchmark-result.txt"
    ).read_text()
    for number, step in enumerate(("l.i0", "l.x", "l.i1", "qr100.L1")):
        log = result.replace("790.5", f"79{number}.5")
        write(tmp_path / "study", f"{run}/{step}/o.res.dop8", log)
    write(tmp_path / "study", f"{run}/l.i1/o.perf.g.cycles.dop8.17.svg", FOLDED.format(weight=9))
    write(tmp_path / "study", f"{run}/l.i1/o.espl.dop8", "processes")
    write(tmp_path / "study", f"{run}/end/o.sz.dop8", "sizes")
    answer = imported("ibench", "study", "--host", "lab1")
    assert answer.status == 0, answer.err
    (bundle,) = bundles()
    assert bundle.run.benchmark == "insert-benchmark"
    assert bundle.run.clients == 8
    assert bundle.run.release == "my8408"
    assert bundle.run.axes == {"rows": "800m", "build": "rel_o2nofp", "one_table": "no"}
    assert {step.name: step.operation for step in bundle.steps} == {
        "l.i0": "insert",
        "l.x": "row",
        "l.i1": "insert",
        "qr100.L1": "query",
    }
    assert bundle.run.config == "cz12a_c8r32"
    by_name = {step.name: step for step in bundle.steps}
    assert by_name["l.i1"].captures == ("l.i1/o.perf.g.cycles.dop8.17.svg.gz",)
    assert "o.espl.dop8: of no format that is known" in answer.out
    assert "end/o.sz.dop8: of no step that is known" in answer.out
    grouped = answer.out[answer.out.index("[[step_groups]]") :]
    assert re.findall(r'"(\S+)",', grouped) == ["l.i0", "l.x", "l.i1", "qr100.L1"]


def test_a_summary_of_the_insert_benchmark_is_a_run(tmp_path: Path, imported: Import) -> None:
    for number, build in enumerate(("my8021", "pg131", "rx56")):
        text = summary(f"20m.{build}.c1", 1.0 + number / 10)
        write(tmp_path / "study", f"20m/o.sum.t.20m.{build}.c1", text)
    write(tmp_path / "study", "20m/res.all/mrg.l.i0", summary("20m.my8021.c1"))
    answer = imported("ibench", "study", "--host", "lab1")
    assert answer.status == 0, answer.err
    assert "19 numbers of tables as in the logs, which count" in answer.out
    assert "3 runs, 18 steps: written" in answer.out
    by_release = {bundle.run.release: bundle for bundle in bundles()}
    assert steps(by_release["pg131"]) == ["l.i0", "l.i1", "l.x", "q100", "q1000", "q500"]
    assert rate_of(by_release["pg131"], "l.i1") == 330.0
    assert rate_of(by_release["rx56"], "q500") == 6000.0
    assert by_release["rx56"].run.axes == {"rows": "20m"}
    assert 'label = "MyRocks 5.6"' in answer.out


def test_flame_graphs_alone_make_a_report(tmp_path: Path, imported: Import) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><g><title>all (9 samples, 100%)</title></g></svg>'
    )
    for release in ("2023-01-01", "2024-01-01"):
        for step in ("l.i1", "q100"):
            write(tmp_path / "study", f"{release}/{step}/flamegraph.svg", svg + release + step)
        text = FOLDED.format(weight=int(release[:4]))
        write(tmp_path / "study", f"{release}/q100/stacks.folded", text)
    write(tmp_path / "study", "2024-01-01/q100/diff-vs-2023.svg", svg)
    write(tmp_path / "study", "2023-01-01/l.x/flamegraph.svg", ERROR_SVG)
    first = imported("svg", "study", "--host", "lab1")
    assert "`benchmark` is empty" in first.err
    answer = imported(
        *("svg", "study", "--benchmark", "insert-benchmark", "--event", "cycles", "--work", "fixed")
    )
    assert answer.status == 0, answer.err
    by_release = {bundle.run.release: bundle for bundle in bundles()}
    assert {step.name: step.captures for step in by_release["2024-01-01"].steps} == {
        "l.i1": ("l.i1/flamegraph.svg.gz",),
        "q100": ("q100/stacks.folded.gz",),
    }
    assert "diff-vs-2023.svg: drawn of two releases" in answer.out
    assert "2023-01-01/l.x/flamegraph.svg: the drawing of an error" in answer.out
    assert "\n# rates = { 2024-01-01 = … }\n" in answer.out


def test_what_flame_graphs_do_not_say_is_asked_for(tmp_path: Path, imported: Import) -> None:
    write(tmp_path / "study", "8.0/scan.folded", FOLDED.format(weight=645_500_000))
    first = imported("svg", "study", *KNOWN)
    assert (first.status, Path("results").exists()) == (1, False)
    assert '`event` is empty; expected what was sampled, such as "cycles"' in first.err
    assert "or add --event" in first.err
    assert '`work` is empty; expected "timed" where steps run for a set time' in first.err
    answer = imported("svg", "study", "--event", "cycles", "--work", "fixed")
    assert answer.status == 0, answer.err
    (bundle,) = bundles()
    (step,) = bundle.steps
    assert (step.capture.event, step.work) == ("cycles", "fixed")
    again = imported("svg", "study", "--event", "instructions")
    assert "event is 'cycles', and --event is 'instructions'" in again.err


def test_a_file_a_release_in_a_directory_a_step_is_read_so(
    tmp_path: Path, imported: Import
) -> None:
    for weight, release in enumerate(("5651", "8045_o2nofp", "8045v2_o2nofp")):
        for step in ("insert", "scan"):
            text = FOLDED.format(weight=10 * weight + len(step))
            write(tmp_path / "study", f"pn53/{step}/{release}.{step}.folded", text)
    answer = imported("svg", "study", *KNOWN, "--event", "cycles", "--work", "timed")
    assert answer.status == 0, answer.err
    assert {(each.run.release, *each.run.axes.items()): steps(each) for each in bundles()} == {
        ("5651",): ["insert", "scan"],
        ("8045", ("build", "o2nofp")): ["insert", "scan"],
        ("8045v2", ("build", "o2nofp")): ["insert", "scan"],
    }
    labels = re.findall(r'label = "(.*)"', answer.out)
    assert labels == ["5.6.51", "8.0.45", "8.0.45 v2"]
    assert 'release = ""\n# 6 files, whose names hold the release\n' in SVG_MAP.read_text()


def test_the_map_can_say_what_each_part_of_a_path_is(tmp_path: Path, imported: Import) -> None:
    for weight, path in enumerate(
        (
            "aug7/big/lab3/reads_first/new",
            "aug7/big/lab3/reads_first/old",
            "aug9/small/lab4/writes/old",
        )
    ):
        write(tmp_path / "study", f"{path}/final.folded", FOLDED.format(weight=weight + 1))
    write(tmp_path / "study", "8.0/scan.folded", FOLDED.format(weight=77))
    imported("svg", "study", *KNOWN, "--event", "cycles", "--work", "timed")
    shutil.rmtree("results")
    edited(
        "\n[[file]]",
        '\n[[file]]\nmatch = "/*/{axis_rows}/{host}/{step}/{release}/final.folded"\n'
        'as = "capture"\n\n[[file]]',
        SVG_MAP,
    )
    answer = imported("svg", "study")
    assert answer.status == 0, answer.err
    found = {
        (run.release, run.host, run.axes.get("rows"), *steps(bundle))
        for bundle in bundles()
        for run in [bundle.run]
    }
    assert found == {
        ("new", "lab3", "big", "reads_first"),
        ("old", "lab3", "big", "reads_first"),
        ("old", "lab4", "small", "writes"),
        ("8.0", "lab1", None, "scan"),
    }


def test_captures_that_say_what_was_sampled_are_not_asked_for_it(
    tmp_path: Path, imported: Import
) -> None:
    write(tmp_path / "study", "8.0/scan.pprof", "x")
    answer = imported("svg", "study", *KNOWN)
    assert "`event`" not in answer.err
    assert "`work` is empty" in answer.err


def test_steps_of_one_archive_can_differ_in_their_kind_of_work(
    tmp_path: Path, imported: Import
) -> None:
    for step in ("l.i1", "q100"):
        write(tmp_path / "study", f"8.0/{step}.folded", FOLDED.format(weight=len(step)))
    imported("svg", "study", *KNOWN, "--event", "unknown")
    edited('work = ""', 'work = { "l.*" = "fixed" }', SVG_MAP)
    assert imported("svg", "study").status == 0
    (bundle,) = bundles()
    assert {step.name: step.work for step in bundle.steps} == {"l.i1": "fixed", "q100": "timed"}


def test_drawings_whose_names_have_no_event_ask_for_it(imported: Import, tmp_path: Path) -> None:
    """As in the published flame graphs of the Insert Benchmark: flamegraph.pl says "samples"."""
    drawing = "480m.fbmy5635_202203072101.cy9c5_u/l.i1/o.perf.g.all.svg"
    write(tmp_path / "study", drawing, FOLDED.format(weight=9))
    answer = imported("ibench", "study", "--host", "lab1")
    assert answer.status == 1
    assert "`event` is empty; expected what was sampled" in answer.err
    assert imported("ibench", "study", "--event", "cycles").status == 0
    (bundle,) = bundles()
    assert [step.capture.event for step in bundle.steps] == ["cycles"]


def test_files_whose_names_hold_an_unknown_release_are_left_to_the_map(imported: Import) -> None:
    for release, rate in (("13", 1000.0), ("18", 1100.0)):
        for step in ("readonly", "standard"):
            name = f"study/results/pgbench_{release}_{step}_20250815_130329.log"
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(pgbench_log(rate + len(step)))
    given = ("study", "--host", "lab1", "--work", "timed")
    answer = imported(*given)
    assert answer.status == 1
    assert "several logs of one step: say in the map what tells them apart" in answer.out
    assert "`release`" not in answer.err  # nothing would be imported with it
    the_map = "study.logs.toml"
    edited(
        "\n[[file]]",
        '\n[[file]]\nmatch = "/results/pgbench_{release}_{step}_*_*.log"\nas = "log"\n\n[[file]]',
        Path(the_map),
    )
    answer = imported(*given)
    assert answer.status == 0, answer.err
    found = {(bundle.run.release, *steps(bundle)) for bundle in bundles()}
    assert found == {("13", "readonly", "standard"), ("18", "readonly", "standard")}

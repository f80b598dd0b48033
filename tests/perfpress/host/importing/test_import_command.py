"""`perfpress import`, as it is called: archives in; map, bundles, words and exit status out."""

import gzip
import io
import re
import shutil
import tarfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard
from archive_samples import (
    ERROR_SVG,
    FOLDED,
    summary,
    sysbench_directory,
    sysbench_log,
    write,
)
from perfpress.__main__ import main
from perfpress.analysis.study.measured import measurements, read_logs
from perfpress.base.toml.read import parse_toml
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.report.report import read_reports

MAP = Path("study.sysbench.toml")


class Answer(NamedTuple):
    """What a call printed, and its exit status."""

    status: int
    out: str
    err: str


Import = Callable[..., Answer]


@pytest.fixture
def imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Import:
    """Return a caller of `perfpress import KIND DIR… --out results` in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        status = main(["import", *words, "--out", "results"])
        return Answer(status, *capsys.readouterr())

    return call


def bundles() -> list[Bundle]:
    """Return what was imported, after all that `perfpress check` looks at."""
    found, problems = discover(Path("results"), "results")
    assert problems == []
    assert [problem for bundle in found for problem in check_contents(bundle)] == []
    return list(found)


def steps(bundle: Bundle) -> list[str]:
    return sorted(step.name for step in bundle.steps)


def rate(bundle: Bundle, name: str) -> float:
    """Return the throughput of a step, as pages show it."""
    step = next(step for step in bundle.steps if step.name == name)
    return measurements(step, read_logs(bundle, (step,))[0])["throughput"].value


def edited(old: str, new: str, path: Path = MAP) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_map_is_written_first_and_says_what_it_lacks(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert not Path("results").exists()
    line = MAP.read_text().splitlines().index('host = ""') + 1
    assert f"{MAP}:{line}: `host` is empty" in answer.err
    values = tomllib.loads(MAP.read_text())
    assert (values["kind"], values["report"], values["benchmark"]) == (
        "sysbench",
        "study",
        "sysbench",
    )
    (directory,) = values["directory"]
    assert directory == {
        "from": "x.my8045_rel_o2nofp.small.pk1",
        "release": "my8045",
        "version": "MySQL 8.0.45",
        "config": "small",
        "axes": {"build": "rel_o2nofp"},
    }
    assert [(rule["match"], rule["as"]) for rule in values["file"]] == [
        ("sb.o.{test}.range{range}.pk1.dop{clients}", "log"),
        ("sb.vm.{test}.range{range}.pk1.dop{clients}", "log"),
    ]


def test_nothing_is_imported_while_a_name_is_empty(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    imported("sysbench", "study")
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert "`host` is empty" in answer.err
    assert not Path("results").exists()


def test_a_completed_map_makes_bundles_with_step_patterns(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study", rate=1000.0)
    sysbench_directory(tmp_path / "study", build="my8046_rel_o2nofp", rate=2000.0)
    imported("sysbench", "study")
    edited('host = ""', 'host = "lab1"')
    answer = imported("sysbench", "study")
    assert answer.status == 0, answer.err
    assert "results: 4 runs, 10 steps: written" in answer.out
    by_place = {(bundle.run.release, bundle.run.clients): bundle for bundle in bundles()}
    four = by_place["my8046", 4]
    assert steps(four) == [
        "point-query range=100",
        "point-query.pre range=100",
        "read-only range=10",
        "read-only range=1000",
    ]
    assert steps(by_place["my8046", 1]) == ["point-query.warm range=100"]
    assert four.variant.slug == "lab1--small--4clients--build-rel_o2nofp"
    assert four.run_id.startswith("undated-")
    (pattern,) = four.run.steps
    assert pattern.match == "sb.o.{test}.range{range}.pk1.dop4"
    assert pattern.operation == "transaction"
    assert rate(four, "read-only range=10") == 2002.0
    assert rate(by_place["my8045", 4], "point-query.pre range=100") == 1001.0
    assert all(len(step.logs) == 2 for step in four.steps)


def test_with_the_host_given_one_command_does_it_all(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    answer = imported("sysbench", "study", "--host", "lab1", "--report", "engines")
    assert answer.status == 0
    assert {bundle.run.report for bundle in bundles()} == {"engines"}


def test_passwords_are_redacted_where_they_stood_and_counted(
    tmp_path: Path, imported: Import
) -> None:
    sysbench_directory(tmp_path / "study")
    answer = imported("sysbench", "study", "--host", "lab1")
    assert "results: 5 passwords redacted" in answer.out
    bundle = next(each for each in bundles() if each.run.clients == 4)
    text = gzip.decompress(
        (bundle.directory / "sb.o.read-only.range10.pk1.dop4.gz").read_bytes()
    ).decode()
    assert "--mysql-password=[redacted password]\n48 CPUs" in text
    assert text == sysbench_log("read-only", 4, 1002.0).replace("hunter2", "[redacted password]")


def test_the_same_archive_gives_the_same_bytes(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    imported("sysbench", "study", "--host", "lab1")
    first = {path: path.read_bytes() for path in Path("results").rglob("*") if path.is_file()}
    Path("results").rename("before")
    imported("sysbench", "study")
    second = {path: path.read_bytes() for path in Path("results").rglob("*") if path.is_file()}
    assert first == second


def test_again_nothing_changes_and_what_is_new_is_added(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    imported("sysbench", "study", "--host", "lab1")
    edited('version = "MySQL 8.0.45"', 'version = "MySQL 8.0.45"  # mine\nmachine.cpus = 48')
    before = MAP.read_text()
    imported("sysbench", "study", "--replace")
    assert MAP.read_text() == before
    sysbench_directory(tmp_path / "study", build="ma110402_rel", rate=500.0)
    answer = imported("sysbench", "study")
    assert MAP.read_text().startswith(before)
    assert tomllib.loads(MAP.read_text())["directory"][-1]["version"] == "MariaDB 11.4.2"
    assert "2 runs, 5 steps: written" in answer.out
    assert "2 runs, 5 steps: there already" in answer.out
    machines = {bundle.run.release: bundle.run.machine for bundle in bundles()}
    assert machines == {"my8045": {"cpus": 48}, "ma110402": {}}


def test_an_edit_never_makes_one_run_into_two(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    imported("sysbench", "study", "--host", "lab1")
    places = [bundle.directory for bundle in bundles()]
    edited('host = "lab1"', 'host = "lab2"')
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert "already imported under other names" in answer.err
    assert [bundle.directory for bundle in bundles()] == places
    answer = imported("sysbench", "study", "--replace")
    assert answer.status == 0
    assert "2 runs, 5 steps: replaced" in answer.out
    assert {bundle.run.host for bundle in bundles()} == {"lab2"}
    assert not any(place.exists() for place in places)


def test_a_copy_of_a_directory_is_no_second_run(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study")
    sysbench_directory(tmp_path / "study", config="small-copy")
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 1
    assert "a copy of the source of" in answer.err
    assert len(bundles()) == 2


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


def test_a_report_file_is_drafted_once(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "study", build="my8045_rel", rate=1.0)
    sysbench_directory(tmp_path / "study", build="my5651_rel", rate=2.0)
    sysbench_directory(tmp_path / "study", build="my8405_rel", rate=3.0)
    printed = imported("sysbench", "study", "--host", "lab1")
    assert "+++\n" in printed.out
    imported("sysbench", "study", "--content", "content")
    path = Path("content/reports/study/_index.md")
    _, front, _ = path.read_text().split("+++\n")
    assert "rates" not in front
    document, problems = parse_toml(front, "_index.md")
    assert document is not None, problems
    values = document.values
    assert [release["label"] for release in values["releases"]] == ["5.6.51", "8.0.45", "8.4.5"]
    assert values["base"] == "my5651"
    assert values["default_variant"] == "lab1--small--4clients--build-rel"
    assert {group["title"]: group["steps"] for group in values["step_groups"]} == {
        "Point queries": ["point-query.pre range=100", "point-query range=100"],
        "Range queries": ["read-only range=10", "read-only range=1000"],
        "Warm-up": ["point-query.warm range=100"],
    }
    path.write_text("mine")
    answer = imported("sysbench", "study", "--content", "content")
    assert f"{path}: kept as it is" in answer.out
    assert path.read_text() == "mine"


def test_equal_configurations_are_declared_in_the_draft(tmp_path: Path, imported: Import) -> None:
    measured = (
        *(("my5651_rel", "z12a", 2000.0), ("my5744_rel", "z12a", 1500.0)),
        *(("my8045_rel", "z12a", 1000.0), ("my5744_rel", "z12b", 1515.0)),
        *(("my8045_rel", "z12b", 1010.0), ("my8405_rel", "z12b", 900.0)),
    )
    for build, config, rate in measured:
        sysbench_directory(tmp_path / "study", build=build, config=config, rate=rate)
    imported("sysbench", "study", "--host", "lab1", "--content", "content")
    _, front, _ = Path("content/reports/study/_index.md").read_text().split("+++\n")
    values = tomllib.loads(front)
    assert values["same_config"] == [["z12a", "z12b"]]
    assert values["base"] == "my5651"
    assert values["default_variant"] == "lab1--z12a--4clients--build-rel"
    assert "# both on 2 releases (my5744 to my8045): median difference 1.0 % over 5 steps" in front
    reports, problems = read_reports(
        Path("content"), "content", [CorrectedRun(each) for each in bundles()]
    )
    assert problems == []
    assert list(reports["study"].variants) == [
        "lab1--z12a--4clients--build-rel",
        "lab1--z12a--1client--build-rel",
    ]


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
    assert rate(by_release["pg131"], "l.i1") == 330.0
    assert rate(by_release["rx56"], "q500") == 6000.0
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


SVG_MAP = Path("study.svg.toml")
KNOWN = ("--host", "lab1", "--benchmark", "some")


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


def test_a_map_from_before_a_key_was_asked_for_gets_it(tmp_path: Path, imported: Import) -> None:
    write(tmp_path / "study", "8.0/scan.folded", FOLDED.format(weight=1))
    imported("svg", "study", *KNOWN)
    lines = SVG_MAP.read_text().splitlines(keepends=True)
    SVG_MAP.write_text("".join(each for each in lines if not each.startswith(("event", "work"))))
    asked = imported("svg", "study")
    assert "`event` is empty" in asked.err
    answer = imported("svg", "study", "--event", "cycles", "--work", "timed")
    assert answer.status == 0, answer.err
    assert bundles()[0].steps[0].capture.event == "cycles"


def packed(archive: Path, ending: str) -> Path:
    """Write a directory as one file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path in sorted(archive.rglob("*")):
            tar.add(path, path.relative_to(archive), recursive=False)
    data = buffer.getvalue()
    if ending == ".tar.zst":
        data = zstandard.compress(data)
    elif ending == ".tar.gz":
        data = gzip.compress(data)
    target = archive.with_name(archive.name + ending)
    target.write_bytes(data)
    return target


@pytest.mark.parametrize("ending", [".tar", ".tar.gz", ".tar.zst"])
def test_a_packed_archive_is_read_as_it_is(tmp_path: Path, imported: Import, ending: str) -> None:
    sysbench_directory(tmp_path / "study")
    file = packed(tmp_path / "study", ending)
    assert imported("sysbench", file.name, "--host", "lab1").status == 0
    from_packed = [(bundle.run_id, bundle.run) for bundle in bundles()]
    answer = imported("sysbench", "study")
    assert "2 runs, 5 steps: there already" in answer.out
    assert [(bundle.run_id, bundle.run) for bundle in bundles()] == from_packed


def test_nothing_recognised_says_what_was_expected(tmp_path: Path, imported: Import) -> None:
    write(tmp_path / "study", "notes.txt", "nothing")
    answer = imported("sysbench", "study")
    assert answer.status == 1
    assert "study: no results of the kind sysbench; expected directories such as x.my8045" in (
        answer.err
    )
    assert not MAP.exists()


@pytest.mark.parametrize(
    "words",
    [[], ["sysbench"], ["sysbench", "study", "--hots", "lab1"], ["study", "--work", "often"]],
)
def test_wrong_arguments_are_bad_usage(imported: Import, words: list[str]) -> None:
    answer = imported(*words)
    assert answer.status == 2
    assert "usage: perfpress import" in answer.err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing", "missing: no such directory"),
        ("file.txt", "file.txt: a file; expected a directory, or an archive .tar"),
        ("cut.tar.gz", "cut.tar.gz: the gzip data"),
        ("text.tar", "text.tar: "),
    ],
)
def test_what_is_no_archive_is_reported(
    tmp_path: Path, imported: Import, name: str, message: str
) -> None:
    write(tmp_path, "file.txt", "text")
    write(tmp_path, "text.tar", "text" * 1000)
    sysbench_directory(tmp_path / "study")
    whole = packed(tmp_path / "study", ".tar.gz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    answer = imported("sysbench", name)
    assert answer.status == 1
    assert answer.err.startswith(message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "sysbench"', 'kind = "ibench"', "a map of 'ibench' archives; expected sysbench"),
        ('step = "', 'step = "{nosuch} ', "{nosuch}, which no `match` of a [[file]] holds"),
        ('step = "', 'step = "{test ', "a brace that begins or ends no placeholder: '{test "),
        ("release =", "relaese =", "did you mean `release`?"),
        ('as = "log"', 'as = "logs"', "did you mean log?"),
        ('release = "my8045"', 'release = ""', "`release` of 'x.my8045_rel_o2nofp.small.pk1'"),
        ('release = "my8045"', 'release = "steps"', "a release may not be called 'steps'"),
        ("{test}.range{range}", "{test}{range}", "{test} and {range} touch"),
        ('host = "lab1"', "host = ", "Invalid value"),
        ('host = "lab1"', 'host = "lab2"', "host is 'lab2', and --host is 'lab1'"),
    ],
)
def test_a_slip_in_the_map_is_reported_with_its_line(
    tmp_path: Path, imported: Import, old: str, new: str, message: str
) -> None:
    sysbench_directory(tmp_path / "study")
    imported("sysbench", "study", "--host", "lab1")
    edited(old, new)
    before = MAP.read_text()
    answer = imported("sysbench", "study", "--host", "lab1")
    assert answer.status == 1
    assert message in answer.err
    assert answer.err.startswith(str(MAP))
    assert MAP.read_text() == before


def test_each_archive_has_its_map_and_its_report(tmp_path: Path, imported: Import) -> None:
    sysbench_directory(tmp_path / "old")
    sysbench_directory(tmp_path / "new", rate=9.0)
    answer = imported("sysbench", "old", "new")
    assert answer.status == 1
    assert "import them one after the other: each has a map of its own" in answer.err
    for archive in ("old", "new"):
        assert imported("sysbench", archive, "--host", "lab1").status == 0
        assert Path(f"{archive}.sysbench.toml").exists()
    assert sorted(bundle.run.report for bundle in bundles()) == ["new", "new", "old", "old"]


def test_a_map_that_cannot_be_written_says_how_to_name_another_place(
    tmp_path: Path, imported: Import
) -> None:
    sysbench_directory(tmp_path / "study")
    Path("file").touch()
    answer = imported("sysbench", "study", "--map", "file/map.toml")
    assert answer.status == 1
    assert (
        "file/map.toml: cannot be written (File exists); expected a map; name another" in answer.err
    )


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


def test_directories_that_add_different_steps_to_a_cell_are_not_kept_apart(
    tmp_path: Path, imported: Import
) -> None:
    sysbench_directory(tmp_path / "study/reads", tests=(("point-query", 100),))
    for path in (tmp_path / "study/reads").rglob("*.warm.*"):
        path.unlink()
    sysbench_directory(tmp_path / "study/writes", tests=(("insert", 100),), rate=5000.0)
    assert imported("sysbench", "study", "--host", "lab1").status == 0
    assert {variant for bundle in bundles() for variant in bundle.run.axes} == {"build"}


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
    assert rate(bundle, "read-only range=10") == 1002.0


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

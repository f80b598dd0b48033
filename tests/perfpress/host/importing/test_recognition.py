"""`perfpress import DIR`: what a directory holds decides how it is read, without a word for it."""

import shutil
import tomllib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from archive_samples import FOLDED, VMSTAT, summary, sysbench_directory, write
from bundle_samples import pgbench_log
from perfpress.__main__ import main
from perfpress.analysis.study.measured import measurements, read_logs
from perfpress.host.importing.path_parts import pattern, place
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover

SAMPLES = Path(__file__).parents[2] / "input" / "logs" / "samples"
GIVEN = ("--host", "lab1", "--benchmark", "some", "--event", "cycles", "--work", "timed")


class Answer(NamedTuple):
    """What a call printed, its exit status, and what came of it."""

    status: int
    out: str
    err: str
    files: dict[tuple[str, str], list[str]]
    """By release and step."""
    rates: dict[tuple[str, str], float]


Import = Callable[..., Answer]


@pytest.fixture
def imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Import:
    """Return a caller of `perfpress import` in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        status = main(["import", *words, "--out", "results"])
        answer = capsys.readouterr()
        found, problems = discover(Path("results"), "r") if Path("results").exists() else ((), [])
        assert problems == []
        assert [problem for bundle in found for problem in check_contents(bundle)] == []
        files, rates = {}, {}
        for bundle in found:
            for step, readings in zip(bundle.steps, read_logs(bundle, bundle.steps), strict=True):
                key = bundle.run.release, step.name
                files[key] = [*step.logs, *step.captures]
                metrics = measurements(step, readings)
                if "throughput" in metrics:
                    rates[key] = metrics["throughput"].value
        return Answer(status, answer.out, answer.err, files, rates)

    return call


def test_layouts_of_scripts_are_recognized_by_their_names(imported: Import) -> None:
    sysbench_directory(Path("sb"))
    assert "results: 2 runs, 5 steps: written" in imported("sb", "--host", "lab1").out
    assert Path("sb.sysbench.toml").exists()
    write(Path("ib"), "20m/o.sum.t.20m.my8021.c1", summary("20m.my8021.c1"))
    assert imported("ib", "--host", "lab1").status == 0
    assert Path("ib.ibench.toml").exists()
    write(Path("graphs"), "8.4.5/scan.folded", FOLDED.format(weight=5000000))
    assert imported("graphs", *GIVEN).status == 0
    assert Path("graphs.svg.toml").exists()


def test_the_word_auto_is_as_good_as_none(imported: Import) -> None:
    sysbench_directory(Path("sb"))
    answer = imported("auto", "sb", "--host", "lab1")
    assert answer.status == 0, answer.err
    assert Path("sb.sysbench.toml").exists()


def test_a_word_for_the_kind_still_decides(imported: Import) -> None:
    sysbench_directory(Path("sb"))
    answer = imported("svg", "sb", *GIVEN)
    assert answer.status == 1
    assert "sb: no results of the kind svg; expected flame graphs at" in answer.err


def test_options_may_be_between_the_kind_and_the_directories(imported: Import) -> None:
    sysbench_directory(Path("sb"))
    answer = imported("sysbench", "--host", "lab1", "sb")
    assert answer.status == 0, answer.err
    assert "results: 2 runs, 5 steps: written" in answer.out


def test_results_of_two_kinds_are_refused_with_both(imported: Import) -> None:
    sysbench_directory(Path("both"))
    write(Path("both"), "20m/o.sum.t.20m.my8021.c1", summary("20m.my8021.c1"))
    answer = imported("both", "--host", "lab1")
    assert answer.status == 1
    assert "results of the kinds sysbench and ibench" in answer.err
    assert not Path("results").exists()


def tree(release: str, rate: int) -> None:
    directory = Path("tree") / release
    write(directory, "select.txt", pgbench_log(rate))
    write(directory, "vmstat.select.txt", VMSTAT.format(changes=rate))
    write(directory, "select.folded", FOLDED.format(weight=rate))
    write(directory, "scan/out.txt", pgbench_log(rate + 1))
    write(directory, "scan/perf.1.folded", FOLDED.format(weight=rate + 1))
    write(directory, "notes.txt", f"went well {rate}")
    write(directory, "vmstat.txt", VMSTAT.format(changes=rate + 2))


def test_logs_of_any_tool_are_read_by_what_they_hold(imported: Import) -> None:
    tree("8.4.5", 1000)
    tree("9.0.1", 900)
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    assert answer.rates == {
        ("8.4.5", "select"): 1000,
        ("8.4.5", "scan"): 1001,
        ("9.0.1", "select"): 900,
        ("9.0.1", "scan"): 901,
    }
    assert answer.files["9.0.1", "select"] == [
        "vmstat.select.txt.gz",
        "select.txt.gz",
        "select.folded.gz",
    ]
    assert answer.files["9.0.1", "scan"] == ["scan/out.txt.gz", "scan/perf.1.folded.gz"]
    assert "notes.txt and 1 more: of no format that is known" in answer.out
    assert "vmstat.txt and 1 more: its name does not say the step" in answer.out


def test_a_log_that_names_its_steps_gives_one_each(imported: Import) -> None:
    for release in ("1.2.3", "1.2.4"):
        Path("tree", release).mkdir(parents=True)
        text = (SAMPLES / "hyperfine-1.15.json").read_text()
        write(Path("tree", release), "result.json", text.replace("0.0156", f"0.{release[-1]}156"))
    answer = imported("tree", *GIVEN)
    assert {step for _, step in answer.rates} == {"sleep 0.01", "sleep 0.02"}


def test_a_release_is_never_guessed(imported: Import) -> None:
    tree("monday", 1000)
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    assert "`release` of 'monday' is empty" in answer.err
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("insert.1.txt", "insert.2.txt"), "several logs of one step"),
        (("insert",), "its name has no ending that tells it from other files"),
        (("a/b/c/one.txt",), "deeper than <release>/<step>/<file>"),
    ],
)
def test_doubtful_logs_are_left_out(imported: Import, names: tuple[str, ...], reason: str) -> None:
    write(Path("tree/8.4.5"), "good.txt", pgbench_log(5))
    for number, name in enumerate(names):
        write(Path("tree/8.4.5"), name, pgbench_log(10 + number))
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    assert answer.rates == {("8.4.5", "good"): 5}
    assert reason in answer.out


def test_folders_of_several_steps_are_variants_and_never_repeats(imported: Import) -> None:
    rate = 0
    for release in ("8.4.5", "9.0.1"):
        for folder in ("c1", "c16"):
            for step in ("read", "write"):
                rate += 100
                write(Path("tree", release, folder), f"{step}.txt", pgbench_log(rate))
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    rates = {
        (bundle.run.release, bundle.run.axes["folder"], step.name): measurements(step, logs)[
            "throughput"
        ].value
        for bundle in discover(Path("results"), "r")[0]
        for step, logs in zip(bundle.steps, read_logs(bundle, bundle.steps), strict=True)
    }
    assert rates == {
        ("8.4.5", "c1", "read"): 100,
        ("8.4.5", "c1", "write"): 200,
        ("8.4.5", "c16", "read"): 300,
        ("8.4.5", "c16", "write"): 400,
        ("9.0.1", "c1", "read"): 500,
        ("9.0.1", "c1", "write"): 600,
        ("9.0.1", "c16", "read"): 700,
        ("9.0.1", "c16", "write"): 800,
    }


@pytest.mark.parametrize(
    ("name", "releases"),
    [
        ("{step}/{release}.txt", ("16.1", "15.4")),
        ("pgbench_{release}_{step}.log", ("16.1", "15.4")),
        ("{step}/{release}.txt", ("16.1", "16.1v2")),
        ("{step}-{release}.txt", ("pg161", "pg161_v2")),
        ("{step}/{release}/out.txt", ("16.1", "PostgreSQL 15.4")),
        ("all/{step}/{release}/pgbench.log", ("16.1", "15.4")),
        ("{step}/o.{release}.txt", ("pg161", "pg19b1")),
        ("{step}/o.pg.{release}.txt", ("pg161", "pg19b1")),
    ],
)
def test_steps_may_be_above_releases(
    imported: Import, name: str, releases: tuple[str, str]
) -> None:
    cells = product(releases, ("ro", "rw"))
    rates = {cell: 10 * number for number, cell in enumerate(cells, start=1)}
    for (release, step), rate in rates.items():
        file = name.format(release=release, step=step)
        write(Path("tree"), file, pgbench_log(rate))
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    assert answer.rates == rates
    assert {bundle.variant.slug for bundle in discover(Path("results"), "r")[0]} == {
        "lab1--2clients"
    }


def test_configurations_above_steps_stay_apart(imported: Import) -> None:
    for rate, (config, step) in enumerate(product(("inmem", "iobound"), ("ro", "rw")), start=1):
        write(Path("tree", config, step, "16.1"), "out.txt", pgbench_log(rate))
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    bundles = discover(Path("results"), "r")[0]
    assert {bundle.run.axes["directory"] for bundle in bundles} == {"inmem", "iobound"}
    assert answer.rates.keys() == {("16.1", "ro"), ("16.1", "rw")}


def test_a_folder_called_as_a_repeat_is_no_step(imported: Import) -> None:
    for rate, run in enumerate(("run1", "run2"), start=1):
        write(Path("tree/8.4.5", run), "out.txt", pgbench_log(rate))
        for step in ("ro", "rw"):
            write(Path("deep", step, "8.4.5", run), "out.txt", pgbench_log(10 * rate + len(step)))
    assert imported("tree", *GIVEN).rates.keys() == {("8.4.5", "out")}
    folders = {bundle.run.axes["folder"] for bundle in discover(Path("results"), "r")[0]}
    assert folders == {"run1", "run2"}
    refused = imported("deep", *GIVEN)
    assert refused.status == 1
    assert "deeper than <release>/<step>/<file>" in refused.out
    the_map = Path("deep.logs.toml")
    said = '\n[[file]]\nmatch = "/{step}/{release}/run{repeat}/out.txt"\nas = "log"\n\n[[file]]'
    the_map.write_text(the_map.read_text().replace("\n[[file]]", said, 1))
    assert imported("deep", *GIVEN).status == 0
    deep = [each for each in discover(Path("results"), "r")[0] if each.run.report == "deep"]
    assert len(deep) == 2
    assert {step.name for each in deep for step in each.steps} == {"ro", "rw"}


def test_a_single_directory_above_releases_is_no_step(imported: Import) -> None:
    for release in ("16.1", "15.4"):
        write(Path("tree/lab", release), "out.txt", pgbench_log(10))
    answer = imported("tree", *GIVEN)
    assert {step for _, step in answer.rates} == {"out"}


def test_a_folder_is_a_repeat_where_the_map_says_so(imported: Import) -> None:
    for rate, run in enumerate(("run1", "run2"), start=1):
        for step in ("read", "write"):
            write(Path("tree/8.4.5", run), f"{step}.txt", pgbench_log(10 * rate + len(step)))
    imported("tree", *GIVEN)
    shutil.rmtree("results")
    the_map = Path("tree.logs.toml")
    said = the_map.read_text()
    the_map.write_text(said.replace("{axis_folder}", "*"))
    merged = imported("tree", *GIVEN)
    assert merged.status == 1
    assert "run1/read.txt.gz and run2/read.txt.gz are both of the step 'read'" in merged.err
    the_map.write_text(said.replace("{axis_folder}", "{repeat}"))
    assert imported("tree", *GIVEN).status == 0
    runs = discover(Path("results"), "r")[0]
    assert len(runs) == 2
    assert len({run.variant.slug for run in runs}) == 1


def test_one_benchmark_of_a_log_is_the_step_that_its_path_says(imported: Import) -> None:
    text = (SAMPLES / "fio-3.33.txt").read_text()
    sequential = text[text.index("seqwrite: (g=0)") :]
    write(Path("tree/linux-6.8"), "fsync.txt", sequential)
    write(Path("tree/linux-6.8"), "all.txt", text.replace("seqwrite", "write"))
    answer = imported("tree", *GIVEN)
    assert answer.rates.keys() == {
        ("linux-6.8", step) for step in ("fsync", "mixed read", "mixed write", "four", "write")
    }
    assert answer.files["linux-6.8", "four"] == ["all.txt.gz"]


def test_a_file_of_unknown_name_in_a_layout_of_scripts_is_read_by_content(
    imported: Import,
) -> None:
    directory = sysbench_directory(Path("sb"))
    stacks = "".join(f"{9 - number:7} wait_{number},lock,main\n" for number in range(6))
    write(directory, "sb.pmp.read-only.range10.pk1.all.hier", stacks)
    write(directory, "sb.sz.read-only.range10.pk1.dop4", "4096 data\n")
    answer = imported("sb", "--host", "lab1")
    assert answer.status == 0, answer.err
    files = answer.files[release_in_map(directory), "read-only range=10"]
    assert "sb.pmp.read-only.range10.pk1.all.hier.gz" in files
    assert "sb.sz.read-only.range10.pk1.dop4: of no format that is known" in answer.out


def release_in_map(directory: Path) -> str:
    entries = tomllib.loads(Path("sb.sysbench.toml").read_text())["directory"]
    return next(str(each["release"]) for each in entries if each["from"] == directory.name)


def test_a_log_cut_short_in_one_release_stays_its_step(imported: Import) -> None:
    for release, text in (("8.4.5", pgbench_log(5)), ("9.0.1", pgbench_log(6)[:40])):
        write(Path("tree", release), "insert.txt", text)
    answer = imported("tree", *GIVEN)
    assert answer.rates == {("8.4.5", "insert"): 5}
    assert ("9.0.1", "insert") in answer.files


def test_nothing_recognized_lists_the_kinds(imported: Import) -> None:
    write(Path("tree/8.4.5"), "notes.txt", "nothing")
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    assert "tree: no log or capture of a known format" in answer.err
    assert "sysbench, ibench, svg, logs" in answer.err
    assert not list(Path().glob("*.toml"))


def test_what_the_kind_says_itself_is_not_taken_from_the_command_line(imported: Import) -> None:
    sysbench_directory(Path("sb"))
    answer = imported("sb", "--host", "lab1", "--event", "cycles")
    assert answer.status == 1
    assert answer.err.startswith("--event: of no use")


def test_again_with_its_map_the_same_archive_changes_nothing(imported: Import) -> None:
    tree("8.4.5", 1000)
    imported("tree", *GIVEN)
    values = tomllib.loads(Path("tree.logs.toml").read_text())
    assert values["kind"] == "logs"
    assert "results: 1 run, 2 steps: there already" in imported("tree").out
    shutil.rmtree("results")
    assert imported("logs", "tree").status == 0


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("8.4.5/select.txt", ("8.4.5", "select.txt")),
        ("lab/mysql-8.0.37/scan/out.txt", ("lab/mysql-8.0.37", "scan/out.txt")),
        ("my8045_rel/a.txt", ("my8045_rel", "a.txt")),
        ("monday/8.4.5.txt", ("", "monday/{release}.txt")),
        ("select.txt", ("", "select.txt")),
    ],
)
def test_the_directory_of_a_release_is_called_as_one(name: str, at: tuple[str, str]) -> None:
    assert place(name)[:2] == at


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("insert.txt", "{step}.txt"),
        ("perf.insert.12.folded", "perf.{step}.*.folded"),
        ("q100/perf.3.folded", "{step}/perf.*.folded"),
        ("pgbench.out", "{step}.out"),
    ],
)
def test_a_pattern_has_the_step_where_the_name_has_it(name: str, match: str) -> None:
    assert pattern(name) == match


def test_captures_alone_are_an_archive_whatever_they_are_called(imported: Import) -> None:
    for release, count in (("fbmy5635", 40), ("8.0.28", 50)):
        stacks = f"{count} start_thread,handle,insert\n7 start_thread,handle,commit\n"
        write(Path("tree", release, "l.i1"), "o.pmp.hier", stacks)
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    bundles, _ = discover(Path("results"), "r")
    assert [(each.run.release, each.steps[0].name) for each in bundles] == [
        ("8.0.28", "l.i1"),
        ("fbmy5635", "l.i1"),
    ]
    assert all(each.steps[0].captures == ("l.i1/o.pmp.hier.gz",) for each in bundles)

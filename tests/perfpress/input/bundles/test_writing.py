"""run.toml is written as it is read, and drafted from what a directory holds."""

import gzip
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from bundle_samples import folded, pgbench_log, write_files
from hypothesis import given
from hypothesis import strategies as st
from perfpress.base.limits import LARGEST
from perfpress.base.node import requests as node
from perfpress.base.problems import BadInput, Problem
from perfpress.host.drafting.draft import Draft, draft
from perfpress.input.bundles.schema import Capture, Metric, Run, Step
from perfpress.input.bundles.write import run_toml, write_run

names = st.text(alphabet='ab"\\\n\r\t\x00é=#[]{}.', min_size=1, max_size=8)
captures = st.builds(
    Capture,
    event=st.none() | names,
    frequency=st.none() | st.floats(1, 1e6),
    seconds=st.none() | st.floats(0.1, 1e6),
    scope=st.sampled_from([None, "process", "host"]),
    separate_run=st.booleans(),
    lost=st.none() | st.integers(0, 10**18),
)
metrics = st.builds(
    Metric,
    value=st.floats(-LARGEST, LARGEST),
    unit=names,
    better=st.sampled_from([None, "higher", "lower"]),
)
steps = st.builds(
    Step,
    name=names,
    operation=names,
    match=st.none() | names,
    work=st.sampled_from(["timed", "fixed"]),
    operations=st.none() | st.integers(1, 10**18),
    seconds=st.none() | st.floats(0.1, 1e9),
    command=st.none() | names,
    logs=st.lists(names, max_size=2).map(tuple),
    captures=st.lists(names, max_size=2).map(tuple),
    capture=captures,
    formats=st.dictionaries(names, names, max_size=2),
    metrics=st.dictionaries(names, metrics, max_size=2),
)
runs = st.builds(
    Run,
    schema=st.just(1),
    report=names,
    release=names,
    benchmark=names,
    host=names,
    config=st.none() | names,
    clients=st.none() | st.integers(1, 1000),
    started=st.none() | st.datetimes(datetime(1990, 1, 1), timezones=st.just(UTC)),
    replaces=st.none() | names,
    attachments=st.lists(names, max_size=2).map(tuple),
    axes=st.dictionaries(names, names, max_size=2),
    machine=st.dictionaries(names, names | st.booleans() | st.integers(0, 10**9), max_size=2),
    tools=st.dictionaries(names, names, max_size=2),
    steps=st.lists(steps, min_size=1, max_size=3).map(tuple),
)


@given(runs)
def test_what_is_written_reads_the_same(run: Run) -> None:
    assert msgspec.convert(tomllib.loads(run_toml(run)), Run) == run


def test_defaults_are_left_out(tmp_path: Path) -> None:
    step = Step(name="s", operation="o", capture=Capture(event="cycles"))
    run = Run(schema=1, report="r", release="1", benchmark="b", host="h", steps=(step,))
    write_run(run, tmp_path / "run.toml")
    assert (tmp_path / "run.toml").read_text() == (
        'schema = 1\nreport = "r"\nrelease = "1"\nbenchmark = "b"\nhost = "h"\n\n'
        '[[step]]\nname = "s"\noperation = "o"\n\n[step.capture]\nevent = "cycles"\n'
    )
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]


PERF_SCRIPT = """\
postgres  1234 [001] 5678.901234:    1001001 cpu-clock:
        55f0c1d2e3a4 ExecScan+0x1a4 (/usr/lib/postgresql/15/bin/postgres)
"""
VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 100000   1000  20000    0    0     1     2  100  200 10  5 85  0  0
"""


def test_subdirectories_are_steps(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "q100/out.txt": pgbench_log(1000),
        "q100/vmstat.txt": VMSTAT,
        "q100/perf.1.folded.gz": folded(),
        "l.i1/out.txt": pgbench_log(1000),
        "l.i1/perf.txt": PERF_SCRIPT,
        "my.cnf": "a=1",
        "core.bin": "x",
    }
    write_files(tmp_path, files=files)
    result = draft(tmp_path, sorted([*files, "run.toml"]), {"host": "h"})
    run = tomllib.loads(result.text)
    assert run["step"] == [
        {
            "name": "l.i1",
            "operation": "transaction",
            "logs": ["l.i1/out.txt"],
            "captures": ["l.i1/perf.txt"],
        },
        {
            "name": "q100",
            "operation": "transaction",
            "logs": ["q100/out.txt", "q100/vmstat.txt"],
            "captures": ["q100/perf.1.folded.gz"],
        },
    ]
    assert run["attachments"] == ["my.cnf"]
    assert (run["benchmark"], run["clients"], run["report"]) == ("pgbench", 2, "")
    assert result.left_out == ("core.bin",)


def test_the_only_benchmark_log_at_the_top_takes_what_is_called_after_nothing(
    tmp_path: Path,
) -> None:
    files: dict[str, str | bytes] = {
        "select.txt": pgbench_log(1000),
        "vmstat.txt": VMSTAT,
        "perf.1.folded.gz": folded(),
    }
    write_files(tmp_path, files=files)
    result = draft(tmp_path, sorted(files), {})
    (step,) = tomllib.loads(result.text)["step"]
    assert step == {
        "name": "select",
        "operation": "transaction",
        "logs": ["select.txt", "vmstat.txt"],
        "captures": ["perf.1.folded.gz"],
    }


def test_each_benchmark_log_at_the_top_is_a_step(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "insert.txt": pgbench_log(1),
        "select.log": pgbench_log(2),
        "select.1.folded.gz": folded(),
        "vmstat.txt": VMSTAT,
    }
    write_files(tmp_path, files=files)
    result = draft(tmp_path, sorted(files), {})
    steps = tomllib.loads(result.text)["step"]
    assert [(step["name"], step.get("captures")) for step in steps] == [
        ("insert", None),
        ("select", ["select.1.folded.gz"]),
    ]
    assert result.left_out == ("vmstat.txt",)


def drafted(directory: Path, *names: str) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """Return what a draft of files of these names has: files by step, and what is left out."""
    contents: dict[str, str | bytes] = {
        "txt": pgbench_log(1),
        "gz": folded(),
        "log": VMSTAT,
        "folded": gzip.decompress(folded()),
        "?": "?",
    }
    files = {name: contents[name.rpartition(".")[2]] for name in names}
    write_files(directory, files=files)
    result = draft(directory, sorted(files), {})
    steps = tomllib.loads(result.text).get("step", [])
    return {
        step["name"]: [*step.get("logs", []), *step.get("captures", [])] for step in steps
    }, result.left_out


@pytest.mark.parametrize(
    ("names", "steps", "left_out"),
    [
        (
            ("insert.txt", "insert.svg.gz", "scan.svg.gz"),
            {"insert": ["insert.txt", "insert.svg.gz"], "scan": ["scan.svg.gz"]},
            (),
        ),
        (
            ("perf.insert.1.folded", "perf.insert.2.folded", "scan.folded"),
            {"insert": ["perf.insert.1.folded", "perf.insert.2.folded"], "scan": ["scan.folded"]},
            (),
        ),
        (
            ("q100.folded", "q500.folded", "l.i1.folded", "l.i2.1.folded"),
            {
                "l.i1": ["l.i1.folded"],
                "l.i2": ["l.i2.1.folded"],
                "q100": ["q100.folded"],
                "q500": ["q500.folded"],
            },
            (),
        ),
        (("perf.1.folded", "perf.2.folded"), {"profile": ["perf.1.folded", "perf.2.folded"]}, ()),
        (
            ("read.txt", "read.only.txt", "read.only.folded", "read.folded", "reader.folded"),
            {
                "read.only": ["read.only.txt", "read.only.folded"],
                "read": ["read.txt", "read.folded"],
                "reader": ["reader.folded"],
            },
            (),
        ),
        (
            ("insert.txt", "scan.txt", "vmstat.log", "vmstat-scan.log"),
            {"insert": ["insert.txt"], "scan": ["scan.txt", "vmstat-scan.log"]},
            ("vmstat.log",),
        ),
        (("out.txt", "mysqld.folded"), {"out": ["out.txt", "mysqld.folded"]}, ()),
        (("insert.txt", "diff.folded"), {"insert": ["insert.txt"]}, ("diff.folded",)),
        (
            ("a/insert.folded", "a/scan.folded", "b/insert.folded"),
            {
                "a insert": ["a/insert.folded"],
                "a scan": ["a/scan.folded"],
                "b": ["b/insert.folded"],
            },
            (),
        ),
        (("insert.txt", "odd.?"), {"insert": ["insert.txt"]}, ("odd.?",)),
        (
            ("<b>.txt", "<b>.folded", "(a+)+$.folded"),
            {"<b>": ["<b>.txt", "<b>.folded"], "(a+)+$": ["(a+)+$.folded"]},
            (),
        ),
    ],
)
def test_files_are_paired_by_name(
    tmp_path: Path,
    names: tuple[str, ...],
    steps: dict[str, list[str]],
    left_out: tuple[str, ...],
) -> None:
    assert drafted(tmp_path, *names) == (steps, left_out)


FLAME_GRAPH = """\
<svg width="1200" height="86" xmlns="http://www.w3.org/2000/svg">
<g><title>all (8 samples, 100%)</title><rect x="10" y="50" width="1180" height="15"/></g>
<g><title>mysqld (8 samples, 100%)</title><rect x="10" y="34" width="1180" height="15"/></g>
</svg>
"""
WAITS = """\
event_name\ttimer_wait
wait/io/file/innodb/innodb_log_file\t1000
wait/io/file/innodb/innodb_data_file\t2000
"""


def captures_of(directory: Path, files: dict[str, str | bytes]) -> tuple[list[str], Draft]:
    """Return the captures of the only step of a draft."""
    write_files(directory, files={"out.txt": pgbench_log(1), **files})
    result = draft(directory, sorted([*files, "out.txt"]), {})
    (step,) = tomllib.loads(result.text)["step"]
    return step.get("captures", []), result


def test_captures_of_all_formats_are_known_by_their_contents(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "old.svg": FLAME_GRAPH,
        "waits.tsv": WAITS,
        "my.cnf": "innodb_io_capacity;x 100\n",
        "notes.txt": "all went well\n",
    }
    captures, result = captures_of(tmp_path, files)
    assert captures == ["old.svg", "waits.tsv"]
    # What nobody knows may be anything: only a person publishes it.
    assert tomllib.loads(result.text)["attachments"] == ["my.cnf"]
    assert result.left_out == ("notes.txt",)


def test_what_was_made_of_other_captures_does_not_count_again(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"perf.svg": FLAME_GRAPH, "perf.txt": PERF_SCRIPT}
    captures, result = captures_of(tmp_path / "both", files)
    assert captures == ["perf.txt"]
    assert result.left_out == ("perf.svg",)
    captures, _ = captures_of(tmp_path / "one", {"perf.svg": FLAME_GRAPH})
    assert captures == ["perf.svg"]


def test_without_node_a_draft_says_that_it_knows_no_captures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_node() -> Path:
        raise BadInput(Problem(path="node", found="not installed", expected="Node"))

    monkeypatch.setattr(node, "node_path", no_node)
    captures, result = captures_of(tmp_path, {"perf.folded.gz": folded()})
    assert captures == []
    assert result.left_out == ("perf.folded.gz",)
    assert [(each.severity, each.expected) for each in result.problems] == [
        ("warning", "Node, to recognize captures")
    ]


@pytest.mark.parametrize("name", ["graph.svg", "cpu.pb.gz", "cpu.pprof"])
def test_profiles_that_nothing_folds_are_left_out_of_a_draft(tmp_path: Path, name: str) -> None:
    files: dict[str, str | bytes] = {"select.txt": pgbench_log(1), name: "<svg></svg>"}
    write_files(tmp_path, files=files)
    result = draft(tmp_path, sorted(files), {})
    (step,) = tomllib.loads(result.text)["step"]
    assert "captures" not in step
    assert result.left_out == (name,)

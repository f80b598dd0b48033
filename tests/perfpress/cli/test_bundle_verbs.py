"""check, add, init and amend, as they are called: arguments in; output, files and status out."""

import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from bundle_samples import FILES, RUN, accepted, folded, pgbench_log, write_files
from perfpress.__main__ import main
from perfpress.base.node import requests as node
from perfpress.base.problems import BadInput, Problem
from perfpress.input.bundles import adding
from perfpress.input.bundles import discover as discover_bundles
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle, read_bundle

GOLDEN = Path(__file__).parent / "golden"
PROFILED = {
    "name": "select profiled",
    "operation": "transaction",
    "logs": ["select.txt"],
    "captures": ["perf.*.folded.gz"],
    "capture": {"event": "cpu-clock", "seconds": 10.0, "separate_run": True},
}


class Answer(NamedTuple):
    """What a call of perfpress printed, and its exit status."""

    status: int
    out: str
    err: str


Perfpress = Callable[..., Answer]


@pytest.fixture
def perfpress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Perfpress:
    """Return a caller of the command line in a directory with `data/results`."""
    (tmp_path / "data" / "results").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        status = main([*words, *([] if words[0] == "init" else ["--results", "data/results"])])
        return Answer(status, *capsys.readouterr())

    return call


def golden(name: str, actual: str) -> None:
    """Compare with a file beside this test; PERFPRESS_BLESS=1 rewrites it."""
    path = GOLDEN / name
    if os.environ.get("PERFPRESS_BLESS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual)
    assert path.read_text() == actual


def results() -> Path:
    return Path("data/results")


def test_check_prints_what_the_bundle_says(perfpress: Perfpress) -> None:
    write_files(Path("b"))
    answer = perfpress("check", "b")
    assert (answer.status, answer.err) == (0, "")
    run_id = answer.out.splitlines()[0].rsplit(" ", 1)[1]
    golden("check.txt", answer.out.replace(run_id, "RUN"))


def test_check_says_what_the_rate_counts(perfpress: Perfpress) -> None:
    step = RUN["step"][0] | {"operation": "scan of 1000 rows"}
    write_files(Path("b"), {"step": [step]})
    assert "1,000 scans of 1000 rows/s" in perfpress("check", "b").out


def test_check_says_where_there_is_nothing_to_compare_with(perfpress: Perfpress) -> None:
    results().rmdir()
    write_files(Path("b"))
    answer = perfpress("check", "b")
    assert answer.status == 0
    assert answer.err == (
        "warning: data/results: no such directory; "
        "expected accepted bundles to compare with; correct --results\n"
    )


def test_check_compares_with_the_last_release(perfpress: Perfpress) -> None:
    for release, rate in (("16", 500), ("17", 800), ("17", 950), ("17", 1400), ("19", 1)):
        started = datetime(2023, 1, 1, tzinfo=UTC)
        changes = {"release": release, "started": started}
        accepted(results(), changes, {"select.txt": pgbench_log(rate)})
    accepted(results(), {"release": "17", "clients": 9}, {"select.txt": pgbench_log(77)})
    files = FILES | {"perf.1.folded.gz": folded(3), "perf.2.folded.gz": folded(4)}
    write_files(Path("b"), {"step": [*RUN["step"], PROFILED]}, files)
    answer = perfpress("check", "b")
    run_id = answer.out.splitlines()[0].rsplit(" ", 1)[1]
    golden("check-against-the-last-release.txt", answer.out.replace(run_id, "RUN"))


def test_check_and_add_warn_of_repeats_that_are_factors_apart(perfpress: Perfpress) -> None:
    accepted(
        results(), {"started": datetime(2023, 1, 1, tzinfo=UTC)}, {"select.txt": pgbench_log(500)}
    )
    (first,) = results().glob("*/*/*/*")
    write_files(Path("like"), {}, FILES | {"select.txt": pgbench_log(510)})
    rerun = {"replaces": first.name}
    write_files(Path("rerun"), rerun, FILES | {"select.txt": pgbench_log(2500)})
    assert perfpress("check", "rerun").err == ""
    write_files(Path("unlike"), {}, FILES | {"select.txt": pgbench_log(2400)})
    assert perfpress("check", "like").err == ""
    expected = (
        "warning: unlike: far from what other runs of this release and variant measured: "
        "select (500.0 and 2,400 transactions/s); expected repeats of one measurement; "
        "if it measured something else, say so in run.toml, as config or axes\n"
    )
    for verb in ("check", "add"):
        answer = perfpress(verb, "unlike")
        assert (answer.status, answer.err) == (0, expected)


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [
        (1000.0, "no change seen (within ±0."),
        (900.0, "slower, one run"),
        (1100.0, "faster, one run"),
    ],
)
def test_check_says_whether_it_got_slower(perfpress: Perfpress, rate: float, verdict: str) -> None:
    for number in range(6):
        started = datetime(2023, 1, 1 + number, tzinfo=UTC)
        log = {"select.txt": pgbench_log(1000.0 + number)}
        accepted(results(), {"release": "17", "started": started}, log)
    write_files(Path("b"), files={"select.txt": pgbench_log(rate)})
    out = perfpress("check", "b").out
    assert verdict in out
    assert ("1 and 6 runs; noise floor ±" in out) == ("one run" in verdict)


def test_check_judges_all_runs_of_a_release_each_once(perfpress: Perfpress) -> None:
    for release in ("17", "18"):
        for number in range(5):
            started = datetime(2023, 1, 1 + number, tzinfo=UTC)
            log = {"select.txt": pgbench_log((1000.0 if release == "17" else 900.0) + number)}
            last = accepted(results(), {"release": release, "started": started}, log)
    write_files(Path("b"), files={"select.txt": pgbench_log(905.0)})
    new = perfpress("check", "b").out
    assert "slower: 6 and 5 runs; Mann-Whitney" in new
    assert "repeats: 5 runs of this release before" in new
    assert "next: perfpress add b" in new
    again = perfpress("check", str(last.directory)).out
    assert "slower: 5 and 5 runs; Mann-Whitney" in again
    assert "next:" not in again


def test_check_says_what_is_missing_and_what_did_not_end_well(perfpress: Perfpress) -> None:
    more = RUN["step"][0] | {"name": "update"}
    accepted(results(), {"release": "17", "step": [RUN["step"][0], more]})
    ended = {"how": "failed", "reason": "pgbench ended with status 1"}
    write_files(Path("b"), {"step": [RUN["step"][0] | {"ended": ended}]})
    out = perfpress("check", "b").out
    assert "not in this run, but in 17: update" in out
    assert "select failed, and nothing of it counts: pgbench ended with status 1" in out
    assert "(one run)" not in out


def test_check_gives_no_verdict_where_only_what_a_lab_host_needs_is_installed(
    perfpress: Perfpress, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted(results(), {"release": "17"})
    write_files(Path("b"))
    for name in ("scipy", "numpy", "pandas", "perfpress.analysis.metrics.throughput"):
        monkeypatch.setitem(sys.modules, name, None)
    out = perfpress("check", "b").out
    assert "0.0 % (one run)" in out
    assert "no verdicts here: they need all of Perfpress" in out


def check_captures(perfpress: Perfpress, files: dict[str, str | bytes]) -> Answer:
    """Return what check says of a bundle whose only step has those captures."""
    step = {"name": "select", "operation": "transaction", "logs": ["select.txt"]}
    changes = {"step": [{**step, "captures": ["perf.*"]}]}
    write_files(Path("c"), changes, {"select.txt": pgbench_log(1000.0), **files})
    return perfpress("check", "c")


def test_check_says_what_the_captures_of_each_event_hold(perfpress: Perfpress) -> None:
    heads = "# perfpress-folded event={} samples={} lost={}\ndb;f 2000000\n"
    answer = check_captures(
        perfpress,
        {
            "perf.1": heads.format("wait", 4, 0),
            "perf.2": heads.format("cycles", 5, 1),
            "perf.3": heads.format("cycles", 6, 1),
            "perf.4": "db;main 4\n",
        },
    )
    held = "4 (cycles: 11 samples, 2 lost; unknown: 4 samples; wait: 4 samples, 0 lost)\n\n"
    assert held in answer.out
    assert answer.status == 0


def test_check_says_which_captures_cannot_be_read(perfpress: Perfpress) -> None:
    answer = check_captures(perfpress, {"perf.1": "db;f 3\n", "perf.2": "nothing of the kind\n"})
    assert "1 of 2 can be read (unknown: 3 samples)" in answer.out
    assert "perf.2" in answer.err
    # The rest of the bundle is published all the same.
    assert answer.status == 0


def test_check_counts_captures_where_node_is_missing(
    perfpress: Perfpress, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_node() -> Path:
        raise BadInput(Problem(path="node", found="not installed"))

    monkeypatch.setattr(node, "node_path", no_node)
    monkeypatch.setattr("perfpress.base.node.jobs.node_version", no_node)
    answer = check_captures(perfpress, {"perf.1": "db;f 3\n"})
    assert "  1\n\n" in answer.out
    assert answer.err == "warning: node: not installed\n"
    assert answer.status == 0


def test_check_leaves_invalid_and_profiling_runs_out_of_the_comparison(
    perfpress: Perfpress,
) -> None:
    accepted(results(), {"release": "16"}, {"select.txt": pgbench_log(500)})
    invalid = accepted(results(), {"release": "17"}, {"select.txt": pgbench_log(900)})
    profiling = RUN["step"][0] | {"capture": {"separate_run": True}}
    accepted(results(), {"release": "17", "step": [profiling]})
    assert perfpress("amend", "invalid", invalid.run_id, "--reason", "r").status == 0
    write_files(Path("b"))
    out = perfpress("check", "b").out
    assert "against 16" in out
    assert "+100.0 % (one run)" in out


def test_check_orders_releases_as_the_author_does(perfpress: Perfpress) -> None:
    for release, rate in (("16", 500), ("17", 800)):
        accepted(results(), {"release": release}, {"select.txt": pgbench_log(rate)})
    text = Path("content/reports/postgres-releases/_index.md")
    text.parent.mkdir(parents=True)
    releases = "".join(f'[[releases]]\nid = "{each}"\n' for each in ("17", "16", "18"))
    text.write_text(f"+++\n{releases}+++\n")
    write_files(Path("b"))
    out = perfpress("check", "b").out
    assert "against 16" in out
    assert "+100.0 % (one run)" in out


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"select.txt": "x --password=hunter2"}, "select.txt:1: what looks like a secret"),
        ({"select.txt": "", "a.gz": "x"}, "a.gz: no gzip data"),
        ({}, "no file 'select.txt'"),
    ],
)
def test_check_and_add_refuse_alike(
    perfpress: Perfpress, files: dict[str, str | bytes], message: str
) -> None:
    write_files(Path("bad"), files=files)
    write_files(Path("good"))
    for verb in ("check", "add"):
        answer = perfpress(verb, "bad", "good")
        assert answer.status == 1
        assert message in answer.err
        assert "postgres-releases" in answer.out, "the other bundle is dealt with all the same"
        assert "hunter2" not in answer.out + answer.err
    bundles, problems = discover(results(), "results")
    assert len(bundles) == 1
    assert problems == []


def test_check_reports_problems_of_logs(perfpress: Perfpress) -> None:
    write_files(Path("b"), files={"select.txt": "no log at all\n"})
    answer = perfpress("check", "b")
    assert answer.status == 0
    assert answer.err.startswith("warning: b/select.txt: a log of no known format")


def test_add_puts_a_bundle_where_it_belongs(perfpress: Perfpress) -> None:
    write_files(Path("b"), {"started": datetime(2023, 9, 1, 10, tzinfo=UTC)})
    answer = perfpress("add", "b")
    assert answer.status == 0
    (bundle,), problems = discover(results(), "data/results")
    assert problems == []
    assert answer.out == (
        f"data/results/postgres-releases/18/socket2/{bundle.run_id}\n"
        "  /reports/postgres-releases/18/\n"
        "  /reports/postgres-releases/18/select/\n"
    )
    assert (bundle.directory / "select.txt").read_text() == FILES["select.txt"]


def test_the_same_bundle_twice_is_one(perfpress: Perfpress) -> None:
    write_files(Path("b"))
    shutil.copytree("b", "copy")
    first = perfpress("add", "b")
    second = perfpress("add", "b", "copy")
    assert second.status == 0
    assert second.out.count(": there already") == 2
    assert first.out.splitlines()[0] in second.out
    assert len(discover(results(), "r")[0]) == 1


def test_an_add_that_dies_leaves_nothing(
    perfpress: Perfpress, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    write_files(Path("b"))
    monkeypatch.setattr("perfpress.input.bundles.adding.shutil.copyfile", die)
    assert perfpress("add", "b").status == 130
    assert not [path for path in results().rglob("*") if path.is_file() or "adding" in path.name]


def test_a_bundle_that_changes_while_it_is_copied_is_refused(
    perfpress: Perfpress, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(Path("b"))
    copy = adding._copy

    def change_and_copy(*arguments: object) -> None:
        Path("b/select.txt").write_text("still being written")
        copy(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(adding, "_copy", change_and_copy)
    answer = perfpress("add", "b")
    assert answer.status == 1
    assert "b: the files changed while they were copied" in answer.err
    assert discover(results(), "r")[0] == ()


def test_add_refuses_another_spelling_of_a_name(perfpress: Perfpress) -> None:
    write_files(Path("a"), {"release": "C"})
    write_files(Path("b"), {"release": "C++"})
    assert perfpress("add", "a").status == 0
    answer = perfpress("add", "b")
    assert answer.status == 1
    assert "b/run.toml: 'C++' has the same address as 'C'" in answer.err
    assert len(discover(results(), "r")[0]) == 1


@pytest.mark.parametrize(
    ("changes", "clash"),
    [
        ({"report": "Postgres-Releases"}, "'Postgres-Releases' has the same address as"),
        ({"release": "RC"}, "'RC' has the same address as 'rc'"),
        ({"release": "rc", "config": "C++"}, "'socket2, C++' has the same address as 'socket2, C'"),
        ({"release": "rc", "config": "other"}, ""),
        ({"release": "new"}, ""),
    ],
)
def test_names_are_compared_with_few_of_the_accepted_bundles(
    changes: dict[str, str], clash: str, perfpress: Perfpress, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(6):
        facts = RUN | {"release": ["18", "rc"][at % 2], "config": "C"}
        write_files(Path(f"a{at}"), facts, FILES | {"select.txt": pgbench_log(1000 + at)})
        assert perfpress("add", f"a{at}").status == 0
    write_files(Path("b"), RUN | {"config": "C"} | changes)
    read: list[Path] = []

    def counted(directory: Path, shown_as: str) -> tuple[Bundle | None, list[Problem]]:
        read.append(directory)
        return read_bundle(directory, shown_as)

    monkeypatch.setattr(discover_bundles, "read_bundle", counted)
    answer = perfpress("add", "b")
    assert answer.status == (1 if clash else 0)
    assert clash in answer.err
    assert len(read) <= 3


def test_add_makes_the_results_directory(perfpress: Perfpress) -> None:
    results().rmdir()
    write_files(Path("b"))
    assert perfpress("add", "b").status == 0
    assert len(discover(results(), "r")[0]) == 1


def test_init_drafts_and_never_overwrites(perfpress: Perfpress) -> None:
    Path("d").mkdir()
    Path("d/select.txt").write_text(pgbench_log(1000))
    Path("d/core").write_text("?")
    answer = perfpress("init", "d", "--report", "r", "--release", "18", "--host", "h")
    assert (answer.status, answer.out) == (0, "d/run.toml\n")
    assert answer.err.startswith("warning: d/core: in the draft of no step")
    drafted = Path("d/run.toml").read_text()
    golden("init.toml", drafted)
    assert perfpress("check", "d").status == 0

    again = perfpress("init", "d")
    assert again.status == 1
    assert again.err == "d/run.toml: there already; edit it, or remove it to have a new draft\n"
    assert Path("d/run.toml").read_text() == drafted


def test_init_reports_a_directory_without_steps(perfpress: Perfpress) -> None:
    Path("d").mkdir()
    Path("d/my.cnf").write_text("port = 1\n")
    answer = perfpress("init", "d")
    assert (answer.status, answer.out) == (0, "d/run.toml\n")
    assert answer.err == (
        "warning: d/run.toml: no step, for no log or capture was recognised; "
        "add [[step]] with its name, operation and logs\n"
    )


def test_init_refuses_what_check_would_refuse(perfpress: Perfpress) -> None:
    Path("d").mkdir()
    Path("d/link").symlink_to("/etc/passwd")
    answer = perfpress("init", "d")
    assert answer.status == 1
    assert "d/link: a symbolic link" in answer.err
    missing = perfpress("init", "missing")
    assert (missing.status, missing.err) == (
        1,
        "missing: no such directory; expected the directory of a run; correct the name\n",
    )


@pytest.mark.parametrize("verb", ["check", "add", "init"])
def test_a_file_in_the_place_of_a_directory_is_reported_with_its_directory(
    perfpress: Perfpress, verb: str
) -> None:
    write_files(Path("b"))
    answer = perfpress(verb, "b/run.toml")
    assert (answer.status, answer.err) == (
        1,
        "b/run.toml: a file; expected the directory of a run; "
        "name the directory that holds it: b\n",
    )


def corrections() -> dict[str, str]:
    """Return all corrections: their texts, by name without the date."""
    paths = sorted(Path("data/corrections").rglob("*.toml"))
    return {f"{path.parent.name}/{path.name[11:]}": path.read_text() for path in paths}


def test_amend_writes_a_correction_and_prints_its_path(perfpress: Perfpress) -> None:
    run_id = accepted(results()).run_id
    answer = perfpress("amend", "invalid", run_id, "--reason", "noisy neighbour")
    assert answer.status == 0
    path = Path(answer.out.strip())
    assert path.exists()
    sentence = f"Run {run_id} does not count: noisy neighbour."
    assert answer.err == f"{sentence} The next build shows it.\n"
    assert corrections() == {
        f"postgres-releases/invalid-{run_id}.toml": (
            f'kind = "invalid"\nreason = "noisy neighbour"\nrun = "{run_id}"\n'
        )
    }


def test_amend_takes_the_directory_of_a_run(perfpress: Perfpress) -> None:
    bundle = accepted(results())
    answer = perfpress("amend", "invalid", str(bundle.directory), "--reason", "r")
    assert answer.status == 0


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("set", "clients=8", "RUN"), 'key = "clients"\nvalue = 8\n'),
        (("set", "machine.kernel=6.10", "RUN"), 'key = "machine.kernel"\nvalue = "6.10"\n'),
        (("set", "machine.cpus=8", "RUN"), 'key = "machine.cpus"\nvalue = 8\n'),
        (("set", "machine.virtual=true", "RUN"), 'key = "machine.virtual"\nvalue = true\n'),
        (("set", "tools.perf=6", "RUN"), 'key = "tools.perf"\nvalue = "6"\n'),
        (("set", "config=8", "RUN"), 'key = "config"\nvalue = "8"\n'),
        (
            ("set", f"machine.serial={'1' * 5000}", "RUN"),
            f'key = "machine.serial"\nvalue = "{"1" * 5000}"\n',
        ),
        (
            ("set", "seconds=2.5", "--release", "18", "--step", "select"),
            'key = "seconds"\nvalue = 2.5\n',
        ),
        (
            ("set", "capture.separate_run=true", "--release", "18", "--step", "select"),
            'key = "capture.separate_run"\nvalue = true\n',
        ),
        (("rename", "step", "select", "point"), 'what = "step"\nfrom = "select"\nto = "point"\n'),
        (("rename", "release", "18", "18.0"), 'what = "release"\nfrom = "18"\nto = "18.0"\n'),
        (("accept", "18", "--step", "select"), 'release = "18"\nstep = "select"\n'),
        (("invalid", "--release", "18"), 'release = "18"\n'),
    ],
)
def test_amend_writes_every_kind(perfpress: Perfpress, words: tuple[str, ...], text: str) -> None:
    run_id = accepted(results()).run_id
    asked = [run_id if word == "RUN" else word for word in words]
    answer = perfpress("amend", *asked, "--reason", "r")
    assert answer.status == 0, answer.err
    (written,) = corrections().values()
    assert written.endswith(text)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("clients=0", "0 for 'clients'; expected a whole number >= 1"),
        ("clients=many", "'many' for 'clients'; expected a whole number"),
        ("clients=2.5", "2.5 for 'clients'; expected a whole number"),
        (f"clients={'1' * 5000}", "'1111"),
    ],
)
def test_amend_explains_a_wrong_number_as_a_number(
    perfpress: Perfpress, setting: str, message: str
) -> None:
    answer = perfpress("amend", "set", setting, accepted(results()).run_id, "--reason", "r")
    assert answer.status == 1
    assert message in answer.err
    assert corrections() == {}


@pytest.mark.parametrize("verb", ["check", "add"])
def test_a_problem_of_many_files_is_one_line_of_each_bundle(
    perfpress: Perfpress, verb: str
) -> None:
    names = ["run0", "run1"]
    for name in names:
        write_files(Path(name), {"host": "a"})
        for at in range(6):
            Path(name, f"link{at}").symlink_to("run.toml")
    answer = perfpress(verb, *names)
    assert answer.status == 1
    lines = [line for line in answer.err.splitlines() if "a symbolic link" in line]
    assert [line.partition("/")[0] for line in lines] == names
    assert all("5 more places: run" in line and "--all-problems" in line for line in lines)
    each = perfpress(verb, *names, "--all-problems").err
    assert each.count("a symbolic link") == 12


def test_amend_applies_corrections_of_a_day_in_the_order_in_which_they_are_read(
    perfpress: Perfpress,
) -> None:
    accepted(results())
    for old, new in (("18", "18a"), ("18", "18A"), ("18A", "18c")):
        answer = perfpress("amend", "rename", "release", old, new, "--reason", "r")
        assert answer.status == 0, answer.err
        assert "is now called" in answer.err


def test_amend_supersedes_a_run(perfpress: Perfpress) -> None:
    old = accepted(results(), {"started": datetime(2023, 1, 1, tzinfo=UTC)}).run_id
    new = accepted(results(), {"started": datetime(2023, 1, 2, tzinfo=UTC)}).run_id
    assert perfpress("amend", "supersede", old, new, "--reason", "r").status == 0
    backwards = perfpress("amend", "supersede", new, old, "--reason", "r")
    assert backwards.status == 1
    assert "a run that is itself replaced by this one" in backwards.err
    other = accepted(results(), {"release": "17"}).run_id
    mixed = perfpress("amend", "supersede", new, other, "--reason", "r")
    assert mixed.status == 1
    assert "perfpress amend: a run of release '17', variant 'socket2'; expected" in mixed.err
    assert len(corrections()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("invalid", "2023"), "data/results: no run '2023'; expected a run id; see the names"),
        (
            ("invalid", "TYPO"),
            "expected a run id; did you mean RUN?",
        ),
        (("invalid", "HASH"), "expected a run id; did you mean RUN?"),
        (("invalid",), "neither run nor release; expected one of them; name a run by its id or"),
        (("invalid", "RUN", "--step", "selct"), "no step 'selct'; expected a step of the"),
        (("set", "clients=many", "RUN"), "'many' for 'clients'; expected a whole number"),
        (("set", "cliens=8", "RUN"), "the key 'cliens'; expected one of "),
        (("rename", "step", "select", "vs"), "a step may not be called 'vs'"),
        (("accept", "19"), "no release '19'"),
        (
            ("accept", "18", "--report", "none"),
            "data/results: no report 'none'; expected one with bundles",
        ),
    ],
)
def test_amend_writes_nothing_that_does_not_fit(
    perfpress: Perfpress, words: tuple[str, ...], message: str
) -> None:
    run_id = accepted(results()).run_id
    given = {"RUN": run_id, "TYPO": f"{run_id[:-1]}x", "HASH": run_id[-8:]}
    answer = perfpress("amend", *[given.get(word, word) for word in words], "--reason", "r")
    assert answer.status == 1
    assert message.replace("RUN", run_id) in answer.err
    assert corrections() == {}


def test_amend_reports_the_arguments_not_a_file_that_is_not_written(
    perfpress: Perfpress,
) -> None:
    accepted(results())
    answer = perfpress("amend", "rename", "release", "18", "18", "--reason", "r")
    assert answer.err == "perfpress amend: the same name twice; expected two names\n"


@pytest.mark.parametrize("setting", ["clients", "=8", ""])
def test_amend_set_without_a_key_or_a_value_is_bad_usage(
    perfpress: Perfpress, setting: str
) -> None:
    answer = perfpress("amend", "set", setting, "undated-1", "--reason", "r")
    assert answer.status == 2
    assert "expected KEY=VALUE, such as clients=8" in answer.err


def test_amend_without_bundles_asks_for_them(perfpress: Perfpress) -> None:
    answer = perfpress("amend", "accept", "18", "--reason", "r")
    assert answer.status == 1
    assert answer.err.startswith("data/results: no bundles; ")


def test_amend_asks_for_the_report_where_nothing_names_it(perfpress: Perfpress) -> None:
    accepted(results())
    accepted(results(), {"report": "other"})
    asked = perfpress("amend", "accept", "18", "--reason", "r")
    assert asked.status == 1
    assert (
        "2 reports (other, postgres-releases); expected one; name the report, --report" in asked.err
    )
    assert perfpress("amend", "accept", "18", "--report", "Other", "--reason", "r").status == 0
    assert list(corrections()) == ["other/accept-18.toml"]


Amended = Callable[..., str]


@pytest.fixture
def amended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Amended:
    """Return what amend says in a directory of the site, where nothing names the results."""

    def call(directory: Path, *words: str, status: int = 0) -> str:
        monkeypatch.chdir(directory)
        assert main(["amend", *words, "--reason", "r"]) == status
        monkeypatch.chdir(tmp_path)
        return capsys.readouterr().err

    (tmp_path / "data" / "results").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return call


def test_amend_takes_run_release_and_report_from_the_directory_it_is_called_in(
    amended: Amended,
) -> None:
    run = accepted(results(), {"release": "18 beta"})
    accepted(results(), {"report": "other"})
    text = Path("content/reports/other")
    text.mkdir(parents=True)
    variant = run.directory.parent
    for directory, words, said in (
        (run.directory, ("invalid",), f"Run {run.run_id} does not count: r."),
        (variant, ("set", "clients=8", run.run_id), f"“clients” of run {run.run_id} is now 8: r."),
        (variant.parent, ("invalid",), "No run of 18 beta counts: r."),
        (variant.parent.parent, ("accept", "18 beta"), "Every regression of 18 beta is known"),
        (text, ("rename", "release", "18", "19"), "Release “18” is now called “19”: r."),
    ):
        assert said in amended(directory, *words)
    reports = [each.split("/")[0] for each in corrections()]
    assert sorted(reports) == ["other", *["postgres-releases"] * 4]


def test_amend_takes_a_run_by_its_directory_from_anywhere(amended: Amended) -> None:
    run, other = accepted(results()), accepted(results(), {"report": "other"})
    variant = run.directory.parent
    assert f"Run {run.run_id} " in amended(variant, "invalid", f"./{run.run_id}/")
    assert f"Run {other.run_id} " in amended(variant, "invalid", str(other.directory.resolve()))
    said = amended(run.directory, "invalid", ".", "--step", "select")
    assert f"Run {run.run_id} does not count for select: r." in said


def test_amend_asks_for_a_run_where_the_directory_is_that_of_a_variant(amended: Amended) -> None:
    directory = accepted(results()).directory.parent
    assert "neither run nor release" in amended(directory, "invalid", status=1)


def test_a_second_correction_of_the_same_kind_has_a_file_of_its_own(perfpress: Perfpress) -> None:
    run_id = accepted(results()).run_id
    for setting in ("clients=8", "clients=9"):
        assert perfpress("amend", "set", setting, run_id, "--reason", "r").status == 0
    assert list(corrections()) == [
        f"postgres-releases/set-{run_id}-2.toml",
        f"postgres-releases/set-{run_id}.toml",
    ]

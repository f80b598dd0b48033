"""check, as it is called: what it says of a bundle, and what it refuses."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bundle_samples import FILES, RUN, accepted, folded, pgbench_log, write_files
from perfpress.base.node import requests as node
from perfpress.base.problems import BadInput, Problem
from perfpress.input.bundles.discover import discover
from verb_calls import Answer, Perfpress, golden, results

PROFILED = {
    "name": "select profiled",
    "operation": "transaction",
    "logs": ["select.txt"],
    "captures": ["perf.*.folded.gz"],
    "capture": {"event": "cpu-clock", "seconds": 10.0, "separate_run": True},
}


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

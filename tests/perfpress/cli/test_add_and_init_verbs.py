"""add and init, as they are called."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bundle_samples import FILES, RUN, pgbench_log, write_files
from perfpress.base.problems import Problem
from perfpress.input.bundles import adding
from perfpress.input.bundles import discover as discover_bundles
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle, read_bundle
from verb_calls import Perfpress, golden, results


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


def test_a_directory_of_bundles_gives_all_of_them(perfpress: Perfpress) -> None:
    for version in ("17", "18"):
        write_files(Path("out/postgres") / version / "socket2/run", {"release": version})
    checked = perfpress("check", "out").out
    assert "postgres-releases > 17 > socket2" in checked
    assert "postgres-releases > 18 > socket2" in checked
    answer = perfpress("add", "out")
    assert (answer.status, answer.err) == (0, "")
    assert {bundle.run.release for bundle in discover(results(), "r")[0]} == {"17", "18"}


def test_a_directory_without_bundles_is_said_to_have_no_run_toml(perfpress: Perfpress) -> None:
    (Path("out") / "a" / "b").mkdir(parents=True)
    answer = perfpress("add", "out")
    assert answer.status == 1
    assert answer.err.startswith("out: no run.toml; expected one")


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


def test_benchmarks_that_several_logs_name_are_steps_of_each(perfpress: Perfpress) -> None:
    Path("d").mkdir()
    for workload, rate in (("a", 5000), ("b", 7000)):
        text = f"[OVERALL], Throughput(ops/sec), {rate}\n[READ], AverageLatency(us), 400\n"
        Path(f"d/workload_{workload}.txt").write_text(text)
    assert perfpress("init", "d", "--report", "r", "--release", "7", "--host", "h").status == 0
    answer = perfpress("check", "d")
    assert (answer.status, answer.err) == (0, "")
    assert "workload_a OVERALL  5,000 operations/s" in answer.out
    assert "workload_b OVERALL  7,000 operations/s" in answer.out


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

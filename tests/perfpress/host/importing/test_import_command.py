"""`perfpress import`, as it is called: archives in; map, bundles, words and exit status out."""

import gzip
import io
import tarfile
import tomllib
from pathlib import Path

import pytest
import zstandard
from archive_samples import (
    FOLDED,
    sysbench_directory,
    sysbench_log,
    write,
)
from import_calls import KNOWN, MAP, SVG_MAP, Import, bundles, edited, rate_of, steps
from perfpress.base.toml.read import parse_toml
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.report.report import read_reports


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
    assert rate_of(four, "read-only range=10") == 2002.0
    assert rate_of(by_place["my8045", 4], "point-query.pre range=100") == 1001.0
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

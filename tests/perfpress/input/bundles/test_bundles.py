"""Bundles are read, named by their content, and found where they belong."""

import errno
import os
import shutil
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import FILES, RUN, accepted, good_bundle, write_files
from perfpress.input.bundles import read
from perfpress.input.bundles.content_hash import FileFact, content_hash, file_fact, run_id
from perfpress.input.bundles.discover import discover, discover_report, place_of
from perfpress.input.bundles.read import read_bundle
from perfpress.input.bundles.variant import Variant


def test_a_bundle_is_read_with_its_facts(tmp_path: Path) -> None:
    started = datetime(2023, 9, 1, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    changes = {"started": started, "config": "c8", "clients": 2, "axes": {"size": "480m"}}
    bundle = good_bundle(tmp_path, changes)
    assert bundle.run_id == f"20230901-100000-{bundle.content_hash[:8]}"
    assert bundle.variant == Variant("socket2", "c8", 2, (("size", "480m"),))
    assert [file.name for file in bundle.files] == ["run.toml", "select.txt"]
    assert bundle.files[1].size == len(FILES["select.txt"])
    assert bundle.shown("select.txt") == "bundle/select.txt"


TABLED = {"value": 1.0, "unit": "s", "line": 3}


@pytest.mark.parametrize(
    ("variant", "slug", "label"),
    [
        (Variant("Socket2"), "socket2", "Socket2"),
        (Variant("h", "cy9c5_u", 1), "h--cy9c5_u--1client", "h, cy9c5_u, 1 client"),
        (
            Variant("h", None, 2, (("build", "LTO"), ("size", "480m"))),
            "h--2clients--build-lto--size-480m",
            "h, 2 clients, build LTO, size 480m",
        ),
    ],
)
def test_a_variant_has_a_slug_and_a_name(variant: Variant, slug: str, label: str) -> None:
    assert (variant.slug, variant.label) == (slug, label)


def test_a_variant_with_many_axes_still_has_a_directory_name() -> None:
    axes = tuple((f"axis{number}", "x" * 90) for number in range(9))
    first, second = Variant("h", axes=axes), Variant("h", axes=(*axes, ("z", "y")))
    assert len(first.slug) <= 200
    assert first.slug != second.slug


def test_the_order_of_axes_does_not_matter(tmp_path: Path) -> None:
    first = good_bundle(tmp_path / "1", {"axes": {"a": "1", "b": "2"}})
    second = good_bundle(tmp_path / "2", {"axes": {"b": "2", "a": "1"}})
    assert first.variant == second.variant


def test_the_content_hash_is_of_names_and_bytes(tmp_path: Path) -> None:
    original = good_bundle(tmp_path / "a").content_hash
    same = good_bundle(tmp_path / "b").content_hash
    other_bytes = good_bundle(tmp_path / "c", files={"select.txt": "other"}).content_hash
    other_name = good_bundle(tmp_path / "d", files=FILES | {"x.txt": "x"}).content_hash
    assert original == same
    assert len({original, other_bytes, other_name}) == 3


def test_the_content_hash_knows_where_a_name_ends() -> None:
    one = [FileFact("a", 1, "0" * 64), FileFact("b", 1, "1" * 64)]
    two = [FileFact("a\n" + "1" * 64 + " b", 1, "0" * 64)]
    assert content_hash(one) == content_hash(reversed(one))
    assert content_hash(one) != content_hash(two)


def test_a_run_without_a_start_is_undated() -> None:
    assert run_id(None, "0123456789") == "undated-01234567"
    assert run_id(datetime(2023, 9, 1, 1, 2, 3, tzinfo=UTC), "a" * 64) == "20230901-010203-aaaaaaaa"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"report": "index.html"}, "run.toml:2: a report may not be called 'index.html'"),
        ({"release": "steps"}, "run.toml:3: a release may not be called 'steps'"),
        ({"release": "Compare"}, "run.toml:3: a release may not be called 'Compare'"),
        ({"host": "index"}, "run.toml:5: a host may not be called 'index'"),
        (
            {"step": [RUN["step"][0] | {"metrics": {"x": TABLED | {"file": "gone.tsv"}}}]},
            "no file 'gone.tsv'; expected the table that holds the metric",
        ),
        (
            {"step": [RUN["step"][0] | {"metrics": {"x": TABLED | {"file": "../up.tsv"}}}]},
            "'../up.tsv' climbs out of the bundle",
        ),
        ({"attachments": ["my.cnf"]}, "no file 'my.cnf'; expected a file of the bundle"),
        ({"attachments": ["*.txt"]}, "no file '*.txt'; expected a file name, not a pattern"),
        (
            {"step": [RUN["step"][0] | {"metrics": {"x": {"value": float("nan"), "unit": "s"}}}]},
            "`step[0].metrics.x.value` is nan; expected a number",
        ),
        (
            {"step": [RUN["step"][0] | {"metrics": {"x": {"value": float("inf"), "unit": "s"}}}]},
            "`step[0].metrics.x.value` is inf; expected a number",
        ),
        (
            {"step": [RUN["step"][0] | {"seconds": float("inf")}]},
            "`step[0].seconds` is inf; expected a number <= 1000000000.0",
        ),
        (
            {"step": [RUN["step"][0] | {"operations": 10**19}]},
            "`step[0].operations` is 10000000000000000000; expected a whole number <=",
        ),
    ],
)
def test_what_the_schema_cannot_check_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    bundle, problems = read_bundle(write_files(tmp_path, changes), "b")
    assert bundle is None
    (line,) = map(str, problems)
    assert message in line


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (5e-324, "'size' of 5e-324; expected 0, or a number from 1e-60 on"),
        (-1e-61, "'size' of -1e-61; expected 0, or a number from 1e-60 on"),
        (1e61, "is 1e+61; expected a number <= 1e+60"),
    ],
)
def test_a_metric_that_nothing_measures_is_refused(
    tmp_path: Path, value: float, found: str
) -> None:
    step = RUN["step"][0] | {"metrics": {"size": {"value": value, "unit": "MB"}}}
    bundle, problems = read_bundle(write_files(tmp_path, {"step": [step]}), "b")
    assert bundle is None
    (line,) = map(str, problems)
    assert found in line


@pytest.mark.parametrize(
    ("name", "unit", "found"),
    [
        ("throughput", "ops/min", "'throughput' in 'ops/min'; expected 'operations/s', as logs"),
        ("latency_average", "µs", "'latency_average' in 'µs'; expected 'ms', as logs state it"),
        ("latency_p99.9", "s", "'latency_p99.9' in 's'; expected 'ms', as logs state it"),
    ],
)
def test_a_metric_that_logs_state_has_no_other_unit(
    tmp_path: Path, name: str, unit: str, found: str
) -> None:
    metrics = {name: {"value": 1.0, "unit": unit}, "size": {"value": 1.0, "unit": "furlongs"}}
    changes = {"step": [RUN["step"][0] | {"metrics": metrics}]}
    bundle, (problem,) = read_bundle(write_files(tmp_path, changes), "b")
    assert bundle is None
    assert found in str(problem)
    assert problem.line


def test_a_directory_without_run_toml_is_no_bundle(tmp_path: Path) -> None:
    assert str(read_bundle(tmp_path, "b")[1][0]).startswith("b: no run.toml; expected one; name")
    assert str(read_bundle(tmp_path / "x", "x")[1][0]).startswith("x: no such directory; ")
    (tmp_path / "file").write_text("")
    assert str(read_bundle(tmp_path / "file", "a/x")[1][0]) == (
        "a/x: a file; expected the directory of a run; name the directory that holds it: a"
    )


def test_files_that_nothing_names_are_reported_and_kept(tmp_path: Path) -> None:
    write_files(tmp_path, files=FILES | {"a": "", "b": "", "c": "", "d": ""})
    bundle, (problem,) = read_bundle(tmp_path, "b")
    assert bundle is not None
    assert problem.severity == "warning"
    assert problem.found == "4 of 6 files are named by nothing: a, b, c …"


def test_a_file_that_cannot_be_read_is_reported_and_leaves_the_other_bundles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, other = accepted(tmp_path), accepted(tmp_path, {"release": "17"})

    def damaged(directory: Path, name: str) -> FileFact:
        if directory == other.directory and name == "select.txt":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return file_fact(directory, name)

    monkeypatch.setattr(read, "file_fact", damaged)
    bundles, (problem,) = discover(tmp_path, "results")
    assert [each.run_id for each in bundles] == [good.run_id]
    assert problem.path.endswith(f"17/socket2/{other.run_id}/select.txt")
    assert problem.found == "cannot be read (Input/output error)"


def test_bundles_are_found_in_order_of_their_places(tmp_path: Path) -> None:
    for release in ("18", "16"):
        for host in ("b", "a"):
            accepted(tmp_path, {"release": release, "host": host})
    accepted(tmp_path, {"report": "other"})
    bundles, problems = discover(tmp_path, "results")
    assert problems == []
    places = [(each.run.report, each.run.release, each.run.host) for each in bundles]
    assert places == [
        ("other", "18", "socket2"),
        ("postgres-releases", "16", "a"),
        ("postgres-releases", "16", "b"),
        ("postgres-releases", "18", "a"),
        ("postgres-releases", "18", "b"),
    ]
    assert bundles[0].shown_as == "results/" + "/".join(place_of(bundles[0]))
    of_one, _ = discover_report(tmp_path, "results", "other")
    assert of_one == bundles[:1]
    assert discover_report(tmp_path, "results", "none") == ((), [])


def test_one_broken_bundle_leaves_the_rest(tmp_path: Path) -> None:
    good = accepted(tmp_path)
    broken = accepted(tmp_path, {"release": "17"})
    (broken.directory / "run.toml").write_text("schema = 1\nrelease = \n")
    bundles, (problem,) = discover(tmp_path, "results")
    assert [each.run_id for each in bundles] == [good.run_id]
    assert str(problem).startswith(
        f"results/postgres-releases/17/socket2/{broken.run_id}/run.toml:2: "
    )


@pytest.mark.parametrize(
    ("level", "message"),
    [
        (0, "the report directory is called 'moved'; expected postgres-releases"),
        (1, "the release directory is called 'moved'; expected 18"),
        (2, "the variant directory is called 'moved'; expected socket2"),
        (3, "the run directory is called 'moved'; expected undated-"),
    ],
)
def test_a_bundle_in_another_place_is_refused(tmp_path: Path, level: int, message: str) -> None:
    bundle = accepted(tmp_path / "results")
    place = list(place_of(bundle))
    place[level] = "moved"
    target = (tmp_path / "moved").joinpath(*place)
    shutil.copytree(bundle.directory, target)
    bundles, (problem,) = discover(tmp_path / "moved", "results")
    assert bundles == ()
    assert message in str(problem)


def test_a_bundle_that_was_edited_is_refused(tmp_path: Path) -> None:
    bundle = accepted(tmp_path)
    (bundle.directory / "select.txt").write_text("other numbers")
    bundles, (problem,) = discover(tmp_path, "results")
    assert bundles == ()
    assert "a bundle is never changed: restore it" in problem.do


def test_what_does_not_belong_there_is_reported(tmp_path: Path) -> None:
    bundle = accepted(tmp_path)
    (tmp_path / "README.md").write_text("fine")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "postgres-releases" / "run.toml").write_text("")
    (bundle.directory.parent / ".adding-x").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "postgres-releases")
    bundles, problems = discover(tmp_path, "results")
    assert len(bundles) == 1
    assert [str(problem).split(";")[0] for problem in problems] == [
        "results/link: no directory",
        "results/notes.txt: no directory",
        "results/postgres-releases/18/socket2/.adding-x: a copy that was not finished",
        "results/postgres-releases/run.toml: no directory",
    ]
    assert problems[2].severity == "warning"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"release": "C"}, {"release": "C++"}, "'C++' has the same address as 'C'"),
        ({"report": "pg"}, {"report": "PG"}, "has the same address as"),
        ({"host": "Socket 2"}, {"host": "socket-2"}, "has the same address as"),
    ],
)
def test_two_names_of_one_address_are_refused(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], message: str
) -> None:
    accepted(tmp_path, first | {"started": datetime(2023, 1, 1, tzinfo=UTC)})
    accepted(tmp_path, second | {"started": datetime(2023, 1, 2, tzinfo=UTC)})
    bundles, (problem,) = discover(tmp_path, "results")
    assert len(bundles) == 1
    assert message in str(problem)


def test_no_results_directory_is_reported(tmp_path: Path) -> None:
    bundles, (problem,) = discover(tmp_path / "none", "none")
    assert bundles == ()
    assert "cannot be read" in problem.found

"""What capture writes is a bundle that can be read."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from perfpress.base.problems import BadInput
from perfpress.host.capture import bundle_writer
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import read_bundle
from perfpress.input.bundles.schema import Ended, Run, Step

RUN = Run(
    schema=1,
    report="postgres-releases",
    release="18",
    benchmark="pgbench",
    host="socket2",
    clients=1,
    steps=(Step(name="select", operation="select"),),
)


def test_a_written_bundle_is_read_as_it_was(tmp_path: Path) -> None:
    bundle_writer.write_bundle(RUN, tmp_path)
    bundle, problems = read_bundle(tmp_path, "bundle")
    assert problems == []
    assert bundle is not None
    assert bundle.run == RUN


def test_a_bundle_to_which_a_step_is_added_is_none_until_it_is_whole(tmp_path: Path) -> None:
    bundle_writer.write_bundle(RUN, tmp_path)
    with bundle_writer.unfinished(tmp_path):
        assert read_bundle(tmp_path, "bundle")[0] is None
        bundle_writer.write_bundle(replace(RUN, release="19"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]
    assert bundle_writer.earlier_run(tmp_path) == replace(RUN, release="19")


def test_what_fails_before_it_is_whole_leaves_the_bundle_as_it_was(tmp_path: Path) -> None:
    bundle_writer.write_bundle(RUN, tmp_path)
    with pytest.raises(OSError, match="full"), bundle_writer.unfinished(tmp_path):
        raise OSError("disk full")
    assert bundle_writer.earlier_run(tmp_path) == RUN


def test_a_bundle_whose_second_step_was_killed_still_has_its_first(tmp_path: Path) -> None:
    bundle_writer.write_bundle(RUN, tmp_path)
    (tmp_path / "run.toml").rename(tmp_path / bundle_writer.PARTIAL_NAME)
    assert bundle_writer.earlier_run(tmp_path) == RUN


def test_a_file_without_secrets_is_not_written_again(tmp_path: Path) -> None:
    log = tmp_path / "output.txt"
    log.write_text("tps = 5\n")
    log.chmod(0o444)
    before = log.stat()
    bundle_writer.redact_file(log)
    assert log.stat() == before


def test_a_bundle_is_moved_to_where_the_site_looks_for_it(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    directory.mkdir()
    bundle_writer.write_bundle(RUN, directory)
    place = bundle_writer.place_bundle(directory, tmp_path / "results")
    assert not directory.exists()
    assert place.parent == tmp_path / "results/postgres-releases/18/socket2--1client"
    bundles, problems = discover(tmp_path / "results", "results")
    assert problems == []
    assert [bundle.directory for bundle in bundles] == [place]


def test_what_cannot_be_read_is_not_moved(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    directory.mkdir()
    with pytest.raises(BadInput, match=r"no run\.toml"):
        bundle_writer.place_bundle(directory, tmp_path / "results")
    assert directory.exists()


def test_attachments_lose_their_secrets(tmp_path: Path) -> None:
    settings = tmp_path / "my.cnf"
    settings.write_text("[client]\npassword = hunter2\nport = 3306\n")
    out = tmp_path / "bundle"
    out.mkdir()
    assert bundle_writer.attach([settings], out) == ("my.cnf",)
    assert (out / "my.cnf").read_text() == (
        "[client]\npassword = [redacted password]\nport = 3306\n"
    )
    assert "hunter2" in settings.read_text()


def test_an_attachment_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"my\.cnf: cannot be copied"):
        bundle_writer.attach([tmp_path / "my.cnf"], tmp_path)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["a/.my.cnf"], r"\.my\.cnf: a name that begins with a dot"),
        (["a/my.cnf", "b/my.cnf"], r"b/my\.cnf: a second file called my\.cnf"),
        (["a/run.toml"], r"a/run\.toml: a second file called run\.toml"),
    ],
)
def test_an_attachment_that_the_bundle_cannot_hold_is_refused(
    tmp_path: Path, names: list[str], found: str
) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("port = 1\n")
    (tmp_path / "out").mkdir()
    with pytest.raises(BadInput, match=found):
        bundle_writer.attach([tmp_path / name for name in names], tmp_path / "out")


def test_a_place_that_cannot_be_a_bundle_is_refused_before_anything_is_measured(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"file: a file; expected a directory to write"):
        bundle_writer.earlier_run(tmp_path / "file")
    (tmp_path / ".git").mkdir()
    with pytest.raises(BadInput, match=r"\.git: a name that begins with a dot"):
        bundle_writer.earlier_run(tmp_path)


def test_a_second_step_joins_the_run_of_the_first() -> None:
    first = replace(RUN, attachments=("a.txt",), tools={"perf": "6.1"})
    second = replace(RUN, attachments=("b.txt",), tools={"pgbench": "15"}, steps=())
    run = bundle_writer.with_earlier_steps(second, first)
    assert run.attachments == ("a.txt", "b.txt")
    assert run.tools == {"perf": "6.1", "pgbench": "15"}
    assert run.steps == RUN.steps


@pytest.mark.parametrize(
    "other", [{"release": "16"}, {"config": "c2"}, {"clients": 2}, {"axes": {"size": "1m"}}]
)
def test_steps_of_different_things_make_no_run(other: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="one bundle a run") as raised:
        bundle_writer.with_earlier_steps(replace(RUN, **other), RUN)
    assert "None" not in str(raised.value)


def test_a_step_is_measured_once_in_a_run() -> None:
    with pytest.raises(BadInput, match="has a step 'Select' already"):
        bundle_writer.without_step("Select", RUN)
    assert bundle_writer.without_step("update", RUN) == RUN


def test_a_step_that_did_not_come_to_its_end_may_be_measured_again() -> None:
    ended = Ended(how="failed", reason="status 1")
    failed = replace(RUN, steps=(*RUN.steps, replace(RUN.steps[0], name="load", ended=ended)))
    assert bundle_writer.without_step("load", failed) == RUN

"""Bundles that move to an object store and back: nothing is lost, and the site stays the same."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bundle_samples import FILES, accepted, folded
from fault_proxy import busy, cut
from perfpress.__main__ import main
from perfpress.base.object_store import ObjectStore
from perfpress.base.problems import BadInput
from perfpress.build.stages import build
from perfpress.cli import archive as verb
from perfpress.host.archiving import archive as archiving
from perfpress.input.bundles.archived import fetched
from perfpress.input.bundles.checking import checked
from perfpress.input.bundles.discover import discover
from s3_stand_in import empty_bucket, s3_server
from small_site import contents, quiet, small_site
from time_limit import within

Captured = pytest.CaptureFixture[str]


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return results of two bundles: one of 2020, with a directory of captures, one undated."""
    step = {"name": "select", "operation": "transaction", "logs": ["select.txt"]}
    old = {"started": "2020-05-01T10:00:00Z", "step": [{**step, "captures": ["cpu/*.gz"]}]}
    files = FILES | {"cpu/a.folded.gz": folded(3), "cpu/b.folded.gz": folded(4)}
    accepted(tmp_path / "results", {"release": "17", **old}, files)
    accepted(tmp_path / "results", {"release": "18"})
    return tmp_path / "results"


def run(results: Path, *words: str) -> int:
    return main(["archive", "--results", str(results), *words])


def identities(results: Path) -> list[tuple[str, str, bool]]:
    bundles, problems = discover(results, "results")
    assert problems == []
    return [(each.run_id, each.content_hash, bool(each.archived)) for each in bundles]


def store_of(results: Path) -> tuple[Path, str]:
    directory = results.parent / "store"
    return directory, directory.as_uri()


def test_what_moves_comes_back_as_it_was(results: Path, capsys: Captured) -> None:
    before, names = contents(results), identities(results)
    _, address = store_of(results)
    assert run(results, "--to", address, "--before", "2021-01-01") == 0
    assert "1 bundle archived" in capsys.readouterr().out
    assert identities(results) == [(*names[0][:2], True), names[1]]
    assert sorted(name.rsplit("/", 1)[1] for name in contents(results)) == [
        "archived.json",
        "run.toml",
        "run.toml",
        "select.txt",
    ]
    assert run(results, "--verify") == 0
    assert "1 bundle verified" in capsys.readouterr().out
    assert run(results, "--undo") == 0
    assert contents(results) == before


@pytest.mark.slow
def test_a_site_of_archived_bundles_has_the_same_bytes(tmp_path: Path) -> None:
    request = small_site(tmp_path)
    assert not build(request, quiet).problems
    before = contents(request.out)
    assert run(request.results, "--to", (tmp_path / "store").as_uri()) == 0
    other = replace(request, cache=tmp_path / "other", out=tmp_path / "other-site")
    assert not build(other, quiet).problems
    assert contents(other.out) == before
    shutil.rmtree(tmp_path / "store")
    other_again = replace(other, out=tmp_path / "again")
    assert not build(other_again, quiet).problems, "what was fetched is kept"
    with pytest.raises(BadInput, match=r"or not what the manifest says: .* and 1 file more;"):
        build(replace(request, cache=tmp_path / "third", out=tmp_path / "third-site"), quiet)


@pytest.mark.slow
def test_a_damaged_file_costs_its_bundle(tmp_path: Path) -> None:
    request = small_site(tmp_path)
    assert run(request.results, "--to", (tmp_path / "store").as_uri()) == 0
    next((tmp_path / "store").rglob("select.txt")).write_text("tps = 1")
    [problem] = build(request, quiet).problems
    assert "missing in file://" in problem.found
    assert problem.found.endswith(", or not what the manifest says: select.txt")


@pytest.mark.parametrize("point", ["write", "_write_manifest", "_remove_files", "unlink"])
def test_whatever_is_interrupted_nothing_is_lost(
    results: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    names = identities(results)
    _, address = store_of(results)

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        owner: object = {"write": ObjectStore, "unlink": Path}.get(point, archiving)
        patched.setattr(owner, point, killed)
        with pytest.raises(Killed):
            run(results, "--to", address)
    assert [name[:2] for name in identities(results)] == [name[:2] for name in names]
    assert run(results, "--to", address) == 0
    assert [each[2] for each in identities(results)] == [True, True]
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace" if point == "write" else "unlink", killed)
        with pytest.raises(Killed):
            run(results, "--undo")
    assert [name[:2] for name in identities(results)] == [name[:2] for name in names]
    assert run(results, "--undo") == 0
    assert identities(results) == names


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"x" * 500)])
def test_a_store_with_other_bytes_is_found_and_the_bundle_stays_archived(
    results: Path, capsys: Captured, damage: Callable[[Path], object]
) -> None:
    directory, address = store_of(results)
    assert run(results, "--to", address) == 0
    damage(next(directory.rglob("b.folded.gz")))
    for option in ("--verify", "--undo"):
        capsys.readouterr()
        assert run(results, option) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert "cpu/b.folded.gz: it is missing, or not what was archived" in line
    archived = {run_id: is_archived for run_id, _, is_archived in identities(results)}
    assert list(archived.values()) == [True, False]


@pytest.mark.slow
def test_a_store_with_faults_loses_nothing(results: Path, capsys: Captured) -> None:
    before = contents(results)
    address = "s3://results/archive"
    with s3_server() as server, empty_bucket(server) as amazon, within(200):
        amazon.set(busy, lambda method, path, _: method == "PUT" and path.endswith("b.folded.gz"))
        assert run(results, "--to", address) == 1
        assert "Please reduce your request rate" in capsys.readouterr().err
        assert [each[2] for each in identities(results)] == [False, True]
        amazon.set(busy, lambda _, __, count: count == 1)
        assert run(results, "--to", address) == 0
        bundles, _ = discover(results, "results")
        amazon.set(cut, lambda method, _, count: method == "GET" and count == 1)
        here, problems = fetched(bundles, results.parent / "cache", quiet)
        assert problems == []
        assert all(each.is_unchanged() for each in here)
        amazon.set(busy, lambda *_: True)
        with pytest.raises(BadInput, match="which is archived there"):
            fetched(bundles, results.parent / "other", quiet)
        amazon.set(cut, lambda method, path, _: method == "GET" and path.endswith("a.folded.gz"))
        assert run(results, "--undo") == 1
        assert [each[2] for each in identities(results)] == [True, False]
        amazon.set(None, lambda *_: False)
        assert run(results, "--undo") == 0
    assert contents(results) == before


def test_a_manifest_that_somebody_pushes_is_refused(results: Path) -> None:
    _, address = store_of(results)
    assert run(results, "--to", address) == 0
    directory = next(results.rglob("archived.json")).parent
    bundle, problems = checked(directory)
    assert bundle is None
    assert "the manifest of an archived bundle" in str(problems[-1])
    assert "perfpress archive --verify" in str(problems[-1])


@pytest.mark.parametrize("name", ["../run.toml", "/etc/passwd", "a/../../b", ".git/x"])
def test_a_manifest_that_leads_elsewhere_is_refused(results: Path, name: str) -> None:
    _, address = store_of(results)
    assert run(results, "--to", address) == 0
    path = next(results.rglob("archived.json"))
    manifest = json.loads(path.read_text())
    manifest["files"][0]["name"] = name
    path.write_text(json.dumps(manifest))
    bundles, problems = discover(results, "results")
    assert len(bundles) == 1
    assert "a file that no bundle has" in str(problems[0])


def test_wrong_arguments_say_what_is_expected(results: Path, capsys: Captured) -> None:
    assert run(results, "--to", "s3:/x") == 2
    assert run(results) == 2
    assert run(results, "--undo", "--before", "yesterday") == 2
    assert run(results, str(results / "nowhere"), "--undo") == 1
    assert "no accepted bundle is there" in capsys.readouterr().err


def test_a_directory_keeps_its_name(results: Path) -> None:
    store = results.parent / "old runs, 100 %"
    assert run(results, "--to", str(store)) == 0
    assert next(store.rglob("select.txt")).is_file()
    assert run(results, "--verify") == 0


def test_a_relative_directory_is_found_from_another_place(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(results)
    monkeypatch.chdir(results.parent)
    assert run(results, "--to", "old/runs") == 0
    moved = results.parent / "another checkout"
    moved.mkdir()
    for part in ("results", "old"):
        (results.parent / part).rename(moved / part)
    monkeypatch.chdir("/")
    said: list[str] = []
    here, problems = fetched(
        discover(moved / "results", "results")[0], moved / "cache", said.append
    )
    assert (len(here), problems, said) == (2, [], ["fetching 2 runs of the archive"])
    assert run(moved / "results", "--verify") == 0
    assert run(moved / "results", "--undo") == 0
    assert contents(moved / "results") == before


def test_no_store_is_among_the_results(results: Path, capsys: Captured) -> None:
    before = contents(results)
    for inside in (results, results / "old"):
        assert run(results, "--to", str(inside)) == 1
        assert "it is among the results" in capsys.readouterr().err
    assert contents(results) == before


def test_a_store_that_is_away_is_asked_for_few_bundles(
    results: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verb, "MOST_FAILURES", 1)
    assert run(results, "--to", "nowhere://bucket") == 1
    found = capsys.readouterr()
    assert found.err.count("Protocol not known") == 1
    assert "the store failed with 1 in a row: 1 bundle not tried" in found.out


def test_damage_in_a_store_ends_no_verification(
    results: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verb, "MOST_FAILURES", 1)
    store, address = store_of(results)
    assert run(results, "--to", address) == 0
    for file in store.rglob("select.txt"):
        file.unlink()
    capsys.readouterr()
    assert run(results, "--verify") == 1
    assert capsys.readouterr().err.count("it is missing") == 2

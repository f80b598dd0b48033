"""perfpress accept: where it reads besides the branches of the site, and who may speak there."""

import json
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.cli.remotes import Remote, source
from perfpress.host.pushing import store
from perfpress.input.bundles.content_hash import FileFact, content_hash
from repositories import (
    accepted,
    branches_of,
    bundle,
    commits_of,
    files_of,
    git,
    place,
    push,
)

Captured = pytest.CaptureFixture[str]


def test_a_results_repository_is_read_and_left_as_it_is(site: Path, tmp_path: Path) -> None:
    hosts = tmp_path / "hosts.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    pushed = bundle(tmp_path / "a")
    push(hosts, pushed)
    assert accepted(site, tmp_path, str(hosts)) == 0
    assert accepted(site, tmp_path, str(hosts)) == 0
    assert f"{place(pushed)}/run.toml" in files_of(site, "main")
    assert commits_of(site, "main") == 2
    assert branches_of(hosts) == ["results/lab1"]


def test_a_source_of_one_host_speaks_for_no_other(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    hosts, store = tmp_path / "hosts.git", f"file://{tmp_path / 'store'}"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    own = [bundle(tmp_path / "a", host="Lab 1"), bundle(tmp_path / "b", host="Lab 1", rate=2000)]
    foreign = [bundle(tmp_path / "c", host="lab2"), bundle(tmp_path / "d", host="lab3")]
    push(hosts, own[0], foreign[0])
    assert main(["push", str(own[1]), str(foreign[1]), "--to", store]) == 0
    capsys.readouterr()
    assert accepted(site, tmp_path, f"Lab 1={hosts}", f"lab-1={store}") == 1
    out, err = capsys.readouterr()
    assert out.endswith("2 accepted, 0 there already\n")
    assert "pushed as the host lab2; expected only lab-1, the one host that may push there" in err
    assert "pushed as the host lab3; expected only lab-1, the one host that may push there" in err
    names = files_of(site, "main")
    assert all(f"{place(each)}/run.toml" in names for each in own)
    assert not any(f"{place(each)}/run.toml" in names for each in foreign)


def test_a_source_of_one_host_cannot_repeat_what_another_has_pushed(
    site: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = tmp_path / "hosts.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    push(hosts, bundle(tmp_path / "a"))
    monkeypatch.setenv("PERFPRESS_ACCEPT_FROM", f"lab1={hosts}")
    assert accepted(site, tmp_path) == 0
    monkeypatch.setenv("PERFPRESS_ACCEPT_FROM", f"lab1={hosts} lab2={hosts}")
    capsys.readouterr()
    assert accepted(site, tmp_path) == 1
    out, err = capsys.readouterr()
    assert out == "0 accepted, 1 there already\n"
    assert "pushed as the host lab1; expected only lab2" in err


def test_an_object_store_is_read(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    store = f"file://{tmp_path / 'store'}"
    pushed = bundle(tmp_path / "a")
    assert main(["push", str(pushed), "--to", store]) == 0
    monkeypatch.setenv("PERFPRESS_ACCEPT_FROM", store)
    assert accepted(site, tmp_path) == accepted(site, tmp_path) == 0
    assert f"{place(pushed)}/run.toml" in files_of(site, "main")
    assert capsys.readouterr().out.endswith("0 accepted, 1 there already\n")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "../../evil"}, "climbs out of the bundle"),
        ({"name": "/etc/evil"}, "an absolute path"),
        ({"name": ".git/config"}, "begins with a dot"),
        ({"size": 3}, "is not what the marker says"),
        ({"size": -1}, "than a bundle may hold"),
        ({"size": 10**12}, "than a bundle may hold"),
        ({"sha256": "../" * 20}, "is not what the marker says"),
    ],
)
def test_a_marker_that_lies_is_refused(
    site: Path,
    tmp_path: Path,
    capsys: Captured,
    change: dict[str, object],
    message: str,
) -> None:
    store = tmp_path / "store"
    assert main(["push", str(bundle(tmp_path / "a")), "--to", f"file://{store}"]) == 0
    [marker] = store.rglob("*.json")
    text = json.loads(marker.read_text())
    text["files"][1] |= change
    marker.write_text(json.dumps(text))
    # The uploads are where those of the marker's own files would be.
    [uploads] = (store / "lab1" / "uploads").iterdir()
    refused_by_store(site, tmp_path, capsys, f"file://{store}", message, uploads, marker)
    assert not list(tmp_path.rglob("evil"))


def refused_by_store(
    site: Path,
    tmp_path: Path,
    capsys: Captured,
    store: str,
    message: str,
    uploads: Path,
    marker: Path,
) -> None:
    facts = [
        FileFact(str(file["name"]), int(file["size"]), str(file["sha256"]))
        for file in json.loads(marker.read_text())["files"]
    ]
    uploads.rename(uploads.with_name(content_hash(facts)))
    assert accepted(site, tmp_path, store) == 1
    assert message in capsys.readouterr().err
    assert commits_of(site, "main") == 1


def test_a_marker_without_end_is_not_read(
    site: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"file://{tmp_path / 'store'}"
    assert main(["push", str(bundle(tmp_path / "a")), "--to", address]) == 0
    monkeypatch.setattr(store, "LARGEST_MARKER", 10)
    assert accepted(site, tmp_path, address) == 1
    message = "more than 10 bytes; remove the marker and push the bundle again"
    assert message in capsys.readouterr().err


def test_a_file_larger_than_its_marker_says_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    address = f"file://{tmp_path / 'store'}"
    assert main(["push", str(bundle(tmp_path / "a")), "--to", address]) == 0
    [log] = (tmp_path / "store").rglob("select.txt")
    log.write_bytes(bytes(1_000_000))
    assert accepted(site, tmp_path, address) == 1
    assert "select.txt is not what the marker says" in capsys.readouterr().err


def test_a_bundle_in_another_hosts_part_of_a_store_is_refused(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    store = tmp_path / "store"
    assert main(["push", str(bundle(tmp_path / "a")), "--to", f"file://{store}"]) == 0
    (store / "lab1").rename(store / "lab2")
    assert accepted(site, tmp_path, f"file://{store}") == 1
    assert "a run of the host 'lab1'; expected one of lab2" in capsys.readouterr().err
    assert commits_of(site, "main") == 1


def test_a_store_that_nobody_has_pushed_to_is_reported_and_no_fault(
    site: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert accepted(site, tmp_path, f"file://{tmp_path / 'none'}") == 0
    message = "nothing is there; correct the address, if a host has pushed there"
    assert message in capsys.readouterr().err


def test_an_equals_sign_behind_the_host_belongs_to_the_address() -> None:
    assert source("lab1=s3://bucket/a=b") == ("lab1", Remote("s3://bucket/a=b", is_store=True))
    assert source("s3://bucket/a=b") == ("", Remote("s3://bucket/a=b", is_store=True))
    address = "git@example.org:a=b.git"
    assert source(address) == ("", Remote(address, is_store=False))


@pytest.mark.parametrize("missing", ["{tmp}/gone.git", "nothing-known://gone"])
def test_a_source_that_cannot_be_read_holds_up_no_other(
    site: Path, tmp_path: Path, capsys: Captured, missing: str
) -> None:
    hosts, store = tmp_path / "hosts.git", f"file://{tmp_path / 'store'}"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(hosts))
    push(hosts, bundle(tmp_path / "a"))
    assert main(["push", str(bundle(tmp_path / "b", host="lab2")), "--to", store]) == 0
    capsys.readouterr()
    assert accepted(site, tmp_path, missing.format(tmp=tmp_path), str(hosts), store) == 1
    out, err = capsys.readouterr()
    assert out.endswith("2 accepted, 0 there already\n")
    assert "gone" in err
    assert len(err.splitlines()) == 1


def test_a_source_that_is_none_is_reported(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    push(site, bundle(tmp_path / "a"))
    store = f"file://{tmp_path / 'store'}"
    assert main(["push", str(bundle(tmp_path / "b", host="lab2")), "--to", store]) == 0
    monkeypatch.setenv("PERFPRESS_ACCEPT_FROM", f"--upload-pack=x s3:/bucket ext::sh {store}")
    capsys.readouterr()
    assert accepted(site, tmp_path) == 1
    out, err = capsys.readouterr()
    assert err.count("$PERFPRESS_ACCEPT_FROM: ") == len(err.splitlines()) == 3
    assert "s3:/bucket" in err
    assert out.endswith("2 accepted, 0 there already\n")

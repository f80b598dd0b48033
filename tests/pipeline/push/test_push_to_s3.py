"""perfpress push and accept over s3://, with moto in the place of Amazon.

s3fs and moto are large, so the project does not install them. In an environment that has both:

    python -m venv s3 && s3/bin/pip install s3fs "moto[server,s3]" pytest msgspec tomli-w zstandard
    s3/bin/python -m pytest -n 0 -o addopts= tests/pipeline/push/test_push_to_s3.py
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from repositories import bundle, files_of, site_repository

from pipeline.__main__ import main
from pipeline.push.store import Store

needed = "s3:// needs packages that are not installed here: s3fs and moto[server]"
pytest.importorskip("s3fs", reason=needed)
servers: Any = pytest.importorskip("moto.server", reason=needed)

Captured = pytest.CaptureFixture[str]
STORE = "s3://results/perf"


@pytest.fixture
def amazon(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve an empty bucket `results`; yield the server's address."""
    import boto3  # type: ignore[import-not-found]
    import s3fs  # type: ignore[import-not-found]

    server = servers.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    for name, value in {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "of-the-lab",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    urlopen(Request(f"{address}/moto-api/reset", method="POST")).close()
    boto3.client("s3").create_bucket(Bucket="results")
    s3fs.S3FileSystem.clear_instance_cache()
    yield address
    server.stop()


def push(*bundles: Path) -> int:
    return main(["push", *map(str, bundles), "--to", STORE])


def stored() -> list[str]:
    store = Store(STORE)
    store.files.invalidate_cache()
    return [f"{each.host}/{'/'.join(each.place)}" for each in store.stored() or []]


@pytest.mark.usefixtures("amazon")
def test_what_hosts_push_is_accepted(tmp_path: Path, capsys: Captured) -> None:
    big = bundle(tmp_path / "b", host="lab2")
    (big / "notes.txt").write_text("a line\n" * 1_500_000)  # more than one part of an upload
    assert push(bundle(tmp_path / "a"), big) == 0
    assert push(bundle(tmp_path / "again")) == 0
    assert capsys.readouterr().out.count("there already") == 1
    assert [place.split("/")[0] for place in stored()] == ["lab1", "lab2"]
    site = site_repository(tmp_path / "site.git")
    (tmp_path / "results").mkdir()
    words = ["accept", STORE, "--into", str(site), "--results", str(tmp_path / "results")]
    assert main(words) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.endswith("2 accepted, 0 there already\n")
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("0 accepted, 2 there already\n")
    names = files_of(site, "main")
    assert sum(name.endswith(("select.txt", "run.toml", "notes.txt")) for name in names) == 5


@pytest.mark.usefixtures("amazon")
def test_an_upload_that_was_cut_off_is_no_bundle_until_it_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "b")
    with monkeypatch.context() as patched:

        def cut(*_: object, **__: object) -> None:
            raise ConnectionResetError(104, "Connection reset by peer")

        patched.setattr("s3fs.S3FileSystem.pipe_file", cut)
        assert push(pushed) == 1
    assert "Connection reset by peer; check address and permission" in capsys.readouterr().err
    assert stored() == []
    assert push(pushed) == 0
    assert len(stored()) == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "connect"),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "redentials"),
    ],
)
@pytest.mark.usefixtures("amazon")
def test_what_hinders_a_push_is_told_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    change: dict[str, str],
    told: str,
) -> None:
    for name, value in change.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    assert push(bundle(tmp_path / "b")) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert err.startswith(f"{STORE}: the object store says: ")
    assert told in err
    assert "of-the-lab" not in err


@pytest.mark.usefixtures("amazon")
def test_a_bucket_that_is_not_there_is_told(tmp_path: Path, capsys: Captured) -> None:
    assert main(["push", str(bundle(tmp_path / "b")), "--to", "s3://no-such-bucket/x"]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "bucket" in err


@pytest.mark.parametrize(
    ("store", "endpoint", "told", "status"),
    [
        ("s3://no-such-bucket/x", None, "nothing is there; correct the address", 0),
        (STORE, "http://127.0.0.1:1", "the object store says: ", 1),
    ],
)
@pytest.mark.usefixtures("amazon")
def test_a_store_that_cannot_be_read_is_told_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    store: str,
    endpoint: str | None,
    told: str,
    status: int,
) -> None:
    if endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    site = site_repository(tmp_path / "site.git")
    (tmp_path / "results").mkdir()
    words = ["accept", store, "--into", str(site), "--results", str(tmp_path / "results")]
    assert main(words) == status
    [line] = capsys.readouterr().err.splitlines()
    assert told in line

"""perfpress push to an object store: the marker is last; the workflow is told, the token is not."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from repositories import bundle

from pipeline.__main__ import main
from pipeline.bundle.content_hash import FileFact
from pipeline.push import store as stores
from pipeline.push.store import Store, download

Captured = pytest.CaptureFixture[str]
TOKEN = "t0ken-that-nobody-may-see"


def push(store: Path, *words: str) -> int:
    return main(["push", *words, "--to", f"file://{store}"])


def files(store: Path) -> list[str]:
    return sorted(path.relative_to(store).as_posix() for path in store.rglob("*") if path.is_file())


def test_a_bundle_is_uploaded_and_then_marked(tmp_path: Path, capsys: Captured) -> None:
    pushed = bundle(tmp_path / "b")
    assert push(tmp_path / "s", str(pushed)) == 0
    [stored] = Store(f"file://{tmp_path / 's'}").stored() or []
    assert (stored.host, stored.place[:3]) == ("lab1", ("postgres-releases", "18", "lab1"))
    download(Store(f"file://{tmp_path / 's'}"), stored, tmp_path / "copy")
    for name in ("run.toml", "select.txt"):
        assert (tmp_path / "copy" / name).read_bytes() == (pushed / name).read_bytes()
    assert "/reports/postgres-releases/18/select/" in capsys.readouterr().out


def test_the_same_bundle_twice_is_one(tmp_path: Path, capsys: Captured) -> None:
    pushed = str(bundle(tmp_path / "b"))
    assert push(tmp_path / "s", pushed) == push(tmp_path / "s", pushed) == 0
    assert "there already" in capsys.readouterr().out
    assert len(files(tmp_path / "s")) == 3


def test_an_upload_that_is_cut_off_is_no_bundle_and_goes_on_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    pushed = str(bundle(tmp_path / "b"))
    with monkeypatch.context() as patched:

        def cut(*_: Any, **__: Any) -> None:
            raise ConnectionResetError(104, "Connection reset by peer")

        patched.setattr("fsspec.implementations.local.LocalFileSystem.pipe_file", cut)
        assert push(tmp_path / "s", pushed) == 1
    assert "Connection reset by peer; check address and permission" in capsys.readouterr().err
    assert (Store(f"file://{tmp_path / 's'}").stored() or []) == []
    assert push(tmp_path / "s", pushed) == 0
    assert len(Store(f"file://{tmp_path / 's'}").stored() or []) == 1


def test_files_that_change_meanwhile_get_no_marker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "b")

    def changed(_: Path, name: str) -> FileFact:
        return FileFact(name, 1, "0" * 64)

    monkeypatch.setattr(stores, "file_fact", changed)
    assert push(tmp_path / "s", str(pushed)) == 1
    assert "the files changed while they were uploaded" in capsys.readouterr().err
    assert (Store(f"file://{tmp_path / 's'}").stored() or []) == []


@pytest.mark.parametrize(
    ("address", "told"),
    [("nothing-known://x", "nothing-known"), ("s3://bucket/x", "s3fs")],
)
def test_a_store_without_its_package_is_told(
    tmp_path: Path, capsys: Captured, address: str, told: str
) -> None:
    assert main(["push", str(bundle(tmp_path / "b")), "--to", address]) == 1
    assert told in capsys.readouterr().err


def test_a_store_that_may_not_be_written_is_told(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "s").write_text("a file")
    assert push(tmp_path / "s", str(bundle(tmp_path / "b"))) == 1
    assert f"file://{tmp_path / 's'}: the object store says: " in capsys.readouterr().err


class GitHub(HTTPServer):
    """Answers as GitHub's API does; remembers what it was asked."""

    status = 204
    asked: list[tuple[str, str, dict[str, str]]]


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append((self.path, self.headers["Authorization"], body))
            self.send_response(server.status)
            self.send_header("Location", f"http://127.0.0.1:{server.server_port}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = GitHub(("127.0.0.1", 0), Handler)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("PERFPRESS_DISPATCH_TOKEN", TOKEN)
    yield server
    server.shutdown()
    server.server_close()


def test_the_workflow_is_started_once_there_is_something_new(
    github: GitHub, tmp_path: Path, capsys: Captured
) -> None:
    words = (str(bundle(tmp_path / "b")), "--dispatch", "owner/site")
    assert push(tmp_path / "s", *words) == push(tmp_path / "s", *words) == 0
    assert github.asked == [
        ("/repos/owner/site/dispatches", f"Bearer {TOKEN}", {"event_type": "results"})
    ]
    assert TOKEN not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "is wrong or has expired"),
        (403, "Contents: write"),
        (404, "correct the name"),
        (301, "answered 301"),
        (500, "try again later"),
    ],
)
def test_a_workflow_that_was_not_started_is_told_with_what_to_do(
    github: GitHub, tmp_path: Path, capsys: Captured, status: int, told: str
) -> None:
    github.status = status
    assert push(tmp_path / "s", str(bundle(tmp_path / "b")), "--dispatch", "owner/site") == 0
    err = capsys.readouterr().err
    assert err.startswith("warning: owner/site: its workflow was not started: ")
    assert told in err
    assert "the bundles have arrived" in err
    assert TOKEN not in err
    assert len(github.asked) == 1, "the token went to where it was redirected"


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("PERFPRESS_DISPATCH_TOKEN", "", "$PERFPRESS_DISPATCH_TOKEN is empty"),
        ("PERFPRESS_DISPATCH_TOKEN", "a\nX-Header: b", "other characters than a token"),
        ("GITHUB_API_URL", "http://example.org", "write https://"),
        ("GITHUB_API_URL", "http://127.0.0.1:1", "cannot be reached"),
    ],
)
@pytest.mark.usefixtures("github")
def test_what_hinders_the_call_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    name: str,
    value: str,
    told: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert push(tmp_path / "s", str(bundle(tmp_path / "b")), "--dispatch", "owner/site") == 0
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("name", ["site", "/site", "owner/", "a/b/c", "owner/../x", "o wner/x"])
def test_a_name_that_is_no_repository_is_bad_usage(name: str, capsys: Captured) -> None:
    assert main(["push", "b", "--dispatch", name]) == 2
    assert "expected OWNER/NAME" in capsys.readouterr().err

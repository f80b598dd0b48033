"""perfpress push to an object store: the marker is last, and no token is shown."""

import json
import math
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from perfpress.__main__ import main
from perfpress.base.problems import BadInput
from perfpress.host.pushing.store import Store, download
from perfpress.input.bundles.read import Bundle
from repositories import bundle
from time_limit import within

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
    download(Store(f"file://{tmp_path / 's'}"), stored, tmp_path / "copy", math.inf)
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
    assert (
        "Connection reset by peer; check address, permission and clock" in capsys.readouterr().err
    )
    assert (Store(f"file://{tmp_path / 's'}").stored() or []) == []
    assert push(tmp_path / "s", pushed) == 0
    assert len(Store(f"file://{tmp_path / 's'}").stored() or []) == 1


@pytest.mark.parametrize("left", [b"", b'{"schema":1,"fil', b"null"])
def test_half_a_marker_is_written_again(tmp_path: Path, left: bytes) -> None:
    pushed = str(bundle(tmp_path / "b"))
    assert push(tmp_path / "s", pushed) == 0
    store = Store(f"file://{tmp_path / 's'}")
    [stored] = store.stored() or []
    Path(stored.marker).write_bytes(left)
    assert push(tmp_path / "s", pushed) == 0
    download(store, stored, tmp_path / "copy", math.inf)


def test_files_that_change_meanwhile_get_no_marker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    pushed = bundle(tmp_path / "b")

    monkeypatch.setattr(Bundle, "is_unchanged", lambda _: False)
    assert push(tmp_path / "s", str(pushed)) == 1
    assert "the files changed while they were uploaded" in capsys.readouterr().err
    assert (Store(f"file://{tmp_path / 's'}").stored() or []) == []


@pytest.mark.parametrize(
    ("address", "message"),
    [("nothing-known://x", "nothing-known"), ("gs://bucket/x", "gcsfs")],
)
def test_a_store_without_its_package_is_reported(
    tmp_path: Path, capsys: Captured, address: str, message: str
) -> None:
    assert main(["push", str(bundle(tmp_path / "b")), "--to", address]) == 1
    assert message in capsys.readouterr().err


def test_a_store_that_may_not_be_written_is_reported(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "s").write_text("a file")
    assert push(tmp_path / "s", str(bundle(tmp_path / "b"))) == 1
    assert f"file://{tmp_path / 's'}: the object store says: " in capsys.readouterr().err


def replaced(path: Path, by: str) -> None:
    """Put something in the place of a file that no store should hold."""
    elsewhere = path.with_name("elsewhere")
    path.rename(elsewhere)
    match by:
        case "a link to a device":
            path.symlink_to("/dev/zero")
        case "a link to a file":
            path.symlink_to(elsewhere)
        case "a pipe":
            os.mkfifo(path)
        case "a directory":
            path.mkdir()
        case "more bytes":
            path.write_bytes(elsewhere.read_bytes() + b"x" * 10_000_000)
        case "other bytes":
            path.write_bytes(elsewhere.read_bytes()[:-1] + b"x")


@pytest.mark.parametrize("what", ["*/uploads/*/select.txt", "*/*/*/*/*.json"])
@pytest.mark.parametrize(
    "by",
    [
        *("a link to a device", "a link to a file", "a pipe", "a directory"),
        *("more bytes", "other bytes"),
    ],
)
def test_only_regular_files_as_long_as_their_marker_says_are_read(
    tmp_path: Path, what: str, by: str
) -> None:
    pushed = bundle(tmp_path / "b")
    (pushed / "select.txt").write_text("")  # as long as a device seems to be
    assert push(tmp_path / "s", str(pushed)) == 0
    store = Store(f"file://{tmp_path / 's'}")
    [stored] = store.stored() or []
    [path] = (tmp_path / "s").glob(what)
    replaced(path, by)
    with within(20), pytest.raises(BadInput) as refused:
        download(store, stored, tmp_path / "copy", math.inf)
    assert len(str(refused.value).splitlines()) == 1
    copies = [each.stat().st_size for each in (tmp_path / "copy").rglob("*.txt")]
    assert sum(copies) <= 1, "no more is read than one byte too many"


def test_a_directory_of_the_store_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    assert push(tmp_path / "s", str(bundle(tmp_path / "b"))) == 0
    store = Store(f"file://{tmp_path / 's'}")
    [stored] = store.stored() or []
    uploads = tmp_path / "s" / "lab1" / "uploads"
    uploads.rename(tmp_path / "elsewhere")
    uploads.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="no regular file"):
        download(store, stored, tmp_path / "copy", math.inf)


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
    ("status", "message"),
    [
        (401, "is wrong or has expired"),
        (403, "Contents: write"),
        (404, "correct the name"),
        (301, "answered 301"),
        (500, "try again later"),
    ],
)
def test_a_workflow_that_was_not_started_is_reported_with_what_to_do(
    github: GitHub, tmp_path: Path, capsys: Captured, status: int, message: str
) -> None:
    github.status = status
    assert push(tmp_path / "s", str(bundle(tmp_path / "b")), "--dispatch", "owner/site") == 0
    err = capsys.readouterr().err
    assert err.startswith("warning: owner/site: its workflow was not started: ")
    assert message in err
    assert "the bundles have arrived" in err
    assert TOKEN not in err
    assert len(github.asked) == 1, "the token went to where it was redirected"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PERFPRESS_DISPATCH_TOKEN", "", "$PERFPRESS_DISPATCH_TOKEN is empty"),
        ("PERFPRESS_DISPATCH_TOKEN", "a\nX-Header: b", "other characters than a token"),
        ("GITHUB_API_URL", "http://example.org", "write https://"),
        ("GITHUB_API_URL", "http://127.0.0.1:1", "cannot be reached"),
    ],
)
@pytest.mark.usefixtures("github")
def test_what_hinders_the_call_is_reported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    name: str,
    value: str,
    message: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert push(tmp_path / "s", str(bundle(tmp_path / "b")), "--dispatch", "owner/site") == 0
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["site", "/site", "owner/", "a/b/c", "owner/../x", "o wner/x"])
def test_a_name_that_is_no_repository_is_bad_usage(name: str, capsys: Captured) -> None:
    assert main(["push", "b", "--dispatch", name]) == 2
    assert "expected OWNER/NAME" in capsys.readouterr().err

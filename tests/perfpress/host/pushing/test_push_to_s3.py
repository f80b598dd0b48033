"""perfpress push and accept over s3://, with moto in the place of Amazon, and with faults."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_proxy import Fault, Proxy, busy, cut, skewed, too_long, too_short
from perfpress.__main__ import main
from perfpress.host.accepting import arrivals
from perfpress.host.pushing.store import Store
from repositories import bundle, files_of, site_repository
from s3_stand_in import Address, empty_bucket, s3_server
from time_limit import within

Captured = pytest.CaptureFixture[str]
STORE = "s3://results/perf"


@pytest.fixture(scope="module")
def server() -> Iterator[Address]:
    with s3_server() as address:
        yield address


@pytest.fixture
def amazon(server: Address) -> Iterator[Proxy]:
    with empty_bucket(server) as proxy:
        yield proxy


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


@pytest.mark.parametrize(
    "place", ["../../x/y", "../../../x", "../../../..", "./././.", "r/1/.git/x"]
)
@pytest.mark.usefixtures("amazon")
def test_a_key_that_climbs_out_of_the_store_becomes_no_path(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    assert push(bundle(tmp_path / "a")) == 0
    files = Store(STORE).files
    [marker] = files.glob("results/perf/lab1/*/*/*/*.json")
    files.copy(marker, f"results/perf/lab1/{place}.json")
    copied: list[Path] = []
    monkeypatch.setattr(arrivals, "download", lambda *words: copied.append(words[2]))
    site = site_repository(tmp_path / "site.git")
    words = ["accept", STORE, "--into", str(site), "--results", str(tmp_path)]
    assert main(words) == 1
    assert f"lab1/{place}: a place of a name that begins with a dot" in capsys.readouterr().err
    assert len(copied) == 1


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
    assert (
        "Connection reset by peer; check address, permission and clock" in capsys.readouterr().err
    )
    assert stored() == []
    assert push(pushed) == 0
    assert len(stored()) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "connect"),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "redentials"),
    ],
)
@pytest.mark.usefixtures("amazon")
def test_what_hinders_a_push_is_reported_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    change: dict[str, str],
    message: str,
) -> None:
    for name, value in change.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    assert push(bundle(tmp_path / "b")) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert err.startswith(f"{STORE}: the object store says: ")
    assert message in err
    assert "of-the-lab" not in err


@pytest.mark.usefixtures("amazon")
def test_a_bucket_that_is_not_there_is_reported(tmp_path: Path, capsys: Captured) -> None:
    assert main(["push", str(bundle(tmp_path / "b")), "--to", "s3://no-such-bucket/x"]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "bucket" in err


@pytest.mark.parametrize(
    ("store", "endpoint", "message", "status"),
    [
        ("s3://no-such-bucket/x", None, "nothing is there; correct the address", 0),
        (STORE, "http://127.0.0.1:1", "the object store says: ", 1),
    ],
)
@pytest.mark.usefixtures("amazon")
def test_a_store_that_cannot_be_read_is_reported_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    store: str,
    endpoint: str | None,
    message: str,
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
    assert message in line


def accepting(tmp_path: Path) -> list[str]:
    """Return the words of an acceptance into a new site."""
    site = site_repository(tmp_path / "site.git")
    (tmp_path / "results").mkdir()
    return ["accept", STORE, "--into", str(site), "--results", str(tmp_path / "results")]


def test_a_busy_store_is_asked_again(amazon: Proxy, tmp_path: Path, capsys: Captured) -> None:
    amazon.set(busy, lambda _, __, count: count == 1)
    assert push(bundle(tmp_path / "b")) == 0, capsys.readouterr().err
    assert main(accepting(tmp_path)) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.endswith("1 accepted, 0 there already\n")


@pytest.mark.parametrize("fault", [busy, cut, skewed])
@pytest.mark.parametrize("method", ["PUT", "HEAD"])
def test_a_push_that_meets_a_fault_marks_nothing_and_the_next_one_ends_it(
    amazon: Proxy, tmp_path: Path, capsys: Captured, fault: Fault, method: str
) -> None:
    pushed = bundle(tmp_path / "b")
    amazon.set(fault, lambda asked, path, _: asked == method and not path.endswith(".json"))
    with within(60):
        status = push(pushed)
    err = capsys.readouterr().err
    amazon.set(None, lambda *_: False)
    if status:
        assert len(err.splitlines()) == 1
        assert "the object store says: " in err
        assert "of-the-lab" not in err
        assert stored() == []
    assert push(pushed) == 0
    assert len(stored()) == 1
    assert main(accepting(tmp_path)) == 0, capsys.readouterr().err


def test_a_wrong_clock_is_reported_with_what_to_do(
    amazon: Proxy, tmp_path: Path, capsys: Captured
) -> None:
    amazon.set(skewed, lambda *_: True)
    assert push(bundle(tmp_path / "b")) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "permission and clock" in line


@pytest.mark.parametrize("fault", [cut, too_long, too_short])
def test_bytes_that_differ_from_the_marker_are_refused_and_taken_when_they_are_right(
    amazon: Proxy, tmp_path: Path, capsys: Captured, fault: Fault
) -> None:
    assert push(bundle(tmp_path / "a"), bundle(tmp_path / "b", host="lab2")) == 0
    words = accepting(tmp_path)
    amazon.set(fault, lambda method, path, _: method == "GET" and "lab1/uploads" in path)
    with within(60):
        main(words)
    out, err = capsys.readouterr()
    assert out.endswith("1 accepted, 0 there already\n"), "what came of the other host"
    assert "lab1" in err
    assert "Traceback" not in err
    amazon.set(None, lambda *_: False)
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("1 accepted, 1 there already\n")

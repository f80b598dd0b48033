"""A cache in a store: what it answers is used where it is right, and its faults stop nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_proxy import Fault, Proxy, busy, cut, too_long, too_short
from perfpress.base.cache import Cache, key_of, shared_by_machines
from s3_stand_in import Address, empty_bucket, s3_server
from time_limit import within

pytestmark = pytest.mark.slow

ADDRESS = "s3://results/cache"
KEYS = [key_of(number) for number in range(5)]


@pytest.fixture(scope="module")
def server() -> Iterator[Address]:
    with s3_server() as address:
        yield address


@pytest.fixture
def amazon(server: Address) -> Iterator[Proxy]:
    with empty_bucket(server) as proxy:
        yield proxy


def warnings(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what was said; the store that stands in for Amazon says other things."""
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: ")]


def send(root: Path, address: str = ADDRESS) -> None:
    """Make entries on one machine, and share them."""
    with shared_by_machines(root, address) as cache:
        for number, key in enumerate(KEYS):
            cache.keep_value("logs", key, [number] * 1000)
        cache.send("logs", KEYS)


def brought(root: Path) -> list[int | None]:
    """Return which numbers come to a machine that has nothing."""
    with shared_by_machines(root, ADDRESS) as cache:
        cache.bring("logs", KEYS)
    # Whether they came, and not whether they can be had.
    values = [Cache(root).find_value("logs", key, list[int]) for key in KEYS]
    assert all(value is None or value == value[:1] * 1000 for value in values)
    return [value[0] if value else None for value in values]


@pytest.mark.usefixtures("amazon")
def test_entries_come_to_another_machine_whole(tmp_path: Path) -> None:
    assert brought(tmp_path / "empty") == [None] * 5
    send(tmp_path / "one")
    assert brought(tmp_path / "two") == [0, 1, 2, 3, 4]


def test_a_store_that_refuses_or_breaks_off_now_and_then_is_asked_again(
    amazon: Proxy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    amazon.set(busy, lambda _, __, count: count == 1)
    send(tmp_path / "one")
    assert brought(tmp_path / "two") == [0, 1, 2, 3, 4]
    amazon.set(cut, lambda method, _, count: method == "GET" and count == 1)
    assert brought(tmp_path / "three") == [0, 1, 2, 3, 4]
    assert warnings(capsys) == []


@pytest.mark.parametrize("fault", [busy, cut, too_short, too_long])
def test_a_store_that_always_fails_is_left_alone(
    amazon: Proxy, tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: Fault
) -> None:
    send(tmp_path / "one")
    amazon.set(fault, lambda method, _, __: method == "GET")
    with within(100):
        assert brought(tmp_path / "two") == [None] * 5
    [line] = warnings(capsys)
    assert line.startswith(f"warning: {ADDRESS}: the object store says: ")


def test_a_store_that_takes_nothing_is_left_alone(
    amazon: Proxy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    amazon.set(busy, lambda method, _, __: method == "PUT")
    with within(100):
        send(tmp_path / "one")
    [line] = warnings(capsys)
    assert "reduce your request rate" in line
    assert Cache(tmp_path / "one").find_value("logs", KEYS[4], list[int]) == [4] * 1000


@pytest.mark.parametrize(
    ("address", "message"),
    [("s3://no-such-bucket/x", "bucket"), ("nosuch://x/y", "Protocol not known")],
)
@pytest.mark.usefixtures("amazon")
def test_a_store_that_cannot_be_used_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, message: str
) -> None:
    send(tmp_path / "one", address)
    [line] = warnings(capsys)
    assert line.startswith(f"warning: {address}: ")
    assert message in line
    assert line.endswith("this build goes on without it")
